// RK4 for bodies in free flight, without a recursion over links. The state is the position of the centre of mass and
// its velocity in world axes, the rotation from the start of the step in its chart, and w in the body's axes:
//
//     dr_c/dt = v_c,   dv_c/dt = g,   dphi/dt = J_l(-phi)^-1 w,   dw/dt = I_c^-1 (I_c w x w)
//
// RK4 of the first two is the parabola itself: r_c + h v_c + h^2/2 g and v_c + h g. The rotation of a body does not
// depend on its position or velocity. So several steps are made side by side: what depends on the previous step (w, the
// orientation and the velocity) is kept short and computed sequentially; everything else is computed in lanes.
#pragma once

#include "pintle/math/pack_pair.h"
#include "pintle/simulation/flight/flight_body.h"
#include "pintle/spatial/exp_log_impl.h"

namespace pintle::inline PINTLE_ISA {

/// Maximum rotation of a body within a step [rad], squared: the series below are as exact as doubles up to twice that.
inline constexpr double kFarthestTurnSquared = 0x1p-8;

inline constexpr double kSixth = 1.0 / 6.0;

/// Maximum deviation of the squared length of an orientation from 1.
inline constexpr double kFarFromUnit = 0x1p-50;

/// The first N terms of a series, by Horner's rule.
template <int N, class T, int M>
PINTLE_INLINE T first_terms(const base_t<T> (&c)[M], const T& t) {
  static_assert(N <= M);
  T sum(c[N - 1]);
  for (int k = N - 2; k >= 0; --k) sum = fma(sum, t, T(c[k]));
  return sum;
}

/// exp(phi) of a small rotation as a quaternion.
template <class T>
PINTLE_INLINE Quaternion<T> small_turn(const Vec3<T>& phi) {
  using B = base_t<T>;
  const T quarter = B(0.25) * norm_squared(phi);
  return quaternion(B(0.5) * first_terms<5>(kSinc<B>.c, quarter) * phi,
                    fma(-quarter, first_terms<5>(kVersine<B>.c, quarter), T(1)));
}

/// dphi/dt = J_l(-phi)^-1 w of a small rotation (left_jacobian_inverse_so3).
template <class T>
PINTLE_INLINE Vec3<T> small_chart_rate(const Vec3<T>& phi, const Vec3<T>& w) {
  using B = base_t<T>;
  const Vec3<T> once = cross(phi, w);
  return fma(first_terms<4>(kCotangent<B>, norm_squared(phi)), cross(phi, once), fma(T(B(0.5)), once, w));
}

/// a + 2 b + 2 c + d; for chains that wait for d.
template <class T>
PINTLE_INLINE Vec3<T> rk4_sum(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& d) {
  return fma(T(base_t<T>(2)), b + c, a) + d;
}

/// R(r)^T - 1 of a unit quaternion, exact also for a small rotation.
template <class T>
PINTLE_INLINE Mat3<T> turned_back_less_one(const Quaternion<T>& r) {
  const T x2 = r.x + r.x, y2 = r.y + r.y, z2 = r.z + r.z;
  const T wx = r.w * x2, wy = r.w * y2, wz = r.w * z2;
  return {-fma(r.y, y2, r.z * z2), fma(r.x, y2, wz), fma(r.x, z2, -wy), fma(r.x, y2, -wz),      -fma(r.x, x2, r.z * z2),
          fma(r.y, z2, wx),        fma(r.x, z2, wy), fma(r.y, z2, -wx), -fma(r.x, x2, r.y * y2)};
}

/// Steps side by side: few in the lanes of one register, many in those of two.
using FewSteps = Pack<double, PINTLE_VECTOR_BYTES >= 32 ? 4 : 2>;
using ManySteps = PackPair<FewSteps>;

template <class T>
PINTLE_INLINE Vec3<T> in_all_lanes(const Vec3<>& a) {
  return {T(a.x), T(a.y), T(a.z)};
}
template <class T>
PINTLE_INLINE Vec3<> lane(const Vec3<T>& a, int i) {
  return {a.x[i], a.y[i], a.z[i]};
}
template <class T>
PINTLE_INLINE Mat3<> lane(const Mat3<T>& A, int i) {
  return {A.xx[i], A.xy[i], A.xz[i], A.yx[i], A.yy[i], A.yz[i], A.zx[i], A.zy[i], A.zz[i]};
}

/// A value per step, for successive steps.
template <class T>
using StepNumbers = double[T::kLanes];
template <class T>
PINTLE_INLINE T in_lanes(const double* numbers) {
  if constexpr (T::kLanes > FewSteps::kLanes) {
    return {in_lanes<FewSteps>(numbers), in_lanes<FewSteps>(numbers + FewSteps::kLanes)};
  } else {
    T lanes;
    for (int i = 0; i < T::kLanes; ++i) lanes.set(i, numbers[i]);
    return lanes;
  }
}

/// A vector per step.
template <class T>
struct StepVectors {
  StepNumbers<T> x, y, z;

  PINTLE_INLINE void put(int step, const Vec3<>& a) {
    x[step] = a.x;
    y[step] = a.y;
    z[step] = a.z;
  }
  PINTLE_INLINE Vec3<T> lanes() const { return {in_lanes<T>(x), in_lanes<T>(y), in_lanes<T>(z)}; }
};

/// Pose and velocity of a body in its joint's frame.
struct FlightState {
  Vec3<> position;
  Quaternion<> orientation;
  Twist<> V;
};

/// Whether a body rotates little enough within h: it never rotates faster than with all of its energy about its slowest
/// axis.
template <class T>
PINTLE_INLINE mask_t<T> turns_little(const FlightBody& body, const Vec3<T>& w, const T& h) {
  const SymMat3<>& I = body.inertia;
  const auto row = [&](double x, double y, double z) { return fma(T(x), w.x, fma(T(y), w.y, T(z) * w.z)); };
  const Vec3<T> L{row(I.xx, I.xy, I.xz), row(I.xy, I.yy, I.yz), row(I.xz, I.yz, I.zz)};
  return h * h * dot(w, L) < T(kFarthestTurnSquared * body.slowest);
}

/// dw/dt of a body; about principal axes, where it is k_x w_y w_z and so on, the products w_y w_z alone: every stage
/// waits for the one before.
template <bool Principal>
PINTLE_INLINE Vec3<> products_of_turning(const FlightBody& body, const Vec3<>& w) {
  if constexpr (Principal) return {w.y * w.z, w.z * w.x, w.x * w.y};
  return body.mobility * cross(body.inertia * w, w);
}

/// from + h dw/dt with those products.
template <bool Principal>
PINTLE_INLINE Vec3<> turned_on(const FlightBody& body, double h, const Vec3<>& products, const Vec3<>& from) {
  if constexpr (!Principal) return fma(h, products, from);
  const Vec3<> k = h * body.turning;
  return {fma(k.x, products.x, from.x), fma(k.y, products.y, from.y), fma(k.z, products.z, from.z)};
}

/// w at the four stages of steps side by side, and at their ends.
template <class T>
struct FlightTurning {
  Vec3<T> w[4], end;
};

/// Sequentially. `omega` becomes that at the end of step number `count`.
template <bool Principal, class T>
PINTLE_INLINE FlightTurning<T> turn_freely(const FlightBody& body, const StepNumbers<T>& lengths, int count,
                                           Vec3<>& omega) {
  StepVectors<T> w[4], end;
  for (int i = 0; i < T::kLanes; ++i) {
    const double h = lengths[i], half = 0.5 * h;
    const Vec3<> d0 = products_of_turning<Principal>(body, omega);
    const Vec3<> w1 = turned_on<Principal>(body, half, d0, omega), d1 = products_of_turning<Principal>(body, w1);
    const Vec3<> w2 = turned_on<Principal>(body, half, d1, omega), d2 = products_of_turning<Principal>(body, w2);
    const Vec3<> w3 = turned_on<Principal>(body, h, d2, omega), d3 = products_of_turning<Principal>(body, w3);
    w[0].put(i, omega);
    w[1].put(i, w1);
    w[2].put(i, w2);
    w[3].put(i, w3);
    if (i < count) omega = turned_on<Principal>(body, kSixth * h, rk4_sum(d0, d1, d2, d3), omega);
    end.put(i, omega);
  }
  return {{w[0].lanes(), w[1].lanes(), w[2].lanes(), w[3].lanes()}, end.lanes()};
}

/// With an axis of symmetry c: w_c is constant, and w_a + i w_b rotates with k w_c, where k belongs to the axis after
/// c. A step of RK4 multiplies it by 1 + z + z^2/2 + z^3/6 + z^4/24 with z = -i h k w_c.
template <class T>
PINTLE_INLINE FlightTurning<T> turn_evenly(const FlightBody& body, const T& h, int count, Vec3<>& omega) {
  const auto about = [&](const auto& a, const auto& b, const auto& c) {
    using V = Vec3<std::remove_cvref_t<decltype(a)>>;
    return body.axis == 2 ? V{a, b, c} : body.axis == 0 ? V{c, a, b} : V{b, c, a};
  };
  const auto from_axis = [&](const Vec3<>& u) {
    return body.axis == 2 ? u : body.axis == 0 ? Vec3<>{u.y, u.z, u.x} : Vec3<>{u.z, u.x, u.y};
  };
  const Vec3<> from = from_axis(omega);
  double a = from.x, b = from.y;
  const double c = from.z;
  const T z = h * T(from_axis(body.turning).x * c), square = z * z;
  const T less = square * fma(T(1.0 / 24.0), square, T(-0.5)), side = z * fma(T(-kSixth), square, T(1.0));
  StepNumbers<T> as, bs;
  for (int i = 0; i < T::kLanes; ++i) {
    as[i] = a;
    bs[i] = b;
    if (i >= count) continue;
    const double next = fma(side[i], b, fma(less[i], a, a));
    b = fma(-side[i], a, fma(less[i], b, b));
    a = next;
  }
  omega = about(a, b, c);
  const T a0 = in_lanes<T>(as), b0 = in_lanes<T>(bs), half = T(0.5) * z, c0(c);
  const T a1 = fma(half, b0, a0), b1 = fma(-half, a0, b0);
  const T a2 = fma(half, b1, a0), b2 = fma(-half, a1, b0);
  const T a3 = fma(z, b2, a0), b3 = fma(-z, a2, b0);
  return {{about(a0, b0, c0), about(a1, b1, c0), about(a2, b2, c0), about(a3, b3, c0)}, {}};  // the end is not needed
}

/// The orientations r before each of the steps, which rotate by `by`, sequentially.
template <class T>
PINTLE_INLINE Quaternion<T> orient(const Quaternion<T>& by, int count, Quaternion<>& r) {
  StepNumbers<T> x, y, z, s;
  for (int i = 0; i < T::kLanes; ++i) {
    x[i] = r.x;
    y[i] = r.y;
    z[i] = r.z;
    s[i] = r.w;
    if (i >= count) continue;
    r = r * Quaternion<>{by.x[i], by.y[i], by.z[i], by.w[i]};
    // Rarely taken: a well-predicted branch does not delay the next step.
    const double beside = dot(r, r) - 1.0;
    if (abs(beside) > kFarFromUnit) r = fma(-0.5, beside, 1.0) * r;
  }
  return {in_lanes<T>(x), in_lanes<T>(y), in_lanes<T>(z), in_lanes<T>(s)};
}

/// The first `count` steps of those in T of one body; the impulse of the weight is added to `weight_impulse` if there
/// is one. False, and nothing is changed, if the body rotates too far within one of them. `Principal` as in FlightBody.
/// [eq. rk4] [eq. free-flight]
template <bool Principal, class T>
PINTLE_INLINE bool fly(const FlightBody& body, const StepNumbers<T>& lengths, int count, FlightState& state,
                       Wrench<>* weight_impulse) {
  const T h = in_lanes<T>(lengths), half = 0.5 * h;

  // The angular velocities, and the rotation of each step.
  Vec3<> omega = state.V.angular;
  const FlightTurning<T> turning = Principal && body.axis >= 0 ? turn_evenly(body, h, count, omega)
                                                               : turn_freely<Principal, T>(body, lengths, count, omega);
  const Vec3<T>(&w)[4] = turning.w;
  if (!all(turns_little(body, w[0], h))) return false;
  const Vec3<T> rate1 = small_chart_rate(half * w[0], w[1]);
  const Vec3<T> rate2 = small_chart_rate(half * rate1, w[2]);
  const Vec3<T> rate3 = small_chart_rate(h * rate2, w[3]);
  const Quaternion<T> by = small_turn(kSixth * h * rk4_sum(w[0], rate1, rate2, rate3));
  const Quaternion<T> from = orient(by, count, state.orientation);

  // v_c after a step, in the axes of its end: R(by)^T (v_c + h g), with v_c and g in those of its start. Of the link's
  // origin v = v_c - w x c.
  const Mat3<T> back = turned_back_less_one(by);
  const Vec3<T> g = rotate(conjugate(from), in_all_lanes<T>(body.gravity)), c = in_all_lanes<T>(body.center);
  Vec3<T> more = h * (g + back * g), ahead = in_all_lanes<T>({});  // the increment of v; v_c - v before the step
  if constexpr (!Principal) {
    ahead = cross(w[0], c);
    more = more + back * ahead + (ahead - cross(turning.end, c));
  }
  StepVectors<T> velocities;
  Vec3<>& v = state.V.linear;
  for (int i = 0; i < T::kLanes; ++i) {
    velocities.put(i, v);
    if (i < count) v += lane(back, i) * v + lane(more, i);
  }
  state.V.angular = omega;

  // The displacement of each step, and the impulse of the weight.
  const Vec3<T> v_c = velocities.lanes() + ahead;
  Vec3<T> shift = h * fma(half, g, v_c);
  if constexpr (!Principal) shift = shift - transpose_times(back, c);
  const Vec3<T> way = rotate(from, shift);
  if (weight_impulse == nullptr) {
    for (int i = 0; i < count; ++i) state.position += lane(way, i);
    return true;
  }
  const Vec3<T> place = h * rotate(from, fma(half, fma(T(1.0 / 3.0) * h, g, v_c), c));  // of the centre, over time
  for (int i = 0; i < count; ++i) {
    const Vec3<> arm =
        fma(lengths[i], body.X_WJ.translation, body.X_WJ.rotation * fma(lengths[i], state.position, lane(place, i)));
    weight_impulse->force = fma(lengths[i], body.weight, weight_impulse->force);
    weight_impulse->torque += cross(arm, body.weight);
    state.position += lane(way, i);
  }
  return true;
}

/// The same with a state in place.
template <class T>
PINTLE_INLINE bool fly_in_place(const FlightBody& body, const StepNumbers<T>& lengths, int count, double* q, double* v,
                                Wrench<>* weight_impulse) {
  FlightState state{{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}, {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}};
  if (!(body.principal ? fly<true, T>(body, lengths, count, state, weight_impulse)
                       : fly<false, T>(body, lengths, count, state, weight_impulse)))
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
    if (const double* const w = v + bodies[i].v + 3; !turns_little(bodies[i], Vec3<>{w[0], w[1], w[2]}, h))
      return false;
  StepNumbers<FewSteps> lengths;
  for (double& length : lengths) length = h;
  for (int i = 0; i < count; ++i)
    (void)fly_in_place<FewSteps>(bodies[i], lengths, 1, q + bodies[i].q, v + bodies[i].v, weight_impulse);
  return true;
}

/// The next of these steps of a single body, as many as T holds and `left` allows: returns their number, 0 if it
/// rotates too far in one of them.
template <class T>
PINTLE_INLINE std::int64_t fly_some(const FlightBody& body, const FlightSteps& steps, std::int64_t made, double& t,
                                    double* q, double* v, Wrench<>* weight_impulse) {
  const int count = steps.count - made < T::kLanes ? static_cast<int>(steps.count - made) : T::kLanes;
  StepNumbers<T> lengths;
  double end = t;
  for (int i = 0; i < T::kLanes; ++i) {
    const double next = i < count ? steps.end_of(made + i) : end;
    lengths[i] = next - end;
    end = next;
  }
  // A full pack of steps has its own code.
  if (!(count == T::kLanes ? fly_in_place<T>(body, lengths, T::kLanes, q + body.q, v + body.v, weight_impulse)
                           : fly_in_place<T>(body, lengths, count, q + body.q, v + body.v, weight_impulse)))
    return 0;
  t = end;
  return count;
}

/// FlightKernels::steps. The steps of a single body side by side; with several bodies one step after the other, so that
/// the impulses of their weights add up in one order.
inline std::int64_t flight_steps_kernel(const FlightBody* bodies, int count, const FlightSteps& steps, double& t,
                                        double* q, double* v, Wrench<>* weight_impulse) {
  std::int64_t made = 0, more = count == 1 ? 1 : 0;
  while (more > 0 && steps.count - made > FewSteps::kLanes)
    made += more = fly_some<ManySteps>(bodies[0], steps, made, t, q, v, weight_impulse);
  while (more > 0 && made < steps.count)
    made += more = fly_some<FewSteps>(bodies[0], steps, made, t, q, v, weight_impulse);
  for (; made < steps.count; ++made) {
    const double end = steps.end_of(made);
    if (!flight_step_kernel(bodies, count, end - t, q, v, weight_impulse)) return made;
    t = end;
  }
  return made;
}

}  // namespace pintle::inline PINTLE_ISA
