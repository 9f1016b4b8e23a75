// Body of pow: x^y = e^(y ln|x|) with the logarithm and the product as double words.
#pragma once

#include "pintle/math/double_word_impl.h"
#include "pintle/math/elementary.h"
#include "pintle/math/exp_log_impl.h"
#include "pintle/math/round_impl.h"

namespace pintle::inline PINTLE_ISA::elementary {

/// |x|^y for double lanes; |x| is positive and finite, y not NaN.
template <class T>
PINTLE_INLINE T power_of_size(T size, T y) {
  // Beyond 2^66 every power but that of 1 over- or underflows, and the products here must not overflow.
  const T bounded = min(max(y, T(-0x1p66)), T(0x1p66));
  const DoubleWord<T> log_size = log_of(size);
  const DoubleWord<T> product = two_product(bounded, log_size.hi);
  return exp_of(ordered_two_sum(product.hi, fma(bounded, log_size.lo, product.lo)));
}

}  // namespace pintle::inline PINTLE_ISA::elementary

namespace pintle::inline PINTLE_ISA {

template <PlainNumber T>
inline T pow(T x, Same<T> y) {
  using namespace elementary;
  if constexpr (std::is_same_v<T, long double>) {
    return __builtin_powl(x, y);
  } else if constexpr (std::is_same_v<base_t<T>, float>) {
    return through_double([](auto wide_x, auto wide_y) { return pow(wide_x, wide_y); }, x, y);
  } else {
    const T infinity = kInfinity<T>;
    const T size = abs(x);
    const auto borderline = (size == T(0)) | (size == infinity);
    const T at_border = select(y > T(0), size, T(1) / size);
    const T power = select(borderline, at_border, power_of_size(size, y));

    const T half_y = y * T(0.5);
    const auto integer = round_to_nearest(y) == y;
    const auto odd = integer & (round_to_nearest(half_y) != half_y);
    const T with_sign = select(odd, copysign(power, x), power);
    const auto undefined = (x != x) | (y != y) | ((x < T(0)) & (size < infinity) & !integer);
    return select((x == T(1)) | (y == T(0)), T(1), select(undefined, T(kNaN<T>), with_sign));
  }
}

}  // namespace pintle::inline PINTLE_ISA
