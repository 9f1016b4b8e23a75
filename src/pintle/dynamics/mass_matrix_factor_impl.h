// M = L'D L along the branches of a tree (Featherstone 2008, section 6.5), rows of L side by side in packs. A row has
// zeros for the freedoms on other branches, which stay zero.
#pragma once

#include "pintle/math/pack.h"
#include "pintle/math/scalar.h"

namespace pintle::inline PINTLE_ISA {

/// y[j] -= a x[j] for j < count. What lies beyond, up to `room`, may change. Packs of no more than four: rows begin
/// anywhere, and wider ones would lie across two lines of the cache almost always.
template <class T>
PINTLE_INLINE void subtract_multiple(const T& a, const T* x, T* y, int count, int room) {
  using P = Pack<T, (NativePack<T>::kLanes < 4 ? NativePack<T>::kLanes : 4)>;
  int j = 0;
  for (; j < count && j + P::kLanes <= room; j += P::kLanes) store(fma(P(-a), load<P>(x + j), load<P>(y + j)), y + j);
  for (; j < count; ++j) y[j] = fma(-a, x[j], y[j]);
}

/// sum of x[j] y[j] for j < count: four sums side by side. Plain numbers, since packs would have to wait for numbers of
/// x that have just been stored one by one.
template <class T>
PINTLE_INLINE T dot_rows(const T* x, const T* y, int count) {
  T sums[4] = {T(0), T(0), T(0), T(0)};
  int j = 0;
  for (; j + 4 <= count; j += 4)
    for (int lane = 0; lane < 4; ++lane) sums[lane] = fma(x[j + lane], y[j + lane], sums[lane]);
  for (; j < count; ++j) sums[0] = fma(x[j], y[j], sums[0]);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// Fills L: n rows of n numbers, below the diagonal L, on it D, above it nothing of meaning. `parent` is per freedom
/// the next one inwards, or -1. Gives the freedom whose pivot is not positive, or -1.  [eq. branch-factor]
template <class T>
inline int factor_branches(int n, const int* parent, const T* M, T* L) {
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) L[k * n + j] = T(0);
    for (int i = k; i >= 0; i = parent[i]) L[k * n + i] = M[k * n + i];
  }
  for (int k = n - 1; k >= 0; --k) {
    T* const row = L + k * n;
    // Below this the pivot is rounding of what was subtracted from it.
    if (!(row[k] > base_t<T>(16) * kEpsilon<T> * M[k * n + k])) return k;
    const T reciprocal = T(1) / row[k];
    for (int i = parent[k]; i >= 0; i = parent[i]) subtract_multiple(row[i] * reciprocal, row, L + i * n, i + 1, n);
    // Not before: packs would have to wait for numbers that have just been stored one by one.
    for (int j = 0; j <= parent[k]; ++j) row[j] = row[j] * reciprocal;
  }
  return -1;
}

/// x becomes M^-1 x.  [eq. branch-factor]
template <class T>
inline void solve_branches(int n, const int* parent, const T* L, T* x) {
  for (int k = n - 1; k >= 0; --k)  // L'
    if (parent[k] >= 0) subtract_multiple(x[k], L + k * n, x, parent[k] + 1, parent[k] + 1);
  for (int k = 0; k < n; ++k) {  // D, then L
    x[k] = x[k] / L[k * n + k];
    if (parent[k] >= 0) x[k] = x[k] - dot_rows(L + k * n, x, parent[k] + 1);
  }
}

}  // namespace pintle::inline PINTLE_ISA
