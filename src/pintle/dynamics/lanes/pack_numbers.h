// Views arrays of plain scalars, as callers of kernels pass them, as the packs that kernels compute with.
#pragma once

#include "pintle/math/scalar.h"

namespace pintle::inline PINTLE_ISA {

template <class T>
PINTLE_INLINE const T* packs(const base_t<T>* numbers) {
  return reinterpret_cast<const T*>(numbers);
}
template <class T>
PINTLE_INLINE T* packs(base_t<T>* numbers) {
  return reinterpret_cast<T*>(numbers);
}

}  // namespace pintle::inline PINTLE_ISA
