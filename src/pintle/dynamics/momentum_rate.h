// The wrenches that change the momentum of a mechanism: of the world, through the root joints, and of its weight. For
// momentum balances: about the world's origin, in world axes, at a small part of the cost of dynamics. Bodies welded to
// the world do not count.
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
  // One entry for the world, then one per link.
  Buffer<int> parent;
  Buffer<double> mass;                  ///< [kg] of its subtree
  Buffer<Vec3<>> first_moment, moment;  ///< [kg m] of it alone, and of its subtree, in its frame
  // Of what the model's plan moved to the world.
  Vec3<> ground_moment;     ///< [kg m]
  Wrench<> ground_support;  ///< [N, N m] that holds it against its weight
};

/// The momentum (p [kg m/s], L [kg m^2/s]) of all bodies about the world's origin, in world axes, at the state of the
/// last `kinematics`. Rotors (armature) carry none. Far from the origin L suffers from cancellation;
/// centroidal_momentum does not.  [eq. total-momentum]
Momentum<> total_momentum(const Model& model, const KinematicsWorkspace& work);

/// The wrench [N, N m] that the world exerts on the mechanism through all root joints, about the world's origin, in
/// world axes, after forward_dynamics, hybrid_dynamics or hybrid_dynamics_of: f = I_A A + p_A of the roots. It includes
/// motors and springs of those joints. Together with weight and external wrenches it is the time derivative of the
/// momentum (in an inertial frame, if the world moves). After refinement it still belongs to the motion before it.
/// Throws UsageError for models with couplings, which this recursion does not solve.  [eq. root-wrench]
Wrench<> root_wrench(const Model& model, ForwardDynamicsWorkspace<>& work);

/// The same after inverse_dynamics of the motion, for any model.  [eq. root-wrench]
Wrench<> root_wrench(const Model& model, InverseDynamicsWorkspace<>& work);

/// After forward_dynamics too, with what `moments` knows of the model: quicker.
Wrench<> root_wrench(const Model& model, ForwardDynamicsWorkspace<>& work, const MassMomentWorkspace& moments);

/// The weight [N, N m] of all bodies about the world's origin, in world axes, at the configuration of the last dynamics
/// of the workspace, or of the last `kinematics`. The first overload throws UsageError for models with couplings.
/// [eq. total-weight]
Wrench<> weight_wrench(const Model& model, ForwardDynamicsWorkspace<>& work, MassMomentWorkspace& moments);
Wrench<> weight_wrench(const Model& model, InverseDynamicsWorkspace<>& work, MassMomentWorkspace& moments);
Wrench<> weight_wrench(const Model& model, const KinematicsWorkspace& work);

/// The wrenches, besides external ones, that change the momentum.
struct MomentumCauses {
  Wrench<> supports;  ///< root_wrench
  Wrench<> weight;    ///< weight_wrench
};

/// Both at once.
MomentumCauses momentum_causes(const Model& model, ForwardDynamicsWorkspace<>& work, MassMomentWorkspace& moments);
MomentumCauses momentum_causes(const Model& model, InverseDynamicsWorkspace<>& work, MassMomentWorkspace& moments);

}  // namespace pintle
