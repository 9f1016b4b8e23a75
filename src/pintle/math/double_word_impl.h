// Error-free sums and products: numbers carried as the unevaluated sum of two, for the bodies of elementary functions.
#pragma once

#include "pintle/math/pack.h"

namespace pintle::inline PINTLE_ISA::elementary {

/// The number hi + lo, |lo| at most about half a unit in the last place of hi.
template <class T>
struct DoubleWord {
  T hi, lo;
};

/// a + b exactly, for |a| >= |b| or a = 0.
template <class T>
PINTLE_INLINE DoubleWord<T> ordered_two_sum(T a, T b) {
  const T sum = a + b;
  return {sum, (a - sum) + b};
}

/// a + b exactly.
template <class T>
PINTLE_INLINE DoubleWord<T> two_sum(T a, T b) {
  const T sum = a + b;
  const T b_seen = sum - a;
  return {sum, (a - (sum - b_seen)) + (b - b_seen)};
}

/// a as the sum of two halves of 26 bits (Veltkamp), for |a| < 2^996.
template <class T>
PINTLE_INLINE DoubleWord<T> halves(T a) {
  const T scaled = a * T(0x1p27 + 1);
  const T hi = scaled - (scaled - a);
  return {hi, a - hi};
}

/// a b exactly, unless it over- or underflows.
template <class T>
PINTLE_INLINE DoubleWord<T> two_product(T a, T b) {
  const T product = a * b;
#if PINTLE_HAS_FMA
  return {product, fma(a, b, -product)};
#else
  const DoubleWord<T> x = halves(a);
  const DoubleWord<T> y = halves(b);
  return {product, ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
#endif
}

/// a b to about 2^-102.
template <class T>
PINTLE_INLINE DoubleWord<T> operator*(const DoubleWord<T>& a, const DoubleWord<T>& b) {
  const DoubleWord<T> p = two_product(a.hi, b.hi);
  return {p.hi, p.lo + fma(a.hi, b.lo, a.lo * b.hi)};
}

/// n - q d with one small rounding, for q near n / d: the remainder of a division.
template <class T>
PINTLE_INLINE T remainder(T n, T q, T d) {
#if PINTLE_HAS_FMA
  return fma(-q, d, n);
#else
  const DoubleWord<T> p = two_product(q, d);
  return (n - p.hi) - p.lo;
#endif
}

}  // namespace pintle::inline PINTLE_ISA::elementary
