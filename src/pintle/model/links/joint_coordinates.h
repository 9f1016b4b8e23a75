// From a pose and a twist across a joint back to its coordinates: the inverse of joint_motion, for any scalar.
#pragma once

#include "pintle/model/links/configuration_impl.h"

namespace pintle::inline PINTLE_ISA {

/// The angle that differs from `angle` by a multiple of 2 pi and is nearest to `reference` [rad].
template <class T>
inline T unwrapped_angle(const T& angle, const T& reference) {
  const T period = constant<T>(2.0 * kPi<double>);
  return angle + period * round_to_nearest((reference - angle) / period);
}

/// The angle about z of a rotation, in [-pi, pi].
template <class T>
inline T angle_about_z(const Mat3<T>& R) {
  return atan2(R.yx - R.xy, R.xx + R.yy);
}

/// The angle in the plane from the vector (ax, ay) to (bx, by).
template <class T>
inline T angle_between(const T& ax, const T& ay, const T& bx, const T& by) {
  return atan2(fma(ax, by, -(ay * bx)), fma(ax, bx, ay * by));
}

/// The angle of a screw joint: modulo 2 pi from its rotation, the number of revolutions from its translation; for a
/// coarse thread from the translation alone, which is then the more accurate of the two.
template <class T>
inline T screw_angle(double pitch, const Pose<T>& X_JL) {
  constexpr double kFine = 1e-9, kCoarse = 1.0;  // [m/rad]
  if (abs(pitch) > kCoarse) return X_JL.translation.z / constant<T>(pitch);
  const T angle = angle_about_z(X_JL.rotation);
  return abs(pitch) < kFine ? angle : unwrapped_angle(angle, X_JL.translation.z / constant<T>(pitch));
}

/// q of a joint whose link has the pose X_JL in the joint's frame on the parent's side; components that the joint does
/// not allow are ignored. Angles are in [-pi, pi] (except a screw's), quaternions have w >= 0.  [eq. joint-inverse]
template <class T>
inline void joint_coordinates(const Link& link, const Pose<T>& X_JL, T* q) {
  const Mat3<T>& R = X_JL.rotation;
  const Vec3<T>& p = X_JL.translation;
  switch (link.kind) {
    case JointKind::fixed:
      return;
    case JointKind::revolute:
      q[0] = angle_about_z(R);
      return;
    case JointKind::prismatic:
      q[0] = p.z;
      return;
    case JointKind::screw:
      q[0] = screw_angle(link.pitch, X_JL);
      return;
    case JointKind::cylindrical:
      q[0] = p.z;
      q[1] = angle_about_z(R);
      return;
    case JointKind::universal: {
      // R = Rz(q0) A Rz(q1): the first angle rotates the last column of A, the second its last row in the opposite
      // sense.
      const Mat3<T> A = constant<T>(link.axis_rotation);
      q[0] = angle_between(A.xz, A.yz, R.xz, R.yz);
      q[1] = angle_between(R.zx, R.zy, A.zx, A.zy);
      return;
    }
    case JointKind::planar:
      q[0] = p.x;
      q[1] = p.y;
      q[2] = angle_about_z(R);
      return;
    case JointKind::spherical:
      store_quaternion(quaternion(R), q);
      return;
    case JointKind::translational:
      q[0] = p.x;
      q[1] = p.y;
      q[2] = p.z;
      return;
    case JointKind::free:
      q[0] = p.x;
      q[1] = p.y;
      q[2] = p.z;
      store_quaternion(quaternion(R), q + 3);
      return;
  }
}

/// v of a joint whose link moves relative to its parent with the twist V_L, in the link's frame; S are the joint's
/// columns. When V_L is not in their span, the nearest twist in it, with metres and radians weighted equally.
/// [eq. joint-inverse]
template <class T>
inline void joint_derivatives(const Link& link, const Twist<T>* S, const Twist<T>& V_L, T* v) {
  if (link.kind == JointKind::universal) {  // the only one whose columns are not orthogonal
    const Vec3<T>&a = S[0].angular, &b = S[1].angular, axb = cross(a, b);
    const T cosine = dot(a, b), sine2 = dot(axb, axb);
    v[0] = dot(a - cosine * b, V_L.angular) / sine2;
    v[1] = dot(b - cosine * a, V_L.angular) / sine2;
    return;
  }
  const auto along = [](const Twist<T>& A, const Twist<T>& B) {
    return dot(A.linear, B.linear) + dot(A.angular, B.angular);
  };
  for (int k = 0; k < link.nv; ++k) v[k] = along(S[k], V_L) / along(S[k], S[k]);
}

}  // namespace pintle::inline PINTLE_ISA
