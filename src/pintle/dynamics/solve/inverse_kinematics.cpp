#include "pintle/dynamics/solve/inverse_kinematics.h"

#include <cmath>

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/model/links/configuration_impl.h"

namespace pintle {

InverseKinematicsWorkspace::InverseKinematicsWorkspace(const Model& model, std::size_t max_targets)
    : space(model),
      errors(model, max_targets),
      bounded(static_cast<std::size_t>(model.nv())),
      q(static_cast<std::size_t>(model.nq())),
      trial(q.size()),
      step(static_cast<std::size_t>(model.nv())),
      part(step.size()),
      gradient(step.size()),
      below(step.size()),
      above(step.size()),
      posture_error(step.size()),
      H(step.size() * step.size()),
      curvature(H.size()),
      at_limit(step.size()) {}

namespace {

class Search {
 public:
  Search(const Model& model, std::span<const PoseTarget> targets, InverseKinematicsWorkspace& work,
         const InverseKinematicsOptions& options)
      : model_(model),
        work_(work),
        options_(options),
        errors_(model, targets, options.length, work.errors),
        length_(errors_.length()),
        n_(work.gradient.size()) {
    check();
    work_.space.set_length(length_);
    if (!options.posture.empty()) posture_weight_ = options.posture_weight;
  }

  InverseKinematicsReport run(std::span<double> q) {
    for (std::size_t i = 0; i < q.size(); ++i) work_.q[i] = q[i];
    normalize(model_, work_.q);
    work_.space.clamp(work_.q);
    InverseKinematicsReport report;
    if (posture_weight_ > 0.0) {
      // First with the posture term; then from there the targets alone, along the shortest path.
      (void)descend(options_.max_iterations / 2, 1e-4 * posture_weight_);
      posture_weight_ = 0.0;
    }
    report.outcome = descend(options_.max_iterations, options_.tolerance);
    report.iterations = iterations_;
    report.length = length_;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = work_.q[i];
    for (std::size_t k = 0; k < n_; ++k) work_.at_limit[k] = static_cast<signed char>(work_.space.side(q, k));
    (void)cost_at(work_.q);
    report.targets = errors_.residuals();
    report.at_limit = work_.at_limit;
    return report;
  }

 private:
  void check() const {
    if (!options_.posture.empty())
      require_size("inverse_kinematics", "options.posture", options_.posture.size(), size(model_.nq()));
    for (const double x : options_.posture)
      require(std::isfinite(x), "inverse_kinematics", "options.posture", "all values must be finite");
    require(options_.tolerance > 0.0 && options_.damping > 0.0 && options_.posture_weight >= 0.0, "inverse_kinematics",
            "options", "tolerance and damping must be positive, posture_weight must not be negative");
  }

  /// Half the sum of the squares of all weighted errors, the posture's too [m^2].
  double cost_at(std::span<const double> q) { return errors_.cost(q) + posture_cost(q); }

  double posture_cost(std::span<const double> q) {
    if (posture_weight_ == 0.0) return 0.0;
    difference(model_, options_.posture, q, work_.posture_error);
    const double away = posture_weight_ * work_.space.length_of(work_.posture_error);
    return 0.5 * away * away;
  }

  /// After cost_at(q): gradient, Gauss-Newton matrix and second-derivative term.
  void linearise() {
    for (double& x : work_.gradient) x = 0.0;
    for (double& x : work_.H) x = 0.0;
    for (double& x : work_.curvature) x = 0.0;
    errors_.linearise(work_.gradient, work_.H, work_.curvature);
    if (posture_weight_ > 0.0) add_posture();
  }

  void add_posture() {
    const double square = posture_weight_ * posture_weight_;
    for (const IndependentJoint& joint : model_.independent_joints()) {
      const std::size_t first = size(joint.v), nv = size(facts(joint.kind).nv);
      const double* const d = work_.posture_error.data() + first;
      Matrix6<double> J;
      difference_jacobian_joint(joint.kind, d, J);
      for (std::size_t r = 0; r < nv; ++r) {
        const double w = square * work_.space.weight[first + r];
        for (std::size_t i = 0; i < nv; ++i) {
          work_.gradient[first + i] += J.m[r][i] * w * d[r];
          for (std::size_t j = 0; j < nv; ++j) work_.H[(first + i) * n_ + first + j] += J.m[r][i] * w * J.m[r][j];
        }
      }
    }
  }

  bool reached() const { return posture_weight_ == 0.0 && errors_.within(options_.tolerance); }

  BoundedQuadratic quadratic(std::span<const double> H, double shift) {
    work_.space.room(work_.q, work_.below, work_.above);
    return {H, work_.space.weight, work_.gradient, work_.below, work_.above, shift};
  }

  /// The steepness of the cost along the dofs that may move, relative to the errors: a cosine, 0 at a stationary point.
  double steepness(double cost) {
    const BoundedQuadratic problem = quadratic(work_.H, 0.0);
    double sum = 0.0;
    for (std::size_t k = 0; k < n_; ++k)
      if (!is_blocked(problem, k)) sum += work_.gradient[k] * work_.gradient[k] / work_.space.weight[k];
    return sqrt(sum) / sqrt(2.0 * cost);
  }

  /// The decrease of the cost that the quadratic model predicts for the step.
  double promised(std::span<const double> H) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      double row = 0.0;
      for (std::size_t j = 0; j < n_; ++j) row += H[i * n_ + j] * work_.step[j];
      sum -= work_.step[i] * (work_.gradient[i] + 0.5 * row);
    }
    return sum;
  }

  void add_curvature(double sign) {
    for (std::size_t i = 0; i < work_.H.size(); ++i) work_.H[i] += sign * work_.curvature[i];
  }

  /// Leaves a stationary point that is no minimum along a direction of negative curvature.
  bool leave_saddle(double& cost) {
    add_curvature(1.0);
    // A curvature below this fraction of its own weight counts as zero.
    const bool bends =
        negative_curvature(quadratic(work_.H, 1e-6 * cost / (length_ * length_)), work_.bounded, work_.step);
    add_curvature(-1.0);
    if (!bends) return false;
    double scale = 0.3 * length_ / work_.space.length_of(work_.step);
    for (int halving = 0; halving < 12; ++halving, scale *= 0.5) {
      for (const double signed_scale : {scale, -scale}) {
        ++iterations_;
        for (std::size_t k = 0; k < n_; ++k) work_.part[k] = signed_scale * work_.step[k];
        work_.space.move(model_, work_.q, work_.part, work_.trial);
        const double there = cost_at(work_.trial);
        if (there >= cost * (1.0 - 1e-9)) continue;
        work_.q.swap(work_.trial);
        cost = there;
        return true;
      }
    }
    (void)cost_at(work_.q);
    return false;
  }

  /// The step of the current quadratic model, in work_.step. Returns the predicted decrease, or nothing without a step.
  double propose(double shift, bool newton) {
    double promise = 0.0;
    if (newton) {
      add_curvature(1.0);
      if (bounded_step(quadratic(work_.H, shift), work_.bounded, work_.step)) promise = promised(work_.H);
      add_curvature(-1.0);
    }
    if (!(promise > 0.0) && bounded_step(quadratic(work_.H, shift), work_.bounded, work_.step))
      promise = promised(work_.H);
    return promise;
  }

  /// Downhill from work_.q until the targets are reached or the steepness is below `level`.
  InverseKinematicsOutcome descend(int max_iterations, double level) {
    double cost = cost_at(work_.q), steep = 0.0, damping = options_.damping, growth = 2.0;
    bool moved = true;
    bool newton = false;  // with the curvature term: where the errors do not vanish
    while (true) {
      if (moved) {
        if (reached()) return InverseKinematicsOutcome::reached;
        linearise();
        steep = steepness(cost);
        if (!std::isfinite(cost)) return InverseKinematicsOutcome::stalled;
        if (!(steep > level)) {
          if (posture_weight_ > 0.0 || !leave_saddle(cost)) return InverseKinematicsOutcome::stationary;
          continue;
        }
      }
      if (iterations_ >= max_iterations) return InverseKinematicsOutcome::iteration_limit;
      if (damping > 1e20)
        return steep < 1e-6 ? InverseKinematicsOutcome::stationary : InverseKinematicsOutcome::stalled;
      ++iterations_;
      // Damping that falls with the errors keeps the convergence quadratic; the floor keeps the matrix regular in
      // redundant mechanisms.
      const double promise = propose(damping * 2.0 * cost / (length_ * length_) + 1e-12, newton);
      double there = cost;
      if (promise > 0.0) {
        work_.space.move(model_, work_.q, work_.step, work_.trial);
        there = cost_at(work_.trial);
      }
      // A predicted decrease below the rounding of the cost cannot be verified and is accepted.
      const bool too_small = promise > 0.0 && promise < 1e-13 * cost && there <= cost * (1.0 + 1e-13);
      moved = too_small || (promise > 0.0 && there < cost - 1e-4 * promise);
      if (moved) {
        const double t = too_small ? 1.0 : 2.0 * (cost - there) / promise - 1.0;
        damping = max(damping * max(1.0 / 3.0, 1.0 - t * t * t), 1e-10);
        growth = 2.0;
        newton = there > 0.25 * cost;
        work_.q.swap(work_.trial);
        cost = there;
      } else {
        damping *= growth;
        growth *= 2.0;
      }
    }
  }

  const Model& model_;
  InverseKinematicsWorkspace& work_;
  const InverseKinematicsOptions& options_;
  PoseErrors errors_;
  double length_;
  std::size_t n_;
  double posture_weight_ = 0.0;
  int iterations_ = 0;
};

}  // namespace

InverseKinematicsReport inverse_kinematics(const Model& model, std::span<const PoseTarget> targets, std::span<double> q,
                                           InverseKinematicsWorkspace& work, const InverseKinematicsOptions& options) {
  require_size("inverse_kinematics", "q", q.size(), static_cast<std::size_t>(model.nq()));
  for (const double x : q) require(std::isfinite(x), "inverse_kinematics", "q", "all values must be finite");
  require_fit("inverse_kinematics", work.errors.kinematics.sizes, model);
  return Search(model, targets, work, options).run(q);
}

}  // namespace pintle
