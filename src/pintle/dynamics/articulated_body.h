// The quantities of the articulated-body recursion, by the letters of the seeds.
#pragma once

#include <array>

#include "pintle/dynamics/options.h"
#include "pintle/dynamics/workspace.h"
#include "pintle/math/matrix.h"
#include "pintle/spatial/axes.h"

namespace pintle {

/// What forward dynamics found for one link on its way (seeds 000 and 001). Gravity is a weight here, and accelerations
/// are those against the world.
struct ArticulatedBody {
  int nv;                            ///< dofs of its joint
  std::array<Twist<>, kMaxDofs> s;   ///< axes of the joint
  Twist<> v;                         ///< velocity
  Twist<> kappa;                     ///< v x s qd (and what the axes change by themselves)
  Wrench<> w;                        ///< weight and external wrench
  Wrench<> p;                        ///< v x I v - w
  ArticulatedInertia<> A;            ///< articulated inertia
  Wrench<> d;                        ///< articulated bias
  std::array<Wrench<>, kMaxDofs> T;  ///< A s (s'A s + armature)^-1: percussion axes
  Matrix<double, 6, 6> Phi;          ///< 1 - T s': what a wrench loses in passing the joint
  Twist<> a;                         ///< acceleration
  Wrench<> f;                        ///< A a + d: wrench of the joint on the link
};

/// The articulated body of a link (Model::links; ModelJoint::link) after forward_dynamics with the same options: in the
/// link's own frame (Axes::local), in world axes about the world's origin as in the seeds, or about its own origin.
/// Models with couplings are not solved by this recursion, and a link must exist: else UsageError.  [eq. aba]
ArticulatedBody articulated_body(const Model& model, ForwardDynamicsWorkspace<>& work, int link, Axes axes,
                                 const DynamicsOptions& options = {});

}  // namespace pintle
