// The dynamics of a link on a cylindrical joint of a plan: it rotates about its axis and translates along it,
// independently. Its parent sees no inertia along either dof, except that of rotors.  [eq. plan-cylindrical]
#pragma once

#include "pintle/dynamics/plan/planned_axis.h"

namespace pintle::inline PINTLE_ISA {

/// Coordinates, velocities or accelerations of the two dofs of a cylindrical joint.
template <class T>
struct CylindricalDofs {
  T translation, rotation;
};

/// The values of a cylindrical joint, or the single value of another joint with an axis.
template <PlanJoint kJoint, class T>
PINTLE_INLINE auto dofs_at(const T* values) {
  if constexpr (kJoint == PlanJoint::cylindrical) {
    return CylindricalDofs<T>{values[0], values[1]};
  } else {
    return values[0];
  }
}

/// A cylindrical joint of a plan: it translates by q_0 and rotates by q_1. C as in AxisPlacement.
template <class T, PlanPlacement kPlacement, class C = base_t<T>>
struct CylindricalJoint : AxisJoint<T, kPlacement, C> {
  /// S v.
  PINTLE_INLINE Twist<T> motion(const CylindricalDofs<T>& derivatives) const {
    return {{T(0), T(0), derivatives.translation}, {T(0), T(0), derivatives.rotation}};
  }
  /// V + S v.
  PINTLE_INLINE void add_motion(const CylindricalDofs<T>& derivatives, Twist<T>& V) const {
    V.linear.z = V.linear.z + derivatives.translation;
    V.angular.z = V.angular.z + derivatives.rotation;
  }
};

/// Adds V x S v to A, for a link with velocity V and joint velocity S v.
template <PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE void add_bias(const CylindricalJoint<T, kPlacement, C>&, const Twist<T>& V,
                            const CylindricalDofs<T>& derivatives, Twist<T>& A) {
  A.angular.x = fma(V.angular.y, derivatives.rotation, A.angular.x);
  A.angular.y = fma(-V.angular.x, derivatives.rotation, A.angular.y);
  A.linear.x = fma(V.angular.y, derivatives.translation, fma(V.linear.y, derivatives.rotation, A.linear.x));
  A.linear.y = fma(-V.angular.x, derivatives.translation, fma(-V.linear.x, derivatives.rotation, A.linear.y));
}

/// U = I_A S, with the projected inertia `outer` of the children.
template <PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE void find_columns(const CylindricalJoint<T, kPlacement, C>& across, const ArticulatedInertia<T>& outer,
                                Wrench<T>* U) {
  const SymMat3<T>&L = outer.linear, &A = outer.angular;
  const Mat3<T>& K = outer.coupling;
  const auto& h = across.link.inertia.first_moment;
  const auto& J = across.link.inertia.inertia;
  const T hx(h.x), hy(h.y);
  U[0] = {{L.xz, L.yz, L.zz + T(across.link.inertia.mass)}, {K.zx + hy, K.zy - hx, K.zz}};
  U[1] = {{K.xz - hy, K.yz + hx, K.zz}, {A.xz + T(J.xz), A.yz + T(J.yz), A.zz + T(J.zz)}};
}

/// The factors of D = S' U + armature, as those of a block of a general joint. `margin` becomes negative where D is
/// nearly singular.
template <PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE void factor_cylindrical(const CylindricalJoint<T, kPlacement, C>& across,
                                      const ArticulatedInertia<T>& outer, const Wrench<T>* U,
                                      const CylindricalDofs<T>& armature, JointBlock<T>& D, T& margin) {
  const SymMat3<T>&L = outer.linear, &A = outer.angular;
  const T translation = U[0].force.z + armature.translation, both = U[1].force.z;
  D.m[0][0] = T(1) / translation;
  D.m[1][0] = both * D.m[0][0];
  const T rotation = fma(-D.m[1][0], both, U[1].torque.z + armature.rotation);
  D.m[1][1] = T(1) / rotation;
  const T rounding(-64 * kEpsilon<T>), m(across.link.inertia.mass);
  const T max_translation = L.xx + L.yy + L.zz + fma(T(3), m, armature.translation);
  const T max_rotation = A.xx + A.yy + A.zz + T(across.link.whole_trace) + armature.rotation;
  margin = min(fma(rounding, max_translation, translation), min(fma(rounding, max_rotation, rotation), margin));
}

/// D^-1 b.
template <class T>
PINTLE_INLINE CylindricalDofs<T> solve_cylindrical(const JointBlock<T>& D, const CylindricalDofs<T>& b) {
  const T rotation = fma(-D.m[1][0], b.translation, b.rotation) * D.m[1][1];
  return {fma(-D.m[1][0], rotation, b.translation * D.m[0][0]), rotation};
}

/// I_A - U D^-1 U'. Along S it is U D^-1 armature, which is set, not computed
/// (docs/decisions/0004-projected-articulated-inertia.md).  [eq. plan-cylindrical]
template <PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE ArticulatedInertia<T> projected_inertia(const CylindricalJoint<T, kPlacement, C>& across,
                                                      const ArticulatedInertia<T>& outer, const Wrench<T>* U,
                                                      const JointBlock<T>& D, const CylindricalDofs<T>& armature) {
  const SymMat3<T>&L = outer.linear, &A = outer.angular;
  const Mat3<T>& K = outer.coupling;
  const auto& J = across.link.inertia.inertia;
  const T m(across.link.inertia.mass), hz(across.link.inertia.first_moment.z), part = D.m[1][0];
  // U D^-1 U' = f d_0 f' + g d_1 g' with g the rotation's column minus its part along the translation's.
  const Wrench<T>& f = U[0];
  const Wrench<T> g = U[1] - f * part;
  const Wrench<T> fd = f * D.m[0][0], gd = g * D.m[1][1];
  const auto less = [&](const T& whole, const T& f_i, const T& f_j, const T& g_i, const T& g_j) {
    return fma(-g_i, g_j, fma(-f_i, f_j, whole));
  };
  const Vec3<T>&p = fd.force, &r = fd.torque, &s = gd.force, &t = gd.torque;
  ArticulatedInertia<T> I;
  I.linear.xx = less(L.xx + m, p.x, f.force.x, s.x, g.force.x);
  I.linear.xy = less(L.xy, p.x, f.force.y, s.x, g.force.y);
  I.linear.yy = less(L.yy + m, p.y, f.force.y, s.y, g.force.y);
  I.coupling.xx = less(K.xx, p.x, f.torque.x, s.x, g.torque.x);
  I.coupling.xy = less(K.xy + hz, p.x, f.torque.y, s.x, g.torque.y);
  I.coupling.yx = less(K.yx - hz, p.y, f.torque.x, s.y, g.torque.x);
  I.coupling.yy = less(K.yy, p.y, f.torque.y, s.y, g.torque.y);
  I.angular.xx = less(A.xx + T(J.xx), r.x, f.torque.x, t.x, g.torque.x);
  I.angular.xy = less(A.xy + T(J.xy), r.x, f.torque.y, t.x, g.torque.y);
  I.angular.yy = less(A.yy + T(J.yy), r.y, f.torque.y, t.y, g.torque.y);

  const Wrench<T> rotation = gd * armature.rotation, translation = (fd - gd * part) * armature.translation;
  I.linear.xz = translation.force.x;
  I.linear.yz = translation.force.y;
  I.linear.zz = translation.force.z;
  I.coupling.zx = translation.torque.x;
  I.coupling.zy = translation.torque.y;
  I.coupling.zz = D.m[1][1] * part * armature.translation * armature.rotation;
  I.coupling.xz = rotation.force.x;
  I.coupling.yz = rotation.force.y;
  I.angular.xz = rotation.torque.x;
  I.angular.yz = rotation.torque.y;
  I.angular.zz = rotation.torque.z;
  return I;
}

/// A cylindrical joint with the projected inertia `outer` of the children and the bias p: computes U, the factors of D
/// and u, and calls add(I, p) with the projected inertia and bias for the parent. p becomes the wrench of the joint
/// but for the acceleration of the parent.  [eq. aba]
template <PlanPlacement kPlacement, class T, class C, class Add>
PINTLE_INLINE void articulate_cylindrical(const CylindricalJoint<T, kPlacement, C>& across,
                                          const ArticulatedInertia<T>& outer, Wrench<T>& p,
                                          const CylindricalDofs<T>& efforts, const CylindricalDofs<T>& armature,
                                          PlannedGeneral<T>& own, T& margin, const Add& add) {
  find_columns(across, outer, own.U);
  factor_cylindrical(across, outer, own.U, armature, own.D, margin);
  const CylindricalDofs<T> u{efforts.translation - p.force.z, efforts.rotation - p.torque.z};
  own.u[0] = u.translation;
  own.u[1] = u.rotation;
  const CylindricalDofs<T> gained = solve_cylindrical(own.D, u);
  p += own.U[0] * gained.translation + own.U[1] * gained.rotation;
  p.force.z = fma(-armature.translation, gained.translation, efforts.translation);
  p.torque.z = fma(-armature.rotation, gained.rotation, efforts.rotation);
  if constexpr (kPlacement != PlanPlacement::root) {
    ArticulatedInertia<T> I_a = projected_inertia(across, outer, own.U, own.D, armature);
    across.take_inwards(I_a);
    add(I_a, across.inwards(p));
  }
}

/// Adds the accelerations due to the remaining efforts to the link, and to vdot.  [eq. aba]
template <PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE void accelerate_cylindrical(const CylindricalJoint<T, kPlacement, C>& across,
                                          const PlannedMotion<T>* parent, const PlannedGeneral<T>& own,
                                          PlannedLink<T>& here, T* vdot) {
  Twist<T> A = zero_twist<T>();
  CylindricalDofs<T> left{own.u[0], own.u[1]};
  if constexpr (kPlacement != PlanPlacement::root) {
    A = across.outwards(parent->A);
    left = {left.translation - dot(A, own.U[0]), left.rotation - dot(A, own.U[1])};
  }
  const CylindricalDofs<T> found = solve_cylindrical(own.D, left);
  across.add_motion(found, A);
  here.A = A;
  vdot[0] = found.translation;
  vdot[1] = found.rotation;
}

}  // namespace pintle::inline PINTLE_ISA
