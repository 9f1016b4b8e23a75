// Transposes rows to packs and back: as many rows as a pack has lanes, one row per lane.
#pragma once

#include <cstddef>
#include <utility>

#include "pintle/math/pack.h"

namespace pintle::inline PINTLE_ISA {

/// Exchanges the lanes of `low` whose index has the bit kHalf with those of `high` whose index does not.
template <int kHalf, class T, int N, int... kLane>
PINTLE_INLINE void exchange_halves(Pack<T, N>& low, Pack<T, N>& high, std::integer_sequence<int, kLane...>) {
  const auto a = low.lanes, b = high.lanes;
  low = Pack<T, N>(__builtin_shufflevector(a, b, ((kLane & kHalf) == 0 ? kLane : N + kLane - kHalf)...));
  high = Pack<T, N>(__builtin_shufflevector(a, b, ((kLane & kHalf) == 0 ? kLane + kHalf : N + kLane)...));
}

/// x[i][j] becomes x[j][i]: first exchanges the quarters of the square, then those of each quarter, and so on.
template <int kHalf, class T, int N>
PINTLE_INLINE void transpose(Pack<T, N> (&x)[N]) {
  for (int i = 0; i < N; ++i)
    if ((i & kHalf) == 0) exchange_halves<kHalf>(x[i], x[i + kHalf], std::make_integer_sequence<int, N>());
  if constexpr (kHalf > 1) transpose<kHalf / 2>(x);
}

/// Element k of row l becomes lane l of pack k, for `size` elements in each of N rows.
template <class P, class T>
inline void rows_to_packs(const T* rows, std::size_t size, T* packs) {
  constexpr std::size_t kLanes = P::kLanes;
  if (size < kLanes) {
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t lane = 0; lane < kLanes; ++lane) packs[k * kLanes + lane] = rows[lane * size + k];
    return;
  }
  for (std::size_t next = 0; next < size; next += kLanes) {
    const std::size_t k = next + kLanes <= size ? next : size - kLanes;  // the last square overlaps the one before
    P square[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) square[lane] = load<P>(rows + lane * size + k);
    transpose<P::kLanes / 2>(square);
    for (std::size_t i = 0; i < kLanes; ++i) store(square[i], packs + (k + i) * kLanes);
  }
}

/// The inverse.
template <class P, class T>
inline void packs_to_rows(const T* packs, std::size_t size, T* rows) {
  constexpr std::size_t kLanes = P::kLanes;
  if (size < kLanes) {
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t lane = 0; lane < kLanes; ++lane) rows[lane * size + k] = packs[k * kLanes + lane];
    return;
  }
  for (std::size_t next = 0; next < size; next += kLanes) {
    const std::size_t k = next + kLanes <= size ? next : size - kLanes;
    P square[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) square[i] = load<P>(packs + (k + i) * kLanes);
    transpose<P::kLanes / 2>(square);
    for (std::size_t lane = 0; lane < kLanes; ++lane) store(square[lane], rows + lane * size + k);
  }
}

}  // namespace pintle::inline PINTLE_ISA
