// Exponential and logarithm of rotations and displacements, and their Jacobians. The bodies are in exp_log_impl.h.
//
// Rotation vectors phi [rad] and twists xi integrated over unit time; in `left` Jacobians a small change acts from the
// left: exp(xi + d) = exp(J_l(xi) d) exp(xi) to first order, and J_r(xi) = J_l(-xi).
#pragma once

#include "pintle/math/matrix.h"
#include "pintle/spatial/pose.h"

namespace pintle::inline PINTLE_ISA {

/// The rotation by the angle |phi| about phi, as a matrix (Rodrigues).  [eq. exp-so3]
template <class T>
Mat3<T> exp_so3(const Vec3<T>& phi);

/// The same rotation as a unit quaternion.
template <class T>
Quaternion<T> exp_quaternion(const Vec3<T>& phi);

/// The rotation vector, |phi| <= pi, of a unit quaternion (the same for q and -q, except for the sign at an angle of
/// pi). [eq. log-so3]
template <class T>
Vec3<T> log_quaternion(const Quaternion<T>& q);

/// The rotation vector, |phi| <= pi, of a rotation matrix; accurate for every angle, 0 and pi included.
template <class T>
Vec3<T> log_so3(const Mat3<T>& R);

/// The displacement of a body that moves with the constant twist xi for unit time: a screw displacement.  [eq. exp-se3]
template <class T>
Pose<T> exp(const Twist<T>& xi);

/// The twist whose exponential is X, with an angle of at most pi.  [eq. log-se3]
template <class T>
Twist<T> log(const Pose<T>& X);

/// J_l of SO(3).  [eq. jacobian-so3]
template <class T>
Mat3<T> left_jacobian_so3(const Vec3<T>& phi);

/// J_l^-1 of SO(3); singular at |phi| = 2 pi.
template <class T>
Mat3<T> left_jacobian_inverse_so3(const Vec3<T>& phi);

/// J_l of SE(3), 6x6, linear part first.  [eq. jacobian-se3]
template <class T>
Matrix6<T> left_jacobian(const Twist<T>& xi);

/// J_l^-1 of SE(3), 6x6, linear part first; singular at |angular| = 2 pi.
template <class T>
Matrix6<T> left_jacobian_inverse(const Twist<T>& xi);

/// J_l^-1 of SE(3) times V, without the matrix.  [eq. jacobian-inverse-se3]
template <class T>
Twist<T> left_jacobian_inverse_times(const Twist<T>& xi, const Twist<T>& V);

#ifndef PINTLE_KERNELS
#define PINTLE_EXP_LOG_INSTANCES(keyword, T)                          \
  keyword template Mat3<T> exp_so3(const Vec3<T>&);                   \
  keyword template Quaternion<T> exp_quaternion(const Vec3<T>&);      \
  keyword template Vec3<T> log_quaternion(const Quaternion<T>&);      \
  keyword template Vec3<T> log_so3(const Mat3<T>&);                   \
  keyword template Pose<T> exp(const Twist<T>&);                      \
  keyword template Twist<T> log(const Pose<T>&);                      \
  keyword template Mat3<T> left_jacobian_so3(const Vec3<T>&);         \
  keyword template Mat3<T> left_jacobian_inverse_so3(const Vec3<T>&); \
  keyword template Matrix6<T> left_jacobian(const Twist<T>&);         \
  keyword template Matrix6<T> left_jacobian_inverse(const Twist<T>&); \
  keyword template Twist<T> left_jacobian_inverse_times(const Twist<T>&, const Twist<T>&);
PINTLE_EXP_LOG_INSTANCES(extern, double)
PINTLE_EXP_LOG_INSTANCES(extern, float)
#endif

}  // namespace pintle::inline PINTLE_ISA
