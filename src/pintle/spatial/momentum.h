// Momentum of a rigid body about any point, and the inverse, from momentum to motion (the state of seed 004).
#pragma once

#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// `linear` p [kg m/s] and `angular` L_b [kg m^2/s] about the frame's origin b; an impulse [N s, N m s] is one too.
template <class T = double>
struct Momentum {
  Vec3<T> linear;
  Vec3<T> angular;
};

template <class T>
Momentum(Vec3<T>, Vec3<T>) -> Momentum<T>;

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

template <class T>
PINTLE_INLINE Momentum<T> operator+(const Momentum<T>& a, const Momentum<T>& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}
template <class T>
PINTLE_INLINE Momentum<T> operator-(const Momentum<T>& a, const Momentum<T>& b) {
  return {a.linear - b.linear, a.angular - b.angular};
}
template <class T>
PINTLE_INLINE Momentum<T> operator-(const Momentum<T>& a) {
  return {-a.linear, -a.angular};
}
template <class T>
PINTLE_INLINE Momentum<T> operator*(const Same<T>& s, const Momentum<T>& a) {
  return {s * a.linear, s * a.angular};
}
template <class T>
PINTLE_INLINE Momentum<T>& operator+=(Momentum<T>& a, const Momentum<T>& b) {
  return a = a + b;
}
template <class T>
PINTLE_INLINE Momentum<T>& operator-=(Momentum<T>& a, const Momentum<T>& b) {
  return a = a - b;
}

/// Twice the kinetic energy [J] when M is the momentum of the motion V.
template <class T>
PINTLE_INLINE T dot(const Twist<T>& V, const Momentum<T>& M) {
  return dot(V.linear, M.linear) + dot(V.angular, M.angular);
}

/// The wrench that a momentum fixed to a frame moving with V needs: V x* M.
template <class T>
PINTLE_INLINE Wrench<T> cross_dual(const Twist<T>& V, const Momentum<T>& M) {
  return cross_dual(V, Wrench<T>{M.linear, M.angular});
}

/// p = m v_c and L_b = L_c + c x p of a body with inertia I and twist V, both at the point b. b may lie off the centre
/// of mass.  [eq. momentum]
template <class T>
PINTLE_INLINE Momentum<T> momentum(const SpatialInertia<T>& I, const Twist<T>& V) {
  const Wrench<T> M = I * V;
  return {M.force, M.torque};
}

/// The motion at the point b of a body with momentum M about b: w = I_c^-1 (L_b - c x p), v_b = p / m + c x w.
/// [eq. momentum-inverse]
template <class T>
PINTLE_INLINE Twist<T> velocity(const SpatialInertia<T>& I, const Momentum<T>& M) {
  return solve(I, Wrench<T>{M.linear, M.angular});
}

/// d/dt of (p, L_b) about a point b that moves with the velocity v_b, under the wrench F_b about b: F and tau_b - v_b x
/// p. The axes do not rotate.  [eq. momentum-rate]
template <class T>
PINTLE_INLINE Wrench<T> momentum_rate(const Wrench<T>& F_b, const Vec3<T>& v_b, const Momentum<T>& M_b) {
  return {F_b.force, F_b.torque - cross(v_b, M_b.linear)};
}

/// The same momentum about the point at r: L - r x p.  [eq. transfer]
template <class T>
PINTLE_INLINE Momentum<T> transfer(const Momentum<T>& M, const Vec3<T>& r) {
  return {M.linear, M.angular - cross(r, M.linear)};
}

/// Transforms a momentum from coordinates in B to coordinates in A.
template <class T>
PINTLE_INLINE Momentum<T> operator*(const Pose<T>& X_AB, const Momentum<T>& M_B) {
  const Vec3<T> p = X_AB.rotation * M_B.linear;
  return {p, X_AB.rotation * M_B.angular + cross(X_AB.translation, p)};
}

/// [p; L]
template <class T>
PINTLE_INLINE std::array<T, 6> to_array(const Momentum<T>& M) {
  return {M.linear.x, M.linear.y, M.linear.z, M.angular.x, M.angular.y, M.angular.z};
}

}  // namespace pintle::inline PINTLE_ISA
