// Views arrays of plain scalars, as callers of kernels pass them, as the packs that kernels compute with.
#pragma once

#include "pintle/math/scalar.h"

namespace pintle::inline PINTLE_ISA {

template <class T>
PINTLE_INLINE const T* packs(const base_t<T>* values) {
  return reinterpret_cast<const T*>(values);
}
template <class T>
PINTLE_INLINE T* packs(base_t<T>* values) {
  return reinterpret_cast<T*>(values);
}

}  // namespace pintle::inline PINTLE_ISA
