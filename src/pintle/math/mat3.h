// Mat3: a general 3x3 matrix. SymMat3: a symmetric one, six entries.
#pragma once

#include "pintle/math/vec3.h"

namespace pintle {

/// A 3x3 matrix; `xy` is row x, column y. Flattened it is row after row.
template <class T = double>
struct Mat3 {
  T xx, xy, xz;
  T yx, yy, yz;
  T zx, zy, zz;
};

template <class T>
Mat3(T, T, T, T, T, T, T, T, T) -> Mat3<T>;

/// A symmetric 3x3 matrix: its upper triangle, row after row.
template <class T = double>
struct SymMat3 {
  T xx, xy, xz;
  T yy, yz;
  T zz;
};

template <class T>
SymMat3(T, T, T, T, T, T) -> SymMat3<T>;

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

// ---- making them

template <class T = double>
PINTLE_INLINE Mat3<T> identity3() {
  const T one(1), zero(0);
  return {one, zero, zero, zero, one, zero, zero, zero, one};
}

template <class T>
PINTLE_INLINE Mat3<T> from_rows(const Vec3<T>& x, const Vec3<T>& y, const Vec3<T>& z) {
  return {x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
}

template <class T>
PINTLE_INLINE Mat3<T> from_columns(const Vec3<T>& x, const Vec3<T>& y, const Vec3<T>& z) {
  return {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}

/// The matrix [a x] with [a x] b = a x b.
template <class T>
PINTLE_INLINE Mat3<T> skew(const Vec3<T>& a) {
  const T zero(0);
  return {zero, -a.z, a.y, a.z, zero, -a.x, -a.y, a.x, zero};
}

/// a b'
template <class T>
PINTLE_INLINE Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z};
}

/// a a'
template <class T>
PINTLE_INLINE SymMat3<T> outer(const Vec3<T>& a) {
  return {a.x * a.x, a.x * a.y, a.x * a.z, a.y * a.y, a.y * a.z, a.z * a.z};
}

template <class T>
PINTLE_INLINE SymMat3<T> diagonal(const Vec3<T>& d) {
  const T zero(0);
  return {d.x, zero, zero, d.y, zero, d.z};
}

/// -[a x][a x] = |a|^2 1 - a a': the inertia about the origin of a unit mass at a.
template <class T>
PINTLE_INLINE SymMat3<T> minus_skew_squared(const Vec3<T>& a) {
  return {fma(a.y, a.y, a.z * a.z), -(a.x * a.y), -(a.x * a.z),
          fma(a.x, a.x, a.z * a.z), -(a.y * a.z), fma(a.x, a.x, a.y * a.y)};
}

/// The general matrix with the entries of a symmetric one.
template <class T>
PINTLE_INLINE Mat3<T> full(const SymMat3<T>& S) {
  return {S.xx, S.xy, S.xz, S.xy, S.yy, S.yz, S.xz, S.yz, S.zz};
}

// ---- taking them apart

/// Row 0, 1 or 2.
template <class T>
PINTLE_INLINE Vec3<T> row(const Mat3<T>& A, int i) {
  return i == 0 ? Vec3<T>{A.xx, A.xy, A.xz} : i == 1 ? Vec3<T>{A.yx, A.yy, A.yz} : Vec3<T>{A.zx, A.zy, A.zz};
}

/// Column 0, 1 or 2.
template <class T>
PINTLE_INLINE Vec3<T> column(const Mat3<T>& A, int i) {
  return i == 0 ? Vec3<T>{A.xx, A.yx, A.zx} : i == 1 ? Vec3<T>{A.xy, A.yy, A.zy} : Vec3<T>{A.xz, A.yz, A.zz};
}

template <class T>
PINTLE_INLINE Mat3<T> transpose(const Mat3<T>& A) {
  return {A.xx, A.yx, A.zx, A.xy, A.yy, A.zy, A.xz, A.yz, A.zz};
}

/// (A + A') / 2
template <class T>
PINTLE_INLINE SymMat3<T> symmetric_part(const Mat3<T>& A) {
  const base_t<T> half(0.5);
  return {A.xx, half * (A.xy + A.yx), half * (A.xz + A.zx), A.yy, half * (A.yz + A.zy), A.zz};
}

/// The vector a with [a x] = (A - A') / 2.
template <class T>
PINTLE_INLINE Vec3<T> skew_part(const Mat3<T>& A) {
  const base_t<T> half(0.5);
  return {half * (A.zy - A.yz), half * (A.xz - A.zx), half * (A.yx - A.xy)};
}

template <class T>
PINTLE_INLINE T trace(const Mat3<T>& A) {
  return A.xx + A.yy + A.zz;
}
template <class T>
PINTLE_INLINE T trace(const SymMat3<T>& S) {
  return S.xx + S.yy + S.zz;
}

template <class T>
PINTLE_INLINE T determinant(const Mat3<T>& A) {
  return dot(row(A, 0), cross(row(A, 1), row(A, 2)));
}

/// Row after row.
template <class T>
PINTLE_INLINE std::array<T, 9> to_array(const Mat3<T>& A) {
  return {A.xx, A.xy, A.xz, A.yx, A.yy, A.yz, A.zx, A.zy, A.zz};
}
template <class T>
PINTLE_INLINE Mat3<T> mat3_from_array(const std::array<T, 9>& a) {
  return {a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]};
}

/// [xx, xy, xz, yy, yz, zz]
template <class T>
PINTLE_INLINE std::array<T, 6> to_array(const SymMat3<T>& S) {
  return {S.xx, S.xy, S.xz, S.yy, S.yz, S.zz};
}
template <class T>
PINTLE_INLINE SymMat3<T> sym_mat3_from_array(const std::array<T, 6>& a) {
  return {a[0], a[1], a[2], a[3], a[4], a[5]};
}

// ---- algebra

template <class T>
PINTLE_INLINE Mat3<T> operator+(const Mat3<T>& A, const Mat3<T>& B) {
  return {A.xx + B.xx, A.xy + B.xy, A.xz + B.xz, A.yx + B.yx, A.yy + B.yy,
          A.yz + B.yz, A.zx + B.zx, A.zy + B.zy, A.zz + B.zz};
}
template <class T>
PINTLE_INLINE Mat3<T> operator-(const Mat3<T>& A, const Mat3<T>& B) {
  return {A.xx - B.xx, A.xy - B.xy, A.xz - B.xz, A.yx - B.yx, A.yy - B.yy,
          A.yz - B.yz, A.zx - B.zx, A.zy - B.zy, A.zz - B.zz};
}
template <class T>
PINTLE_INLINE Mat3<T> operator-(const Mat3<T>& A) {
  return {-A.xx, -A.xy, -A.xz, -A.yx, -A.yy, -A.yz, -A.zx, -A.zy, -A.zz};
}
template <class T>
PINTLE_INLINE Mat3<T> operator*(const Same<T>& s, const Mat3<T>& A) {
  return {s * A.xx, s * A.xy, s * A.xz, s * A.yx, s * A.yy, s * A.yz, s * A.zx, s * A.zy, s * A.zz};
}
template <class T>
PINTLE_INLINE Mat3<T> operator*(const Mat3<T>& A, const Same<T>& s) {
  return s * A;
}
template <class T>
PINTLE_INLINE Vec3<T> operator*(const Mat3<T>& A, const Vec3<T>& b) {
  return {dot(row(A, 0), b), dot(row(A, 1), b), dot(row(A, 2), b)};
}
/// A' b
template <class T>
PINTLE_INLINE Vec3<T> transpose_times(const Mat3<T>& A, const Vec3<T>& b) {
  return {dot(column(A, 0), b), dot(column(A, 1), b), dot(column(A, 2), b)};
}
template <class T>
PINTLE_INLINE Mat3<T> operator*(const Mat3<T>& A, const Mat3<T>& B) {
  return from_columns(A * column(B, 0), A * column(B, 1), A * column(B, 2));
}
/// A' B
template <class T>
PINTLE_INLINE Mat3<T> transpose_times(const Mat3<T>& A, const Mat3<T>& B) {
  return from_columns(transpose_times(A, column(B, 0)), transpose_times(A, column(B, 1)),
                      transpose_times(A, column(B, 2)));
}

template <class T>
PINTLE_INLINE SymMat3<T> operator+(const SymMat3<T>& A, const SymMat3<T>& B) {
  return {A.xx + B.xx, A.xy + B.xy, A.xz + B.xz, A.yy + B.yy, A.yz + B.yz, A.zz + B.zz};
}
template <class T>
PINTLE_INLINE SymMat3<T> operator-(const SymMat3<T>& A, const SymMat3<T>& B) {
  return {A.xx - B.xx, A.xy - B.xy, A.xz - B.xz, A.yy - B.yy, A.yz - B.yz, A.zz - B.zz};
}
template <class T>
PINTLE_INLINE SymMat3<T> operator*(const Same<T>& s, const SymMat3<T>& A) {
  return {s * A.xx, s * A.xy, s * A.xz, s * A.yy, s * A.yz, s * A.zz};
}
template <class T>
PINTLE_INLINE SymMat3<T> operator*(const SymMat3<T>& A, const Same<T>& s) {
  return s * A;
}
template <class T>
PINTLE_INLINE SymMat3<T> operator-(const SymMat3<T>& A) {
  return {-A.xx, -A.xy, -A.xz, -A.yy, -A.yz, -A.zz};
}
template <class T>
PINTLE_INLINE Vec3<T> operator*(const SymMat3<T>& S, const Vec3<T>& b) {
  return full(S) * b;
}

/// R S R': transforms a symmetric tensor from the axes of B to those of A, for R = R_AB (or any matrix R).
template <class T>
PINTLE_INLINE SymMat3<T> congruence(const Mat3<T>& R, const SymMat3<T>& S) {
  const Mat3<T> RS = R * full(S);
  const Vec3<T> x = row(R, 0), y = row(R, 1), z = row(R, 2);
  return {dot(row(RS, 0), x), dot(row(RS, 0), y), dot(row(RS, 0), z),
          dot(row(RS, 1), y), dot(row(RS, 1), z), dot(row(RS, 2), z)};
}

/// R' S R, the inverse transformation.
template <class T>
PINTLE_INLINE SymMat3<T> transpose_congruence(const Mat3<T>& R, const SymMat3<T>& S) {
  return congruence(transpose(R), S);
}

template <class T>
PINTLE_INLINE Mat3<T> select(const mask_t<T>& condition, const Mat3<T>& A, const Mat3<T>& B) {
  return from_rows(select(condition, row(A, 0), row(B, 0)), select(condition, row(A, 1), row(B, 1)),
                   select(condition, row(A, 2), row(B, 2)));
}

// ---- rotations about an axis of the frame, by the cosine and sine of the angle (not forced inline: they may be passed
// as functions)

template <class T>
inline Mat3<T> rotation_x(const T& cosine, const Same<T>& sine) {
  const T one(1), zero(0);
  return {one, zero, zero, zero, cosine, -sine, zero, sine, cosine};
}
template <class T>
inline Mat3<T> rotation_y(const T& cosine, const Same<T>& sine) {
  const T one(1), zero(0);
  return {cosine, zero, sine, zero, one, zero, -sine, zero, cosine};
}
template <class T>
inline Mat3<T> rotation_z(const T& cosine, const Same<T>& sine) {
  const T one(1), zero(0);
  return {cosine, -sine, zero, sine, cosine, zero, zero, zero, one};
}

}  // namespace pintle::inline PINTLE_ISA
