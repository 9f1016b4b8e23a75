// unit_axis: the direction of an axis of any length.
#pragma once

#include "pintle/math/vec3.h"

namespace pintle::inline PINTLE_ISA {

/// axis / |axis| for a finite axis that is not zero, also where |axis|^2 is too large or too small for a number.
PINTLE_INLINE Vec3<> unit_axis(const Vec3<>& axis) {
  return normalized(axis / max(abs(axis.x), max(abs(axis.y), abs(axis.z))));
}

}  // namespace pintle::inline PINTLE_ISA
