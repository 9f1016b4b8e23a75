// The quantities of the articulated-body recursion, link by link.
#pragma once

#include <array>

#include "pintle/dynamics/options.h"
#include "pintle/dynamics/workspace.h"
#include "pintle/math/matrix.h"
#include "pintle/spatial/axes.h"

namespace pintle {

/// Intermediate results of forward dynamics for one link. Gravity enters as a weight; accelerations are relative to the
/// world.
struct ArticulatedBody {
  int nv;                            ///< dofs of its joint
  std::array<Twist<>, kMaxDofs> s;   ///< axes of the joint
  Twist<> v;                         ///< velocity
  Twist<> kappa;                     ///< v x s qd (plus the joint's own change of axes)
  Wrench<> w;                        ///< weight and external wrench
  Wrench<> p;                        ///< v x I v - w
  ArticulatedInertia<> A;            ///< articulated inertia
  Wrench<> d;                        ///< articulated bias
  std::array<Wrench<>, kMaxDofs> T;  ///< A s (s'A s + armature)^-1: percussion axes
  Matrix<double, 6, 6> Phi;          ///< 1 - T s': the part of a wrench that passes the joint
  Twist<> a;                         ///< acceleration
  Wrench<> f;                        ///< A a + d: wrench of the joint on the link
};

/// The articulated body of a link (Model::links; ModelJoint::link) after forward_dynamics with the same options, among
/// them keep_recursion: in the link's own frame (Axes::local), in world axes about the world's origin, or in world axes
/// about its own origin. Throws UsageError without keep_recursion, for a model with couplings, which this recursion
/// does not solve, and for a link that does not exist.  [eq. aba]
ArticulatedBody articulated_body(const Model& model, ForwardDynamicsWorkspace<>& work, int link, Axes axes,
                                 const DynamicsOptions& options = {});

}  // namespace pintle
