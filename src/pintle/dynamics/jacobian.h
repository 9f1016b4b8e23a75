// Jacobians directly from a configuration, without a call of `kinematics`.
#pragma once

#include <span>

#include "pintle/dynamics/workspace.h"
#include "pintle/model/compiled/place.h"
#include "pintle/spatial/axes.h"

namespace pintle {

/// Memory of the functions below.
class JacobianWorkspace {
 public:
  explicit JacobianWorkspace(const Model& model);

  ModelSizes sizes;
  JointArrays<> joints;
  Buffer<double> J;  ///< of all joints, for models with couplings
  AlignedMemory memory;
};

/// J of a place at q, 6 x nv, row-major, linear part first: the same as `jacobian` after `kinematics` (kinematics.h),
/// but it visits only the joints between the world and the place. Throws UsageError on a size mismatch.  [eq. jacobian]
void jacobian(const Model& model, std::span<const double> q, const Place& place, Axes axes, JacobianWorkspace& work,
              std::span<double> J);

/// The unit motions of all dofs at q, 6 x nv, row-major, linear part first, in the world's axes and about its origin.
/// The Jacobian of any place in Axes::world has these columns for the joints that carry it, and zeros for all others.
/// With couplings a column sums the motions of the dof and of all joints that follow it, so it is no column of a
/// place's Jacobian. Throws UsageError on a size mismatch.  [eq. jacobian]
void jacobian_columns(const Model& model, std::span<const double> q, JacobianWorkspace& work, std::span<double> J);

}  // namespace pintle
