// Joint kinematics: the pose across a joint and its motion columns. The one place that knows the kinds of joints (with
// its inverse joint_coordinates.h, joint_rotations.cpp for their axes, and configuration_impl.h, which integrates along
// them); every other pass of every algorithm loops over columns.
#pragma once

#include "pintle/math/elementary.h"
#include "pintle/model/links/link.h"

namespace pintle::inline PINTLE_ISA {

/// A model's constant as the scalar of an algorithm.
template <class T>
PINTLE_INLINE T constant(double value) {
  return T(static_cast<base_t<T>>(value));
}
/// Likewise where every lane of the scalar has a model of its own.
template <class T>
PINTLE_INLINE const T& constant(const T& value) requires(!std::is_same_v<T, double>) {
  return value;
}
template <class T, class C>
PINTLE_INLINE Vec3<T> constant(const Vec3<C>& a) {
  return {constant<T>(a.x), constant<T>(a.y), constant<T>(a.z)};
}
template <class T, class C>
PINTLE_INLINE Mat3<T> constant(const Mat3<C>& A) {
  return from_rows(constant<T>(row(A, 0)), constant<T>(row(A, 1)), constant<T>(row(A, 2)));
}
template <class T, class C>
PINTLE_INLINE Pose<T> constant(const Pose<C>& X) {
  return {constant<T>(X.rotation), constant<T>(X.translation)};
}
template <class T, class C>
PINTLE_INLINE Twist<T> constant(const Twist<C>& V) {
  return {constant<T>(V.linear), constant<T>(V.angular)};
}
template <class T, class C>
PINTLE_INLINE SpatialInertia<T> constant(const SpatialInertia<C>& I) {
  const SymMat3<C>& S = I.inertia;
  return {constant<T>(I.mass),
          constant<T>(I.first_moment),
          {constant<T>(S.xx), constant<T>(S.xy), constant<T>(S.xz), constant<T>(S.yy), constant<T>(S.yz),
           constant<T>(S.zz)}};
}

/// The pose X_JL of the link in the joint's frame on the parent's side, and the columns S_L of its motion, in the
/// link's frame: the link moves relative to its parent with V = sum_k S[k] v[k].  [eq. joint-motion]
template <class T, class C>
inline Pose<T> joint_motion(const LinkOf<C>& link, const T* q, Twist<T>* S) {
  const T zero(0), one(1);
  const Vec3<T> nil{zero, zero, zero}, x{one, zero, zero}, y{zero, one, zero}, z{zero, zero, one};
  const Mat3<T> upright = identity3<T>();
  switch (link.kind) {
    case JointKind::fixed:
      return {upright, nil};
    case JointKind::revolute: {
      const SinCos<T> f = sincos(q[0]);
      S[0] = {nil, z};
      return {rotation_z(f.cos, f.sin), nil};
    }
    case JointKind::prismatic:
      S[0] = {z, nil};
      return {upright, q[0] * z};
    case JointKind::screw: {
      const SinCos<T> f = sincos(q[0]);
      const T pitch = constant<T>(link.pitch);
      S[0] = {pitch * z, z};
      return {rotation_z(f.cos, f.sin), (pitch * q[0]) * z};
    }
    case JointKind::cylindrical: {
      const SinCos<T> f = sincos(q[1]);
      S[0] = {z, nil};
      S[1] = {nil, z};
      return {rotation_z(f.cos, f.sin), q[0] * z};
    }
    case JointKind::universal: {
      const SinCos<T> f0 = sincos(q[0]), f1 = sincos(q[1]);
      const Mat3<T> child_side = constant<T>(link.axis_rotation) * rotation_z(f1.cos, f1.sin);
      S[0] = {nil, transpose_times(child_side, z)};
      S[1] = {nil, z};
      return {rotation_z(f0.cos, f0.sin) * child_side, nil};
    }
    case JointKind::planar: {
      const SinCos<T> f = sincos(q[2]);
      S[0] = {Vec3<T>{f.cos, -f.sin, zero}, nil};
      S[1] = {Vec3<T>{f.sin, f.cos, zero}, nil};
      S[2] = {nil, z};
      return {rotation_z(f.cos, f.sin), {q[0], q[1], zero}};
    }
    case JointKind::spherical: {
      S[0] = {nil, x};
      S[1] = {nil, y};
      S[2] = {nil, z};
      return {rotation_matrix(Quaternion<T>{q[0], q[1], q[2], q[3]}), nil};
    }
    case JointKind::translational:
      S[0] = {x, nil};
      S[1] = {y, nil};
      S[2] = {z, nil};
      return {upright, {q[0], q[1], q[2]}};
    case JointKind::free:
      S[0] = {x, nil};
      S[1] = {y, nil};
      S[2] = {z, nil};
      S[3] = {nil, x};
      S[4] = {nil, y};
      S[5] = {nil, z};
      return {rotation_matrix(Quaternion<T>{q[3], q[4], q[5], q[6]}), {q[0], q[1], q[2]}};
  }
  return {upright, nil};
}

/// Whether a kind's columns vary in the link's frame: all but the last one are fixed on the parent's side of the last
/// dof and rotate with it as seen from the link.
constexpr bool columns_vary(JointKind kind) {
  return kind == JointKind::universal || kind == JointKind::planar;
}

/// dS[k]/dt, the derivative of one column as seen from the link: zero where it is constant.  [eq. joint-motion]
template <class T, class C>
inline Twist<T> column_rate(const LinkOf<C>& link, const Twist<T>* S, const T* v, int k) {
  const int last = link.nv - 1;
  return columns_vary(link.kind) && k < last ? cross(S[k], S[last]) * v[last] : zero_twist<T>();
}

/// sum_k dS[k]/dt v[k], the contribution of the moving columns as seen from the link.  [eq. joint-motion]
template <class T, class C>
inline Twist<T> joint_bias(const LinkOf<C>& link, const Twist<T>* S, const T* v) {
  Twist<T> sum = zero_twist<T>();
  if (!columns_vary(link.kind)) return sum;
  for (int k = 0; k < link.nv - 1; ++k) sum += column_rate(link, S, v, k) * v[k];
  return sum;
}

}  // namespace pintle::inline PINTLE_ISA
