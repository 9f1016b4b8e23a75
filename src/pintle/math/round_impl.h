// Bodies of round_to_nearest and floor.
#pragma once

#include "pintle/math/elementary.h"

namespace pintle::inline PINTLE_ISA::elementary {

/// 2^(mantissa bits): from here on every number is an integer, and below it adding and subtracting this constant rounds
/// to the nearest one.
template <class T>
inline constexpr base_t<T> kAllIntegers = 1 / kEpsilon<T>;

}  // namespace pintle::inline PINTLE_ISA::elementary

namespace pintle::inline PINTLE_ISA {

template <PlainNumber T>
PINTLE_INLINE T round_to_nearest(T x) {
  using namespace elementary;
  const T size = abs(x);
  const T rounded = (size + T(kAllIntegers<T>)) - T(kAllIntegers<T>);
  return copysign(select(size < T(kAllIntegers<T>), rounded, size), x);
}

template <PlainNumber T>
PINTLE_INLINE T floor(T x) {
  const T nearest = round_to_nearest(x);
  return select(nearest > x, nearest - T(1), nearest);
}

}  // namespace pintle::inline PINTLE_ISA
