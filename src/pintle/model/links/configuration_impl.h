// Integration along joints, for any scalar: the other place that knows their kinds (see joint_motion.h).
#pragma once

#include "pintle/model/links/joint_motion.h"
#include "pintle/spatial/exp_log_impl.h"

namespace pintle::inline PINTLE_ISA {

template <class T>
inline Quaternion<T> load_quaternion(const T* q) {
  return {q[0], q[1], q[2], q[3]};
}

template <class T>
inline void store_quaternion(const Quaternion<T>& r, T* q) {
  q[0] = r.x;
  q[1] = r.y;
  q[2] = r.z;
  q[3] = r.w;
}

/// q moved along v for unit time, for one joint; the result may replace q.  [eq. integrate]
template <class T>
inline void integrate_joint(JointKind kind, const T* q, const T* v, T* result) {
  switch (kind) {
    case JointKind::spherical:
      store_quaternion(normalized(load_quaternion(q) * exp_quaternion(Vec3<T>{v[0], v[1], v[2]})), result);
      return;
    case JointKind::free: {
      const RotationAndTranslation<T> step =
          exp_rotation_and_translation(Twist<T>{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
      const Quaternion<T> r = load_quaternion(q + 3);
      const Quaternion<T> orientation = normalized(r * step.rotation);
      const Vec3<T> p = Vec3<T>{q[0], q[1], q[2]} + rotate(r, step.translation);
      result[0] = p.x;
      result[1] = p.y;
      result[2] = p.z;
      store_quaternion(orientation, result + 3);
      return;
    }
    default:
      for (int i = 0; i < facts(kind).nv; ++i) result[i] = q[i] + v[i];
  }
}

/// q moved along v, with the linear part of a free joint's v in its parent's axes: position and orientation are
/// integrated independently. Other kinds as in integrate_joint.
template <class T>
inline void integrate_joint_apart(JointKind kind, const T* q, const T* v, T* result) {
  if (kind != JointKind::free) {
    integrate_joint(kind, q, v, result);
    return;
  }
  for (int i = 0; i < 3; ++i) result[i] = q[i] + v[i];
  integrate_joint(JointKind::spherical, q + 3, v + 3, result + 3);
}

/// The efforts of a joint, changed to those that do work along the v of integrate_joint_apart.
template <class T>
inline void efforts_of_joint_apart(JointKind kind, const T* q, T* tau) {
  if (kind != JointKind::free) return;
  const Vec3<T> f = rotate(load_quaternion(q + 3), Vec3<T>{tau[0], tau[1], tau[2]});
  tau[0] = f.x;
  tau[1] = f.y;
  tau[2] = f.z;
}

/// dq/dt of one joint that moves with v, of its plain coordinates: for a quaternion q w / 2, whatever its length.
/// [eq. configuration-rate]
template <class T>
inline void configuration_rate_joint(JointKind kind, const T* q, const T* v, T* rate) {
  switch (kind) {
    case JointKind::spherical:
      store_quaternion(rate_from_body(load_quaternion(q), Vec3<T>{v[0], v[1], v[2]}), rate);
      return;
    case JointKind::free: {
      const Vec3<T> linear = rotate(load_quaternion(q + 3), Vec3<T>{v[0], v[1], v[2]});
      rate[0] = linear.x;
      rate[1] = linear.y;
      rate[2] = linear.z;
      store_quaternion(rate_from_body(load_quaternion(q + 3), Vec3<T>{v[3], v[4], v[5]}), rate + 3);
      return;
    }
    default:
      for (int i = 0; i < facts(kind).nv; ++i) rate[i] = v[i];
  }
}

/// v such that integrate_joint(q0, v) = q1.
template <class T>
inline void difference_joint(JointKind kind, const T* q0, const T* q1, T* v) {
  switch (kind) {
    case JointKind::spherical: {
      const Vec3<T> phi = log_quaternion(conjugate(load_quaternion(q0)) * load_quaternion(q1));
      v[0] = phi.x;
      v[1] = phi.y;
      v[2] = phi.z;
      return;
    }
    case JointKind::free: {
      const Quaternion<T> r0 = load_quaternion(q0 + 3);
      const Vec3<T> phi = log_quaternion(conjugate(r0) * load_quaternion(q1 + 3));
      const Vec3<T> p = rotate(conjugate(r0), Vec3<T>{q1[0] - q0[0], q1[1] - q0[1], q1[2] - q0[2]});
      const Vec3<T> u = left_jacobian_inverse_so3(phi) * p;
      v[0] = u.x;
      v[1] = u.y;
      v[2] = u.z;
      v[3] = phi.x;
      v[4] = phi.y;
      v[5] = phi.z;
      return;
    }
    default:
      for (int i = 0; i < facts(kind).nv; ++i) v[i] = q1[i] - q0[i];
  }
}

/// The derivative of d = difference(q0, q) when q moves along v: the matrix J of dd/dt = J v, nv rows of nv elements
/// within J.
template <class T>
inline void difference_jacobian_joint(JointKind kind, const T* d, Matrix6<T>& J) {
  J = identity_matrix<T, 6>();
  switch (kind) {
    case JointKind::spherical:  // q moves from the right: J_r(phi)^-1 = J_l(-phi)^-1
      J = from_blocks(left_jacobian_inverse_so3(Vec3<T>{-d[0], -d[1], -d[2]}), zero_mat3<T>(), zero_mat3<T>(),
                      identity3<T>());
      return;
    case JointKind::free:
      J = left_jacobian_inverse(Twist<T>{{-d[0], -d[1], -d[2]}, {-d[3], -d[4], -d[5]}});
      return;
    default:
      return;
  }
}

/// The same J times v, without the matrix.
template <class T>
inline void difference_rate_joint(JointKind kind, const T* d, const T* v, T* rate) {
  switch (kind) {
    case JointKind::spherical: {
      const Vec3<T> phi_rate = left_jacobian_inverse_so3(Vec3<T>{-d[0], -d[1], -d[2]}) * Vec3<T>{v[0], v[1], v[2]};
      rate[0] = phi_rate.x;
      rate[1] = phi_rate.y;
      rate[2] = phi_rate.z;
      return;
    }
    case JointKind::free: {
      const Twist<T> V = left_jacobian_inverse_times(Twist<T>{{-d[0], -d[1], -d[2]}, {-d[3], -d[4], -d[5]}},
                                                     Twist<T>{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
      rate[0] = V.linear.x;
      rate[1] = V.linear.y;
      rate[2] = V.linear.z;
      rate[3] = V.angular.x;
      rate[4] = V.angular.y;
      rate[5] = V.angular.z;
      return;
    }
    default:
      for (int i = 0; i < facts(kind).nv; ++i) rate[i] = v[i];
  }
}

/// The displacement of a joint from zero along each dof, as its springs measure it: the plain coordinate; for a
/// rotation its logarithm; for a free joint's position the coordinates in its parent's axes.  [eq. passive]
template <class T>
inline void stretch_of_joint(JointKind kind, const T* q, T* stretch) {
  const int place = kind == JointKind::spherical ? 0 : kind == JointKind::free ? 3 : -1;
  for (int i = 0; i < (place < 0 ? facts(kind).nv : place); ++i) stretch[i] = q[i];
  if (place < 0) return;
  const Vec3<T> phi = log_quaternion(load_quaternion(q + place));
  stretch[place] = phi.x;
  stretch[place + 1] = phi.y;
  stretch[place + 2] = phi.z;
}

/// The efforts tau that do the work of the forces f along the stretch: tau.v = f.d(stretch)/dt. f may be tau.
/// [eq. passive]
template <class T>
inline void efforts_along_stretch(JointKind kind, const T* q, const T* stretch, const T* f, T* tau) {
  const int place = kind == JointKind::spherical ? 0 : kind == JointKind::free ? 3 : -1;
  if (place < 0) {
    for (int i = 0; i < facts(kind).nv; ++i) tau[i] = f[i];
    return;
  }
  if (place == 3) {
    const Vec3<T> linear = rotate(conjugate(load_quaternion(q + place)), Vec3<T>{f[0], f[1], f[2]});
    tau[0] = linear.x;
    tau[1] = linear.y;
    tau[2] = linear.z;
  }
  // dphi/dt = J_r(phi)^-1 w, and the transpose of J_r(phi) is J_l(phi).
  const Vec3<T> phi{stretch[place], stretch[place + 1], stretch[place + 2]};
  const Vec3<T> torque = left_jacobian_inverse_so3(phi) * Vec3<T>{f[place], f[place + 1], f[place + 2]};
  tau[place] = torque.x;
  tau[place + 1] = torque.y;
  tau[place + 2] = torque.z;
}

/// The index of the quaternion's first element within a joint's configuration, -1 where it has none.
constexpr int quaternion_place(JointKind kind) {
  return kind == JointKind::spherical ? 0 : kind == JointKind::free ? 3 : -1;
}

/// Whether element i of a joint's velocity is the rate of an angle, for kinds without a quaternion.
constexpr bool is_angle(JointKind kind, int i) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::screw:
    case JointKind::universal:
      return true;
    case JointKind::cylindrical:
      return i == 1;
    case JointKind::planar:
      return i == 2;
    default:
      return false;
  }
}

/// What becomes of a dof when the parent and the child of a joint are exchanged, with their frames.
struct ReversedDof {
  int place;    ///< its index in the reversed joint
  double sign;  ///< of its q and v there, once the axes are negated
  bool mixes;   ///< its q and v there also depend on those of other dofs: they are seen from the other body
};

/// For dof i of a kind of joint.  [eq. joint-reversed]
constexpr ReversedDof reversed_dof(JointKind kind, int i) {
  switch (kind) {
    case JointKind::universal:  // each axis stays with its body
      return {1 - i, 1.0, false};
    case JointKind::planar:
      return {i, 1.0, i != 2};
    case JointKind::translational:
      return {i, -1.0, false};
    case JointKind::spherical:
    case JointKind::free:
      return {i, -1.0, true};
    default:
      return {i, 1.0, false};
  }
}

}  // namespace pintle::inline PINTLE_ISA
