// One step of a fixed length, for any scalar.
//
// `derivatives(t, q, v, auxiliary, vdot, auxiliary_derivative)` is the mechanism: its accelerations and the derivatives
// of the auxiliary state (work done, states of controllers) at a time and a state. It returns false where it has none,
// and then so does the step. `prescribe(t, q, v, auxiliary)`, if given, writes what is prescribed and not integrated:
// into every stage before its derivatives are evaluated, so that positions follow prescribed velocities, and into the
// end. `turning` is as in chart_impl.h. A step goes `from` one state `to` another, which may be the same.
#pragma once

#include <vector>

#include "pintle/simulation/integrators/chart_impl.h"

namespace pintle {

/// The sizes of a state.
struct MotionSizes {
  int nq;
  int nv;
  int auxiliary;
};

/// Memory for a step: the start and the stage as (xi, v, auxiliary), or (q, v, auxiliary), and the derivatives of up to
/// four stages.
template <class T>
struct FixedStepMemory {
  explicit FixedStepMemory(const MotionSizes& n)
      : sizes(n),
        q(static_cast<std::size_t>(n.nq)),
        z(static_cast<std::size_t>(n.nq + n.nv + n.auxiliary)),
        z0(z),
        k{z, z, z, z} {}

  MotionSizes sizes;
  std::vector<T> q, z, z0;
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

/// First order: v by the accelerations at the start, then q by the new v.  [eq. semi-implicit-euler]
template <class T, class Derivatives, class Prescribe = NothingPrescribed>
inline bool semi_implicit_euler_step(std::span<const IndependentJoint> turning, const Derivatives& derivatives,
                                     const T& t, const T& h, const StateNumbers<const T>& from,
                                     const StateNumbers<T>& to, FixedStepMemory<T>& work,
                                     const Prescribe& prescribe = Prescribe{}) {
  const int nq = work.sizes.nq, nv = work.sizes.nv, further = work.sizes.auxiliary;
  T* const vdot = work.k[0].data();
  T* const auxiliary_derivative = vdot + nv;
  const StateNumbers<const T> start = start_of_step(work.sizes, t, from, to, prescribe);
  if (!derivatives(t, start.q, start.v, start.auxiliary, vdot, auxiliary_derivative)) return false;
  const auto moved = [h](const auto& rate, const auto& at) { return fma(std::decay_t<decltype(rate)>(h), rate, at); };
  map_numbers(nv, to.v, moved, vdot, start.v);
  map_numbers(further, to.auxiliary, moved, auxiliary_derivative, start.auxiliary);
  if constexpr (!std::is_same_v<Prescribe, NothingPrescribed>) {
    copy_numbers(start.q, nq, work.q.data());
    prescribe(t + h, work.q.data(), to.v, to.auxiliary);  // the new velocities; the initial positions stay
  }
  coast(turning, nq, start.q, to.v, h, to.q);
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

/// z = z0 + h (k_1 + 2 k_2 + 2 k_3 + k_4) / 6 of `count` components.
template <class T>
inline void move_by_rk4(const T& h, int count, FixedStepMemory<T>& work) {
  const auto moved = [sixth = T(h / T(base_t<T>(6)))](const auto& k1, const auto& k2, const auto& k3, const auto& k4,
                                                      const auto& start) {
    using N = std::decay_t<decltype(start)>;
    return start + N(sixth) * fma(N(base_t<T>(2)), k2 + k3, k1 + k4);
  };
  map_numbers(count, work.z.data(), moved, work.k[0].data(), work.k[1].data(), work.k[2].data(), work.k[3].data(),
              work.z0.data());
}

/// The classical method of fourth order (the seeds' choice), in the chart around the start.  [eq. rk4]
template <class T, class Derivatives, class Prescribe = NothingPrescribed>
inline bool rk4_step(std::span<const IndependentJoint> turning, const Derivatives& derivatives, const T& t, const T& h,
                     const StateNumbers<const T>& from, const StateNumbers<T>& to, FixedStepMemory<T>& work,
                     const Prescribe& prescribe = Prescribe{}) {
  const int nq = work.sizes.nq, nv = work.sizes.nv, further = work.sizes.auxiliary;
  const int count = 2 * nv + further;
  const StateNumbers<const T> start = start_of_step(work.sizes, t, from, to, prescribe);
  T* const q_stage = work.q.data();
  T* const xi = work.z.data();
  T* const v_stage = xi + nv;
  T* const auxiliary_stage = v_stage + nv;
  const auto stage = [&](int s, const T& step) {
    move_along(work.k[s - 1], step, count, work);
    chart_point(turning, nq, start.q, xi, q_stage);
    prescribe(t + step, q_stage, v_stage, auxiliary_stage);
    T* const k = work.k[s].data();
    chart_rate(turning, nq, xi, v_stage, k);
    return derivatives(t + step, q_stage, v_stage, auxiliary_stage, k + nv, k + 2 * nv);
  };
  for (int i = 0; i < nv; ++i) work.z0[static_cast<std::size_t>(i)] = T(0);
  copy_numbers(start.v, nv, work.z0.data() + nv);
  copy_numbers(start.auxiliary, further, work.z0.data() + 2 * nv);
  // The first stage is the start itself, where the derivative of xi is v.
  T* const k = work.k[0].data();
  copy_numbers(start.v, nv, k);
  const T half = T(base_t<T>(0.5)) * h;
  if (!derivatives(t, start.q, start.v, start.auxiliary, k + nv, k + 2 * nv)) return false;
  if (!stage(1, half) || !stage(2, half) || !stage(3, h)) return false;
  move_by_rk4(h, count, work);
  chart_point(turning, nq, start.q, xi, to.q);
  copy_numbers(v_stage, nv, to.v);
  copy_numbers(auxiliary_stage, further, to.auxiliary);
  prescribe(t + h, to.q, to.v, to.auxiliary);
  return true;
}

/// The same method on the components of the state, as the seeds have it: quaternions are integrated component by
/// component and normalised at the end. Of fourth order too, because their length changes by no more than its error;
/// `derivatives` sees them as they are, in the stages not of unit length.  [eq. rk4-quaternion]
template <class T, class Derivatives, class Prescribe = NothingPrescribed>
inline bool rk4_seed_step(std::span<const IndependentJoint> turning, const Derivatives& derivatives, const T& t,
                          const T& h, const StateNumbers<const T>& from, const StateNumbers<T>& to,
                          FixedStepMemory<T>& work, const Prescribe& prescribe = Prescribe{}) {
  const int nq = work.sizes.nq, nv = work.sizes.nv, further = work.sizes.auxiliary;
  const int count = nq + nv + further;
  T* const q_stage = work.z.data();
  T* const v_stage = q_stage + nq;
  T* const auxiliary_stage = v_stage + nv;
  const auto derivatives_of = [&](int s, const T& time) {
    prescribe(time, q_stage, v_stage, auxiliary_stage);
    T* const k = work.k[s].data();
    for_joints(
        turning, nq,
        [&](const IndependentJoint& at) {
          configuration_rate_joint(at.kind, q_stage + at.q, v_stage + at.v, k + at.q);
        },
        [&](int first_q, int first_v, int n) { copy_numbers(v_stage + first_v, n, k + first_q); });
    return derivatives(time, q_stage, v_stage, auxiliary_stage, k + nq, k + nq + nv);
  };
  const auto stage = [&](int s, const T& step) {
    move_along(work.k[s - 1], step, count, work);
    return derivatives_of(s, t + step);
  };
  copy_numbers(from.q, nq, work.z0.data());
  copy_numbers(from.v, nv, work.z0.data() + nq);
  copy_numbers(from.auxiliary, further, work.z0.data() + nq + nv);
  copy_numbers(work.z0.data(), count, work.z.data());
  const T half = T(base_t<T>(0.5)) * h;
  if (!derivatives_of(0, t) || !stage(1, half) || !stage(2, half) || !stage(3, h)) return false;
  move_by_rk4(h, count, work);
  copy_numbers(q_stage, nq, to.q);
  copy_numbers(v_stage, nv, to.v);
  copy_numbers(auxiliary_stage, further, to.auxiliary);
  for (const IndependentJoint& joint : turning) {
    const int place = quaternion_place(joint.kind);
    if (place >= 0) store_quaternion(normalized(load_quaternion(to.q + joint.q + place)), to.q + joint.q + place);
  }
  prescribe(t + h, to.q, to.v, to.auxiliary);
  return true;
}

}  // namespace pintle::inline PINTLE_ISA
