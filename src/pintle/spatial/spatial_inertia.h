// SpatialInertia: mass, centre of mass and rotational inertia of a rigid body as one object.
#pragma once

#include "pintle/math/solve.h"
#include "pintle/spatial/pose.h"

namespace pintle {

/// The inertia of a rigid body in a frame fixed to it: `mass` m [kg], `first_moment` h = m c [kg m] with c the centre
/// of mass, and `inertia` I_o [kg m^2] about the frame's origin. Maps a twist to a momentum and an acceleration to a
/// wrench.
template <class T = double>
struct SpatialInertia {
  T mass;
  Vec3<T> first_moment;
  SymMat3<T> inertia;
};

template <class T>
SpatialInertia(T, Vec3<T>, SymMat3<T>) -> SpatialInertia<T>;

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

template <class T = double>
PINTLE_INLINE SpatialInertia<T> zero_inertia() {
  const T zero(0);
  return {zero, {zero, zero, zero}, {zero, zero, zero, zero, zero, zero}};
}

/// From the mass [kg], the centre of mass c [m] and the inertia I_c [kg m^2] about it: I_o = I_c - m [c x][c x].
/// [eq. parallel-axis]
template <class T>
PINTLE_INLINE SpatialInertia<T> spatial_inertia(const T& mass, const Vec3<T>& c, const SymMat3<T>& I_c) {
  return {mass, mass * c, I_c + mass * minus_skew_squared(c)};
}

/// The centre of mass [m]; the mass must not be zero.
template <class T>
PINTLE_INLINE Vec3<T> center_of_mass(const SpatialInertia<T>& I) {
  return I.first_moment / I.mass;
}

/// I_c [kg m^2], the rotational inertia about the centre of mass; the mass must not be zero.
template <class T>
PINTLE_INLINE SymMat3<T> inertia_about_center_of_mass(const SpatialInertia<T>& I) {
  return I.inertia - (T(1) / I.mass) * minus_skew_squared(I.first_moment);
}

/// Two bodies welded together.
template <class T>
PINTLE_INLINE SpatialInertia<T> operator+(const SpatialInertia<T>& a, const SpatialInertia<T>& b) {
  return {a.mass + b.mass, a.first_moment + b.first_moment, a.inertia + b.inertia};
}
/// A body with a part removed.
template <class T>
PINTLE_INLINE SpatialInertia<T> operator-(const SpatialInertia<T>& a, const SpatialInertia<T>& b) {
  return {a.mass - b.mass, a.first_moment - b.first_moment, a.inertia - b.inertia};
}
template <class T>
PINTLE_INLINE SpatialInertia<T> operator*(const Same<T>& s, const SpatialInertia<T>& a) {
  return {s * a.mass, s * a.first_moment, s * a.inertia};
}

/// I V: the momentum of a motion, or the wrench that an acceleration requires: f = m v + w x h, n = I_o w + h x v.
/// [eq. spatial-inertia]
template <class T>
PINTLE_INLINE Wrench<T> operator*(const SpatialInertia<T>& I, const Twist<T>& V) {
  return {fma(I.mass, V.linear, cross(V.angular, I.first_moment)),
          I.inertia * V.angular + cross(I.first_moment, V.linear)};
}

/// The same inertia expressed in A instead of B.
template <class T>
PINTLE_INLINE SpatialInertia<T> operator*(const Pose<T>& X_AB, const SpatialInertia<T>& I_B) {
  // About the new origin: I + 2 (h.p) 1 - h p' - p h' + m (|p|^2 1 - p p'), symmetric by construction.
  const Vec3<T> h = X_AB.rotation * I_B.first_moment;
  const Vec3<T> p = X_AB.translation;
  const Vec3<T> k = fma(base_t<T>(0.5) * I_B.mass, p, h);  // h + m p / 2
  const T two(2), d = two * dot(k, p);
  const SymMat3<T> shift{fma(-two * k.x, p.x, d), -fma(k.x, p.y, k.y * p.x), -fma(k.x, p.z, k.z * p.x),
                         fma(-two * k.y, p.y, d), -fma(k.y, p.z, k.z * p.y), fma(-two * k.z, p.z, d)};
  return {I_B.mass, fma(I_B.mass, p, h), congruence(X_AB.rotation, I_B.inertia) + shift};
}

/// I^-1 F: the acceleration of a free body under a wrench; mass and I_c must be positive.
template <class T>
PINTLE_INLINE Twist<T> solve(const SpatialInertia<T>& I, const Wrench<T>& F) {
  const Vec3<T> c = center_of_mass(I);
  const Vec3<T> w = solve(inertia_about_center_of_mass(I), F.torque - cross(c, F.force));
  return {F.force / I.mass + cross(c, w), w};
}

/// The kinetic energy [J] of a body moving with V: V' I V / 2.
template <class T>
PINTLE_INLINE T kinetic_energy(const SpatialInertia<T>& I, const Twist<T>& V) {
  return base_t<T>(0.5) * dot(V, I * V);
}

}  // namespace pintle::inline PINTLE_ISA
