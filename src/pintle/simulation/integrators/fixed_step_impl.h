// One step of a fixed length, for any scalar.
//
// `derivatives(t, q, v, auxiliary, vdot, auxiliary_derivative)` is the mechanism: its accelerations and the derivatives
// of the auxiliary state (work done, states of controllers) at a time and a state. It returns false where it has none,
// and then so does the step. Where it has a member `at_stage`, rk4_step calls that after the first stage.
// `prescribe(t, q, v, auxiliary)`, if given, writes what is prescribed and not integrated: into every stage before its
// derivatives are evaluated, so that positions follow prescribed velocities, and into the end. `joints` and the
// velocities u are as in chart_impl.h. A step goes `from` one state `to` another, which may be the same.
#pragma once

#include <vector>

#include "pintle/simulation/integrators/chart_impl.h"

namespace pintle {

/// The sizes of a state.
struct MotionSizes {
  int nq;
  int nv;
  int auxiliary;
  int controlled = auxiliary;  ///< MotionSystem::controlled_auxiliary_count; the rest are integrals that come along
  int staged = auxiliary;      ///< MotionSystem::staged_auxiliary_count; rk4_step leaves the rest to its caller
};

/// Memory for a step: the start and the stage as (xi, u, auxiliary), or (q, u, auxiliary), the q and v of a stage, and
/// the derivatives of up to four stages.
template <class T>
struct FixedStepMemory {
  explicit FixedStepMemory(const MotionSizes& n)
      : sizes(n),
        rotations(static_cast<std::size_t>(n.nv / 3)),
        q(static_cast<std::size_t>(n.nq)),
        v(static_cast<std::size_t>(n.nv)),
        z(static_cast<std::size_t>(n.nq + n.nv + n.auxiliary)),
        z0(z),
        k{z, z, z, z} {}

  MotionSizes sizes;
  std::vector<Quaternion<T>> rotations;  ///< of the joints with a quaternion, in a stage
  std::vector<T> q, v, z, z0;
  std::vector<T> k[4];
};

/// The values of a state.
template <class T>
struct StateNumbers {
  T* q;
  T* v;
  T* auxiliary;
};

/// For a mechanism in which everything is integrated.
struct NothingPrescribed {
  template <class T>
  void operator()(const T&, T*, T*, const T*) const {}
};

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

/// Where a step starts: `from`, or `from` with what is prescribed, stored in `to`.
template <class T, class Prescribe>
inline StateNumbers<const T> start_of_step(const MotionSizes& sizes, const T& t, const StateNumbers<const T>& from,
                                           const StateNumbers<T>& to, const Prescribe& prescribe) {
  if constexpr (std::is_same_v<Prescribe, NothingPrescribed>) {
    return from;
  } else {
    copy_numbers(from.q, sizes.nq, to.q);
    copy_numbers(from.v, sizes.nv, to.v);
    copy_numbers(from.auxiliary, sizes.auxiliary, to.auxiliary);
    prescribe(t, to.q, to.v, to.auxiliary);
    return {to.q, to.v, to.auxiliary};
  }
}

/// First order: the velocities by the accelerations at the start, then q by the new velocities.
/// [eq. semi-implicit-euler]
template <class T, class Derivatives, class Prescribe = NothingPrescribed>
inline bool semi_implicit_euler_step(std::span<const ChartJoint> joints, const Derivatives& derivatives, const T& t,
                                     const T& h, const StateNumbers<const T>& from, const StateNumbers<T>& to,
                                     FixedStepMemory<T>& work, const Prescribe& prescribe = Prescribe{}) {
  const int nq = work.sizes.nq, nv = work.sizes.nv, further = work.sizes.auxiliary;
  const bool free = any_free(joints);
  T* const rate = work.k[0].data();
  T* const auxiliary_derivative = rate + nv;
  T* const xi = work.z.data();
  T* const u = free ? xi + nv : to.v;
  const StateNumbers<const T> start = start_of_step(work.sizes, t, from, to, prescribe);
  if (!derivatives(t, start.q, start.v, start.auxiliary, rate, auxiliary_derivative)) return false;
  const T* u0 = start.v;
  if (free) {
    to_chart_acceleration_at_start(joints, start.v, rate);
    chart_velocity_at_start(joints, nq, start.v, work.z0.data());
    u0 = work.z0.data();
  }
  const auto moved = [h](const auto& k, const auto& at) { return fma(std::decay_t<decltype(k)>(h), k, at); };
  map_numbers(nv, u, moved, rate, u0);
  map_numbers(further, to.auxiliary, moved, auxiliary_derivative, start.auxiliary);
  if constexpr (!std::is_same_v<Prescribe, NothingPrescribed>) {
    // The new velocities; the initial positions stay.
    T* const v = free ? work.v.data() : u;
    copy_numbers(start.q, nq, work.q.data());
    if (free) velocity_of_chart_at_start(joints, nq, u, v);
    prescribe(t + h, work.q.data(), v, to.auxiliary);
    if (free) chart_velocity_at_start(joints, nq, v, u);
  }
  map_numbers(
      nv, xi, [h](const auto& velocity) { return std::decay_t<decltype(velocity)>(h) * velocity; }, u);
  chart_state(joints, nq, start.q, xi, u, to.q, to.v, work.rotations.data());
  prescribe(t + h, to.q, to.v, to.auxiliary);
  return true;
}

/// First order: velocities and positions by their time derivatives at the start.  [eq. explicit-euler]
template <class T, class Derivatives, class Prescribe = NothingPrescribed>
inline bool explicit_euler_step(std::span<const ChartJoint> joints, const Derivatives& derivatives, const T& t,
                                const T& h, const StateNumbers<const T>& from, const StateNumbers<T>& to,
                                FixedStepMemory<T>& work, const Prescribe& prescribe = Prescribe{}) {
  const int nq = work.sizes.nq, nv = work.sizes.nv, further = work.sizes.auxiliary;
  T* const rate = work.k[0].data();
  T* const auxiliary_derivative = rate + nv;
  T* const xi = work.z.data();
  T* const u = xi + nv;
  T* const u0 = work.z0.data();
  const StateNumbers<const T> start = start_of_step(work.sizes, t, from, to, prescribe);
  if (!derivatives(t, start.q, start.v, start.auxiliary, rate, auxiliary_derivative)) return false;
  to_chart_acceleration_at_start(joints, start.v, rate);
  chart_velocity_at_start(joints, nq, start.v, u0);
  const auto moved = [h](const auto& k, const auto& at) { return fma(std::decay_t<decltype(k)>(h), k, at); };
  map_numbers(nv, u, moved, rate, u0);
  map_numbers(further, to.auxiliary, moved, auxiliary_derivative, start.auxiliary);
  map_numbers(nv, xi, [h](const auto& velocity) { return std::decay_t<decltype(velocity)>(h) * velocity; }, u0);
  chart_state(joints, nq, start.q, xi, u, to.q, to.v, work.rotations.data());
  prescribe(t + h, to.q, to.v, to.auxiliary);
  return true;
}

/// z = z0 + h k of `count` components.
template <class T>
inline void move_along(const std::vector<T>& k, const T& h, int count, FixedStepMemory<T>& work) {
  const auto moved = [h](const auto& rate, const auto& start) {
    return fma(std::decay_t<decltype(rate)>(h), rate, start);
  };
  map_numbers(count, work.z.data(), moved, k.data(), work.z0.data());
}

/// z = z0 + h (k_1 + 2 k_2 + 2 k_3 + k_4) / 6 of `count` components, whose time derivatives begin at `first`.
template <class T>
inline void move_by_rk4(const T& h, int first, int count, const FixedStepMemory<T>& work, const T* z0, T* z) {
  const auto moved = [sixth = T(h / T(base_t<T>(6)))](const auto& k1, const auto& k2, const auto& k3, const auto& k4,
                                                      const auto& start) {
    using N = std::decay_t<decltype(start)>;
    return start + N(sixth) * fma(N(base_t<T>(2)), k2 + k3, k1 + k4);
  };
  const auto k = [&](int s) { return work.k[s].data() + first; };
  map_numbers(count, z, moved, k(0), k(1), k(2), k(3), z0);
}

/// The derivatives at a stage after the first.
template <class T, class Derivatives>
inline bool derivatives_at_stage(const Derivatives& derivatives, const T& t, const T* q, const T* v, const T* auxiliary,
                                 T* vdot, T* auxiliary_derivative) {
  if constexpr (requires { derivatives.at_stage(t, q, v, auxiliary, vdot, auxiliary_derivative); }) {
    return derivatives.at_stage(t, q, v, auxiliary, vdot, auxiliary_derivative);
  } else {
    return derivatives(t, q, v, auxiliary, vdot, auxiliary_derivative);
  }
}

/// The classical method of fourth order (the seeds' choice), in the chart around the start. Integrals that come along
/// are those of the start in all stages. Leaves xi in work.z and the derivatives of the first stage in work.k[0].
/// [eq. rk4]
template <class T, class Derivatives, class Prescribe = NothingPrescribed>
inline bool rk4_step(std::span<const ChartJoint> joints, const Derivatives& derivatives, const T& t, const T& h,
                     const StateNumbers<const T>& from, const StateNumbers<T>& to, FixedStepMemory<T>& work,
                     const Prescribe& prescribe = Prescribe{}) {
  const int nq = work.sizes.nq, nv = work.sizes.nv, further = work.sizes.auxiliary;
  const int count = 2 * nv + work.sizes.controlled;
  const bool free = any_free(joints);
  const StateNumbers<const T> start = start_of_step(work.sizes, t, from, to, prescribe);
  T* const q_stage = work.q.data();
  T* const xi = work.z.data();
  T* const u_stage = xi + nv;
  T* const v_stage = free ? work.v.data() : u_stage;
  T* const auxiliary_stage = u_stage + nv;
  const auto stage = [&](int s, const T& step) {
    move_along(work.k[s - 1], step, count, work);
    chart_state(joints, nq, start.q, xi, u_stage, q_stage, v_stage, work.rotations.data());
    if constexpr (!std::is_same_v<Prescribe, NothingPrescribed>) {
      prescribe(t + step, q_stage, v_stage, auxiliary_stage);
      if (free) chart_velocity(joints, nq, xi, v_stage, u_stage);
    }
    T* const k = work.k[s].data();
    chart_rate(joints, nq, xi, u_stage, k);
    if (!derivatives_at_stage(derivatives, T(t + step), q_stage, v_stage, auxiliary_stage, k + nv, k + 2 * nv))
      return false;
    if (free) to_chart_acceleration(joints, work.rotations.data(), v_stage, k + nv);
    return true;
  };
  for (int i = 0; i < nv; ++i) work.z0[static_cast<std::size_t>(i)] = T(0);
  chart_velocity_at_start(joints, nq, start.v, work.z0.data() + nv);
  copy_numbers(start.auxiliary, work.sizes.controlled, work.z0.data() + 2 * nv);
  copy_numbers(start.auxiliary, further, auxiliary_stage);
  // The first stage is the start itself, where the derivative of xi is u.
  T* const k = work.k[0].data();
  copy_numbers(work.z0.data() + nv, nv, k);
  const T half = T(base_t<T>(0.5)) * h;
  if (!derivatives(t, start.q, start.v, start.auxiliary, k + nv, k + 2 * nv)) return false;
  if (free) to_chart_acceleration_at_start(joints, start.v, k + nv);
  if (!stage(1, half) || !stage(2, half) || !stage(3, h)) return false;
  move_by_rk4(h, 0, 2 * nv, work, work.z0.data(), xi);
  chart_state(joints, nq, start.q, xi, u_stage, to.q, to.v, work.rotations.data());
  move_by_rk4(h, 2 * nv, work.sizes.staged, work, start.auxiliary, to.auxiliary);
  prescribe(t + h, to.q, to.v, to.auxiliary);
  return true;
}

/// The components that rk4_quaternion_step integrates: z = (q, u) with the positions of free joints' centres of mass
/// and their velocities, both in the parent's axes, where q and v have those of the joints' frames.
template <class T>
inline void to_components(std::span<const ChartJoint> joints, T* q, T* v) {
  for (const ChartJoint& at : joints) {
    if (at.kind != JointKind::free) continue;
    const Quaternion<T> r = normalized(load_quaternion(q + at.q + 3));
    const Vec3<T> shift = rotate(r, center_as<T>(at));
    q[at.q] = q[at.q] + shift.x;
    q[at.q + 1] = q[at.q + 1] + shift.y;
    q[at.q + 2] = q[at.q + 2] + shift.z;
    chart_velocity_joint(at.kind, center_as<T>(at), r, v + at.v, v + at.v);
  }
}

/// The inverse of to_components.
template <class T>
inline void from_components(std::span<const ChartJoint> joints, T* q, T* u) {
  for (const ChartJoint& at : joints) {
    if (at.kind != JointKind::free) continue;
    const Quaternion<T> r = normalized(load_quaternion(q + at.q + 3));
    const Vec3<T> shift = rotate(r, center_as<T>(at));
    q[at.q] = q[at.q] - shift.x;
    q[at.q + 1] = q[at.q + 1] - shift.y;
    q[at.q + 2] = q[at.q + 2] - shift.z;
    velocity_of_chart_joint(at.kind, center_as<T>(at), r, u + at.v, u + at.v);
  }
}

/// The time derivatives of the components z at q and v: those of q and, in place of vdot, those of u.
template <class T>
inline void component_rates(std::span<const ChartJoint> joints, int nq, const T* q, const T* v, T* q_rate, T* vdot) {
  for_joints(
      joints, nq,
      [&](const ChartJoint& at) {
        const int place = quaternion_place(at.kind);
        const Quaternion<T> r = normalized(load_quaternion(q + at.q + place));
        T u[6];
        chart_velocity_joint(at.kind, center_as<T>(at), r, v + at.v, u);
        for (int i = 0; i < place; ++i) q_rate[at.q + i] = u[i];
        configuration_rate_joint(JointKind::spherical, q + at.q + place, u + place, q_rate + at.q + place);
        chart_acceleration_joint(at.kind, center_as<T>(at), r, v + at.v, vdot + at.v, vdot + at.v);
      },
      [&](int first_q, int first_v, int count) { copy_numbers(v + first_v, count, q_rate + first_q); });
}

/// The same method on the components of the state: quaternions are integrated component by component and normalised at
/// the end. Of fourth order too, because their length changes by no more than its error; `derivatives` sees them as
/// they are, in the stages not of unit length.  [eq. rk4-quaternion]
template <class T, class Derivatives, class Prescribe = NothingPrescribed>
inline bool rk4_quaternion_step(std::span<const ChartJoint> joints, const Derivatives& derivatives, const T& t,
                                const T& h, const StateNumbers<const T>& from, const StateNumbers<T>& to,
                                FixedStepMemory<T>& work, const Prescribe& prescribe = Prescribe{}) {
  const int nq = work.sizes.nq, nv = work.sizes.nv, further = work.sizes.auxiliary;
  const int count = nq + nv + further;
  T* const q_stage = work.z.data();
  T* const v_stage = q_stage + nq;
  T* const auxiliary_stage = v_stage + nv;
  const auto read_components = [&](const T& time) {
    from_components(joints, q_stage, v_stage);
    prescribe(time, q_stage, v_stage, auxiliary_stage);
  };
  const auto derivatives_of = [&](int s, const T& time) {
    T* const k = work.k[s].data();
    if (!derivatives(time, q_stage, v_stage, auxiliary_stage, k + nq, k + nq + nv)) return false;
    component_rates(joints, nq, q_stage, v_stage, k, k + nq);
    return true;
  };
  const auto stage = [&](int s, const T& step) {
    move_along(work.k[s - 1], step, count, work);
    read_components(t + step);
    return derivatives_of(s, t + step);
  };
  copy_numbers(from.q, nq, q_stage);
  copy_numbers(from.v, nv, v_stage);
  copy_numbers(from.auxiliary, further, auxiliary_stage);
  copy_numbers(work.z.data(), count, work.z0.data());
  to_components(joints, work.z0.data(), work.z0.data() + nq);
  prescribe(t, q_stage, v_stage, auxiliary_stage);
  const T half = T(base_t<T>(0.5)) * h;
  if (!derivatives_of(0, t) || !stage(1, half) || !stage(2, half) || !stage(3, h)) return false;
  move_by_rk4(h, 0, count, work, work.z0.data(), q_stage);
  for (const ChartJoint& joint : joints) {
    T* const quaternion = q_stage + joint.q + quaternion_place(joint.kind);
    store_quaternion(normalized(load_quaternion(quaternion)), quaternion);
  }
  read_components(t + h);
  copy_numbers(q_stage, nq, to.q);
  copy_numbers(v_stage, nv, to.v);
  copy_numbers(auxiliary_stage, further, to.auxiliary);
  return true;
}

}  // namespace pintle::inline PINTLE_ISA
