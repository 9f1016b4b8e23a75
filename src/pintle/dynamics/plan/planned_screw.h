// A screw joint of a plan, and the dynamics of its link: it rotates like a revolute joint and translates like a
// prismatic one, by the pitch for every radian.  [eq. plan-screw]
#pragma once

#include "pintle/dynamics/plan/planned_axis.h"

namespace pintle::inline PINTLE_ISA {

/// A screw joint of a plan: it translates by pitch q. C as in AxisPlacement.
template <class T, PlanPlacement kPlacement, class C = base_t<T>>
struct ScrewJoint : AxisJoint<T, kPlacement, C> {
  using AxisPlacement<T, kPlacement, C>::link;

  // ---- the dof of the joint, S = (pitch z, z); as in RevoluteJoint

  PINTLE_INLINE T pitch() const { return T(link.pitch); }

  PINTLE_INLINE Twist<T> motion(const T& rate) const { return {{T(0), T(0), pitch() * rate}, {T(0), T(0), rate}}; }
  PINTLE_INLINE void add_motion(const T& rate, Twist<T>& V) const {
    V.linear.z = fma(pitch(), rate, V.linear.z);
    V.angular.z = V.angular.z + rate;
  }
  PINTLE_INLINE T along(const Wrench<T>& F) const { return fma(pitch(), F.force.z, F.torque.z); }
  PINTLE_INLINE T along(const WrenchColumns<T>& F, int k) const { return fma(pitch(), F.fz[k], F.nz[k]); }
  PINTLE_INLINE void put_along(const T& effort, Wrench<T>& F) const {
    const T across = across_screw(F.force.z, F.torque.z);
    F.force.z = along_z(across, effort);
    F.torque.z = about_z(across, effort);
  }

  PINTLE_INLINE T max_inertia(const ArticulatedInertia<T>& outer) const {
    const SymMat3<T>&L = outer.linear, &A = outer.angular;
    return fma(pitch() * pitch(), L.xx + L.yy + L.zz, A.xx + A.yy + A.zz + T(link.whole_trace));
  }

  // ---- wrenches (f z, n z) as N'F of a motion N = (unit_torque z, -unit_force z) across the screw, and S'F

  PINTLE_INLINE T across_screw(const T& f, const T& n) const {
    return fma(T(link.unit_torque), f, -(T(link.unit_force) * n));
  }
  PINTLE_INLINE T along_z(const T& across, const T& along) const { return fma(T(link.unit_force), along, across); }
  PINTLE_INLINE T about_z(const T& across, const T& along) const {
    return fma(-pitch(), across, T(link.unit_torque) * along);
  }
};

/// Adds V x S v to A, for a link with velocity V and joint velocity S v.
template <PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE void add_bias(const ScrewJoint<T, kPlacement, C>& across, const Twist<T>& V, const T& rate, Twist<T>& A) {
  A.angular.x = fma(V.angular.y, rate, A.angular.x);
  A.angular.y = fma(-V.angular.x, rate, A.angular.y);
  A.linear.x = fma(fma(across.pitch(), V.angular.y, V.linear.y), rate, A.linear.x);
  A.linear.y = fma(-fma(across.pitch(), V.angular.x, V.linear.x), rate, A.linear.y);
}

/// U = I_A S, with the projected inertia `outer` of the children.
template <PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE void find_column(const ScrewJoint<T, kPlacement, C>& across, const ArticulatedInertia<T>& outer,
                               Wrench<T>& U) {
  const SymMat3<T>&L = outer.linear, &A = outer.angular;
  const Mat3<T>& K = outer.coupling;
  const auto& h = across.link.inertia.first_moment;
  const auto& J = across.link.inertia.inertia;
  const T pitch = across.pitch();
  U.force.x = fma(pitch, L.xz, K.xz - T(h.y));
  U.force.y = fma(pitch, L.yz, K.yz + T(h.x));
  U.force.z = fma(pitch, L.zz + T(across.link.inertia.mass), K.zz);
  U.torque.x = fma(pitch, K.zx + T(h.y), A.xz + T(J.xz));
  U.torque.y = fma(pitch, K.zy - T(h.x), A.yz + T(J.yz));
  U.torque.z = fma(pitch, K.zz, A.zz + T(J.zz));
}

/// I_A - U D^-1 U'. Along S it is U D^-1 armature, which is set, not computed
/// (docs/decisions/0004-projected-articulated-inertia.md): of the columns for v_z and w_z only one is computed, that
/// for a motion across the screw.  [eq. plan-screw]
template <bool kBaseParameters, PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE ArticulatedInertia<T> projected_inertia(const ScrewJoint<T, kPlacement, C>& across,
                                                      const ArticulatedInertia<T>& outer, const Wrench<T>& U,
                                                      const T& D_inverse) {
  const SymMat3<T>&L = outer.linear, &A = outer.angular;
  const Mat3<T>& K = outer.coupling;
  const Vec3<T>&f = U.force, &n = U.torque;
  const auto& h = across.link.inertia.first_moment;
  const auto& J = across.link.inertia.inertia;
  const T m(across.link.inertia.mass), hx(h.x), hy(h.y), hz(h.z), kept = D_inverse * T(across.link.armature);
  const T fx = D_inverse * f.x, fy = D_inverse * f.y, nx = D_inverse * n.x, ny = D_inverse * n.y;
  ArticulatedInertia<T> I;
  I.linear.xx = fma(-fx, f.x, L.xx + m);
  I.linear.xy = fma(-fx, f.y, L.xy);
  I.linear.yy = fma(-fy, f.y, L.yy + m);
  I.coupling.xx = fma(-fx, n.x, K.xx);
  I.coupling.xy = fma(-fx, n.y, K.xy + hz);
  I.coupling.yx = fma(-fy, n.x, K.yx - hz);
  I.coupling.yy = fma(-fy, n.y, K.yy);
  I.angular.xx = fma(-nx, n.x, A.xx + T(J.xx));
  I.angular.xy = fma(-nx, n.y, A.xy + T(J.xy));
  I.angular.yy = fma(-ny, n.y, A.yy + T(J.yy));

  const T U_N = across.across_screw(f.z, n.z), K_zz = K.zz, L_zz = L.zz + m, A_zz = A.zz + T(J.zz);
  const T taken = -(D_inverse * U_N), kept_N = kept * U_N;
  const auto spread = [&](const T& across_it, const T& of_U, T& translation, T& rotation) {
    translation = across.along_z(across_it, kept * of_U);
    rotation = across.about_z(across_it, kept * of_U);
  };
  spread(fma(taken, f.x, across.across_screw(L.xz, K.xz - hy)), f.x, I.linear.xz, I.coupling.xz);
  spread(fma(taken, f.y, across.across_screw(L.yz, K.yz + hx)), f.y, I.linear.yz, I.coupling.yz);
  spread(fma(taken, n.x, across.across_screw(K.zx + hy, A.xz + T(J.xz))), n.x, I.coupling.zx, I.angular.xz);
  spread(fma(taken, n.y, across.across_screw(K.zy - hx, A.yz + T(J.yz))), n.y, I.coupling.zy, I.angular.yz);
  const T N_N = fma(taken, U_N, across.across_screw(across.across_screw(L_zz, K_zz), across.across_screw(K_zz, A_zz)));
  T again;
  spread(across.along_z(N_N, kept_N), f.z, I.linear.zz, I.coupling.zz);
  spread(across.about_z(N_N, kept_N), n.z, again, I.angular.zz);
  return I;
}

/// I_C S of a rigid body on a screw joint.
template <PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE Wrench<T> unit_wrench(const ScrewJoint<T, kPlacement, C>& across, const SpatialInertia<T>& I) {
  const Vec3<T>& h = I.first_moment;
  const T pitch = across.pitch();
  return {{-h.y, h.x, pitch * I.mass}, {fma(pitch, h.y, I.inertia.xz), fma(-pitch, h.x, I.inertia.yz), I.inertia.zz}};
}

}  // namespace pintle::inline PINTLE_ISA
