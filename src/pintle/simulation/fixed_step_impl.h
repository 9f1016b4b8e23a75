// One step of a fixed length, for any scalar.
//
// `rates(t, q, v, extra, vdot, extra_rate)` is the mechanism: its accelerations and the rates of further numbers (work
// done, states of controllers) at a time and a state. It gives false where it has none, and so does the step then.
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

/// Room for a step: the stage, and the rates of (xi, v, extra) of up to four stages.
template <class T>
struct FixedStepMemory {
  explicit FixedStepMemory(const MotionSizes& n)
      : sizes(n), q(static_cast<std::size_t>(n.nq)), z(static_cast<std::size_t>(2 * n.nv + n.extra)), k{z, z, z, z} {}

  MotionSizes sizes;
  std::vector<T> q, z;
  std::vector<T> k[4];
};

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

/// First order: v by the accelerations at the start, then q by the new v.  [eq. semi-implicit-euler]
template <class T, class Rates>
inline bool semi_implicit_euler_step(std::span<const IndependentJoint> joints, Rates&& rates, const T& t, const T& h,
                                     T* q, T* v, T* extra, FixedStepMemory<T>& work) {
  const int nq = work.sizes.nq, nv = work.sizes.nv, further = work.sizes.extra;
  T* const vdot = work.k[0].data();
  T* const extra_rate = vdot + nv;
  if (!rates(t, q, v, extra, vdot, extra_rate)) return false;
  for (int i = 0; i < nv; ++i) v[i] = fma(h, vdot[i], v[i]);
  for (int i = 0; i < nv; ++i) work.z[static_cast<std::size_t>(i)] = h * v[i];
  for (int i = 0; i < further; ++i) extra[i] = fma(h, extra_rate[i], extra[i]);
  chart_point(joints, q, work.z.data(), work.q.data());
  for (int i = 0; i < nq; ++i) q[i] = work.q[static_cast<std::size_t>(i)];
  return true;
}

/// The classical method of fourth order (the seeds' choice), in the chart around the start.  [eq. rk4]
template <class T, class Rates>
inline bool rk4_step(std::span<const IndependentJoint> joints, Rates&& rates, const T& t, const T& h, T* q, T* v,
                     T* extra, FixedStepMemory<T>& work) {
  const int nq = work.sizes.nq, nv = work.sizes.nv, further = work.sizes.extra;
  const int n = 2 * nv + further;
  const T half = T(base_t<T>(0.5)) * h;
  T* const z = work.z.data();  // [xi, v, extra] of the stage
  const auto stage = [&](int s, const T& step) {
    const T* const before = s == 0 ? nullptr : work.k[s - 1].data();
    for (int i = 0; i < n; ++i) {
      const T start = i < nv ? T(0) : i < 2 * nv ? v[i - nv] : extra[i - 2 * nv];
      z[i] = before == nullptr ? start : fma(step, before[i], start);
    }
    chart_point(joints, q, z, work.q.data());
    T* const k = work.k[s].data();
    chart_rate(joints, z, z + nv, k);
    return rates(t + step, work.q.data(), z + nv, z + 2 * nv, k + nv, k + 2 * nv);
  };
  if (!stage(0, T(0)) || !stage(1, half) || !stage(2, half) || !stage(3, h)) return false;
  const T sixth = h / T(base_t<T>(6));
  const auto sum = [&](int i) {
    const T inner = work.k[1][static_cast<std::size_t>(i)] + work.k[2][static_cast<std::size_t>(i)];
    const T outer = work.k[0][static_cast<std::size_t>(i)] + work.k[3][static_cast<std::size_t>(i)];
    return sixth * fma(T(base_t<T>(2)), inner, outer);
  };
  for (int i = 0; i < nv; ++i) z[i] = sum(i);
  for (int i = 0; i < nv; ++i) v[i] = v[i] + sum(nv + i);
  for (int i = 0; i < further; ++i) extra[i] = extra[i] + sum(2 * nv + i);
  chart_point(joints, q, z, work.q.data());
  for (int i = 0; i < nq; ++i) q[i] = work.q[static_cast<std::size_t>(i)];
  return true;
}

}  // namespace pintle::inline PINTLE_ISA
