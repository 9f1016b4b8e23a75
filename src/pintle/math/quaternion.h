// Quaternion: an orientation, stored as x, y, z, w (vector part first, scalar part last).
#pragma once

#include "pintle/math/mat3.h"

namespace pintle {

/// x i + y j + z k + w. A unit quaternion q = R_AB rotates vectors: v_A = q v_B q*; q and -q are the same rotation.
template <class T = double>
struct Quaternion {
  T x, y, z, w;
};

template <class T>
Quaternion(T, T, T, T) -> Quaternion<T>;

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

template <class T = double>
PINTLE_INLINE Quaternion<T> identity_quaternion() {
  const T one(1), zero(0);
  return {zero, zero, zero, one};
}

template <class T>
PINTLE_INLINE Quaternion<T> quaternion(const Vec3<T>& vector, const Same<T>& scalar) {
  return {vector.x, vector.y, vector.z, scalar};
}

template <class T>
PINTLE_INLINE Vec3<T> vector_part(const Quaternion<T>& q) {
  return {q.x, q.y, q.z};
}

template <class T>
PINTLE_INLINE Quaternion<T> operator+(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
template <class T>
PINTLE_INLINE Quaternion<T> operator-(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
template <class T>
PINTLE_INLINE Quaternion<T> operator-(const Quaternion<T>& a) {
  return {-a.x, -a.y, -a.z, -a.w};
}
template <class T>
PINTLE_INLINE Quaternion<T> operator*(const Same<T>& s, const Quaternion<T>& a) {
  return {s * a.x, s * a.y, s * a.z, s * a.w};
}

/// Hamilton's product a b: the rotation b followed by a.
template <class T>
PINTLE_INLINE Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
  const Vec3<T> u = vector_part(a), v = vector_part(b);
  return quaternion(fma(a.w, v, fma(b.w, u, cross(u, v))), fma(a.w, b.w, -dot(u, v)));
}

/// The inverse of a unit quaternion.
template <class T>
PINTLE_INLINE Quaternion<T> conjugate(const Quaternion<T>& q) {
  return {-q.x, -q.y, -q.z, q.w};
}

template <class T>
PINTLE_INLINE T dot(const Quaternion<T>& a, const Quaternion<T>& b) {
  return fma(a.w, b.w, dot(vector_part(a), vector_part(b)));
}

template <class T>
PINTLE_INLINE T norm(const Quaternion<T>& q) {
  return sqrt(dot(q, q));
}

/// q / |q|; not defined for zero.
template <class T>
PINTLE_INLINE Quaternion<T> normalized(const Quaternion<T>& q) {
  const T n = norm(q);
  return {q.x / n, q.y / n, q.z / n, q.w / n};
}

/// v_A = R_AB v_B for the unit quaternion of R_AB: v + 2 u x (u x v + w v).
template <class T>
PINTLE_INLINE Vec3<T> rotate(const Quaternion<T>& q, const Vec3<T>& v) {
  const Vec3<T> u = vector_part(q);
  const Vec3<T> t = cross(u, v);
  const Vec3<T> t2 = t + t;
  return fma(q.w, t2, cross(u, t2)) + v;
}

/// The rotation matrix of a unit quaternion.
template <class T>
PINTLE_INLINE Mat3<T> rotation_matrix(const Quaternion<T>& q) {
  const T one(1);
  const T x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const T wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  return {one - fma(q.y, y2, q.z * z2), fma(q.x, y2, -wz), fma(q.x, z2, wy),  fma(q.x, y2, wz),
          one - fma(q.x, x2, q.z * z2), fma(q.y, z2, -wx), fma(q.x, z2, -wy), fma(q.y, z2, wx),
          one - fma(q.x, x2, q.y * y2)};
}

template <class T>
PINTLE_INLINE Quaternion<T> select(const mask_t<T>& condition, const Quaternion<T>& a, const Quaternion<T>& b) {
  return {select(condition, a.x, b.x), select(condition, a.y, b.y), select(condition, a.z, b.z),
          select(condition, a.w, b.w)};
}

/// The unit quaternion of a rotation matrix, with w >= 0. Of the four equivalent formulas it uses the one that divides
/// by the largest component, so it is accurate for every angle.
template <class T>
PINTLE_INLINE Quaternion<T> quaternion(const Mat3<T>& R) {
  const T one(1), zero(0);
  // Four times the square of each component.
  const T x4 = one + R.xx - R.yy - R.zz, y4 = one - R.xx + R.yy - R.zz, z4 = one - R.xx - R.yy + R.zz;
  const T w4 = one + R.xx + R.yy + R.zz;
  const Quaternion<T> by_x{x4, R.yx + R.xy, R.xz + R.zx, R.zy - R.yz};
  const Quaternion<T> by_y{R.yx + R.xy, y4, R.zy + R.yz, R.xz - R.zx};
  const Quaternion<T> by_z{R.xz + R.zx, R.zy + R.yz, z4, R.yx - R.xy};
  const Quaternion<T> by_w{R.zy - R.yz, R.xz - R.zx, R.yx - R.xy, w4};
  const Quaternion<T> by_xy = select(x4 > y4, by_x, by_y), by_zw = select(z4 > w4, by_z, by_w);
  const Quaternion<T> q = normalized(select(max(x4, y4) > max(z4, w4), by_xy, by_zw));
  return select(q.w < zero, -q, q);
}

/// dq/dt of an orientation q = R_WB rotating with the angular velocity w_W given in world axes: (1/2) w q.
template <class T>
PINTLE_INLINE Quaternion<T> rate_from_world(const Quaternion<T>& q, const Vec3<T>& w_W) {
  return base_t<T>(0.5) * (quaternion(w_W, T(0)) * q);
}

/// dq/dt of an orientation q = R_WB rotating with the angular velocity w_B given in body axes: (1/2) q w.
template <class T>
PINTLE_INLINE Quaternion<T> rate_from_body(const Quaternion<T>& q, const Vec3<T>& w_B) {
  return base_t<T>(0.5) * (q * quaternion(w_B, T(0)));
}

/// [x, y, z, w]
template <class T>
PINTLE_INLINE std::array<T, 4> to_array(const Quaternion<T>& q) {
  return {q.x, q.y, q.z, q.w};
}
template <class T>
PINTLE_INLINE Quaternion<T> quaternion_from_array(const std::array<T, 4>& a) {
  return {a[0], a[1], a[2], a[3]};
}

}  // namespace pintle::inline PINTLE_ISA
