// Reactions: the wrenches in the joints and welds of a moving mechanism.
#pragma once

#include <span>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/options.h"

namespace pintle {

/// Memory and result of `reactions`.
class ReactionsWorkspace {
 public:
  explicit ReactionsWorkspace(const Model& model);

  ModelSizes sizes;
  KinematicsWorkspace kinematics;
  Buffer<Wrench<>> on_body;  ///< per body: what its joint, fixed or not, exerts on it, in the body's frame
};

/// The wrenches that all joints, fixed ones too, transmit when the mechanism moves with (q, v, vdot) under gravity and
/// options.external. They include the effort of a motor or spring along the joint: S'f + armature vdot = tau + passive.
/// Sizes as in inverse_dynamics, else UsageError.  [eq. reaction]
void reactions(const Model& model, std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
               ReactionsWorkspace& work, const DynamicsOptions& options = {});

/// The wrench that a joint's parent side exerts on its child, in the joint's frame on the child's side, after
/// `reactions`.
Wrench<> reaction_of(const Model& model, const ReactionsWorkspace& work, int joint);

/// The same wrench about the origin of any place, in the axes asked for.  [eq. coadjoint]
Wrench<> reaction_of(const Model& model, const ReactionsWorkspace& work, int joint, const Place& about, Axes axes);

/// Sums, from the tips inwards, the wrenches that the joints transmit when each body needs the net wrench `on_body` (in
/// its frame). On return `on_body` is the wrench of each body's joint on it. X_PL are the poses of the links in their
/// parents.
void sum_inwards(const Model& model, const Pose<>* X_PL, std::span<Wrench<>> on_body);

}  // namespace pintle
