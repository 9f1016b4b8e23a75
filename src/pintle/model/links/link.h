// Link: one moving body of a compiled model with the joint that carries it, as the algorithms see it.
#pragma once

#include "pintle/model/links/joint_kind.h"
#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// Bodies that are welded together move as one link. Its frame is the joint's frame on the child's side, rotated so
/// that the joint axis, if there is one, is z. Plain data: what kernels read. C is double, or a pack with one value per
/// model of a batch.
template <class C>
struct LinkOf {
  int parent;                 ///< its parent link, -1 for the world; always smaller than its own index
  JointKind kind;             ///< of the joint to the parent
  int q;                      ///< index of its first coordinate
  int v;                      ///< index of its first dof
  int nv;                     ///< its number of degrees of freedom
  C pitch;                    ///< of a screw joint [m/rad], else 0
  Pose<C> X_PJ;               ///< the joint's frame on the parent's side, in the parent link's frame
  Mat3<C> axis_rotation;      ///< universal: the rotation between its two axes, both z of their frames
  SpatialInertia<C> inertia;  ///< of all bodies of the link, in its frame
};
using Link = LinkOf<double>;

/// The motion of the frame that carries the roots relative to an inertial frame: zero, or that of a ship or a lift that
/// the mechanism stands on. In the world's axes, at its origin; the linear acceleration is the true one of that point.
struct RootMotion {
  Twist<> velocity{};
  Twist<> acceleration{};
};

/// Whether that frame is at rest.
constexpr bool is_at_rest(const RootMotion& root) {
  const auto zero = [](const Vec3<>& a) { return a.x == 0.0 && a.y == 0.0 && a.z == 0.0; };
  return zero(root.velocity.linear) && zero(root.velocity.angular) && zero(root.acceleration.linear) &&
         zero(root.acceleration.angular);
}

/// The links of a model and the properties of their dofs: all that an algorithm reads.
template <class C>
struct LinkTreeOf {
  const LinkOf<C>* links;
  int count;          ///< number of links
  int nq;             ///< number of coordinates of all joints
  int nv;             ///< number of dofs of all joints
  const C* armature;  ///< per dof [kg m^2 or kg]: inertia of a geared rotor, seen at the joint
  Vec3<C> gravity;    ///< [m/s^2] in world axes
  RootMotion root{};  ///< of the world's frame itself
};
using LinkTree = LinkTreeOf<double>;

}  // namespace pintle
