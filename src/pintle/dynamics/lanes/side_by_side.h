// Columns of one problem side by side: packs of them where T is a plain scalar, one after the other for any other T,
// such as a pack of states or a scalar that counts operations. The results are bitwise equal.
#pragma once

#include "pintle/math/pack.h"

namespace pintle::inline PINTLE_ISA {

template <class T>
struct SideBySideOf {
  using Type = T;
  static constexpr int kLanes = 1;
};
template <>
struct SideBySideOf<double> {
  using Type = NativePack<double>;
  static constexpr int kLanes = Type::kLanes;
};
template <>
struct SideBySideOf<float> {
  using Type = NativePack<float>;
  static constexpr int kLanes = Type::kLanes;
};

/// The type in which columns of T are computed, and how many of them at a time.
template <class T>
using SideBySide = typename SideBySideOf<T>::Type;
template <class T>
inline constexpr int kSideBySide = SideBySideOf<T>::kLanes;

/// Loads columns from a row of T, and stores them.
template <class T>
PINTLE_INLINE SideBySide<T> load_columns(const T* from) {
  if constexpr (kSideBySide<T> == 1) {
    return *from;
  } else {
    return load<SideBySide<T>>(from);
  }
}
template <class T>
PINTLE_INLINE void store_columns(const SideBySide<T>& columns, T* to) {
  if constexpr (kSideBySide<T> == 1) {
    *to = columns;
  } else {
    store(columns, to);
  }
}

}  // namespace pintle::inline PINTLE_ISA
