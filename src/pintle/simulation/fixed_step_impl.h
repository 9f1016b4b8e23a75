// One step of a fixed length, for any scalar.
//
// `rates(t, q, v, extra, vdot, extra_rate)` is the mechanism: its accelerations and the rates of further numbers (work
// done, states of controllers) at a time and a state. It gives false where it has none, and so does the step then.
// `impose(t, q, v, extra)`, where given, writes what is set and not integrated: into every stage before its rates are
// asked for, so that positions follow imposed velocities, and into the end.
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

/// Room for a step: the stage, and the rates of (xi, v, extra), or of (q, v, extra), of up to four stages.
template <class T>
struct FixedStepMemory {
  explicit FixedStepMemory(const MotionSizes& n)
      : sizes(n),
        q(static_cast<std::size_t>(n.nq)),
        z(static_cast<std::size_t>(n.nq + n.nv + n.extra)),
        k{z, z, z, z} {}

  MotionSizes sizes;
  std::vector<T> q, z;
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
inline bool semi_implicit_euler_step(std::span<const IndependentJoint> joints, Rates&& rates, const T& t, const T& h,
                                     T* q, T* v, T* extra, FixedStepMemory<T>& work, Impose&& impose = Impose{}) {
  const int nq = work.sizes.nq, nv = work.sizes.nv, further = work.sizes.extra;
  T* const vdot = work.k[0].data();
  T* const extra_rate = vdot + nv;
  impose(t, q, v, extra);
  if (!rates(t, q, v, extra, vdot, extra_rate)) return false;
  for (int i = 0; i < nv; ++i) v[i] = fma(h, vdot[i], v[i]);
  for (int i = 0; i < further; ++i) extra[i] = fma(h, extra_rate[i], extra[i]);
  for (int i = 0; i < nq; ++i) work.q[static_cast<std::size_t>(i)] = q[i];
  impose(t + h, work.q.data(), v, extra);  // the new velocities; the start of the way stays
  for (int i = 0; i < nv; ++i) work.z[static_cast<std::size_t>(i)] = h * v[i];
  chart_point(joints, q, work.z.data(), work.q.data());
  for (int i = 0; i < nq; ++i) q[i] = work.q[static_cast<std::size_t>(i)];
  impose(t + h, q, v, extra);
  return true;
}

/// h (k_1 + 2 k_2 + 2 k_3 + k_4) / 6 of number i.
template <class T>
inline T rk4_sum(const FixedStepMemory<T>& work, const T& sixth, int i) {
  const std::size_t n = static_cast<std::size_t>(i);
  return sixth * fma(T(base_t<T>(2)), work.k[1][n] + work.k[2][n], work.k[0][n] + work.k[3][n]);
}

/// The classical method of fourth order (the seeds' choice), in the chart around the start.  [eq. rk4]
template <class T, class Rates, class Impose = NothingImposed>
inline bool rk4_step(std::span<const IndependentJoint> joints, Rates&& rates, const T& t, const T& h, T* q, T* v,
                     T* extra, FixedStepMemory<T>& work, Impose&& impose = Impose{}) {
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
    impose(t + step, work.q.data(), z + nv, z + 2 * nv);
    T* const k = work.k[s].data();
    chart_rate(joints, z, z + nv, k);
    return rates(t + step, work.q.data(), z + nv, z + 2 * nv, k + nv, k + 2 * nv);
  };
  if (!stage(0, T(0)) || !stage(1, half) || !stage(2, half) || !stage(3, h)) return false;
  const T sixth = h / T(base_t<T>(6));
  for (int i = 0; i < nv; ++i) z[i] = rk4_sum(work, sixth, i);
  for (int i = 0; i < nv; ++i) v[i] = v[i] + rk4_sum(work, sixth, nv + i);
  for (int i = 0; i < further; ++i) extra[i] = extra[i] + rk4_sum(work, sixth, 2 * nv + i);
  chart_point(joints, q, z, work.q.data());
  for (int i = 0; i < nq; ++i) q[i] = work.q[static_cast<std::size_t>(i)];
  impose(t + h, q, v, extra);
  return true;
}

/// The same method on the plain numbers of the state, as the seeds have it: quaternions are added up like other numbers
/// and made of unit length at the end. Of fourth order too, for their length changes by no more than its error; `rates`
/// sees them as they are, in the stages not of unit length.  [eq. rk4-seed]
template <class T, class Rates, class Impose = NothingImposed>
inline bool rk4_seed_step(std::span<const IndependentJoint> joints, Rates&& rates, const T& t, const T& h, T* q, T* v,
                          T* extra, FixedStepMemory<T>& work, Impose&& impose = Impose{}) {
  const int nq = work.sizes.nq, nv = work.sizes.nv, further = work.sizes.extra;
  const T half = T(base_t<T>(0.5)) * h;
  T* const y = work.z.data();  // [q, v, extra] of the stage
  const auto stage = [&](int s, const T& step) {
    const T* const before = s == 0 ? nullptr : work.k[s - 1].data();
    for (int i = 0; i < nq + nv + further; ++i) {
      const T start = i < nq ? q[i] : i < nq + nv ? v[i - nq] : extra[i - nq - nv];
      y[i] = before == nullptr ? start : fma(step, before[i], start);
    }
    impose(t + step, y, y + nq, y + nq + nv);
    T* const k = work.k[s].data();
    for (const IndependentJoint& joint : joints)
      configuration_rate_joint(joint.kind, y + joint.q, y + nq + joint.v, k + joint.q);
    return rates(t + step, y, y + nq, y + nq + nv, k + nq, k + nq + nv);
  };
  if (!stage(0, T(0)) || !stage(1, half) || !stage(2, half) || !stage(3, h)) return false;
  const T sixth = h / T(base_t<T>(6));
  for (int i = 0; i < nq; ++i) q[i] = q[i] + rk4_sum(work, sixth, i);
  for (int i = 0; i < nv; ++i) v[i] = v[i] + rk4_sum(work, sixth, nq + i);
  for (int i = 0; i < further; ++i) extra[i] = extra[i] + rk4_sum(work, sixth, nq + nv + i);
  for (const IndependentJoint& joint : joints) {
    const int place = quaternion_place(joint.kind);
    if (place >= 0) store_quaternion(normalized(load_quaternion(q + joint.q + place)), q + joint.q + place);
  }
  impose(t + h, q, v, extra);
  return true;
}

}  // namespace pintle::inline PINTLE_ISA
