// Pose: position and orientation of a frame; also the change of coordinates between two frames.
#pragma once

#include "pintle/math/quaternion.h"
#include "pintle/spatial/wrench.h"

namespace pintle {

/// X_AB: the frame B seen from the frame A. `rotation` R_AB has the axes of B as columns, `translation` [m] is the
/// origin of B; both in the axes of A. X_AB * thing_B = thing_A, and adjacent letters cancel: X_AC = X_AB * X_BC.
template <class T = double>
struct Pose {
  Mat3<T> rotation;
  Vec3<T> translation;
};

template <class T>
Pose(Mat3<T>, Vec3<T>) -> Pose<T>;

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

template <class T = double>
PINTLE_INLINE Pose<T> identity_pose() {
  const T zero(0);
  return {identity3<T>(), {zero, zero, zero}};
}

template <class T>
PINTLE_INLINE Pose<T> pose(const Quaternion<T>& rotation, const Vec3<T>& translation) {
  return {rotation_matrix(rotation), translation};
}

/// X_AC = X_AB * X_BC
template <class T>
PINTLE_INLINE Pose<T> operator*(const Pose<T>& X_AB, const Pose<T>& X_BC) {
  return {X_AB.rotation * X_BC.rotation, X_AB.translation + X_AB.rotation * X_BC.translation};
}

/// X_BA from X_AB
template <class T>
PINTLE_INLINE Pose<T> inverse(const Pose<T>& X_AB) {
  return {transpose(X_AB.rotation), -transpose_times(X_AB.rotation, X_AB.translation)};
}

/// X_BC = X_AB^-1 * X_AC
template <class T>
PINTLE_INLINE Pose<T> inverse_times(const Pose<T>& X_AB, const Pose<T>& X_AC) {
  return {transpose_times(X_AB.rotation, X_AC.rotation),
          transpose_times(X_AB.rotation, X_AC.translation - X_AB.translation)};
}

/// Transforms a point from B to A. (A free vector is only rotated: X.rotation * v.)
template <class T>
PINTLE_INLINE Vec3<T> transform_point(const Pose<T>& X_AB, const Vec3<T>& point_B) {
  return X_AB.translation + X_AB.rotation * point_B;
}

/// Transforms a point from A to B.
template <class T>
PINTLE_INLINE Vec3<T> inverse_transform_point(const Pose<T>& X_AB, const Vec3<T>& point_A) {
  return transpose_times(X_AB.rotation, point_A - X_AB.translation);
}

/// Transforms a motion V from coordinates in B to coordinates in A (the adjoint of X_AB): R w and R v + p x R w.
/// [eq. adjoint]
template <class T>
PINTLE_INLINE Twist<T> operator*(const Pose<T>& X_AB, const Twist<T>& V_B) {
  const Vec3<T> w = X_AB.rotation * V_B.angular;
  return {X_AB.rotation * V_B.linear + cross(X_AB.translation, w), w};
}

/// Transforms a motion V from coordinates in A to coordinates in B.
template <class T>
PINTLE_INLINE Twist<T> inverse_times(const Pose<T>& X_AB, const Twist<T>& V_A) {
  return {transpose_times(X_AB.rotation, V_A.linear + cross(V_A.angular, X_AB.translation)),
          transpose_times(X_AB.rotation, V_A.angular)};
}

/// Transforms a wrench F from coordinates in B to coordinates in A (the co-adjoint): R f and R n + p x R f.
/// [eq. coadjoint]
template <class T>
PINTLE_INLINE Wrench<T> operator*(const Pose<T>& X_AB, const Wrench<T>& F_B) {
  const Vec3<T> f = X_AB.rotation * F_B.force;
  return {f, X_AB.rotation * F_B.torque + cross(X_AB.translation, f)};
}

/// Transforms a wrench F from coordinates in A to coordinates in B.
template <class T>
PINTLE_INLINE Wrench<T> inverse_times(const Pose<T>& X_AB, const Wrench<T>& F_A) {
  return {transpose_times(X_AB.rotation, F_A.force),
          transpose_times(X_AB.rotation, F_A.torque + cross(F_A.force, X_AB.translation))};
}

template <class T>
PINTLE_INLINE Pose<T> select(const mask_t<T>& condition, const Pose<T>& a, const Pose<T>& b) {
  return {select(condition, a.rotation, b.rotation), select(condition, a.translation, b.translation)};
}

}  // namespace pintle::inline PINTLE_ISA
