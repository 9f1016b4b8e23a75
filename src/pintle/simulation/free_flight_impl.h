// RK4 for bodies in free flight, in closed form: the method, the chart and the variables of rk4_step
// (fixed_step_impl.h) on a free joint, and Newton's and Euler's equations instead of a recursion over links. The two
// differ by rounding.
//
//     dw/dt = I_c^-1 (I_c w x w),   dv/dt = R^T g - w x v - dw/dt x c - w x (w x c)
//
// v and w are in the body's axes, at the link's origin. How a body turns does not depend on where it is or how fast it
// moves, and its velocity not on its place. So several steps are made side by side: first w of one step after the
// other, then the turns of all of them in lanes, then v of one after the other, then the ways of all of them in lanes.
#pragma once

#include "pintle/math/pack.h"
#include "pintle/simulation/flight_body.h"
#include "pintle/spatial/exp_log_impl.h"

namespace pintle::inline PINTLE_ISA {

/// How far a body may turn within a step [rad], squared: the series below are as exact as doubles up to twice that.
inline constexpr double kFarthestTurnSquared = 0x1p-8;

inline constexpr double kSixth = 1.0 / 6.0;

/// The first N terms of a series, by Horner's rule.
template <int N, class T, int M>
PINTLE_INLINE T first_terms(const base_t<T> (&c)[M], const T& t) {
  static_assert(N <= M);
  T sum(c[N - 1]);
  for (int k = N - 2; k >= 0; --k) sum = fma(sum, t, T(c[k]));
  return sum;
}

/// exp(phi) of a small turn as a quaternion.
template <class T>
PINTLE_INLINE Quaternion<T> small_turn(const Vec3<T>& phi) {
  using B = base_t<T>;
  const T quarter = B(0.25) * norm_squared(phi);
  return quaternion(B(0.5) * first_terms<5>(kSinc<B>.c, quarter) * phi,
                    fma(-quarter, first_terms<5>(kVersine<B>.c, quarter), T(1)));
}

/// The translation of exp(xi) of a small turn.
template <class T>
PINTLE_INLINE Vec3<T> small_shift(const Twist<T>& xi) {
  using B = base_t<T>;
  const T t = norm_squared(xi.angular);
  const Vec3<T> once = cross(xi.angular, xi.linear);
  return fma(first_terms<4>(kThetaMinusSine<B>.c, t), cross(xi.angular, once),
             fma(first_terms<5>(kVersine<B>.c, t), once, xi.linear));
}

/// J_l(-xi)^-1 V of a small turn (left_jacobian_inverse_times): the angular part, and what the linear one needs of it.
template <class T>
struct SmallChartTurn {
  T c;
  Vec3<T> once, twice;  // phi x w, phi x (phi x w)
  Vec3<T> rate;
};

template <class T>
PINTLE_INLINE SmallChartTurn<T> small_chart_turn(const Vec3<T>& phi, const Vec3<T>& w) {
  using B = base_t<T>;
  SmallChartTurn<T> turn;
  turn.c = first_terms<4>(kCotangent<B>, norm_squared(phi));
  turn.once = cross(phi, w);
  turn.twice = cross(phi, turn.once);
  turn.rate = fma(turn.c, turn.twice, fma(T(B(0.5)), turn.once, w));
  return turn;
}

/// The linear part.
template <class T>
PINTLE_INLINE Vec3<T> small_chart_way(const SmallChartTurn<T>& turn, const Twist<T>& xi, const Twist<T>& V) {
  using B = base_t<T>;
  const Vec3<T> once = cross(xi.angular, V.linear) + cross(xi.linear, V.angular);
  const Vec3<T> twice = cross(xi.angular, once) + cross(xi.linear, turn.once);
  const T slope = first_terms<3>(kCotangentSlope<B>.c, norm_squared(xi.angular));
  const T along = B(2) * slope * dot(xi.angular, xi.linear);
  return fma(along, turn.twice, fma(turn.c, twice, fma(T(B(0.5)), once, V.linear)));
}

/// exp(-phi) a of a small turn.
template <class T>
PINTLE_INLINE Vec3<T> turned_back(const Vec3<T>& phi, const Vec3<T>& a) {
  using B = base_t<T>;
  const T t = norm_squared(phi);
  const Vec3<T> once = cross(a, phi);
  return fma(first_terms<5>(kVersine<B>.c, t), cross(once, phi), fma(first_terms<6>(kSinc<B>.c, t), once, a));
}

/// a + 2 b + 2 c + d; of chains that wait for d.
template <class T>
PINTLE_INLINE Vec3<T> rk4_sum(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& d) {
  return fma(T(base_t<T>(2)), b + c, a) + d;
}

/// a + b x c
template <class T>
PINTLE_INLINE Vec3<T> plus_cross(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
  return {fma(-b.z, c.y, fma(b.y, c.z, a.x)), fma(-b.x, c.z, fma(b.z, c.x, a.y)), fma(-b.y, c.x, fma(b.x, c.y, a.z))};
}

/// So many steps side by side: T are their numbers in lanes, or the number of a single one.
template <int Steps>
struct FlightLanes {
  using T = Pack<double, Steps>;
};
template <>
struct FlightLanes<1> {
  using T = double;
};

/// A vector of each step, to be filled one by one and read in lanes, or the other way round.
template <int Steps>
struct StepVectors {
  alignas(64) double numbers[3][Steps];

  PINTLE_INLINE void put(int step, const Vec3<>& a) {
    numbers[0][step] = a.x;
    numbers[1][step] = a.y;
    numbers[2][step] = a.z;
  }
  PINTLE_INLINE Vec3<> at(int step) const { return {numbers[0][step], numbers[1][step], numbers[2][step]}; }

  template <class T>
  PINTLE_INLINE Vec3<T> lanes() const {
    if constexpr (Steps == 1)
      return at(0);
    else
      return {load<T>(numbers[0]), load<T>(numbers[1]), load<T>(numbers[2])};
  }
  template <class T>
  PINTLE_INLINE void set(const Vec3<T>& a) {
    if constexpr (Steps == 1) {
      put(0, a);
    } else {
      store(a.x, numbers[0]);
      store(a.y, numbers[1]);
      store(a.z, numbers[2]);
    }
  }
};

/// A place and a motion of a body in its joint's frame.
struct FlightState {
  Vec3<> position;
  Quaternion<> orientation;
  Twist<> V;
};

/// Whether a body turns little enough within h: it never turns faster than with all of its energy about its slowest
/// axis.
template <bool Principal>
PINTLE_INLINE bool turns_little(const FlightBody& body, const Vec3<>& w, double h) {
  const SymMat3<>& I = body.inertia;
  const Vec3<> L = Principal ? Vec3<>{I.xx * w.x, I.yy * w.y, I.zz * w.z} : I * w;
  return h * h * dot(w, L) < kFarthestTurnSquared * body.slowest;
}

/// dw/dt of a body; about principal axes, where it is k_x w_y w_z and so on, the products w_y w_z alone: every stage
/// waits for the one before.
template <bool Principal>
PINTLE_INLINE Vec3<> products_of_turning(const FlightBody& body, const Vec3<>& w) {
  if constexpr (Principal) return {w.y * w.z, w.z * w.x, w.x * w.y};
  return body.mobility * cross(body.inertia * w, w);
}

/// from + h dw/dt with the products of that.
template <bool Principal>
PINTLE_INLINE Vec3<> turned_on(const FlightBody& body, double h, const Vec3<>& products, const Vec3<>& from) {
  if constexpr (!Principal) return fma(h, products, from);
  const Vec3<> k = h * body.turning;
  return {fma(k.x, products.x, from.x), fma(k.y, products.y, from.y), fma(k.z, products.z, from.z)};
}

/// What does not depend on v of the acceleration of the link's origin: the weight, and that the centre of mass is
/// elsewhere.
template <bool Principal, class T>
PINTLE_INLINE Vec3<T> push(const FlightBody& body, const Vec3<T>& g, const Vec3<T>& w, const Vec3<T>& turning) {
  if constexpr (Principal) return g;
  const Vec3<T> c{T(body.center.x), T(body.center.y), T(body.center.z)};
  return g - cross(turning, c) - cross(w, cross(w, c));
}

/// `Steps` steps of the lengths h of one body; what the weight has given is added to `weight_impulse` if there is one.
/// False, and nothing is changed, where the body turns too far within one of them. `Principal` as in FlightBody.
/// [eq. rk4] [eq. free-flight]
template <int Steps, bool Principal>
PINTLE_INLINE bool fly(const FlightBody& body, const double* lengths, FlightState& state, Wrench<>* weight_impulse) {
  using T = typename FlightLanes<Steps>::T;
  using Vectors = StepVectors<Steps>;
  Vectors w[4], dw[4], u[4], v[4], places, ways;
  alignas(64) double turns[4][Steps];

  // How it turns, one step after the other.
  Vec3<> omega = state.V.angular;
  for (int i = 0; i < Steps; ++i) {
    const double h = lengths[i], half = 0.5 * h;
    if (!turns_little<Principal>(body, omega, h)) return false;
    const Vec3<> d0 = products_of_turning<Principal>(body, omega);
    const Vec3<> w1 = turned_on<Principal>(body, half, d0, omega), d1 = products_of_turning<Principal>(body, w1);
    const Vec3<> w2 = turned_on<Principal>(body, half, d1, omega), d2 = products_of_turning<Principal>(body, w2);
    const Vec3<> w3 = turned_on<Principal>(body, h, d2, omega), d3 = products_of_turning<Principal>(body, w3);
    w[0].put(i, omega);
    w[1].put(i, w1);
    w[2].put(i, w2);
    w[3].put(i, w3);
    if constexpr (!Principal) {
      dw[0].put(i, d0);
      dw[1].put(i, d1);
      dw[2].put(i, d2);
      dw[3].put(i, d3);
    }
    omega = turned_on<Principal>(body, kSixth * h, rk4_sum(d0, d1, d2, d3), omega);
  }

  // The turns of all steps, in the chart of each.
  T h;
  if constexpr (Steps == 1)
    h = lengths[0];
  else
    h = load<T>(lengths);
  const T half = 0.5 * h, sixth = kSixth * h;
  const Vec3<T> w0 = w[0].template lanes<T>(), w1 = w[1].template lanes<T>(), w2 = w[2].template lanes<T>(),
                w3 = w[3].template lanes<T>();
  const Vec3<T> phi1 = half * w0;
  const SmallChartTurn<T> turn1 = small_chart_turn(phi1, w1);
  const Vec3<T> phi2 = half * turn1.rate;
  const SmallChartTurn<T> turn2 = small_chart_turn(phi2, w2);
  const Vec3<T> phi3 = h * turn2.rate;
  const SmallChartTurn<T> turn3 = small_chart_turn(phi3, w3);
  const Vec3<T> phi = sixth * rk4_sum(w0, turn1.rate, turn2.rate, turn3.rate);
  const Quaternion<T> by = small_turn(phi);

  // The orientations, one after the other.
  Quaternion<> r = state.orientation;
  Quaternion<T> from;
  const auto turn_on = [&r](const Quaternion<>& more) {
    // Divided by |r|, which is 1 but for the rounding of the last step.
    const double scale = fma(-0.5, dot(r, r), 1.5);
    r = scale * (r * more);
  };
  if constexpr (Steps == 1) {
    from = r;
    turn_on(by);
  } else {
    for (int i = 0; i < Steps; ++i) {
      turns[0][i] = r.x;
      turns[1][i] = r.y;
      turns[2][i] = r.z;
      turns[3][i] = r.w;
      turn_on({by.x[i], by.y[i], by.z[i], by.w[i]});
    }
    from = {load<T>(turns[0]), load<T>(turns[1]), load<T>(turns[2]), load<T>(turns[3])};
  }

  // What pushes at every stage, and the velocities, one after the other.
  const Vec3<T> g = rotate(conjugate(from), Vec3<T>{T(body.gravity.x), T(body.gravity.y), T(body.gravity.z)});
  u[0].set(push<Principal>(body, g, w0, dw[0].template lanes<T>()));
  u[1].set(push<Principal>(body, turned_back(phi1, g), w1, dw[1].template lanes<T>()));
  u[2].set(push<Principal>(body, turned_back(phi2, g), w2, dw[2].template lanes<T>()));
  u[3].set(push<Principal>(body, turned_back(phi3, g), w3, dw[3].template lanes<T>()));
  Vec3<> velocity = state.V.linear;
  for (int i = 0; i < Steps; ++i) {
    const double h_i = lengths[i], half_i = 0.5 * h_i;
    const Vec3<> a0 = plus_cross(u[0].at(i), velocity, w[0].at(i)), v1 = fma(half_i, a0, velocity);
    const Vec3<> a1 = plus_cross(u[1].at(i), v1, w[1].at(i)), v2 = fma(half_i, a1, velocity);
    const Vec3<> a2 = plus_cross(u[2].at(i), v2, w[2].at(i)), v3 = fma(h_i, a2, velocity);
    const Vec3<> a3 = plus_cross(u[3].at(i), v3, w[3].at(i));
    v[0].put(i, velocity);
    v[1].put(i, v1);
    v[2].put(i, v2);
    v[3].put(i, v3);
    velocity = fma(kSixth * h_i, rk4_sum(a0, a1, a2, a3), velocity);
  }

  // The ways of all steps.
  const Vec3<T> v0 = v[0].template lanes<T>();
  const Twist<T> xi1{half * v0, phi1};
  const Vec3<T> k1 = small_chart_way(turn1, xi1, Twist<T>{v[1].template lanes<T>(), w1});
  const Twist<T> xi2{half * k1, phi2};
  const Vec3<T> k2 = small_chart_way(turn2, xi2, Twist<T>{v[2].template lanes<T>(), w2});
  const Twist<T> xi3{h * k2, phi3};
  const Vec3<T> k3 = small_chart_way(turn3, xi3, Twist<T>{v[3].template lanes<T>(), w3});
  ways.set(rotate(from, small_shift(Twist<T>{sixth * rk4_sum(v0, k1, k2, k3), phi})));
  if (weight_impulse != nullptr) {
    const Vec3<T> c{T(body.center.x), T(body.center.y), T(body.center.z)};
    const auto center_after = [&](const Twist<T>& xi) {
      const Vec3<T> shift = small_shift(xi);
      if constexpr (Principal) return shift;
      return shift + rotate(small_turn(xi.angular), c);
    };
    places.set(rotate(from, sixth * rk4_sum(c, center_after(xi1), center_after(xi2), center_after(xi3))));
  }
  for (int i = 0; i < Steps; ++i) {
    if (weight_impulse != nullptr) {
      const Vec3<> place = fma(lengths[i], state.position, places.at(i));
      const Vec3<> arm = fma(lengths[i], body.X_WJ.translation, body.X_WJ.rotation * place);
      weight_impulse->force = fma(lengths[i], body.weight, weight_impulse->force);
      weight_impulse->torque += cross(arm, body.weight);
    }
    state.position += ways.at(i);
  }
  state.orientation = r;
  state.V = {velocity, omega};
  return true;
}

/// The same with a state in place.
template <int Steps>
PINTLE_INLINE bool fly_in_place(const FlightBody& body, const double* lengths, double* q, double* v,
                                Wrench<>* weight_impulse) {
  FlightState state{{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}, {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}};
  if (!(body.principal ? fly<Steps, true>(body, lengths, state, weight_impulse)
                       : fly<Steps, false>(body, lengths, state, weight_impulse)))
    return false;
  q[0] = state.position.x;
  q[1] = state.position.y;
  q[2] = state.position.z;
  q[3] = state.orientation.x;
  q[4] = state.orientation.y;
  q[5] = state.orientation.z;
  q[6] = state.orientation.w;
  v[0] = state.V.linear.x;
  v[1] = state.V.linear.y;
  v[2] = state.V.linear.z;
  v[3] = state.V.angular.x;
  v[4] = state.V.angular.y;
  v[5] = state.V.angular.z;
  return true;
}

/// FlightKernels::step.
inline bool flight_step_kernel(const FlightBody* bodies, int count, double h, double* q, double* v,
                               Wrench<>* weight_impulse) {
  for (int i = 0; i < count; ++i)
    if (const double* const w = v + bodies[i].v + 3; !turns_little<false>(bodies[i], {w[0], w[1], w[2]}, h))
      return false;
  for (int i = 0; i < count; ++i)
    (void)fly_in_place<1>(bodies[i], &h, q + bodies[i].q, v + bodies[i].v, weight_impulse);
  return true;
}

/// FlightKernels::steps. A single body's steps side by side; of several bodies one step after the other, so that the
/// impulses of their weights add up in one order.
inline std::int64_t flight_steps_kernel(const FlightBody* bodies, int count, const FlightSteps& steps, double& t,
                                        double* q, double* v, Wrench<>* weight_impulse) {
  constexpr int kSide = PINTLE_VECTOR_BYTES >= 32 ? static_cast<int>(kStepsSideBySide) : 2;
  const auto end_of = [&](std::int64_t n) { return steps.t0 + static_cast<double>(steps.grid + n + 1) * steps.h; };
  std::int64_t n = 0;
  while (count == 1 && n + kSide <= steps.count) {
    alignas(64) double lengths[kSide];
    double end = t;
    for (int i = 0; i < kSide; ++i) {
      const double next = end_of(n + i);
      lengths[i] = next - end;
      end = next;
    }
    if (!fly_in_place<kSide>(bodies[0], lengths, q + bodies[0].q, v + bodies[0].v, weight_impulse)) break;
    t = end;
    n += kSide;
  }
  for (; n < steps.count; ++n) {
    const double end = end_of(n);
    if (!flight_step_kernel(bodies, count, end - t, q, v, weight_impulse)) return n;
    t = end;
  }
  return n;
}

}  // namespace pintle::inline PINTLE_ISA
