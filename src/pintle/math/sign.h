// Sign of a number and length of a 2D vector.
#pragma once

#include <array>

#include "pintle/math/scalar.h"

namespace pintle::inline PINTLE_ISA {

/// 1, 0 or -1.
PINTLE_INLINE signed char sign(double x) {
  return x > 0.0 ? 1 : x < 0.0 ? -1 : 0;
}

/// The length of a vector with two coordinates.
PINTLE_INLINE double length(double x, double y) {
  return sqrt(fma(x, x, y * y));
}
PINTLE_INLINE double length(const std::array<double, 2>& v) {
  return length(v[0], v[1]);
}

}  // namespace pintle::inline PINTLE_ISA
