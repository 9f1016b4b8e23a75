// One step of a fixed length, for any scalar.
//
// `rates(t, q, v, extra, vdot, extra_rate)` is the mechanism: its accelerations and the rates of further numbers (work
// done, states of controllers) at a time and a state. It gives false where it has none, and so does the step then.
// `impose(t, q, v, extra)`, where given, writes what is set and not integrated: into every stage before its rates are
// asked for, so that positions follow imposed velocities, and into the end. `turning` is as in chart_impl.h.
#pragma once

#include <vector>

#include "pintle/simulation/chart_impl.h"

namespace pintle {

/// How many numbers a state has.
struct MotionSizes {
  int nq;
  int nv;
  int extra;
};

/// Room for a step: the start and the stage as (xi, v, extra), or (q, v, extra), and their rates of up to four stages.
template <class T>
struct FixedStepMemory {
  explicit FixedStepMemory(const MotionSizes& n)
      : sizes(n),
        q(static_cast<std::size_t>(n.nq)),
        z(static_cast<std::size_t>(n.nq + n.nv + n.extra)),
        z0(z),
        k{z, z, z, z} {}

  MotionSizes sizes;
  std::vector<T> q, z, z0;
  std::vector<T> k[4];
};

/// Of a mechanism in which all is integrated.
struct NothingImposed {
  template <class T>
  void operator()(const T&, T*, T*, const T*) const {}
};

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

/// First order: v by the accelerations at the start, then q by the new v.  [eq. semi-implicit-euler]
template <class T, class Rates, class Impose = NothingImposed>
inline bool semi_implicit_euler_step(std::span<const IndependentJoint> turning, Rates&& rates, const T& t, const T& h,
                                     T* q, T* v, T* extra, FixedStepMemory<T>& work, Impose&& impose = Impose{}) {
  const int nq = work.sizes.nq, nv = work.sizes.nv, further = work.sizes.extra;
  T* const vdot = work.k[0].data();
  T* const extra_rate = vdot + nv;
  impose(t, q, v, extra);
  if (!rates(t, q, v, extra, vdot, extra_rate)) return false;
  const auto moved = [h](const auto& rate, const auto& start) {
    return fma(std::decay_t<decltype(rate)>(h), rate, start);
  };
  map_numbers(nv, v, moved, vdot, v);
  map_numbers(further, extra, moved, extra_rate, extra);
  if constexpr (!std::is_same_v<std::decay_t<Impose>, NothingImposed>) {
    copy_numbers(q, nq, work.q.data());
    impose(t + h, work.q.data(), v, extra);  // the new velocities; the start of the way stays
  }
  map_numbers(
      nv, work.z.data(), [h](const auto& rate) { return std::decay_t<decltype(rate)>(h) * rate; }, v);
  chart_point(turning, nq, q, work.z.data(), q);
  impose(t + h, q, v, extra);
  return true;
}

/// z = z0 + h k of `count` numbers.
template <class T>
inline void move_along(const std::vector<T>& k, const T& h, int count, FixedStepMemory<T>& work) {
  const auto moved = [h](const auto& rate, const auto& start) {
    return fma(std::decay_t<decltype(rate)>(h), rate, start);
  };
  map_numbers(count, work.z.data(), moved, k.data(), work.z0.data());
}

/// z = z0 + h (k_1 + 2 k_2 + 2 k_3 + k_4) / 6 of `count` numbers.
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
template <class T, class Rates, class Impose = NothingImposed>
inline bool rk4_step(std::span<const IndependentJoint> turning, Rates&& rates, const T& t, const T& h, T* q, T* v,
                     T* extra, FixedStepMemory<T>& work, Impose&& impose = Impose{}) {
  const int nq = work.sizes.nq, nv = work.sizes.nv, further = work.sizes.extra;
  const int count = 2 * nv + further;
  T* const q_stage = work.q.data();
  T* const xi = work.z.data();
  T* const v_stage = xi + nv;
  T* const extra_stage = v_stage + nv;
  const auto stage = [&](int s, const T& step) {
    move_along(work.k[s - 1], step, count, work);
    chart_point(turning, nq, q, xi, q_stage);
    impose(t + step, q_stage, v_stage, extra_stage);
    T* const k = work.k[s].data();
    chart_rate(turning, nq, xi, v_stage, k);
    return rates(t + step, q_stage, v_stage, extra_stage, k + nv, k + 2 * nv);
  };
  impose(t, q, v, extra);
  for (int i = 0; i < nv; ++i) work.z0[static_cast<std::size_t>(i)] = T(0);
  copy_numbers(v, nv, work.z0.data() + nv);
  copy_numbers(extra, further, work.z0.data() + 2 * nv);
  // The first stage is the start itself, where the rate of xi is v.
  T* const k = work.k[0].data();
  copy_numbers(v, nv, k);
  const T half = T(base_t<T>(0.5)) * h;
  if (!rates(t, q, v, extra, k + nv, k + 2 * nv)) return false;
  if (!stage(1, half) || !stage(2, half) || !stage(3, h)) return false;
  move_by_rk4(h, count, work);
  chart_point(turning, nq, q, xi, q_stage);
  copy_numbers(q_stage, nq, q);
  copy_numbers(v_stage, nv, v);
  copy_numbers(extra_stage, further, extra);
  impose(t + h, q, v, extra);
  return true;
}

/// The same method on the plain numbers of the state, as the seeds have it: quaternions are added up like other numbers
/// and made of unit length at the end. Of fourth order too, for their length changes by no more than its error; `rates`
/// sees them as they are, in the stages not of unit length.  [eq. rk4-seed]
template <class T, class Rates, class Impose = NothingImposed>
inline bool rk4_seed_step(std::span<const IndependentJoint> turning, Rates&& rates, const T& t, const T& h, T* q, T* v,
                          T* extra, FixedStepMemory<T>& work, Impose&& impose = Impose{}) {
  const int nq = work.sizes.nq, nv = work.sizes.nv, further = work.sizes.extra;
  const int count = nq + nv + further;
  T* const q_stage = work.z.data();
  T* const v_stage = q_stage + nq;
  T* const extra_stage = v_stage + nv;
  const auto rates_of = [&](int s, const T& time) {
    impose(time, q_stage, v_stage, extra_stage);
    T* const k = work.k[s].data();
    for_joints(
        turning, nq,
        [&](const IndependentJoint& at) {
          configuration_rate_joint(at.kind, q_stage + at.q, v_stage + at.v, k + at.q);
        },
        [&](int first_q, int first_v, int n) { copy_numbers(v_stage + first_v, n, k + first_q); });
    return rates(time, q_stage, v_stage, extra_stage, k + nq, k + nq + nv);
  };
  const auto stage = [&](int s, const T& step) {
    move_along(work.k[s - 1], step, count, work);
    return rates_of(s, t + step);
  };
  copy_numbers(q, nq, work.z0.data());
  copy_numbers(v, nv, work.z0.data() + nq);
  copy_numbers(extra, further, work.z0.data() + nq + nv);
  copy_numbers(work.z0.data(), count, work.z.data());
  const T half = T(base_t<T>(0.5)) * h;
  if (!rates_of(0, t) || !stage(1, half) || !stage(2, half) || !stage(3, h)) return false;
  move_by_rk4(h, count, work);
  copy_numbers(q_stage, nq, q);
  copy_numbers(v_stage, nv, v);
  copy_numbers(extra_stage, further, extra);
  for (const IndependentJoint& joint : turning) {
    const int place = quaternion_place(joint.kind);
    if (place >= 0) store_quaternion(normalized(load_quaternion(q + joint.q + place)), q + joint.q + place);
  }
  impose(t + h, q, v, extra);
  return true;
}

}  // namespace pintle::inline PINTLE_ISA
