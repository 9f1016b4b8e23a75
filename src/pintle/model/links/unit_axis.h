// unit_axis: normalises an axis of any length.
#pragma once

#include "pintle/math/vec3.h"

namespace pintle::inline PINTLE_ISA {

/// axis / |axis| for a finite axis that is not zero, also where |axis|^2 overflows or underflows.
PINTLE_INLINE Vec3<> unit_axis(const Vec3<>& axis) {
  return normalized(axis / max(abs(axis.x), max(abs(axis.y), abs(axis.z))));
}

}  // namespace pintle::inline PINTLE_ISA
