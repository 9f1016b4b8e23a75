// Wrench: the force and torque on a rigid body as one object; the dual of Twist. Their product is power.
#pragma once

#include "pintle/spatial/twist.h"

namespace pintle {

/// A force screw: `force` [N], and `torque` [N m] about the frame's origin; flattened force first.
template <class T = double>
struct Wrench {
  Vec3<T> force;
  Vec3<T> torque;
};

template <class T>
Wrench(Vec3<T>, Vec3<T>) -> Wrench<T>;

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

template <class T = double>
PINTLE_INLINE Wrench<T> zero_wrench() {
  const T zero(0);
  return {{zero, zero, zero}, {zero, zero, zero}};
}

template <class T>
PINTLE_INLINE Wrench<T> operator+(const Wrench<T>& a, const Wrench<T>& b) {
  return {a.force + b.force, a.torque + b.torque};
}
template <class T>
PINTLE_INLINE Wrench<T> operator-(const Wrench<T>& a, const Wrench<T>& b) {
  return {a.force - b.force, a.torque - b.torque};
}
template <class T>
PINTLE_INLINE Wrench<T> operator-(const Wrench<T>& a) {
  return {-a.force, -a.torque};
}
template <class T>
PINTLE_INLINE Wrench<T> operator*(const Same<T>& s, const Wrench<T>& a) {
  return {s * a.force, s * a.torque};
}
template <class T>
PINTLE_INLINE Wrench<T> operator*(const Wrench<T>& a, const Same<T>& s) {
  return {a.force * s, a.torque * s};
}
template <class T>
PINTLE_INLINE Wrench<T> operator/(const Wrench<T>& a, const Same<T>& s) {
  return {a.force / s, a.torque / s};
}
template <class T>
PINTLE_INLINE Wrench<T>& operator+=(Wrench<T>& a, const Wrench<T>& b) {
  return a = a + b;
}
template <class T>
PINTLE_INLINE Wrench<T>& operator-=(Wrench<T>& a, const Wrench<T>& b) {
  return a = a - b;
}

/// The power [W] of a wrench on a motion; also called the reciprocal product of the two screws.  [eq. power]
template <class T>
PINTLE_INLINE T dot(const Twist<T>& V, const Wrench<T>& F) {
  return dot(V.linear, F.force) + dot(V.angular, F.torque);
}
template <class T>
PINTLE_INLINE T dot(const Wrench<T>& F, const Twist<T>& V) {
  return dot(V, F);
}

/// V x* F: the time derivative of the force vector F carried along with V; dot(V x U, F) = -dot(U, V x* F).
/// [eq. force-cross]
template <class T>
PINTLE_INLINE Wrench<T> cross_dual(const Twist<T>& V, const Wrench<T>& F) {
  return {cross(V.angular, F.force), cross(V.angular, F.torque) + cross(V.linear, F.force)};
}

/// The wrench of a force along the line through `point`, with a torque of `pitch` [m] times the force about that line.
/// [eq. wrench-of-screw]
template <class T>
PINTLE_INLINE Wrench<T> wrench(const Vec3<T>& force, const Vec3<T>& point, const Same<T>& pitch) {
  return {force, fma(pitch, force, cross(point, force))};
}

/// A torque without a force: a screw of infinite pitch.
template <class T>
PINTLE_INLINE Wrench<T> couple(const Vec3<T>& torque) {
  const T zero(0);
  return {{zero, zero, zero}, torque};
}

/// The same wrench with its torque about the point at r (same axes): n - r x f.  [eq. transfer]
template <class T>
PINTLE_INLINE Wrench<T> transfer(const Wrench<T>& F, const Vec3<T>& r) {
  return {F.force, F.torque - cross(r, F.force)};
}

template <class T>
PINTLE_INLINE Wrench<T> select(const mask_t<T>& condition, const Wrench<T>& a, const Wrench<T>& b) {
  return {select(condition, a.force, b.force), select(condition, a.torque, b.torque)};
}

/// [force; torque]
template <class T>
PINTLE_INLINE std::array<T, 6> to_array(const Wrench<T>& F) {
  return {F.force.x, F.force.y, F.force.z, F.torque.x, F.torque.y, F.torque.z};
}
template <class T>
PINTLE_INLINE Wrench<T> wrench_from_array(const std::array<T, 6>& a) {
  return {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
}

}  // namespace pintle::inline PINTLE_ISA
