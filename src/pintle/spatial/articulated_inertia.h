// ArticulatedInertia: the apparent inertia of a body that carries others by joints (Featherstone's I_A, the seeds'
// A_i).
#pragma once

#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// A symmetric 6x6 operator from twists to wrenches, in blocks: force = linear v + coupling w, torque = coupling' v +
/// angular w.
template <class T = double>
struct ArticulatedInertia {
  SymMat3<T> linear;
  Mat3<T> coupling;
  SymMat3<T> angular;
};

template <class T>
ArticulatedInertia(SymMat3<T>, Mat3<T>, SymMat3<T>) -> ArticulatedInertia<T>;

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

/// A rigid body as an articulated inertia: linear = m 1, coupling = -[h x], angular = I_o.
template <class T>
PINTLE_INLINE ArticulatedInertia<T> articulated(const SpatialInertia<T>& I) {
  return {diagonal(Vec3<T>{I.mass, I.mass, I.mass}), -skew(I.first_moment), I.inertia};
}

template <class T>
PINTLE_INLINE ArticulatedInertia<T> operator+(const ArticulatedInertia<T>& a, const ArticulatedInertia<T>& b) {
  return {a.linear + b.linear, a.coupling + b.coupling, a.angular + b.angular};
}
template <class T>
PINTLE_INLINE ArticulatedInertia<T> operator-(const ArticulatedInertia<T>& a, const ArticulatedInertia<T>& b) {
  return {a.linear - b.linear, a.coupling - b.coupling, a.angular - b.angular};
}
template <class T>
PINTLE_INLINE ArticulatedInertia<T> operator+(const ArticulatedInertia<T>& a, const SpatialInertia<T>& b) {
  return a + articulated(b);
}
template <class T>
PINTLE_INLINE ArticulatedInertia<T>& operator+=(ArticulatedInertia<T>& a, const ArticulatedInertia<T>& b) {
  return a = a + b;
}

template <class T>
PINTLE_INLINE Wrench<T> operator*(const ArticulatedInertia<T>& I, const Twist<T>& V) {
  return {I.linear * V.linear + I.coupling * V.angular, transpose_times(I.coupling, V.linear) + I.angular * V.angular};
}

/// s U U': the inertia that one dof of a joint removes is outer(U, 1/D), with U = I_A S and D = S' I_A S.
template <class T>
PINTLE_INLINE ArticulatedInertia<T> outer(const Wrench<T>& U, const Same<T>& s) {
  const Vec3<T> sf = s * U.force, sn = s * U.torque;
  const auto symmetric = [](const Vec3<T>& a, const Vec3<T>& b) {
    return SymMat3<T>{a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.y, a.y * b.z, a.z * b.z};
  };
  return {symmetric(sf, U.force), outer(sf, U.torque), symmetric(sn, U.torque)};
}

/// The symmetric operator of a sum of a b' that is symmetric as a whole, one term: of its diagonal blocks only the
/// symmetric part is kept.
template <class T>
PINTLE_INLINE ArticulatedInertia<T> symmetric_outer(const Wrench<T>& a, const Wrench<T>& b) {
  return {symmetric_part(outer(a.force, b.force)), outer(a.force, b.torque), symmetric_part(outer(a.torque, b.torque))};
}

/// The same inertia expressed in A instead of B.
template <class T>
PINTLE_INLINE ArticulatedInertia<T> operator*(const Pose<T>& X_AB, const ArticulatedInertia<T>& I_B) {
  const Mat3<T> R = X_AB.rotation;
  const SymMat3<T> L = congruence(R, I_B.linear);
  const Mat3<T> C = R * I_B.coupling * transpose(R);
  // With the new origin at -p seen from the old one: coupling C - L [p x], angular A + [p x] C - C' [p x] - [p x] L [p
  // x].
  const Mat3<T> P = skew(X_AB.translation);
  const Mat3<T> C_A = C - full(L) * P;
  const Mat3<T> PC = P * C, PC_A = P * C_A;
  return {L, C_A, congruence(R, I_B.angular) + symmetric_part(PC + PC_A)};
}

/// I^-1 F of a positive definite inertia.
template <class T>
inline Twist<T> solve(const ArticulatedInertia<T>& I, const Wrench<T>& F) {
  // Eliminates the linear part block-wise: v = L^-1 (f - C w), (A - C' L^-1 C) w = n - C' L^-1 f.
  const Vec3<T> c0 = column(I.coupling, 0), c1 = column(I.coupling, 1), c2 = column(I.coupling, 2);
  const Vec3<T> y0 = solve(I.linear, c0), y1 = solve(I.linear, c1), y2 = solve(I.linear, c2);
  const Vec3<T> v_f = solve(I.linear, F.force);
  const SymMat3<T> schur =
      I.angular - SymMat3<T>{dot(c0, y0), dot(c0, y1), dot(c0, y2), dot(c1, y1), dot(c1, y2), dot(c2, y2)};
  const Vec3<T> w = solve(schur, F.torque - transpose_times(I.coupling, v_f));
  return {v_f - (w.x * y0 + w.y * y1 + w.z * y2), w};
}

}  // namespace pintle::inline PINTLE_ISA
