// The efforts that velocities need, in two parts: centripetal and Coriolis.
#pragma once

#include <span>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

class VelocityEffortsWorkspace {
 public:
  explicit VelocityEffortsWorkspace(const Model& model);

  ModelSizes sizes;
  JointArrays<> joints;
  InverseDynamicsWorkspace<> inverse;
  Buffer<double> single;   ///< a velocity with one nonzero component
  Buffer<double> efforts;  ///< of the independent dofs
};

/// C v = h - g, the efforts [N m or N] at the independent dofs that come from velocities alone, split into
/// `centripetal`, the terms with the square of one velocity, and `coriolis`, the terms with the product of two
/// different ones. The split depends on the choice of velocities; those of spherical and free joints are in body axes.
/// Costs nv + 1 calls of inverse dynamics. Sizes: q model.nq(), the others model.nv(), else UsageError.
/// [eq. velocity-efforts]
void velocity_efforts(const Model& model, std::span<const double> q, std::span<const double> v,
                      VelocityEffortsWorkspace& work, std::span<double> centripetal, std::span<double> coriolis);

}  // namespace pintle
