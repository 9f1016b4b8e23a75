// The local coordinates and velocities in which integrators advance one joint, for any scalar: around a configuration
// q0 the coordinates xi, and beside them the velocities u.
//
// A free joint is advanced by the centre of mass of its link: xi is the displacement of the centre and the rotation
// vector phi from q0, u the velocity of the centre and the angular velocity. Linear parts are in the axes that the link
// had at q0, which stay where they are; the angular velocity is in the link's own. A body in flight then has no du/dt
// but gravity, and every method keeps its path, however fast it spins. Of all other joints xi is that of
// integrate_joint, and u is v.
#pragma once

#include "pintle/model/links/configuration_impl.h"
#include "pintle/spatial/matrices.h"

namespace pintle::inline PINTLE_ISA {

// In all of them c is the centre of mass of a free joint's link, in the link's frame [m], and r the rotation from the
// link's axes to those of u, a quaternion or NoRotation; other kinds ignore both.

/// The r at q0, where xi is zero.
struct NoRotation {};
template <class T>
inline const Vec3<T>& rotate(NoRotation, const Vec3<T>& x) {
  return x;
}
inline NoRotation conjugate(NoRotation r) {
  return r;
}

/// The r of a joint at xi.
template <class T>
inline Quaternion<T> chart_rotation_joint(JointKind kind, const T* xi) {
  if (kind != JointKind::free) return {T(0), T(0), T(0), T(1)};
  return exp_quaternion(Vec3<T>{xi[3], xi[4], xi[5]});
}

/// q of the local coordinates xi around q0, with the r of xi; q may be q0.  [eq. chart]
template <class T>
inline void chart_point_joint(JointKind kind, const Vec3<T>& c, const Quaternion<T>& r, const T* q0, const T* xi,
                              T* q) {
  if (kind != JointKind::free) {
    integrate_joint(kind, q0, xi, q);
    return;
  }
  const Quaternion<T> r0 = load_quaternion(q0 + 3);
  const Vec3<T> moved = Vec3<T>{xi[0], xi[1], xi[2]} + (c - rotate(r, c));
  const Vec3<T> p = Vec3<T>{q0[0], q0[1], q0[2]} + rotate(r0, moved);
  q[0] = p.x;
  q[1] = p.y;
  q[2] = p.z;
  store_quaternion(normalized(r0 * r), q + 3);
}

template <class T>
inline void chart_point_joint(JointKind kind, const Vec3<T>& c, const T* q0, const T* xi, T* q) {
  chart_point_joint(kind, c, chart_rotation_joint(kind, xi), q0, xi, q);
}

/// The local coordinates xi of q around q0: the inverse of chart_point_joint.
template <class T>
inline void chart_coordinates_joint(JointKind kind, const Vec3<T>& c, const T* q0, const T* q, T* xi) {
  if (kind != JointKind::free) {
    difference_joint(kind, q0, q, xi);
    return;
  }
  const Quaternion<T> r0 = load_quaternion(q0 + 3);
  const Vec3<T> phi = log_quaternion(conjugate(r0) * load_quaternion(q + 3));
  const Vec3<T> p = rotate(conjugate(r0), Vec3<T>{q[0] - q0[0], q[1] - q0[1], q[2] - q0[2]});
  const Vec3<T> moved = p - (c - rotate(exp_quaternion(phi), c));
  xi[0] = moved.x;
  xi[1] = moved.y;
  xi[2] = moved.z;
  xi[3] = phi.x;
  xi[4] = phi.y;
  xi[5] = phi.z;
}

/// u of a joint that moves with v; u may be v.  [eq. chart]
template <class T, class Rotation>
inline void chart_velocity_joint(JointKind kind, const Vec3<T>& c, const Rotation& r, const T* v, T* u) {
  if (kind != JointKind::free) {
    for (int i = 0; i < facts(kind).nv; ++i) u[i] = v[i];
    return;
  }
  const Vec3<T> w{v[3], v[4], v[5]};
  const Vec3<T> of_center = rotate(r, Vec3<T>{v[0], v[1], v[2]} + cross(w, c));
  u[0] = of_center.x;
  u[1] = of_center.y;
  u[2] = of_center.z;
  u[3] = w.x;
  u[4] = w.y;
  u[5] = w.z;
}

/// v of a joint with the velocities u: the inverse of chart_velocity_joint; v may be u.
template <class T, class Rotation>
inline void velocity_of_chart_joint(JointKind kind, const Vec3<T>& c, const Rotation& r, const T* u, T* v) {
  if (kind != JointKind::free) {
    for (int i = 0; i < facts(kind).nv; ++i) v[i] = u[i];
    return;
  }
  const Vec3<T> w{u[3], u[4], u[5]};
  const Vec3<T> linear = rotate(conjugate(r), Vec3<T>{u[0], u[1], u[2]}) - cross(w, c);
  v[0] = linear.x;
  v[1] = linear.y;
  v[2] = linear.z;
  v[3] = w.x;
  v[4] = w.y;
  v[5] = w.z;
}

/// du/dt of a joint that moves with v and vdot; it may replace vdot.  [eq. chart]
template <class T, class Rotation>
inline void chart_acceleration_joint(JointKind kind, const Vec3<T>& c, const Rotation& r, const T* v, const T* vdot,
                                     T* u_rate) {
  if (kind != JointKind::free) {
    for (int i = 0; i < facts(kind).nv; ++i) u_rate[i] = vdot[i];
    return;
  }
  const Vec3<T> w{v[3], v[4], v[5]}, w_rate{vdot[3], vdot[4], vdot[5]};
  const Vec3<T> v_center = Vec3<T>{v[0], v[1], v[2]} + cross(w, c);
  const Vec3<T> a_center = (Vec3<T>{vdot[0], vdot[1], vdot[2]} + cross(w_rate, c)) + cross(w, v_center);
  const Vec3<T> linear = rotate(r, a_center);
  u_rate[0] = linear.x;
  u_rate[1] = linear.y;
  u_rate[2] = linear.z;
  u_rate[3] = w_rate.x;
  u_rate[4] = w_rate.y;
  u_rate[5] = w_rate.z;
}

/// dxi/dt at xi of a joint with the velocities u.  [eq. chart]
template <class T>
inline void chart_rate_joint(JointKind kind, const T* xi, const T* u, T* rate) {
  if (kind != JointKind::free) {
    difference_rate_joint(kind, xi, u, rate);
    return;
  }
  for (int i = 0; i < 3; ++i) rate[i] = u[i];
  difference_rate_joint(JointKind::spherical, xi + 3, u + 3, rate + 3);
}

/// The matrix J of dxi/dt = J v at xi, nv rows of nv elements within the result.
template <class T>
inline Matrix6<T> chart_jacobian_joint(JointKind kind, const Vec3<T>& c, const T* xi) {
  const Mat3<T> zero = zero_mat3<T>();
  if (kind == JointKind::spherical) {
    return from_blocks(left_jacobian_inverse_so3(Vec3<T>{-xi[0], -xi[1], -xi[2]}), zero, zero, identity3<T>());
  }
  if (kind != JointKind::free) return identity_matrix<T, 6>();
  const Mat3<T> R = rotation_matrix(chart_rotation_joint(kind, xi));
  return from_blocks(R, -(R * skew(c)), zero, left_jacobian_inverse_so3(Vec3<T>{-xi[3], -xi[4], -xi[5]}));
}

/// The inverse of that matrix.
template <class T>
inline Matrix6<T> chart_jacobian_inverse_joint(JointKind kind, const Vec3<T>& c, const T* xi) {
  const Mat3<T> zero = zero_mat3<T>();
  if (kind == JointKind::spherical) {
    return from_blocks(left_jacobian_so3(Vec3<T>{-xi[0], -xi[1], -xi[2]}), zero, zero, identity3<T>());
  }
  if (kind != JointKind::free) return identity_matrix<T, 6>();
  const Mat3<T> R = rotation_matrix(chart_rotation_joint(kind, xi));
  const Mat3<T> to_angular = left_jacobian_so3(Vec3<T>{-xi[3], -xi[4], -xi[5]});
  return from_blocks(transpose(R), skew(c) * to_angular, zero, to_angular);
}

}  // namespace pintle::inline PINTLE_ISA
