// Inverse kinematics: the configuration in which places of a mechanism stand where they should.
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
  int max_iterations = 200;  ///< configurations looked at
  double damping = 1e-2;     ///< of the first step; adapted from there
  /// A rotation of 1 rad counts as much as a translation of this length [m]. 0: the longest way along the links from a
  /// root joint to a target's place, or 1 m where that is zero.
  double length = 0.0;
  /// A preferred configuration (model.nq() numbers, or none), for mechanisms with dofs to spare: among the
  /// solutions one near it, by weighted least squares. The targets are met exactly all the same.
  std::span<const double> posture{};
  double posture_weight = 1e-2;  ///< of 1 rad away from the posture against 1 rad away from a target
};

enum class InverseKinematicsOutcome : unsigned char {
  reached,
  /// No small move makes the errors smaller: a target is out of reach of this branch of solutions. q is the nearest
  /// there, by the weights; another start may find another branch.
  stationary,
  iteration_limit,  ///< it was still on its way
  stalled,          ///< no step makes the errors smaller, though q is not stationary: a kink, or rounding
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
  std::vector<double> H, curvature;  ///< Gauss and Newton's matrix, and what the bending of the errors adds
  std::vector<signed char> at_limit;
};

/// Moves q, the start, to where the targets are met, or to the nearest point it finds: damped least squares over the
/// independent dofs, within the limits at every step, on the manifold of the quaternions, couplings exact. A start
/// outside the limits is put on them first. Sizes: q and posture model.nq(). Throws UsageError for numbers that are not
/// finite, weights that are negative, and more targets than the workspace has room for.  [eq. inverse-kinematics]
InverseKinematicsReport inverse_kinematics(const Model& model, std::span<const PoseTarget> targets, std::span<double> q,
                                           InverseKinematicsWorkspace& work,
                                           const InverseKinematicsOptions& options = {});

}  // namespace pintle
