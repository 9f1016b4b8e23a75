// The scalar concept: what a number type must offer for every algorithm of Pintle to run on it.
#pragma once

#include "pintle/math/elementary.h"
#include "pintle/math/scalar.h"

namespace pintle::inline PINTLE_ISA {

/// A number type of Pintle: double, float, long double, Pack, Dual, or a user's own. Its functions are found beside the
/// type (argument-dependent lookup); ScalarTraits<T> names its base type and the result of its comparisons.
template <class T>
concept Scalar = requires(T a, const T b, base_t<T> constant) {
  T(constant);
  { a + b } -> std::same_as<T>;
  { a - b } -> std::same_as<T>;
  { a* b } -> std::same_as<T>;
  { a / b } -> std::same_as<T>;
  { constant* b } -> std::same_as<T>;
  { -b } -> std::same_as<T>;
  a += b;
  a -= b;
  { a < b } -> std::same_as<mask_t<T>>;
  { a <= b } -> std::same_as<mask_t<T>>;
  { a > b } -> std::same_as<mask_t<T>>;
  { a >= b } -> std::same_as<mask_t<T>>;
  { a == b } -> std::same_as<mask_t<T>>;
  { (a < b) && (a == b) } -> std::same_as<mask_t<T>>;
  { any(a < b) } -> std::same_as<bool>;
  { all(a < b) } -> std::same_as<bool>;
  { select(a < b, a, b) } -> std::same_as<T>;
  { fma(a, b, b) } -> std::same_as<T>;
  { sqrt(b) } -> std::same_as<T>;
  { abs(b) } -> std::same_as<T>;
  { copysign(a, b) } -> std::same_as<T>;
  { sincos(b) } -> std::same_as<SinCos<T>>;
  { exp(b) } -> std::same_as<T>;
  { log(b) } -> std::same_as<T>;
  { pow(a, b) } -> std::same_as<T>;
  { atan2(a, b) } -> std::same_as<T>;
};

}  // namespace pintle::inline PINTLE_ISA
