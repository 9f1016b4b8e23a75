// Columns of one problem side by side: packs of them where T is a plain number, one after the other where T is
// something else, such as a pack of states or a number that counts. The bits of a column are the same.
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

/// What the columns of numbers T are computed with, and how many of them at a time.
template <class T>
using SideBySide = typename SideBySideOf<T>::Type;
template <class T>
inline constexpr int kSideBySide = SideBySideOf<T>::kLanes;

/// Columns from a row of numbers, and back.
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
