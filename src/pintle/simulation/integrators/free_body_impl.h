// One step of a free body in momentum state (free_body.h), for any scalar.
//
// `wrench_of(t, state, V)` is the wrench on the body: the force and the torque about b, in world axes, at a time and a
// state that moves with V. Both steps integrate position and momenta component by component. Therefore they conserve
// L_b + r_b x p, which is linear in r_b and L_b while p does not change.
#pragma once

#include "pintle/simulation/integrators/free_body.h"
#include "pintle/spatial/exp_log_impl.h"

namespace pintle::inline PINTLE_ISA {

/// Orientations in the chart around the start: q = q_0 exp(phi), dphi/dt = J_r(phi)^-1 w.
template <class T>
struct ChartedOrientation {
  using Turn = Vec3<T>;
  static Turn none() { return {T(0), T(0), T(0)}; }
  static Quaternion<T> within(const Quaternion<T>& start, const Turn& phi) { return start * exp_quaternion(phi); }
  static Turn rate(const Turn& phi, const Quaternion<T>&, const Vec3<T>& w) {
    return left_jacobian_inverse_so3(-phi) * w;
  }
  static Quaternion<T> end(const Quaternion<T>& start, const Turn& phi) { return normalized(within(start, phi)); }
};

/// Orientations as four components, normalised at the end of a step only: dq/dt = q w / 2.
template <class T>
struct PlainOrientation {
  using Turn = Quaternion<T>;
  static Turn none() { return {T(0), T(0), T(0), T(0)}; }
  static Quaternion<T> within(const Quaternion<T>& start, const Turn& change) { return start + change; }
  static Turn rate(const Turn&, const Quaternion<T>& q, const Vec3<T>& w) { return rate_from_body(q, w); }
  static Quaternion<T> end(const Quaternion<T>& start, const Turn& change) { return normalized(start + change); }
};

/// The classical method of fourth order with one of the two.
template <class Orientation, class T, class WrenchOf>
inline FreeBodyState<T> free_body_step(const FreeBody<T>& body, const FreeBodyState<T>& from, const T& t, const T& h,
                                       WrenchOf&& wrench_of) {
  using Turn = typename Orientation::Turn;
  struct Slope {
    Vec3<T> position;
    Turn turn;
    Wrench<T> momentum;
  };
  const auto slope_at = [&](const T& step, const Slope& k) {
    const Turn turn = step * k.turn;
    const FreeBodyState<T> at{
        fma(step, k.position, from.position),
        Orientation::within(from.orientation, turn),
        {fma(step, k.momentum.force, from.momentum.linear), fma(step, k.momentum.torque, from.momentum.angular)}};
    const Twist<T> V = velocity(body, at);
    const FreeBodyDerivatives<T> derivatives = free_body_derivatives(at, V, Wrench<T>(wrench_of(t + step, at, V)));
    return Slope{derivatives.velocity, Orientation::rate(turn, at.orientation, derivatives.turning),
                 derivatives.momentum};
  };
  const Vec3<T> nil{T(0), T(0), T(0)};
  const T half = T(base_t<T>(0.5)) * h, two(base_t<T>(2)), sixth = h / T(base_t<T>(6));
  const Slope k0 = slope_at(T(0), Slope{nil, Orientation::none(), {nil, nil}});
  const Slope k1 = slope_at(half, k0);
  const Slope k2 = slope_at(half, k1);
  const Slope k3 = slope_at(h, k2);
  const auto sum = [&](const auto& a, const auto& b, const auto& c, const auto& d) {
    return sixth * ((a + d) + two * (b + c));
  };
  return {
      from.position + sum(k0.position, k1.position, k2.position, k3.position),
      Orientation::end(from.orientation, sum(k0.turn, k1.turn, k2.turn, k3.turn)),
      {from.momentum.linear + sum(k0.momentum.force, k1.momentum.force, k2.momentum.force, k3.momentum.force),
       from.momentum.angular + sum(k0.momentum.torque, k1.momentum.torque, k2.momentum.torque, k3.momentum.torque)}};
}

/// The state a time h [s] after `from`, at t: order 4, the orientation in its chart.  [eq. rk4]
template <class T, class WrenchOf>
inline FreeBodyState<T> rk4_step(const FreeBody<T>& body, const FreeBodyState<T>& from, const T& t, const T& h,
                                 WrenchOf&& wrench_of) {
  return free_body_step<ChartedOrientation<T>>(body, from, t, h, wrench_of);
}

/// The same on the 13 components, with the quaternion normalised at the end: seed 004's own step.  [eq. rk4-quaternion]
template <class T, class WrenchOf>
inline FreeBodyState<T> rk4_quaternion_step(const FreeBody<T>& body, const FreeBodyState<T>& from, const T& t, const T& h,
                                      WrenchOf&& wrench_of) {
  return free_body_step<PlainOrientation<T>>(body, from, t, h, wrench_of);
}

}  // namespace pintle::inline PINTLE_ISA
