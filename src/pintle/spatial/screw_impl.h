// Bodies of screw.h.
#pragma once

#include "pintle/spatial/exp_log_impl.h"
#include "pintle/spatial/screw.h"

namespace pintle::inline PINTLE_ISA {

template <class T>
PINTLE_INLINE T largest_component(const Vec3<T>& a) {
  return max(max(abs(a.x), abs(a.y)), abs(a.z));
}

/// a / |a| and |a| without overflow or underflow of the squares; z and 0 for the zero vector.
template <class T>
struct Direction {
  Vec3<T> unit;
  T length;
};
template <class T>
PINTLE_INLINE Direction<T> direction(const Vec3<T>& a) {
  const T zero(0), one(1);
  const T scale = largest_component(a);
  const auto is_zero = a.x == zero && a.y == zero && a.z == zero;  // a NaN is not zero
  const Vec3<T> scaled = select(is_zero, Vec3<T>{zero, zero, one}, a / select(is_zero, one, scale));
  const T length = norm(scaled);
  return {scaled / length, scale * length};
}

/// The screw of a pair (resultant r, moment m about the origin): the axis is along r through r x m / |r|^2, the pitch
/// r.m / |r|^2. Where r is zero the pair is a moment alone, of infinite pitch.
template <class T>
inline Screw<T> screw_of_pair(const Vec3<T>& resultant, const Vec3<T>& moment) {
  const T zero(0), one(1);
  const Direction<T> r = direction(resultant), m = direction(moment);
  const T infinity(static_cast<base_t<T>>(__builtin_inf()));
  // A resultant so small that the pitch overflows counts as zero.
  const auto too_small = m.length / r.length == infinity && m.length < infinity;
  const auto no_resultant = r.length == zero || too_small;
  const auto nothing = r.length == zero && m.length == zero;
  const Vec3<T> moment_per_resultant = moment / select(no_resultant, one, r.length);
  return {select(no_resultant, Vec3<T>{zero, zero, zero}, cross(r.unit, moment_per_resultant)),
          select(no_resultant, m.unit, r.unit),
          select(nothing, zero, select(no_resultant, infinity, dot(r.unit, moment_per_resultant))),
          select(no_resultant, m.length, r.length)};
}

/// The (resultant, moment) of a screw.
template <class T>
struct Pair {
  Vec3<T> resultant, moment;
};
template <class T>
inline Pair<T> pair_of_screw(const Screw<T>& s) {
  const T zero(0);
  const auto infinite = abs(s.pitch) == T(static_cast<base_t<T>>(__builtin_inf()));
  const Vec3<T> along = s.magnitude * s.direction;
  const T pitch = select(infinite, zero, s.pitch);
  return {select(infinite, Vec3<T>{zero, zero, zero}, along),
          select(infinite, along, fma(pitch, along, cross(s.point, along)))};
}

template <class T>
Screw<T> screw_of(const Twist<T>& V) {
  return screw_of_pair(V.angular, V.linear);
}

template <class T>
Screw<T> screw_of(const Wrench<T>& F) {
  return screw_of_pair(F.force, F.torque);
}

template <class T>
Screw<T> screw_of(const Pose<T>& X_AB) {
  return screw_of(log(X_AB));  // a constant twist moves along its own screw
}

template <class T>
Twist<T> twist_of(const Screw<T>& screw) {
  const Pair<T> p = pair_of_screw(screw);
  return {p.moment, p.resultant};
}

template <class T>
Wrench<T> wrench_of(const Screw<T>& screw) {
  const Pair<T> p = pair_of_screw(screw);
  return {p.resultant, p.moment};
}

template <class T>
Pose<T> displacement_of(const Screw<T>& screw) {
  return exp(twist_of(screw));
}

template <class T>
T reciprocal_product(const Screw<T>& a, const Screw<T>& b) {
  return dot(twist(a.direction, a.point, a.pitch), wrench(b.direction, b.point, b.pitch));
}

}  // namespace pintle::inline PINTLE_ISA
