// A prismatic joint of a plan, and the dynamics of its link. The link rotates with its parent, to which the plan moves
// its rotational inertia: it keeps a mass and a first moment.
// [eq. plan-prismatic]
#pragma once

#include "pintle/dynamics/plan/planned_axis.h"

namespace pintle::inline PINTLE_ISA {

/// A prismatic joint of a plan: it translates by q. C as in AxisPlacement.
template <class T, PlanPlacement kPlacement, class C = base_t<T>>
struct PrismaticJoint : AxisJoint<T, kPlacement, C, NoMotion> {
  using AxisPlacement<T, kPlacement, C>::link;

  // ---- the dof of the joint, S: translation along z; as in RevoluteJoint

  PINTLE_INLINE Twist<T> motion(const T& rate) const { return {{T(0), T(0), rate}, {T(0), T(0), T(0)}}; }
  PINTLE_INLINE void add_motion(const T& rate, Twist<T>& V) const { V.linear.z = V.linear.z + rate; }
  PINTLE_INLINE T along(const Wrench<T>& F) const { return F.force.z; }
  PINTLE_INLINE T along(const WrenchColumns<T>& F, int k) const { return F.fz[k]; }
  PINTLE_INLINE void put_along(const T& effort, Wrench<T>& F) const { F.force.z = effort; }

  PINTLE_INLINE T max_inertia(const ArticulatedInertia<T>& outer) const {
    return outer.linear.xx + outer.linear.yy + outer.linear.zz + T(link.whole_trace);
  }
};

/// Adds V x S v to A, for a link with velocity V and joint velocity S v.
template <PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE void add_bias(const PrismaticJoint<T, kPlacement, C>&, const Twist<T>& V, const T& rate, Twist<T>& A) {
  A.linear.x = fma(V.angular.y, rate, A.linear.x);
  A.linear.y = fma(-V.angular.x, rate, A.linear.y);
}

/// I A + V x* I V without rotational inertia: f = m e + wdot x h + w x (w x h), n = h x e.  [eq. rnea]
template <bool kBaseParameters, PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE Wrench<T> needed_wrench(const PrismaticJoint<T, kPlacement, C>& across, const Twist<T>& V,
                                      const Twist<T>& A) {
  const T m(across.link.inertia.mass);
  const auto& moment = across.link.inertia.first_moment;
  const Vec3<T> h{T(moment.x), T(moment.y), T(moment.z)};
  const Vec3<T>&w = V.angular, &wdot = A.angular;
  const Vec3<T> e = A.linear + cross(w, V.linear);
  return {fma(m, e, cross(wdot, h) + cross(w, cross(w, h))), cross(h, e)};
}

/// U = I_A S, S = z, with the projected inertia `outer` of the children.
template <PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE void find_column(const PrismaticJoint<T, kPlacement, C>& across, const ArticulatedInertia<T>& outer,
                               Wrench<T>& U) {
  const auto& h = across.link.inertia.first_moment;
  U.force.x = outer.linear.xz;
  U.force.y = outer.linear.yz;
  U.force.z = outer.linear.zz + T(across.link.inertia.mass);
  U.torque.x = outer.coupling.zx + T(h.y);
  U.torque.y = outer.coupling.zy - T(h.x);
  U.torque.z = outer.coupling.zz;
}

/// I_A - U D^-1 U': along z it is U D^-1 armature, which is set, not computed
/// (docs/decisions/0004-projected-articulated-inertia.md).  [eq. aba-inertia]
template <bool kBaseParameters, PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE ArticulatedInertia<T> projected_inertia(const PrismaticJoint<T, kPlacement, C>& across,
                                                      const ArticulatedInertia<T>& outer, const Wrench<T>& U,
                                                      const T& D_inverse) {
  const SymMat3<T>&L = outer.linear, &A = outer.angular;
  const Mat3<T>& K = outer.coupling;
  const Vec3<T>&f = U.force, &n = U.torque;
  const auto& h = across.link.inertia.first_moment;
  const T m(across.link.inertia.mass), hx(h.x), hy(h.y), hz(h.z), kept = D_inverse * T(across.link.armature);
  const T fx = D_inverse * f.x, fy = D_inverse * f.y, nx = D_inverse * n.x, ny = D_inverse * n.y;
  return {{fma(-fx, f.x, L.xx + m), fma(-fx, f.y, L.xy), kept * f.x, fma(-fy, f.y, L.yy + m), kept * f.y, kept * f.z},
          {fma(-fx, n.x, K.xx), fma(-fx, n.y, K.xy + hz), fma(-fx, n.z, K.xz - hy),  //
           fma(-fy, n.x, K.yx - hz), fma(-fy, n.y, K.yy), fma(-fy, n.z, K.yz + hx),  //
           kept * n.x, kept * n.y, kept * n.z},
          {fma(-nx, n.x, A.xx), fma(-nx, n.y, A.xy), fma(-nx, n.z, A.xz), fma(-ny, n.y, A.yy), fma(-ny, n.z, A.yz),
           fma(-(D_inverse * n.z), n.z, A.zz)}};
}

/// I_C S of a rigid body on a prismatic joint.
template <PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE Wrench<T> unit_wrench(const PrismaticJoint<T, kPlacement, C>&, const SpatialInertia<T>& I) {
  const T zero(0);
  return {{zero, zero, I.mass}, {I.first_moment.y, -I.first_moment.x, zero}};
}

}  // namespace pintle::inline PINTLE_ISA
