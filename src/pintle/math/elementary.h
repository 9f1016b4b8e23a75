// The elementary functions of the engine: sincos, tan, exp, log, pow, atan2 and their kin, for double, float and packs.
//
// They are our own so that a result's bits depend on the bit family alone: not on the C library, the processor, the
// compiler, the optimisation level or the lane. A lane of a pack equals the scalar result, bit for bit, and a NaN
// result is always the same NaN. Only long double calls the C library: it is the reference of tests, never a state.
//
// This header only declares: double and float link to the instances in elementary.cpp; a kernel that wants packs or
// inlining includes elementary_impl.h. Outside namespace pintle write pintle::sin(x): after a using-directive, sin of a
// double still means the C library's.
//
// Errors, in units in the last place of the result: the guaranteed bound, and in brackets the worst measured
// (tests/math/elementary_test.cpp, tests/math/sincos_test.cpp).
//   double   sin, cos 1.5 [0.87]   tan 1.5 [0.93]   exp 1 [0.77]   log 1 [0.501]   pow 1 [0.75]
//            atan, atan2, asin, acos 1.5 [0.71]
//   float    sin, cos 2 [0.91]   all others 0.51 [0.5], since they are computed in double and rounded once
#pragma once

#include "pintle/math/pack.h"

namespace pintle {

/// The sine and the cosine of one angle.
template <class T>
struct SinCos {
  T sin, cos;
};

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

template <class T>
inline constexpr bool kIsPack = false;
template <class T, int N>
inline constexpr bool kIsPack<Pack<T, N>> = true;

/// A built-in floating-point number or a pack of them: the types that the functions here accept. Other number types
/// provide their own overloads.
template <class T>
concept PlainNumber = BuiltinScalar<T> || kIsPack<T>;

/// Sine and cosine of an angle in radians, of any magnitude: the reduction by multiples of pi/2 is exact. Branch-free
/// for
/// |x| <= 1e5 (float: 1e3); lanes beyond it take a slower path one by one.
template <PlainNumber T>
SinCos<T> sincos(T x);

/// Sine of an angle in radians.
template <PlainNumber T>
T sin(T x);

/// Cosine of an angle in radians.
template <PlainNumber T>
T cos(T x);

/// Tangent of an angle in radians.
template <PlainNumber T>
T tan(T x);

/// e^x; underflows gradually.
template <PlainNumber T>
T exp(T x);

/// Natural logarithm; -infinity at zero, NaN below.
template <PlainNumber T>
T log(T x);

/// x^y with the special values of C's pow.
template <PlainNumber T>
T pow(T x, Same<T> y);

/// The angle of the point (x, y) in radians, in [-pi, pi], with the signed zeros and infinities of C's atan2.
template <PlainNumber T>
T atan2(T y, Same<T> x);

/// The angle in [-pi/2, pi/2] with tangent x.
template <PlainNumber T>
T atan(T x);

/// The angle in [-pi/2, pi/2] with sine x; NaN beyond [-1, 1].
template <PlainNumber T>
T asin(T x);

/// The angle in [0, pi] with cosine x; NaN beyond [-1, 1].
template <PlainNumber T>
T acos(T x);

/// The integer nearest to x, ties to even. Keeps the sign of a zero; a NaN is returned unchanged.
template <PlainNumber T>
T round_to_nearest(T x);

/// The largest integer not above x. Keeps the sign of a zero; a NaN is returned unchanged.
template <PlainNumber T>
T floor(T x);

#define PINTLE_ELEMENTARY_INSTANCES(prefix, T) \
  prefix template SinCos<T> sincos(T);         \
  prefix template T sin(T);                    \
  prefix template T cos(T);                    \
  prefix template T tan(T);                    \
  prefix template T exp(T);                    \
  prefix template T log(T);                    \
  prefix template T pow(T, Same<T>);           \
  prefix template T atan2(T, Same<T>);         \
  prefix template T atan(T);                   \
  prefix template T asin(T);                   \
  prefix template T acos(T);                   \
  prefix template T round_to_nearest(T);       \
  prefix template T floor(T);

#ifndef PINTLE_KERNELS
PINTLE_ELEMENTARY_INSTANCES(extern, double)
PINTLE_ELEMENTARY_INSTANCES(extern, float)
#endif

}  // namespace pintle::inline PINTLE_ISA
