// Twist: the motion of a rigid body as one object, linear velocity of the reference point and angular velocity.
#pragma once

#include "pintle/math/vec3.h"

namespace pintle {

/// A motion screw: velocity, acceleration, small displacement, or the motion of a joint per unit of its coordinate.
/// `linear` [m/s] is the velocity of the body point at the frame's origin, `angular` [rad/s]; flattened linear first.
template <class T = double>
struct Twist {
  Vec3<T> linear;
  Vec3<T> angular;
};

template <class T>
Twist(Vec3<T>, Vec3<T>) -> Twist<T>;

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

template <class T = double>
PINTLE_INLINE Twist<T> zero_twist() {
  const T zero(0);
  return {{zero, zero, zero}, {zero, zero, zero}};
}

template <class T>
PINTLE_INLINE Twist<T> operator+(const Twist<T>& a, const Twist<T>& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}
template <class T>
PINTLE_INLINE Twist<T> operator-(const Twist<T>& a, const Twist<T>& b) {
  return {a.linear - b.linear, a.angular - b.angular};
}
template <class T>
PINTLE_INLINE Twist<T> operator-(const Twist<T>& a) {
  return {-a.linear, -a.angular};
}
template <class T>
PINTLE_INLINE Twist<T> operator*(const Same<T>& s, const Twist<T>& a) {
  return {s * a.linear, s * a.angular};
}
template <class T>
PINTLE_INLINE Twist<T> operator*(const Twist<T>& a, const Same<T>& s) {
  return {a.linear * s, a.angular * s};
}
template <class T>
PINTLE_INLINE Twist<T> operator/(const Twist<T>& a, const Same<T>& s) {
  return {a.linear / s, a.angular / s};
}
template <class T>
PINTLE_INLINE Twist<T>& operator+=(Twist<T>& a, const Twist<T>& b) {
  return a = a + b;
}
template <class T>
PINTLE_INLINE Twist<T>& operator-=(Twist<T>& a, const Twist<T>& b) {
  return a = a - b;
}

/// V x U: the time derivative of the motion vector U carried along with V (the Lie bracket of se(3)).
/// [eq. motion-cross]
template <class T>
PINTLE_INLINE Twist<T> cross(const Twist<T>& V, const Twist<T>& U) {
  return {cross(V.angular, U.linear) + cross(V.linear, U.angular), cross(V.angular, U.angular)};
}

/// The twist of a screw: rotates at the rate |axis| about the line through `point` along `axis`, and advances `pitch`
/// [m/rad] along it.  [eq. twist-of-screw]
template <class T>
PINTLE_INLINE Twist<T> twist(const Vec3<T>& axis, const Vec3<T>& point, const Same<T>& pitch) {
  return {fma(pitch, axis, cross(point, axis)), axis};
}

/// A translation without rotation: a screw of infinite pitch.
template <class T>
PINTLE_INLINE Twist<T> translation(const Vec3<T>& velocity) {
  const T zero(0);
  return {velocity, {zero, zero, zero}};
}

/// The same motion seen from the reference point at r (same axes): v + w x r.  [eq. transfer]
template <class T>
PINTLE_INLINE Twist<T> transfer(const Twist<T>& V, const Vec3<T>& r) {
  return {V.linear + cross(V.angular, r), V.angular};
}

template <class T>
PINTLE_INLINE Twist<T> select(const mask_t<T>& condition, const Twist<T>& a, const Twist<T>& b) {
  return {select(condition, a.linear, b.linear), select(condition, a.angular, b.angular)};
}

/// [linear; angular]
template <class T>
PINTLE_INLINE std::array<T, 6> to_array(const Twist<T>& V) {
  return {V.linear.x, V.linear.y, V.linear.z, V.angular.x, V.angular.y, V.angular.z};
}
template <class T>
PINTLE_INLINE Twist<T> twist_from_array(const std::array<T, 6>& a) {
  return {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
}

}  // namespace pintle::inline PINTLE_ISA
