#include "pintle/dynamics/inverse_kinematics.h"

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/math/dual.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/model/configuration.h"
#include "pintle/model/configuration_impl.h"

namespace pintle {

InverseKinematicsWorkspace::InverseKinematicsWorkspace(const Model& model, std::size_t most_targets)
    : space(model),
      kinematics(model),
      bounded(static_cast<std::size_t>(model.nv())),
      X_AT(most_targets),
      errors(most_targets),
      residuals(most_targets),
      columns(model.freedoms().size()),
      zero(static_cast<std::size_t>(model.nv())),
      q(static_cast<std::size_t>(model.nq())),
      trial(q.size()),
      step(zero.size()),
      part(zero.size()),
      gradient(zero.size()),
      below(zero.size()),
      above(zero.size()),
      posture_error(zero.size()),
      H(zero.size() * zero.size()),
      curvature(H.size()),
      at_limit(zero.size()) {}

namespace {

using Outcome = InverseKinematicsOutcome;

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

bool is_finite(const Vec3<>& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}
bool is_weight(const Vec3<>& w) {
  return is_finite(w) && w.x >= 0.0 && w.y >= 0.0 && w.z >= 0.0;
}
double largest(const Vec3<>& w) {
  return max(max(w.x, w.y), w.z);
}
Vec3<> squares(const Vec3<>& w) {
  return componentwise_product(w, w);
}
/// The part of an error along the axes that count.
double counted(const Vec3<>& error, const Vec3<>& weight) {
  return norm(Vec3<>{weight.x > 0.0 ? error.x : 0.0, weight.y > 0.0 ? error.y : 0.0, weight.z > 0.0 ? error.z : 0.0});
}
/// Rotations are accepted as they come from files: to single precision.
bool is_rotation(const Mat3<>& R) {
  const Mat3<> D = transpose_times(R, R) - identity3();
  for (const double d : to_array(D))
    if (!(abs(d) < 1e-5)) return false;
  return determinant(R) > 0.0;
}

/// The derivative of J_r(phi)^-1' c by phi, by dual numbers.
Mat3<> bending(const Vec3<>& phi, const Vec3<>& c) {
  using D = Dual<double, 3>;
  const Vec3<D> minus{-D::variable(phi.x, 0), -D::variable(phi.y, 1), -D::variable(phi.z, 2)};
  const Vec3<D> n = transpose_times(left_jacobian_inverse_so3(minus), Vec3<D>{D(c.x), D(c.y), D(c.z)});
  const auto slope = [](const D& x) { return Vec3<>{x.derivative[0], x.derivative[1], x.derivative[2]}; };
  return from_rows(slope(n.x), slope(n.y), slope(n.z));
}

class Search {
 public:
  Search(const Model& model, std::span<const PoseTarget> targets, InverseKinematicsWorkspace& work,
         const InverseKinematicsOptions& options)
      : model_(model), targets_(targets), work_(work), options_(options), n_(work.zero.size()) {
    check();
    set_scales();
    if (!options.posture.empty()) posture_weight_ = options.posture_weight;
  }

  InverseKinematicsReport run(std::span<double> q) {
    for (std::size_t i = 0; i < q.size(); ++i) work_.q[i] = q[i];
    normalize(model_, work_.q);
    work_.space.clamp(work_.q);
    InverseKinematicsReport report;
    if (posture_weight_ > 0.0) {
      // First with the pull of the posture; then the targets alone, from there by the shortest way.
      (void)descend(options_.max_iterations / 2, 1e-4 * posture_weight_);
      posture_weight_ = 0.0;
    }
    report.outcome = descend(options_.max_iterations, options_.tolerance);
    report.iterations = iterations_;
    report.length = length_;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = work_.q[i];
    for (std::size_t k = 0; k < n_; ++k) work_.at_limit[k] = static_cast<signed char>(work_.space.side(q, k));
    (void)cost_at(work_.q);
    report.targets = {work_.residuals.data(), targets_.size()};
    report.at_limit = work_.at_limit;
    return report;
  }

 private:
  void check() const {
    require_size_at_least("inverse_kinematics", "work (room for targets)", work_.errors.size(), targets_.size());
    if (!options_.posture.empty())
      require_size("inverse_kinematics", "options.posture", options_.posture.size(), size(model_.nq()));
    for (const double x : options_.posture)
      require(std::isfinite(x), "inverse_kinematics", "options.posture", "it has a number that is not finite");
    for (const PoseTarget& target : targets_) {
      require(target.place.link < static_cast<int>(model_.links().size()), "inverse_kinematics", "targets",
              "there is no such link");
      require(is_finite(target.X_WT.translation), "inverse_kinematics", "targets", "a position is not finite");
      require(is_rotation(target.X_WT.rotation), "inverse_kinematics", "targets", "a rotation is not one");
      require(is_weight(target.position_weight) && is_weight(target.orientation_weight), "inverse_kinematics",
              "targets", "a weight is negative or not finite");
    }
    require(options_.length >= 0.0 && std::isfinite(options_.length), "inverse_kinematics", "options.length",
            "it is negative or not finite");
    require(options_.tolerance > 0.0 && options_.damping > 0.0 && options_.posture_weight >= 0.0, "inverse_kinematics",
            "options", "tolerance and damping must be positive, the weight not negative");
  }

  void set_scales() {
    length_ = options_.length;
    double heaviest = 0.0;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const PoseTarget& target = targets_[i];
      if (options_.length == 0.0) {
        const double way = way_from_root(model_, target.place.link) +
                           (target.place.link < 0 ? 0.0 : norm(target.place.X_LF.translation));
        length_ = max(length_, way);
      }
      heaviest = max(heaviest, max(largest(target.position_weight), largest(target.orientation_weight)));
      const int root = root_of(target.place.link);
      work_.X_AT[i] = root < 0 ? target.X_WT : inverse_times(model_.links()[size(root)].X_PJ, target.X_WT);
    }
    if (length_ == 0.0) length_ = 1.0;
    if (heaviest > 0.0) unit_ = 1.0 / heaviest;
    work_.space.set_length(length_);
  }

  int root_of(int link) const {
    while (link >= 0 && model_.links()[size(link)].parent >= 0) link = model_.links()[size(link)].parent;
    return link;
  }

  /// The place seen from the fixed side of its root joint, so that errors are differences of numbers of the size of
  /// the mechanism, wherever it stands in the world.
  Pose<> pose_from_root(const Place& place, std::span<const double> q) {
    if (place.link < 0) return place.X_LF;
    const TreeMotion<double> motion = work_.kinematics.motion.view();
    Pose<> X_LF = place.X_LF;
    int at = place.link;
    for (; model_.links()[size(at)].parent >= 0; at = model_.links()[size(at)].parent) X_LF = motion.X_PL[at] * X_LF;
    const Link& root = model_.links()[size(at)];
    double numbers[7];
    for (int i = 0; i < facts(root.kind).nq; ++i) {
      const CoordinateSource& source = model_.q_sources()[size(root.q + i)];
      numbers[i] = source.ratio * q[size(source.source)] + source.offset;
    }
    Twist<> S[kMostFreedoms];
    return joint_motion(root, numbers, S) * X_LF;
  }

  /// Half the sum of the squares of all weighted errors [m^2]; leaves the errors in the workspace.
  double cost_at(std::span<const double> q) {
    kinematics(model_, q, work_.zero, work_.zero, work_.kinematics);
    double cost = 0.0;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const PoseTarget& target = targets_[i];
      InverseKinematicsWorkspace::Error& error = work_.errors[i];
      const Pose<> X_TF = inverse_times(work_.X_AT[i], pose_from_root(target.place, q));
      error.R_TF = X_TF.rotation;
      error.position = X_TF.translation;
      error.orientation = log_so3(X_TF.rotation);
      const Vec3<> pull = componentwise_product(position_squares(target), error.position);
      const Vec3<> turn = componentwise_product(orientation_squares(target), error.orientation);
      error.orientation_jacobian = left_jacobian_inverse_so3(-error.orientation);
      error.F = {transpose_times(error.R_TF, pull), transpose_times(error.orientation_jacobian, turn)};
      cost += 0.5 * (dot(pull, error.position) + dot(turn, error.orientation));
      work_.residuals[i] = {counted(error.position, target.position_weight),
                            counted(error.orientation, target.orientation_weight)};
    }
    return cost + posture_cost(q);
  }

  Vec3<> position_squares(const PoseTarget& target) const { return squares(unit_ * target.position_weight); }
  Vec3<> orientation_squares(const PoseTarget& target) const {
    return squares((unit_ * length_) * target.orientation_weight);
  }

  double posture_cost(std::span<const double> q) {
    if (posture_weight_ == 0.0) return 0.0;
    difference(model_, options_.posture, q, work_.posture_error);
    const double away = posture_weight_ * work_.space.length_of(work_.posture_error);
    return 0.5 * away * away;
  }

  /// After cost_at(q): gradient, Gauss and Newton's matrix and its curvature term.
  void linearise() {
    for (double& x : work_.gradient) x = 0.0;
    for (double& x : work_.H) x = 0.0;
    for (double& x : work_.curvature) x = 0.0;
    for (std::size_t i = 0; i < targets_.size(); ++i) add_target(targets_[i], work_.errors[i]);
    if (posture_weight_ > 0.0) add_posture();
  }

  /// The columns of the place's motion, from the place towards the root.
  std::size_t gather_columns(const Place& place) {
    const TreeMotion<double> motion = work_.kinematics.motion.view();
    std::size_t count = 0;
    Pose<> X_FL = inverse(place.X_LF);
    for (int at = place.link; at >= 0; at = model_.links()[size(at)].parent) {
      const Link& link = model_.links()[size(at)];
      for (int k = link.v + link.nv - 1; k >= link.v; --k) {
        const CoordinateSource& source = model_.v_sources()[size(k)];
        work_.columns[count++] = {X_FL * motion.S[k], source.source, source.ratio, at,
                                  quaternion_place(link.kind) >= 0};
      }
      X_FL = X_FL * inverse(motion.X_PL[at]);
    }
    return count;
  }

  void add(std::vector<double>& A, const InverseKinematicsWorkspace::Column& a,
           const InverseKinematicsWorkspace::Column& b, double value) const {
    A[size(a.source) * n_ + size(b.source)] += a.ratio * b.ratio * value;
  }

  /// The errors change with the columns J: de = E J. The gradient is J'F with F = E'W e, the matrix J'E'W E J; the rest
  /// is J' (dE/dt)'W e, and dJ_k/dq_j = J_k x J_j for a joint j outside k.
  void add_target(const PoseTarget& target, const InverseKinematicsWorkspace::Error& error) {
    const std::size_t count = gather_columns(target.place);
    const Vec3<> w_p = position_squares(target), w_o = orientation_squares(target);
    const Mat3<> B = bending(error.orientation, componentwise_product(w_o, error.orientation));
    for (std::size_t i = 0; i < count; ++i) {
      const InverseKinematicsWorkspace::Column& inner = work_.columns[i];
      const Vec3<> e_p = error.R_TF * inner.J.linear, e_o = error.orientation_jacobian * inner.J.angular;
      const Wrench<> stiff{transpose_times(error.R_TF, componentwise_product(w_p, e_p)),
                           transpose_times(error.orientation_jacobian, componentwise_product(w_o, e_o))};
      const Wrench<> bent{-cross(inner.J.angular, error.F.force), B * e_o};
      work_.gradient[size(inner.source)] += inner.ratio * dot(inner.J, error.F);
      for (std::size_t j = 0; j < count; ++j) {
        const InverseKinematicsWorkspace::Column& outer = work_.columns[j];
        add(work_.H, outer, inner, dot(outer.J, stiff));
        double more = dot(outer.J, bent);
        const bool same_frame = inner.link == outer.link && inner.turning_frame;
        if (j < i && !same_frame) more += dot(cross(inner.J, outer.J), error.F);
        add(work_.curvature, outer, inner, 0.5 * more);
        add(work_.curvature, inner, outer, 0.5 * more);
      }
    }
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

  bool reached() const {
    if (posture_weight_ > 0.0) return false;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      // A position seen from the root joint is known to some roundings of its size.
      const double rounding = 16.0 * kEpsilon<double> * (length_ + norm(work_.X_AT[i].translation));
      if (!(work_.residuals[i].position <= options_.tolerance * length_ + rounding)) return false;
      if (!(work_.residuals[i].orientation <= options_.tolerance + 16.0 * kEpsilon<double>)) return false;
    }
    return true;
  }

  BoundedQuadratic quadratic(std::span<const double> H, double shift) {
    work_.space.room(work_.q, work_.below, work_.above);
    return {H, work_.space.weight, work_.gradient, work_.below, work_.above, shift};
  }

  /// How steep the cost is along the freedoms that may move, against the errors: a cosine, 0 at a stationary point.
  double steepness(double cost) {
    const BoundedQuadratic problem = quadratic(work_.H, 0.0);
    double sum = 0.0;
    for (std::size_t k = 0; k < n_; ++k)
      if (!is_blocked(problem, k)) sum += work_.gradient[k] * work_.gradient[k] / work_.space.weight[k];
    return sqrt(sum) / sqrt(2.0 * cost);
  }

  /// The decrease of the cost that the quadratic promises for the step.
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

  /// Leaves a stationary point that is no minimum along a direction in which the cost bends down.
  bool leave_saddle(double& cost) {
    add_curvature(1.0);
    // What bends by less than this part of its own weight is level.
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

  /// The step of the quadratic at hand, in work_.step; the decrease it promises, or nothing without a step.
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
  Outcome descend(int most_iterations, double level) {
    double cost = cost_at(work_.q), steep = 0.0, damping = options_.damping, growth = 2.0;
    bool moved = true;
    bool newton = false;  // with the curvature term: where the errors do not vanish
    while (true) {
      if (moved) {
        if (reached()) return Outcome::reached;
        linearise();
        steep = steepness(cost);
        if (!std::isfinite(cost)) return Outcome::stalled;
        if (!(steep > level)) {
          if (posture_weight_ > 0.0 || !leave_saddle(cost)) return Outcome::stationary;
          continue;
        }
      }
      if (iterations_ >= most_iterations) return Outcome::iteration_limit;
      if (damping > 1e20) return steep < 1e-6 ? Outcome::stationary : Outcome::stalled;
      ++iterations_;
      // Damping that falls with the errors keeps the convergence quadratic; the floor keeps the matrix regular where
      // there are freedoms to spare.
      const double promise = propose(damping * 2.0 * cost / (length_ * length_) + 1e-12, newton);
      double there = cost;
      if (promise > 0.0) {
        work_.space.move(model_, work_.q, work_.step, work_.trial);
        there = cost_at(work_.trial);
      }
      // A promise below the rounding of the cost cannot be checked, and is believed.
      const bool too_small = promise > 0.0 && promise < 1e-13 * cost && there <= cost * (1.0 + 1e-13);
      moved = too_small || there < cost - 1e-4 * promise;
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
  std::span<const PoseTarget> targets_;
  InverseKinematicsWorkspace& work_;
  const InverseKinematicsOptions& options_;
  std::size_t n_;
  double length_ = 0.0, unit_ = 1.0, posture_weight_ = 0.0;
  int iterations_ = 0;
};

}  // namespace

InverseKinematicsReport inverse_kinematics(const Model& model, std::span<const PoseTarget> targets, std::span<double> q,
                                           InverseKinematicsWorkspace& work, const InverseKinematicsOptions& options) {
  require_size("inverse_kinematics", "q", q.size(), static_cast<std::size_t>(model.nq()));
  for (const double x : q) require(std::isfinite(x), "inverse_kinematics", "q", "it has a number that is not finite");
  return Search(model, targets, work, options).run(q);
}

}  // namespace pintle
