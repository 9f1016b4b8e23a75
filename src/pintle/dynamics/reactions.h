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
/// options.external. They include what a motor or spring does along the joint: S'f + armature vdot = tau + passive.
/// Sizes as in inverse_dynamics, else UsageError.  [eq. reaction]
void reactions(const Model& model, std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
               ReactionsWorkspace& work, const DynamicsOptions& options = {});

/// What a joint's parent side exerts on its child, in the joint's frame on the child's side, after `reactions`.
Wrench<> reaction_of(const Model& model, const ReactionsWorkspace& work, int joint);

/// The same wrench about the origin of any place, in the axes asked for.  [eq. coadjoint]
Wrench<> reaction_of(const Model& model, const ReactionsWorkspace& work, int joint, const Place& about, Axes axes);

/// Adds up, from the tips inwards, what the joints must transmit when each body needs `on_body` (in its frame): each
/// body's own need becomes what its joint exerts on it. X_PL are the poses of the links in their parents.
void sum_inwards(const Model& model, const Pose<>* X_PL, std::span<Wrench<>> on_body);

}  // namespace pintle
