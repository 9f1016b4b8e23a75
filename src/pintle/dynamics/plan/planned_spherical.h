// A spherical joint of a plan, without rotors: 3x3 blocks in place of columns. It transmits no moment to the parent:
// the projected articulated inertia has only a linear part, at the centre of the joint.  [eq. plan-spherical]
#pragma once

#include "pintle/dynamics/lanes/factors3.h"
#include "pintle/dynamics/plan/planned_memory.h"
#include "pintle/dynamics/recursions/tree_motion.h"

namespace pintle::inline PINTLE_ISA {

template <class T>
PINTLE_INLINE Vec3<T> vector_at(const T* at) {
  return {at[0], at[1], at[2]};
}
template <class T>
PINTLE_INLINE void put_vector(const Vec3<T>& a, T* to) {
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
}

/// The pose of the link, and V and A without its own vdot. No parent (null) means the world, which accelerates with
/// A_W.  [eq. tree-velocity]
template <class T, class C>
PINTLE_INLINE void move_on_spherical(const LinkOf<C>& joint, const T* q, const T* v, const PlannedMotion<T>* parent,
                                     const Twist<T>& A_W, PlannedGeneral<T>& own, PlannedLink<T>& here) {
  const T* const Q = q + joint.q;
  const Vec3<T> rate = vector_at(v + joint.v);
  own.X_PL = {constant<T>(joint.X_PJ.rotation) * rotation_matrix(Quaternion<T>{Q[0], Q[1], Q[2], Q[3]}),
              constant<T>(joint.X_PJ.translation)};
  Twist<T> V = parent == nullptr ? zero_twist<T>() : inverse_times(own.X_PL, parent->V);
  Twist<T> A = inverse_times(own.X_PL, parent == nullptr ? A_W : parent->A);
  V.angular += rate;
  A.linear += cross(V.linear, rate);  // V x S v
  A.angular += cross(V.angular, rate);
  here.V = V;
  here.A = A;
}

/// The factors of D = S' I_A S, as those of a block of a general joint.
template <class T>
PINTLE_INLINE Factors3<T> factors_of(const JointBlock<T>& D) {
  return {D.m[0][0], D.m[1][1], D.m[2][2], D.m[1][0], D.m[2][0], D.m[2][1]};
}
template <class T>
PINTLE_INLINE void keep(const Factors3<T>& F, JointBlock<T>& D) {
  D.m[0][0] = F.d0;
  D.m[1][1] = F.d1;
  D.m[2][2] = F.d2;
  D.m[1][0] = F.yx;
  D.m[2][0] = F.zx;
  D.m[2][1] = F.zy;
}

/// A linear inertia L at p, about the origin: coupling -L [p x], angular -[p x] L [p x].
template <class T>
PINTLE_INLINE ArticulatedInertia<T> linear_inertia_at(const Vec3<T>& p, const SymMat3<T>& L) {
  const Vec3<T> x = cross(p, Vec3<T>{L.xx, L.xy, L.xz}), y = cross(p, Vec3<T>{L.xy, L.yy, L.yz}),
                z = cross(p, Vec3<T>{L.xz, L.yz, L.zz});  // the rows of the coupling
  return {L,
          {x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z},
          {fma(p.y, z.x, -(p.z * y.x)), fma(p.y, z.y, -(p.z * y.y)), fma(p.y, z.z, -(p.z * y.z)),
           fma(p.z, x.y, -(p.x * z.y)), fma(p.z, x.z, -(p.x * z.z)), fma(p.x, y.z, -(p.y * x.z))}};
}

/// A spherical joint whose link has the articulated inertia I_A and the bias p: computes U, the factors of D and u, and
/// calls add(I, p) with the projected inertia and bias for the parent: L - K A^-1 K' of the blocks of I_A. For a
/// root p becomes the wrench of the joint.  [eq. aba]
template <class T, class Add>
PINTLE_INLINE void articulate_spherical(const ArticulatedInertia<T>& I_A, Wrench<T>& p, const T* efforts, bool root,
                                        PlannedGeneral<T>& own, T& margin, const Add& add) {
  const Mat3<T>& K = I_A.coupling;
  const SymMat3<T>& A = I_A.angular;
  const Vec3<T> effort = vector_at(efforts), u = effort - p.torque;
  const Factors3<T> D = factor3(A, margin);
  const T min_pivot = T(64 * kEpsilon<T>) * (A.xx + A.yy + A.zz);
  margin = min(T(1) - D.d0 * min_pivot, min(T(1) - D.d1 * min_pivot, min(T(1) - D.d2 * min_pivot, margin)));
  own.U[0] = {column(K, 0), {A.xx, A.xy, A.xz}};
  own.U[1] = {column(K, 1), {A.xy, A.yy, A.yz}};
  own.U[2] = {column(K, 2), {A.xz, A.yz, A.zz}};
  keep(D, own.D);
  put_vector(u, own.u);
  if (root) {
    p = {p.force + K * solve(D, u), effort};
    return;
  }
  const Vec3<T> x = row(K, 0), y = row(K, 1), z = row(K, 2);
  const Vec3<T> x_D = solve(D, x), y_D = solve(D, y), z_D = solve(D, z);
  const SymMat3<T> shown = I_A.linear - SymMat3<T>{dot(x, x_D), dot(x, y_D), dot(x, z_D),  //
                                                   dot(y, y_D), dot(y, z_D), dot(z, z_D)};
  const Mat3<T>& R = own.X_PL.rotation;
  const Vec3<T> force = R * (p.force + K * solve(D, u));
  add(linear_inertia_at(own.X_PL.translation, congruence(R, shown)),
      Wrench<T>{force, R * effort + cross(own.X_PL.translation, force)});
}

/// Adds the accelerations due to the remaining efforts to the link, and to vdot. The angular acceleration of the link
/// does not depend on that of the parent.  [eq. aba]
template <class T>
PINTLE_INLINE void accelerate_spherical(const PlannedMotion<T>* parent, const PlannedGeneral<T>& own,
                                        PlannedLink<T>& here, T* vdot) {
  const Twist<T> A = parent == nullptr ? zero_twist<T>() : inverse_times(own.X_PL, parent->A);
  const auto& U = own.U;
  const Vec3<T> taken{dot(U[0].force, A.linear), dot(U[1].force, A.linear), dot(U[2].force, A.linear)};
  const Vec3<T> angular = solve(factors_of(own.D), vector_at(own.u) - taken);
  put_vector(angular - A.angular, vdot);
  here.A = {A.linear, angular};
}

}  // namespace pintle::inline PINTLE_ISA
