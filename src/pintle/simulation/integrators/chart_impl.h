// Local coordinates of configurations, for any scalar: they turn motion on a manifold into an ordinary differential
// equation, on which every integrator keeps its order.
//
// Around the configuration q0 of a step's start every configuration is q = integrate(q0, xi), each joint on its own,
// and dxi/dt = J(xi) v. Stages that are combined as xi and mapped to the manifold at the end keep the order of a
// method; stages through integrate(q, v dt) alone would reduce it to 2 on spherical and free joints.
#pragma once

#include <span>

#include "pintle/math/number_arrays.h"
#include "pintle/model/compiled/model.h"
#include "pintle/model/links/configuration_impl.h"

namespace pintle::inline PINTLE_ISA {

// Below, `turning` are the independent joints that have a quaternion, in their order; the coordinates between them in a
// configuration (nq values) are the scalar coordinates of the other joints. (Those may be in the list as well, at a
// loss of speed.)

/// Calls `turn(joint)` for every joint with a quaternion, and `plain(q, v, count)` for every run of scalar coordinates,
/// which begins at these indices of a configuration and of a velocity.
template <class Turn, class Plain>
inline void for_joints(std::span<const IndependentJoint> turning, int nq, Turn turn, Plain plain) {
  int q = 0, v = 0;
  for (const IndependentJoint& joint : turning) {
    if (quaternion_place(joint.kind) < 0) continue;
    plain(q, v, joint.q - q);
    turn(joint);
    q = joint.q + facts(joint.kind).nq;
    v = joint.v + facts(joint.kind).nv;
  }
  plain(q, v, nq - q);
}

/// q = integrate(q0, xi) of the independent joints; q may be q0.  [eq. chart]
template <class T>
inline void chart_point(std::span<const IndependentJoint> turning, int nq, const T* q0, const T* xi, T* q) {
  const auto sum = [](const auto& start, const auto& way) { return start + way; };
  for_joints(
      turning, nq, [&](const IndependentJoint& at) { integrate_joint(at.kind, q0 + at.q, xi + at.v, q + at.q); },
      [&](int first_q, int first_v, int count) { map_numbers(count, q + first_q, sum, q0 + first_q, xi + first_v); });
}

/// q = integrate(q0, h v) of the independent joints: constant velocities for a time h. q may be q0.  [eq. chart]
template <class T>
inline void coast(std::span<const IndependentJoint> turning, int nq, const T* q0, const T* v, const T& h, T* q) {
  for_joints(
      turning, nq,
      [&](const IndependentJoint& at) {
        T xi[6];
        for (int i = 0; i < facts(at.kind).nv; ++i) xi[i] = h * v[at.v + i];
        integrate_joint(at.kind, q0 + at.q, xi, q + at.q);
      },
      [&](int first_q, int first_v, int count) {
        const auto moved = [h](const auto& start, const auto& rate) {
          return start + std::decay_t<decltype(rate)>(h) * rate;
        };
        map_numbers(count, q + first_q, moved, q0 + first_q, v + first_v);
      });
}

/// dxi/dt of a motion with velocity v at xi.  [eq. chart]
template <class T>
inline void chart_rate(std::span<const IndependentJoint> turning, int nq, const T* xi, const T* v, T* rate) {
  for_joints(
      turning, nq,
      [&](const IndependentJoint& at) { difference_rate_joint(at.kind, xi + at.v, v + at.v, rate + at.v); },
      [&](int, int first, int count) { copy_numbers(v + first, count, rate + first); });
}

}  // namespace pintle::inline PINTLE_ISA
