// A revolute joint of a plan, and the dynamics of its link.  [eq. plan-revolute]
#pragma once

#include "pintle/dynamics/plan/planned_axis.h"

namespace pintle::inline PINTLE_ISA {

/// A revolute joint of a plan; C as in AxisPlacement.
template <class T, PlanPlacement kPlacement, class C = base_t<T>>
struct RevoluteJoint : AxisJoint<T, kPlacement, C, AxisRotation<T>, NoMotion> {
  using AxisPlacement<T, kPlacement, C>::link;

  // ---- the dof of the joint, S: rotation about z

  /// S v.
  PINTLE_INLINE Twist<T> motion(const T& rate) const { return {{T(0), T(0), T(0)}, {T(0), T(0), rate}}; }
  /// V + S v.
  PINTLE_INLINE void add_motion(const T& rate, Twist<T>& V) const { V.angular.z = V.angular.z + rate; }
  /// S'F.
  PINTLE_INLINE T along(const Wrench<T>& F) const { return F.torque.z; }
  PINTLE_INLINE T along(const WrenchColumns<T>& F, int k) const { return F.nz[k]; }
  /// Sets S'F to its known value.
  PINTLE_INLINE void put_along(const T& effort, Wrench<T>& F) const { F.torque.z = effort; }

  /// Upper bound of its inertia, with the projected inertia `outer` of the children.
  PINTLE_INLINE T max_inertia(const ArticulatedInertia<T>& outer) const {
    return outer.angular.xx + outer.angular.yy + outer.angular.zz + T(link.whole_trace);
  }
};

/// Adds V x S v to A, for a link with velocity V and joint velocity S v.
template <PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE void add_bias(const RevoluteJoint<T, kPlacement, C>&, const Twist<T>& V, const T& rate, Twist<T>& A) {
  A.angular.x = fma(V.angular.y, rate, A.angular.x);
  A.angular.y = fma(-V.angular.x, rate, A.angular.y);
  A.linear.x = fma(V.linear.y, rate, A.linear.x);
  A.linear.y = fma(-V.linear.x, rate, A.linear.y);
}

/// U = I_A S of a revolute joint, S = z, with the projected inertia `outer` of the children.
template <PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE void find_column(const RevoluteJoint<T, kPlacement, C>& across, const ArticulatedInertia<T>& outer,
                               Wrench<T>& U) {
  const auto& h = across.link.inertia.first_moment;
  const auto& J = across.link.inertia.inertia;
  U.force.x = outer.coupling.xz - T(h.y);
  U.force.y = outer.coupling.yz + T(h.x);
  U.force.z = outer.coupling.zz;
  U.torque.x = outer.angular.xz + T(J.xz);
  U.torque.y = outer.angular.yz + T(J.yz);
  U.torque.z = outer.angular.zz + T(J.zz);
}

/// I_A - U D^-1 U' of a revolute joint: along z it is U D^-1 armature, which is set, not computed
/// (docs/decisions/0004-projected-articulated-inertia.md). In base parameters a link has neither m nor h_z nor I_yy.
/// [eq. aba-inertia]
template <bool kBaseParameters, PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE ArticulatedInertia<T> projected_inertia(const RevoluteJoint<T, kPlacement, C>& across,
                                                      const ArticulatedInertia<T>& outer, const Wrench<T>& U,
                                                      const T& D_inverse) {
  const PlanParameters<C>& link = across.link;
  const SymMat3<T>&L = outer.linear, &A = outer.angular;
  const Mat3<T>& K = outer.coupling;
  const Vec3<T>& f = U.force;
  const auto& J = link.inertia.inertia;
  const T hx(link.inertia.first_moment.x), hy(link.inertia.first_moment.y), kept = D_inverse * T(link.armature);
  const Vec3<T> g = D_inverse * f;
  const T nx = D_inverse * U.torque.x, ny = D_inverse * U.torque.y;
  ArticulatedInertia<T> I{
      {fma(-g.x, f.x, L.xx), fma(-g.x, f.y, L.xy), fma(-g.x, f.z, L.xz), fma(-g.y, f.y, L.yy), fma(-g.y, f.z, L.yz),
       fma(-g.z, f.z, L.zz)},
      {fma(-f.x, nx, K.xx), fma(-f.x, ny, K.xy), kept * f.x, fma(-f.y, nx, K.yx), fma(-f.y, ny, K.yy), kept * f.y,
       fma(-f.z, nx, K.zx + hy), fma(-f.z, ny, K.zy - hx), kept * f.z},
      {fma(-nx, U.torque.x, A.xx + T(J.xx)), fma(-nx, U.torque.y, A.xy + T(J.xy)), kept * U.torque.x,
       fma(-ny, U.torque.y, A.yy), kept * U.torque.y, kept * U.torque.z}};
  if constexpr (!kBaseParameters) {
    const T m(link.inertia.mass), hz(link.inertia.first_moment.z);
    I.linear.xx += m;
    I.linear.yy += m;
    I.linear.zz += m;
    I.coupling.xy += hz;
    I.coupling.yx -= hz;
    I.angular.yy += T(J.yy);
  }
  return I;
}

/// I_C S of a rigid body on a revolute joint.
template <PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE Wrench<T> unit_wrench(const RevoluteJoint<T, kPlacement, C>&, const SpatialInertia<T>& I) {
  return {{-I.first_moment.y, I.first_moment.x, T(0)}, {I.inertia.xz, I.inertia.yz, I.inertia.zz}};
}

}  // namespace pintle::inline PINTLE_ISA
