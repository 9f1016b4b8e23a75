// Link: one moving body of a compiled model with the joint that carries it, as the algorithms see it.
#pragma once

#include "pintle/model/links/joint_kind.h"
#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// Bodies that are welded together move as one link. Its frame is the joint's frame on the child's side, turned so that
/// the axis of every joint with one is z. Plain data: what kernels read. C is double, or as many numbers as there are
/// models side by side.
template <class C>
struct LinkOf {
  int parent;                 ///< the link it hangs on, -1 for the world; always smaller than its own number
  JointKind kind;             ///< of the joint to the parent
  int q;                      ///< its first number in a configuration
  int v;                      ///< its first number in a velocity
  int nv;                     ///< its degrees of freedom
  C pitch;                    ///< of a screw joint [m/rad], else 0
  Pose<C> X_PJ;               ///< the joint's frame on the parent's side, in the parent link's frame
  Mat3<C> axis_turn;          ///< universal: the rotation between its two axes, both z of their frames
  SpatialInertia<C> inertia;  ///< of all bodies of the link, in its frame
};
using Link = LinkOf<double>;

/// How the frame that carries the roots moves against an inertial one: nothing, or the motion of a ship or a lift that
/// the mechanism stands on. In the world's axes, at its origin; the linear acceleration is the true one of that point.
struct RootMotion {
  Twist<> velocity{};
  Twist<> acceleration{};
};

/// Whether that frame rests.
constexpr bool is_at_rest(const RootMotion& root) {
  const auto zero = [](const Vec3<>& a) { return a.x == 0.0 && a.y == 0.0 && a.z == 0.0; };
  return zero(root.velocity.linear) && zero(root.velocity.angular) && zero(root.acceleration.linear) &&
         zero(root.acceleration.angular);
}

/// The links of a model and what belongs to their dofs: all that an algorithm reads.
template <class C>
struct LinkTreeOf {
  const LinkOf<C>* links;
  int count;          ///< links
  int nq;             ///< numbers in a configuration of all joints
  int nv;             ///< numbers in a velocity of all joints
  const C* armature;  ///< per dof [kg m^2 or kg]: inertia of a geared rotor, seen at the joint
  Vec3<C> gravity;    ///< [m/s^2] in world axes
  RootMotion root{};  ///< of the world's frame itself
};
using LinkTree = LinkTreeOf<double>;

}  // namespace pintle
