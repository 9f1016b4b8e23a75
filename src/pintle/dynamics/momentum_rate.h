// What changes the momentum of a mechanism: the world, through the root joints, and its weight. For energy balances:
// about the world's origin, in world axes, at a small part of the cost of dynamics. Bodies welded to the world do not
// count.
#pragma once

#include "pintle/base/buffer.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/spatial/momentum.h"

namespace pintle {

/// Memory of `weight_wrench`.
class MassMomentWorkspace {
 public:
  explicit MassMomentWorkspace(const Model& model);

  ModelSizes sizes;
  // One entry per link, after one for the world.
  Buffer<int> parent;
  Buffer<double> mass;                  ///< [kg] of it and all that hangs on it
  Buffer<Vec3<>> first_moment, moment;  ///< [kg m] of it alone, and of all that mass, in its frame
};

/// The momentum (p [kg m/s], L [kg m^2/s]) of all bodies about the world's origin, in world axes, at the state of the
/// last `kinematics`. Rotors (armature) carry none. Far from the origin L is a small difference of large terms:
/// centroidal_momentum is not.  [eq. total-momentum]
Momentum<> total_momentum(const Model& model, const KinematicsWorkspace& work);

/// The wrench [N, N m] that the world exerts on the mechanism through all root joints, about the world's origin, in
/// world axes, after forward_dynamics, hybrid_dynamics or hybrid_dynamics_of: f = I_A A + p_A of the roots. It includes
/// what motors and springs of those joints do. With weight and external wrenches it is the rate of the momentum (in an
/// inertial frame, should the world move itself). After refinement it is that of the motion before it. Models with
/// couplings are not solved by this recursion: UsageError.  [eq. root-wrench]
Wrench<> root_wrench(const Model& model, ForwardDynamicsWorkspace<>& work);

/// The same after inverse_dynamics of the motion, for any model.  [eq. root-wrench]
Wrench<> root_wrench(const Model& model, InverseDynamicsWorkspace<>& work);

/// The weight [N, N m] of all bodies about the world's origin, in world axes, at the configuration of the last dynamics
/// of the workspace. Models with couplings have not been where the first one looks: UsageError.  [eq. total-weight]
Wrench<> weight_wrench(const Model& model, ForwardDynamicsWorkspace<>& work, MassMomentWorkspace& moments);
Wrench<> weight_wrench(const Model& model, InverseDynamicsWorkspace<>& work, MassMomentWorkspace& moments);

/// What changes the momentum besides external wrenches.
struct MomentumCauses {
  Wrench<> supports;  ///< root_wrench
  Wrench<> weight;    ///< weight_wrench
};

/// Both at once.
MomentumCauses momentum_causes(const Model& model, ForwardDynamicsWorkspace<>& work, MassMomentWorkspace& moments);
MomentumCauses momentum_causes(const Model& model, InverseDynamicsWorkspace<>& work, MassMomentWorkspace& moments);

}  // namespace pintle
