// Optional adaptor for Eigen users: converts between Pintle's and Eigen's types. No other part of Pintle uses Eigen.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "pintle/pintle.h"

namespace pintle::inline PINTLE_ISA {

template <class T>
inline Eigen::Matrix<T, 3, 1> to_eigen(const Vec3<T>& a) {
  return {a.x, a.y, a.z};
}

template <class T>
inline Eigen::Matrix<T, 3, 3> to_eigen(const Mat3<T>& A) {
  Eigen::Matrix<T, 3, 3> E;
  E << A.xx, A.xy, A.xz, A.yx, A.yy, A.yz, A.zx, A.zy, A.zz;
  return E;
}

template <class T>
inline Eigen::Matrix<T, 3, 3> to_eigen(const SymMat3<T>& S) {
  return to_eigen(full(S));
}

template <class T>
inline Eigen::Quaternion<T> to_eigen(const Quaternion<T>& q) {
  return Eigen::Quaternion<T>(q.w, q.x, q.y, q.z);
}

template <class T>
inline Eigen::Transform<T, 3, Eigen::Isometry> to_eigen(const Pose<T>& X) {
  Eigen::Transform<T, 3, Eigen::Isometry> E = Eigen::Transform<T, 3, Eigen::Isometry>::Identity();
  E.linear() = to_eigen(X.rotation);
  E.translation() = to_eigen(X.translation);
  return E;
}

/// [linear; angular]
template <class T>
inline Eigen::Matrix<T, 6, 1> to_eigen(const Twist<T>& V) {
  Eigen::Matrix<T, 6, 1> E;
  E << to_eigen(V.linear), to_eigen(V.angular);
  return E;
}

/// [force; torque]
template <class T>
inline Eigen::Matrix<T, 6, 1> to_eigen(const Wrench<T>& F) {
  Eigen::Matrix<T, 6, 1> E;
  E << to_eigen(F.force), to_eigen(F.torque);
  return E;
}

template <class T, int R, int C>
inline Eigen::Matrix<T, R, C> to_eigen(const Matrix<T, R, C>& A) {
  Eigen::Matrix<T, R, C> E;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) E(i, j) = A.m[i][j];
  return E;
}

template <class T>
inline Vec3<T> from_eigen(const Eigen::Matrix<T, 3, 1>& a) {
  return {a.x(), a.y(), a.z()};
}

template <class T>
inline Mat3<T> from_eigen(const Eigen::Matrix<T, 3, 3>& E) {
  return {E(0, 0), E(0, 1), E(0, 2), E(1, 0), E(1, 1), E(1, 2), E(2, 0), E(2, 1), E(2, 2)};
}

template <class T>
inline Quaternion<T> from_eigen(const Eigen::Quaternion<T>& q) {
  return {q.x(), q.y(), q.z(), q.w()};
}

template <class T>
inline Pose<T> from_eigen(const Eigen::Transform<T, 3, Eigen::Isometry>& E) {
  return {from_eigen(Eigen::Matrix<T, 3, 3>(E.linear())), from_eigen(Eigen::Matrix<T, 3, 1>(E.translation()))};
}

/// From [linear; angular].
template <class T>
inline Twist<T> twist_from_eigen(const Eigen::Matrix<T, 6, 1>& E) {
  return {{E(0), E(1), E(2)}, {E(3), E(4), E(5)}};
}

/// From [force; torque].
template <class T>
inline Wrench<T> wrench_from_eigen(const Eigen::Matrix<T, 6, 1>& E) {
  return {{E(0), E(1), E(2)}, {E(3), E(4), E(5)}};
}

}  // namespace pintle::inline PINTLE_ISA
