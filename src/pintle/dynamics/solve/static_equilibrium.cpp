#include "pintle/dynamics/solve/static_equilibrium.h"

#include <cmath>
#include <vector>

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/external_wrench.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/recursions/inverse_dynamics_impl.h"
#include "pintle/dynamics/recursions/passive_efforts_impl.h"
#include "pintle/dynamics/solve/bounded_step.h"
#include "pintle/dynamics/solve/search_space.h"
#include "pintle/math/dual.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/model/compiled/configuration.h"

namespace pintle {
namespace {

/// Directions differentiated at once.
constexpr int kDirections = 4;
using Slope = Dual<double, kDirections>;

}  // namespace

struct StaticEquilibriumMemory {
  explicit StaticEquilibriumMemory(const Model& model)
      : space(model),
        bounded(size(model.nv())),
        inverse(model),
        slopes(model),
        slope_q(size(model.nq())),
        slope_r(size(model.nv())),
        slope_external(model.links().size()),
        external(model.links().size()),
        forces(model.links().size()),
        torques(model.links().size()),
        q(size(model.nq())),
        trial(q.size()),
        r(size(model.nv())),
        r_middle(r.size()),
        r_trial(r.size()),
        scale(r.size()),
        step(r.size()),
        half_step(r.size()),
        below(r.size()),
        above(r.size()),
        reactions(r.size()),
        K(r.size() * r.size()),
        K_sym(K.size()) {}

  SearchSpace space;
  BoundedStepWorkspace bounded;
  InverseDynamicsWorkspace<> inverse;
  InverseDynamicsWorkspace<Slope> slopes;
  std::vector<Slope> slope_q, slope_r;  // independent coordinates
  std::vector<Wrench<Slope>> slope_external;
  std::vector<Wrench<>> external;       // per link, in its frame
  std::vector<double> forces, torques;  // per link: sums of sizes
  std::vector<double> q, trial;
  std::vector<double> r, r_middle, r_trial, scale;
  std::vector<double> step, half_step, below, above, reactions;
  std::vector<double> K, K_sym;  // the stiffness and its symmetric part
};

StaticEquilibriumWorkspace::StaticEquilibriumWorkspace(const Model& model)
    : memory_(new StaticEquilibriumMemory(model)) {}
StaticEquilibriumWorkspace::~StaticEquilibriumWorkspace() {
  delete memory_;
}

void holding_efforts(const Model& model, std::span<const double> q, InverseDynamicsWorkspace<>& work,
                     std::span<double> tau, const DynamicsOptions& options) {
  require_size("holding_efforts", "q", q.size(), size(model.nq()));
  require_size("holding_efforts", "tau", tau.size(), size(model.nv()));
  require_fit("holding_efforts", work.sizes, model);
  inverse_dynamics(model, q, work.zero, work.zero, work, tau, options);
}

namespace {

class Descent {
 public:
  Descent(const Model& model, std::span<const double> tau, StaticEquilibriumMemory& work,
          const StaticEquilibriumOptions& options)
      : model_(model), tau_(tau), work_(work), options_(options), n_(work.r.size()) {
    length_ = options.length;
    if (length_ == 0.0) {
      for (std::size_t i = 0; i < model.links().size(); ++i) {
        const SpatialInertia<>& I = model.links()[i].inertia;
        const double arm = I.mass > 0.0 ? norm(I.first_moment) / I.mass : 0.0;
        length_ = max(length_, way_from_root(model, static_cast<int>(i)) + arm);
      }
    }
    if (length_ == 0.0) length_ = 1.0;
    work_.space.set_length(length_);
  }

  StaticEquilibriumReport run(std::span<double> q) {
    for (std::size_t i = 0; i < q.size(); ++i) work_.q[i] = q[i];
    normalize(model_, work_.q);
    work_.space.clamp(work_.q);
    find_external();
    StaticEquilibriumReport report;
    report.outcome = descend();
    efforts_at(work_.q, work_.r);
    set_scale();
    report.residual = residual(work_.q, work_.r);
    report.iterations = iterations_;
    if (report.converged()) report.stability = stability();
    for (std::size_t k = 0; k < n_; ++k)
      work_.reactions[k] = is_blocked(quadratic(work_.q, work_.r, work_.K), k) ? work_.r[k] : 0.0;
    report.reactions = work_.reactions;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = work_.q[i];
    return report;
  }

 private:
  /// r = what must be added to tau to hold q: the gradient of the energy, where there is one. A free joint is treated
  /// separately: its position is in its parent's axes, so that gravity does not rotate with it.
  void efforts_at(std::span<const double> q, std::span<double> r) {
    holding_efforts(model_, q, work_.inverse, r, options_.dynamics);
    for (std::size_t k = 0; k < n_; ++k) r[k] -= tau_[k];
    for (const IndependentJoint& joint : model_.independent_joints())
      efforts_of_joint_apart(joint.kind, q.data() + joint.q, r.data() + joint.v);
  }

  /// The external wrenches on the links.
  void find_external() {
    if (!on_links(model_, options_.dynamics.external, work_.external).empty()) return;
    for (Wrench<>& F : work_.external) F = zero_wrench();
  }

  /// The sum of the absolute terms of every effort, lever arms in full; after efforts_at.
  void set_scale() {
    const InverseDynamicsBuffers<double> at = work_.inverse.view();
    const std::span<const Link> links = model_.links();
    tree_poses<double>(model_.tree(), joint_configuration(model_, work_.q, work_.inverse.joints.q), at.motion.X_PL,
                       at.motion.S);
    const double gravity = norm(model_.gravity());
    for (std::size_t k = 0; k < n_; ++k) work_.scale[k] = abs(tau_[k]);
    for (std::size_t i = 0; i < links.size(); ++i) {
      work_.forces[i] = links[i].inertia.mass * gravity + norm(work_.external[i].force);
      work_.torques[i] = norm(links[i].inertia.first_moment) * gravity + norm(work_.external[i].torque);
    }
    for (std::size_t i = links.size(); i-- > 0;) {
      for (std::size_t k = size(links[i].v); k < size(links[i].v + links[i].nv); ++k) {
        const Twist<>& S = at.motion.S[k];
        const CoordinateSource& source = model_.v_sources()[k];
        const JointPassive& passive = model_.dofs()[k].passive;
        double sum = norm(S.linear) * work_.forces[i] + norm(S.angular) * work_.torques[i];
        if (options_.dynamics.passive) sum += abs(work_.inverse.passive[k]) + abs(passive.stiffness * passive.rest);
        work_.scale[size(source.source)] += abs(source.ratio) * sum;
      }
      if (links[i].parent < 0) continue;
      const std::size_t parent = size(links[i].parent);
      work_.forces[parent] += work_.forces[i];
      work_.torques[parent] += work_.torques[i] + norm(at.motion.X_PL[i].translation) * work_.forces[i];
    }
    for (const IndependentJoint& joint : model_.independent_joints()) {
      if (quaternion_place(joint.kind) != 3) continue;
      double* const s = work_.scale.data() + joint.v;  // the axes are mixed
      s[0] = s[1] = s[2] = s[0] + s[1] + s[2];
    }
  }

  BoundedQuadratic quadratic(std::span<const double> q, std::span<const double> r, std::span<const double> H,
                             double shift = 0.0) {
    work_.space.room(q, work_.below, work_.above);
    return {H, work_.space.weight, r, work_.below, work_.above, shift};
  }

  /// The worst residual effort, over the dofs that no joint limit holds; NaN when any is.
  double residual(std::span<const double> q, std::span<const double> r) {
    const BoundedQuadratic problem = quadratic(q, r, work_.K);
    double worst = 0.0;
    for (std::size_t k = 0; k < n_; ++k) {
      if (is_blocked(problem, k) || r[k] == 0.0) continue;
      const double relative = abs(r[k]) / work_.scale[k];
      if (!(relative <= worst)) worst = relative;
      if (std::isnan(worst)) break;
    }
    return worst;
  }

  /// Columns first ... of K = dr/dq: the kernel on dual numbers.
  void differentiate(std::size_t first) {
    for (const IndependentJoint& joint : model_.independent_joints()) {
      Slope q[7], v[kMaxDofs];
      for (int i = 0; i < facts(joint.kind).nq; ++i) q[i] = Slope(work_.q[size(joint.q + i)]);
      for (int i = 0; i < facts(joint.kind).nv; ++i) {
        const std::size_t k = size(joint.v + i);
        const bool varies = k >= first && k < first + kDirections;
        v[i] = varies ? Slope::variable(0.0, static_cast<int>(k - first)) : Slope(0.0);
      }
      integrate_joint_apart(joint.kind, q, v, work_.slope_q.data() + joint.q);
    }
    JointArrays<Slope>& joints = work_.slopes.joints;
    for (std::size_t i = 0; i < joints.q.size(); ++i) {
      const CoordinateSource& source = model_.q_sources()[i];
      joints.q[i] = Slope(source.ratio) * work_.slope_q[size(source.source)] + Slope(source.offset);
    }
    for (std::size_t i = 0; i < joints.v.size(); ++i) joints.v[i] = joints.vdot[i] = Slope(0.0);
    LinkTree tree = model_.tree();
    tree.root = options_.dynamics.root_motion();
    inverse_dynamics_kernel(tree, joints.q.data(), joints.v.data(), joints.vdot.data(), work_.slope_external.data(),
                            work_.slopes.view(), joints.tau.data());
    if (options_.dynamics.passive) {
      passive_efforts_of_joints(model_.links(), model_.dofs(), joints.q.data(), joints.v.data(),
                                work_.slopes.passive.data());
      for (std::size_t i = 0; i < joints.tau.size(); ++i) joints.tau[i] -= work_.slopes.passive[i];
    }
    for (Slope& r : work_.slope_r) r = Slope(0.0);
    for (std::size_t i = 0; i < joints.tau.size(); ++i) {
      const CoordinateSource& source = model_.v_sources()[i];
      work_.slope_r[size(source.source)] += Slope(source.ratio) * joints.tau[i];
    }
    for (std::size_t k = 0; k < n_; ++k) work_.slope_r[k] -= Slope(tau_[k]);
    for (const IndependentJoint& joint : model_.independent_joints())
      efforts_of_joint_apart(joint.kind, work_.slope_q.data() + joint.q, work_.slope_r.data() + joint.v);
    for (std::size_t k = 0; k < n_; ++k)
      for (std::size_t d = 0; d < kDirections && first + d < n_; ++d)
        work_.K[k * n_ + first + d] = work_.slope_r[k].derivative[d];
  }

  /// K at work_.q, its symmetric part, and the largest stiffness by the weights.
  void set_stiffness() {
    for (std::size_t i = 0; i < work_.external.size(); ++i) {
      const Wrench<>& F = work_.external[i];
      work_.slope_external[i] = {{Slope(F.force.x), Slope(F.force.y), Slope(F.force.z)},
                                 {Slope(F.torque.x), Slope(F.torque.y), Slope(F.torque.z)}};
    }
    for (std::size_t first = 0; first < n_; first += kDirections) differentiate(first);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) work_.K_sym[i * n_ + j] = 0.5 * (work_.K[i * n_ + j] + work_.K[j * n_ + i]);
    stiffest_ = 0.0;
    for (std::size_t k = 0; k < n_; ++k) {
      const double weight = work_.space.weight[k];
      // The stiffness if the efforts changed by their own magnitude over a radian or a length.
      const double stiffness = max(abs(work_.K[k * n_ + k]), work_.scale[k] * sqrt(weight) / length_);
      stiffest_ = max(stiffest_, stiffness / weight);
    }
  }

  Stability stability() {
    set_stiffness();
    // A stiffness below this fraction of the largest counts as zero.
    const double level = 1e-9 * stiffest_;
    if (level == 0.0) return Stability::indifferent;
    if (!negative_curvature(quadratic(work_.q, work_.r, work_.K_sym, -level), work_.bounded, work_.step))
      return Stability::stable;
    if (!negative_curvature(quadratic(work_.q, work_.r, work_.K_sym, level), work_.bounded, work_.step))
      return Stability::indifferent;
    return Stability::unstable;
  }

  /// Limits the step to one radian at every dof and `most` lengths in total.
  void shorten(double most) {
    double factor = 1.0;
    for (std::size_t k = 0; k < n_; ++k) {
      const double angle = abs(work_.step[k]) * sqrt(work_.space.turn[k]);
      if (angle > 1.0) factor = min(factor, 1.0 / angle);
    }
    const double way = work_.space.length_of(work_.step);
    if (way * factor > most * length_) factor = most * length_ / way;
    for (double& x : work_.step) x *= factor;
  }

  void move(std::span<const double> step) {
    for (const IndependentJoint& joint : model_.independent_joints())
      integrate_joint_apart(joint.kind, work_.q.data() + joint.q, step.data() + joint.v, work_.trial.data() + joint.q);
    work_.space.clamp(work_.trial);
  }

  /// The work that must be done on the mechanism along the step, by Simpson's rule; leaves the far end in trial.
  double work_along_step() {
    for (std::size_t k = 0; k < n_; ++k) work_.half_step[k] = 0.5 * work_.step[k];
    move(work_.half_step);
    efforts_at(work_.trial, work_.r_middle);
    move(work_.step);
    efforts_at(work_.trial, work_.r_trial);
    double sum = 0.0;
    for (std::size_t k = 0; k < n_; ++k)
      sum += work_.step[k] * (work_.r[k] + 4.0 * work_.r_middle[k] + work_.r_trial[k]) / 6.0;
    return sum;
  }

  /// The step to where K and the damping balance the residual efforts; with all of K, so that it is a Newton step also
  /// where the efforts have no potential. False where K is not positive: more damping is needed.
  bool propose(double damping) {
    return bounded_step(quadratic(work_.q, work_.r, work_.K, damping * stiffest_), work_.bounded, work_.step);
  }

  StaticEquilibriumOutcome descend() {
    constexpr double kFloor = 1e-10;  // minimum damping: regularises directions without stiffness
    double damping = kFloor, radius = 10.0, travelled = 0.0;
    bool moved = true;
    while (true) {
      if (moved) {
        efforts_at(work_.q, work_.r);
        set_scale();
        const double left = residual(work_.q, work_.r);
        if (left <= options_.tolerance) return StaticEquilibriumOutcome::balanced;
        if (!std::isfinite(left)) return StaticEquilibriumOutcome::stalled;
        set_stiffness();
      }
      if (iterations_ >= options_.max_iterations) return StaticEquilibriumOutcome::iteration_limit;
      if (damping > 1e20) return StaticEquilibriumOutcome::stalled;
      moved = false;
      if (!propose(damping)) {
        damping = max(4.0 * damping, 1e-3);
        continue;
      }
      ++iterations_;
      shorten(radius);
      const double work = work_along_step();
      double slope = 0.0, rounding = 0.0;
      for (std::size_t k = 0; k < n_; ++k) {
        slope += work_.r[k] * work_.step[k];
        rounding += work_.scale[k] * abs(work_.step[k]);
      }
      // Where rounding hides the work, the residual efforts decide.
      const bool lost = abs(slope) <= 1e-13 * rounding;
      if (lost ? residual(work_.trial, work_.r_trial) < residual(work_.q, work_.r) : work < 0.0) {
        travelled += work_.space.length_of(work_.step);
        if (travelled > options_.farthest * length_) return StaticEquilibriumOutcome::runs_away;
        work_.q.swap(work_.trial);
        damping = max(damping / 8.0, kFloor);
        radius *= 4.0;
        moved = true;
      } else {
        damping = max(4.0 * damping, 1e-3);
      }
    }
  }

  const Model& model_;
  std::span<const double> tau_;
  StaticEquilibriumMemory& work_;
  const StaticEquilibriumOptions& options_;
  std::size_t n_;
  double length_ = 0.0;
  double stiffest_ = 0.0;
  int iterations_ = 0;
};

}  // namespace

StaticEquilibriumReport static_equilibrium(const Model& model, std::span<const double> tau, std::span<double> q,
                                           StaticEquilibriumWorkspace& work, const StaticEquilibriumOptions& options) {
  require_size("static_equilibrium", "q", q.size(), size(model.nq()));
  require_size("static_equilibrium", "tau", tau.size(), size(model.nv()));
  for (const double x : q) require(std::isfinite(x), "static_equilibrium", "q", "all values must be finite");
  for (const double x : tau) require(std::isfinite(x), "static_equilibrium", "tau", "all values must be finite");
  require(options.tolerance > 0.0 && options.farthest > 0.0, "static_equilibrium", "options",
          "tolerance and farthest must be positive");
  require(options.length >= 0.0 && std::isfinite(options.length), "static_equilibrium", "options.length",
          "it must be finite and not negative");
  require_fit("static_equilibrium", work.memory().inverse.sizes, model);
  return Descent(model, tau, work.memory(), options).run(q);
}

}  // namespace pintle
