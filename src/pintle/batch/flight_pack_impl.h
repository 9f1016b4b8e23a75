// RK4 for free bodies in momentum state, for any scalar. The orientation is integrated as four plain components and
// normalised at the end of a step (rk4-quaternion). For position and momentum RK4 is the exact parabola.
#pragma once

#include "pintle/batch/flight_pack.h"
#include "pintle/math/pack.h"

namespace pintle::inline PINTLE_ISA {

/// Below this value of |q|^2 - 1, 1 / |q| is 1 - (|q|^2 - 1) / 2 up to rounding.
template <class T>
inline constexpr base_t<T> kAlmostUnit = sizeof(base_t<T>) == sizeof(float) ? base_t<T>(0x1p-13) : base_t<T>(0x1p-27);

template <class T>
PINTLE_INLINE T same_for_all(double a) {
  return T(static_cast<base_t<T>>(a));
}

template <class T>
PINTLE_INLINE Vec3<T> same_for_all(const Vec3<>& a) {
  return {same_for_all<T>(a.x), same_for_all<T>(a.y), same_for_all<T>(a.z)};
}

/// Twice dq/dt: q w with w = I_c^-1 R^T L_c.  [eq. momentum-inverse]
template <bool Principal, class T>
PINTLE_INLINE Quaternion<T> twice_turning(const FlightParameters<T>& body, const Quaternion<T>& q, const Vec3<T>& L) {
  const Vec3<T> L_B = rotate(conjugate(q), L);
  const SymMat3<T>& M = body.mobility;
  Vec3<T> w{M.xx * L_B.x, M.yy * L_B.y, M.zz * L_B.z};
  if constexpr (!Principal) w = M * L_B;
  return {fma(q.w, w.x, fma(q.y, w.z, -(q.z * w.y))), fma(q.w, w.y, fma(q.z, w.x, -(q.x * w.z))),
          fma(q.w, w.z, fma(q.x, w.y, -(q.y * w.x))), -fma(q.x, w.x, fma(q.y, w.y, q.z * w.z))};
}

/// q + h k.
template <class T>
PINTLE_INLINE Quaternion<T> turned_along(const T& h, const Quaternion<T>& k, const Quaternion<T>& q) {
  return {fma(h, k.x, q.x), fma(h, k.y, q.y), fma(h, k.z, q.z), fma(h, k.w, q.w)};
}

/// Normalises a quaternion of nearly unit length.
template <class T>
PINTLE_INLINE Quaternion<T> brought_to_unit(const Quaternion<T>& q) {
  const T beside = fma(q.x, q.x, fma(q.y, q.y, fma(q.z, q.z, fma(q.w, q.w, T(-1)))));
  T scale = fma(T(base_t<T>(-0.5)), beside, T(1));
  const auto near = abs(beside) < T(kAlmostUnit<T>);
  if (!all(near)) scale = select(near, scale, T(1) / sqrt(dot(q, q)));
  return {scale * q.x, scale * q.y, scale * q.z, scale * q.w};
}

/// One step of length h.  [eq. rk4-quaternion] [eq. free-flight]
template <bool Principal, class T>
PINTLE_INLINE void fly_on(const FlightField& field, const FlightParameters<T>& body, double h,
                          FlightMotion<T>& motion) {
  const Quaternion<T>& q = motion.orientation;
  const Vec3<T>& L = motion.spin;
  const T quarter = same_for_all<T>(0.25 * h), half = same_for_all<T>(0.5 * h);
  const Quaternion<T> k0 = twice_turning<Principal>(body, q, L);
  const Quaternion<T> k1 = twice_turning<Principal>(body, turned_along(quarter, k0, q), L);
  const Quaternion<T> k2 = twice_turning<Principal>(body, turned_along(quarter, k1, q), L);
  const Quaternion<T> k3 = twice_turning<Principal>(body, turned_along(half, k2, q), L);
  const auto sum = [](const T& a, const T& b, const T& c, const T& d) { return fma(T(2), b + c, a + d); };
  const Quaternion<T> k{sum(k0.x, k1.x, k2.x, k3.x), sum(k0.y, k1.y, k2.y, k3.y), sum(k0.z, k1.z, k2.z, k3.z),
                        sum(k0.w, k1.w, k2.w, k3.w)};
  motion.orientation = brought_to_unit(turned_along(same_for_all<T>(h / 12.0), k, q));
  const T length = same_for_all<T>(h), way = length * body.inverse_mass, push = length * body.mass;
  const Vec3<T> fall = same_for_all<T>(0.5 * h * h * field.gravity), g = same_for_all<T>(field.gravity);
  const Vec3<T>&r = motion.position, &p = motion.momentum;
  // Add the displacements first: far from the origin the fall of a step may be below rounding.
  motion.position = {r.x + fma(way, p.x, fall.x), r.y + fma(way, p.y, fall.y), r.z + fma(way, p.z, fall.z)};
  motion.momentum = {fma(push, g.x, p.x), fma(push, g.y, p.y), fma(push, g.z, p.z)};
}

/// The gap between a body and the plane [m]: that of the lowest point of its shape.
template <class T>
PINTLE_INLINE T gap_to_plane(const FlightField& field, const FlightParameters<T>& body, const FlightMotion<T>& motion) {
  const Vec3<T> n = same_for_all<T>(field.normal), n_B = rotate(conjugate(motion.orientation), n);
  const T box = fma(body.extent.x, abs(n_B.x), fma(body.extent.y, abs(n_B.y), body.extent.z * abs(n_B.z)));
  const T disc = body.disc * sqrt(fma(n_B.x, n_B.x, n_B.y * n_B.y));
  return (dot(n, motion.position) - same_for_all<T>(field.place)) + dot(body.place, n_B) - (body.ball + (box + disc));
}

/// The lanes in which a body is below the plane, or its gap is NaN.
template <class T>
PINTLE_INLINE unsigned lanes_below(const FlightField& field, const FlightParameters<T>& body,
                                   const FlightMotion<T>& motion) {
  const T height = dot(same_for_all<T>(field.normal), motion.position) - same_for_all<T>(field.place);
  if (all(height > body.reach)) return 0;
  return lane_bits(!(gap_to_plane(field, body, motion) >= T(0)));
}

/// FlightPackKernels::steps: two packs, to hide the latency of the four stages, each of which depends on the one
/// before.
template <bool Principal, class T>
std::int64_t flight_steps(const FlightField& field, const FlightParameters<T>* body, double h, std::int64_t count,
                          FlightMotion<T>* motion, FlightMotion<T>* before, unsigned& touched) {
  FlightMotion<T> first = motion[0], second = motion[1];
  touched = 0;
  std::int64_t made = 0;
  while (made < count) {
    const FlightMotion<T> first_start = first, second_start = second;
    fly_on<Principal>(field, body[0], h, first);
    fly_on<Principal>(field, body[1], h, second);
    ++made;
    if (field.ground) touched = lanes_below(field, body[0], first) | lanes_below(field, body[1], second) << T::kLanes;
    if (touched == 0) continue;
    before[0] = first_start;
    before[1] = second_start;
    break;
  }
  motion[0] = first;
  motion[1] = second;
  return made;
}

}  // namespace pintle::inline PINTLE_ISA
