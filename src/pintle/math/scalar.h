// The scalars that every algorithm is written for: one source for double, float, long double, Pack, Dual and users' own
// types.
//
// Generic code branches on no scalar: it uses `select(condition, a, b)`, and `any`/`all` of a condition at most to skip
// work. A product that feeds a sum is written `fma(a, b, c)`; it is fused where the instruction set has it, and then
// everywhere.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "pintle/base/isa.h"

namespace pintle {

/// Facts about a number type. A user's own scalar specialises it: `Base` is the plain floating-point type of its
/// constants, `Mask` the result of its comparisons.
template <class T>
struct ScalarTraits;

template <>
struct ScalarTraits<float> {
  using Base = float;
  using Mask = bool;
};
template <>
struct ScalarTraits<double> {
  using Base = double;
  using Mask = bool;
};
template <>
struct ScalarTraits<long double> {
  using Base = long double;
  using Mask = bool;
};

/// The plain floating-point type behind a scalar: `double` for `Pack<double, 4>` and for `Dual<Pack<double, 4>, 7>`.
template <class T>
using base_t = typename ScalarTraits<T>::Base;

/// The result of comparing two scalars: `bool`, or one Boolean per lane.
template <class T>
using mask_t = typename ScalarTraits<T>::Mask;

/// A scalar by value, excluded from template argument deduction so that `2.0 * v` converts to the vector's own number
/// type.
template <class T>
using Same = std::type_identity_t<T>;

/// Machine epsilon of the base type: the distance from 1 to the next number.
template <class T>
inline constexpr base_t<T> kEpsilon = std::is_same_v<base_t<T>, float>    ? base_t<T>(0x1p-23)
                                      : std::is_same_v<base_t<T>, double> ? base_t<T>(0x1p-52)
                                                                          : base_t<T>(0x1p-63L);

template <class T>
inline constexpr base_t<T> kInfinity = base_t<T>(__builtin_inf());

/// Pi, in the base type of T.
template <class T>
inline constexpr base_t<T> kPi = base_t<T>(3.141592653589793238462643383279502884L);

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

/// The built-in floating-point types.
template <class T>
concept BuiltinScalar = std::floating_point<T>;

/// a * b + c with one rounding where the instruction set has fused multiply-add, with two elsewhere (the two bit
/// families).
template <BuiltinScalar T>
PINTLE_INLINE T fma(T a, Same<T> b, Same<T> c) {
#if PINTLE_HAS_FMA
  if constexpr (std::is_same_v<T, float>)
    return __builtin_fmaf(a, b, c);
  else if constexpr (std::is_same_v<T, double>)
    return __builtin_fma(a, b, c);
  else
#endif
    return a * b + c;
}

template <BuiltinScalar T>
PINTLE_INLINE T sqrt(T x) {
  if constexpr (std::is_same_v<T, float>)
    return __builtin_sqrtf(x);
  else if constexpr (std::is_same_v<T, double>)
    return __builtin_sqrt(x);
  else
    return __builtin_sqrtl(x);
}

template <BuiltinScalar T>
PINTLE_INLINE T abs(T x) {
  if constexpr (std::is_same_v<T, float>)
    return __builtin_fabsf(x);
  else if constexpr (std::is_same_v<T, double>)
    return __builtin_fabs(x);
  else
    return __builtin_fabsl(x);
}

/// The magnitude of `magnitude` with the sign of `sign`, also for zeros.
template <BuiltinScalar T>
PINTLE_INLINE T copysign(T magnitude, Same<T> sign) {
  if constexpr (std::is_same_v<T, float>)
    return __builtin_copysignf(magnitude, sign);
  else if constexpr (std::is_same_v<T, double>)
    return __builtin_copysign(magnitude, sign);
  else
    return __builtin_copysignl(magnitude, sign);
}

/// `a` where the condition holds, `b` elsewhere; a NaN that is not selected has no effect.
template <BuiltinScalar T>
PINTLE_INLINE T select(bool condition, const T& a, const Same<T>& b) {
  return condition ? a : b;
}

PINTLE_INLINE bool any(bool condition) {
  return condition;
}
PINTLE_INLINE bool all(bool condition) {
  return condition;
}
PINTLE_INLINE bool none(bool condition) {
  return !condition;
}

/// The smaller of two scalars (`b` if either is NaN).
template <class T>
requires requires {
  typename ScalarTraits<T>::Base;
}
PINTLE_INLINE T min(const T& a, const Same<T>& b) {
  return select(a < b, a, b);
}

/// The larger of two scalars (`b` if either is NaN).
template <class T>
requires requires {
  typename ScalarTraits<T>::Base;
}
PINTLE_INLINE T max(const T& a, const Same<T>& b) {
  return select(a > b, a, b);
}

template <class T>
requires requires {
  typename ScalarTraits<T>::Base;
}
PINTLE_INLINE T square(const T& x) {
  return x * x;
}

}  // namespace pintle::inline PINTLE_ISA
