// Vec3: three components along x, y, z. Their meaning (a point, a force) is defined in spatial/.
#pragma once

#include <array>

#include "pintle/math/scalar.h"

namespace pintle {

template <class T = double>
struct Vec3 {
  T x, y, z;
};

template <class T>
Vec3(T, T, T) -> Vec3<std::conditional_t<std::is_integral_v<T>, double, T>>;

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

template <class T>
PINTLE_INLINE Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
PINTLE_INLINE Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
PINTLE_INLINE Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
PINTLE_INLINE Vec3<T> operator*(const Same<T>& s, const Vec3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
PINTLE_INLINE Vec3<T> operator*(const Vec3<T>& a, const Same<T>& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class T>
PINTLE_INLINE Vec3<T> operator/(const Vec3<T>& a, const Same<T>& s) {
  return {a.x / s, a.y / s, a.z / s};
}
template <class T>
PINTLE_INLINE Vec3<T>& operator*=(Vec3<T>& a, const Same<T>& s) {
  return a = a * s;
}
template <class T>
PINTLE_INLINE Vec3<T>& operator/=(Vec3<T>& a, const Same<T>& s) {
  return a = a / s;
}
template <class T>
PINTLE_INLINE Vec3<T>& operator+=(Vec3<T>& a, const Vec3<T>& b) {
  return a = a + b;
}
template <class T>
PINTLE_INLINE Vec3<T>& operator-=(Vec3<T>& a, const Vec3<T>& b) {
  return a = a - b;
}

/// a . b
template <class T>
PINTLE_INLINE T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}

/// a x b
template <class T>
PINTLE_INLINE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x))};
}

/// c + s a: one fused multiply-add per component.
template <class T>
PINTLE_INLINE Vec3<T> fma(const Same<T>& s, const Vec3<T>& a, const Vec3<T>& c) {
  return {fma(s, a.x, c.x), fma(s, a.y, c.y), fma(s, a.z, c.z)};
}

/// |a|^2
template <class T>
PINTLE_INLINE T norm_squared(const Vec3<T>& a) {
  return dot(a, a);
}

/// |a|
template <class T>
PINTLE_INLINE T norm(const Vec3<T>& a) {
  return sqrt(dot(a, a));
}

/// a / |a|; not defined for the zero vector.
template <class T>
PINTLE_INLINE Vec3<T> normalized(const Vec3<T>& a) {
  return a / norm(a);
}

/// (a.x b.x, a.y b.y, a.z b.z)
template <class T>
PINTLE_INLINE Vec3<T> componentwise_product(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

template <class T>
PINTLE_INLINE Vec3<T> select(const mask_t<T>& condition, const Vec3<T>& a, const Vec3<T>& b) {
  return {select(condition, a.x, b.x), select(condition, a.y, b.y), select(condition, a.z, b.z)};
}

/// [x, y, z]
template <class T>
PINTLE_INLINE std::array<T, 3> to_array(const Vec3<T>& a) {
  return {a.x, a.y, a.z};
}

template <class T>
PINTLE_INLINE Vec3<T> vec3_from_array(const std::array<T, 3>& a) {
  return {a[0], a[1], a[2]};
}

/// Whether all coordinates are finite.
PINTLE_INLINE bool is_finite(const Vec3<>& a) {
  return a.x - a.x == 0.0 && a.y - a.y == 0.0 && a.z - a.z == 0.0;
}

}  // namespace pintle::inline PINTLE_ISA
