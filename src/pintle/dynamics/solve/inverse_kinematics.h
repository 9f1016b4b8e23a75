// Inverse kinematics: the configuration in which places of a mechanism reach their target poses.
#pragma once

#include <span>
#include <vector>

#include "pintle/dynamics/solve/bounded_step.h"
#include "pintle/dynamics/solve/pose_errors.h"
#include "pintle/dynamics/solve/search_space.h"

namespace pintle {

struct InverseKinematicsOptions {
  /// Reached: every error that counts is below this, in rad, and in lengths (below) for positions; not finer than the
  /// rounding of the target's distance from the root joint.
  double tolerance = 1e-10;
  int max_iterations = 200;  ///< configurations evaluated
  double damping = 1e-2;     ///< of the first step; adapted from there
  /// A rotation of 1 rad counts as much as a translation of this length [m]. 0: the longest path along the links from a
  /// root joint to a target's place, or 1 m where that is zero.
  double length = 0.0;
  /// A preferred configuration (model.nq() values, or none), for redundant mechanisms: the solver picks a solution near
  /// it, by weighted least squares. The targets are still met exactly.
  std::span<const double> posture{};
  double posture_weight = 1e-2;  ///< of 1 rad away from the posture against 1 rad away from a target
};

enum class InverseKinematicsOutcome : unsigned char {
  reached,
  /// No small step decreases the errors: a target is out of reach on this branch of solutions. q is the nearest
  /// configuration there, by the weights; another start may find another branch.
  stationary,
  iteration_limit,  ///< the iteration had not finished
  stalled,          ///< no step decreases the errors, though q is not stationary: a kink, or rounding
};

struct InverseKinematicsReport {
  InverseKinematicsOutcome outcome = InverseKinematicsOutcome::iteration_limit;
  int iterations = 0;
  double length = 0.0;                        ///< the length used [m]
  std::span<const TargetResidual> targets{};  ///< one per target; in the workspace
  std::span<const signed char> at_limit{};    ///< per dof: -1 at its lower limit, 1 at its upper; in the workspace

  bool converged() const { return outcome == InverseKinematicsOutcome::reached; }
};

/// Memory for up to `max_targets` targets.
class InverseKinematicsWorkspace {
 public:
  InverseKinematicsWorkspace(const Model& model, std::size_t max_targets);

  SearchSpace space;
  PoseErrorsWorkspace errors;
  BoundedStepWorkspace bounded;
  std::vector<double> q, trial, step, part, gradient, below, above, posture_error;
  std::vector<double> H, curvature;  ///< Gauss-Newton matrix, and the second-derivative term of the errors
  std::vector<signed char> at_limit;
};

/// Moves q, the start, to a configuration that meets the targets, or to the nearest one it finds: damped least squares
/// over the independent dofs, within the limits at every step, on the manifold of the quaternions, couplings exact. A
/// start outside the limits is clamped to them first. Sizes: q and posture model.nq(). Throws UsageError for non-finite
/// values, negative weights, and more targets than the capacity of the workspace.  [eq. inverse-kinematics]
InverseKinematicsReport inverse_kinematics(const Model& model, std::span<const PoseTarget> targets, std::span<double> q,
                                           InverseKinematicsWorkspace& work,
                                           const InverseKinematicsOptions& options = {});

}  // namespace pintle
