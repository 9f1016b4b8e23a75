// Local coordinates of configurations, for any scalar: they turn motion on a manifold into an ordinary differential
// equation, on which every integrator keeps its order.
//
// Around the configuration q0 of a step's start every configuration has coordinates xi, each joint on its own
// (joint_chart_impl.h), and dxi/dt follows from the velocities u, which are those of the joints but for free ones.
// Stages that are combined as (xi, u) and mapped to the manifold at the end keep the order of a method; stages through
// integrate(q, v dt) alone would reduce it to 2 on spherical and free joints.
#pragma once

#include <span>
#include <vector>

#include "pintle/math/number_arrays.h"
#include "pintle/model/compiled/model.h"
#include "pintle/model/links/joint_chart_impl.h"
#include "pintle/simulation/integrators/chart_joint.h"

namespace pintle::inline PINTLE_ISA {

/// The independent joints of a model that have a quaternion, in their order.
inline std::vector<ChartJoint> chart_joints(const Model& model) {
  std::vector<ChartJoint> joints;
  for (const IndependentJoint& joint : model.independent_joints()) {
    if (quaternion_place(joint.kind) < 0) continue;
    ChartJoint at{joint.kind, joint.q, joint.v};
    const Link& link =
        model.links()[static_cast<std::size_t>(model.joints()[static_cast<std::size_t>(joint.joint)].link)];
    if (joint.kind == JointKind::free && link.inertia.mass > 0.0) at.center = center_of_mass(link.inertia);
    joints.push_back(at);
  }
  return joints;
}

/// Whether u differs from v: there is a free joint.
inline bool any_free(std::span<const ChartJoint> joints) {
  for (const ChartJoint& joint : joints)
    if (joint.kind == JointKind::free) return true;
  return false;
}

// Below, `joints` are those of chart_joints; the coordinates between them in a configuration (nq values) are the scalar
// coordinates of the other joints.

/// Calls `turn(joint)` for every joint with a quaternion, and `plain(q, v, count)` for every run of scalar coordinates,
/// which begins at these indices of a configuration and of a velocity.
template <class Turn, class Plain>
inline void for_joints(std::span<const ChartJoint> joints, int nq, Turn turn, Plain plain) {
  int q = 0, v = 0;
  for (const ChartJoint& joint : joints) {
    plain(q, v, joint.q - q);
    turn(joint);
    q = joint.q + facts(joint.kind).nq;
    v = joint.v + facts(joint.kind).nv;
  }
  plain(q, v, nq - q);
}

template <class T>
inline Vec3<T> center_as(const ChartJoint& joint) {
  using C = base_t<T>;
  return {T(static_cast<C>(joint.center.x)), T(static_cast<C>(joint.center.y)), T(static_cast<C>(joint.center.z))};
}

/// The configuration q of the coordinates xi around q0; q may be q0.  [eq. chart]
template <class T>
inline void chart_point(std::span<const ChartJoint> joints, int nq, const T* q0, const T* xi, T* q) {
  const auto sum = [](const auto& start, const auto& way) { return start + way; };
  for_joints(
      joints, nq,
      [&](const ChartJoint& at) { chart_point_joint(at.kind, center_as<T>(at), q0 + at.q, xi + at.v, q + at.q); },
      [&](int first_q, int first_v, int count) { map_numbers(count, q + first_q, sum, q0 + first_q, xi + first_v); });
}

/// chart_point and velocity_of_chart at once; stores the rotations of the joints.  [eq. chart]
template <class T>
inline void chart_state(std::span<const ChartJoint> joints, int nq, const T* q0, const T* xi, const T* u, T* q, T* v,
                        Quaternion<T>* rotations) {
  const auto sum = [](const auto& start, const auto& way) { return start + way; };
  Quaternion<T>* next = rotations;
  for_joints(
      joints, nq,
      [&](const ChartJoint& at) {
        const Vec3<T> c = center_as<T>(at);
        const Quaternion<T> r = *next++ = chart_rotation_joint(at.kind, xi + at.v);
        chart_point_joint(at.kind, c, r, q0 + at.q, xi + at.v, q + at.q);
        velocity_of_chart_joint(at.kind, c, r, u + at.v, v + at.v);
      },
      [&](int first_q, int first_v, int count) {
        map_numbers(count, q + first_q, sum, q0 + first_q, xi + first_v);
        if (v != u) copy_numbers(u + first_v, count, v + first_v);
      });
}

/// dxi/dt of a motion with velocities u at xi.  [eq. chart]
template <class T>
inline void chart_rate(std::span<const ChartJoint> joints, int nq, const T* xi, const T* u, T* rate) {
  for_joints(
      joints, nq, [&](const ChartJoint& at) { chart_rate_joint(at.kind, xi + at.v, u + at.v, rate + at.v); },
      [&](int, int first, int count) { copy_numbers(u + first, count, rate + first); });
}

/// u of the velocities v at xi; u may be v.  [eq. chart]
template <class T>
inline void chart_velocity(std::span<const ChartJoint> joints, int nq, const T* xi, const T* v, T* u) {
  for_joints(
      joints, nq,
      [&](const ChartJoint& at) {
        chart_velocity_joint(at.kind, center_as<T>(at), chart_rotation_joint(at.kind, xi + at.v), v + at.v, u + at.v);
      },
      [&](int, int first, int count) {
        if (u != v) copy_numbers(v + first, count, u + first);
      });
}

/// The same at the start of a step, where xi is zero.
template <class T>
inline void chart_velocity_at_start(std::span<const ChartJoint> joints, int nq, const T* v, T* u) {
  for_joints(
      joints, nq,
      [&](const ChartJoint& at) { chart_velocity_joint(at.kind, center_as<T>(at), NoRotation(), v + at.v, u + at.v); },
      [&](int, int first, int count) {
        if (u != v) copy_numbers(v + first, count, u + first);
      });
}

/// v of the velocities u at xi; v may be u.  [eq. chart]
template <class T>
inline void velocity_of_chart(std::span<const ChartJoint> joints, int nq, const T* xi, const T* u, T* v) {
  for_joints(
      joints, nq,
      [&](const ChartJoint& at) {
        velocity_of_chart_joint(at.kind, center_as<T>(at), chart_rotation_joint(at.kind, xi + at.v), u + at.v,
                                v + at.v);
      },
      [&](int, int first, int count) {
        if (v != u) copy_numbers(u + first, count, v + first);
      });
}

/// The same at the start of a step.
template <class T>
inline void velocity_of_chart_at_start(std::span<const ChartJoint> joints, int nq, const T* u, T* v) {
  for_joints(
      joints, nq,
      [&](const ChartJoint& at) {
        velocity_of_chart_joint(at.kind, center_as<T>(at), NoRotation(), u + at.v, v + at.v);
      },
      [&](int, int first, int count) {
        if (v != u) copy_numbers(u + first, count, v + first);
      });
}

/// The accelerations vdot at v become du/dt, in place, with the rotations of chart_state.  [eq. chart]
template <class T>
inline void to_chart_acceleration(std::span<const ChartJoint> joints, const Quaternion<T>* rotations, const T* v,
                                  T* vdot) {
  for (const ChartJoint& at : joints)
    chart_acceleration_joint(at.kind, center_as<T>(at), *rotations++, v + at.v, vdot + at.v, vdot + at.v);
}

/// The same at the start of a step.
template <class T>
inline void to_chart_acceleration_at_start(std::span<const ChartJoint> joints, const T* v, T* vdot) {
  for (const ChartJoint& at : joints)
    chart_acceleration_joint(at.kind, center_as<T>(at), NoRotation(), v + at.v, vdot + at.v, vdot + at.v);
}

/// The same at xi.
template <class T>
inline void to_chart_acceleration(std::span<const ChartJoint> joints, const T* xi, const T* v, T* vdot) {
  for (const ChartJoint& at : joints)
    chart_acceleration_joint(at.kind, center_as<T>(at), chart_rotation_joint(at.kind, xi + at.v), v + at.v, vdot + at.v,
                             vdot + at.v);
}

}  // namespace pintle::inline PINTLE_ISA
