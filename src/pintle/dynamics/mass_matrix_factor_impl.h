// M = L'D L along the branches of a tree (Featherstone 2008, section 6.5). A row of L has the numbers of the freedoms of
// its branch alone, one after the other from the root, so that rows of one branch are subtracted from each other in whole
// packs.
#pragma once

#include "pintle/math/pack.h"
#include "pintle/math/scalar.h"
#include "pintle/model/freedom_branches.h"

namespace pintle::inline PINTLE_ISA {

template <class T>
using RowPack = Pack<T, (NativePack<T>::kLanes < kRowLanes ? NativePack<T>::kLanes : kRowLanes)>;

/// Calls f(first, end) for the runs of the branch that ends with freedom `last`, from there inwards.
template <class F>
PINTLE_INLINE void for_runs(const FreedomBranches& branches, int last, const F& f) {
  for (int first; last >= 0; last = branches.parent[first]) {
    first = branches.run[last];
    f(first, last + 1);
  }
}

/// The row of freedom k in M, along its branch; zeros after it, up to whole packs.
template <class T>
PINTLE_INLINE void take_row(const FreedomBranches& branches, int k, const T* M, T* row) {
  const T* const from = M + k * branches.count;
  for (int j = branches.depth[k] + 1; j < branches.row; ++j) row[j] = T(0);
  for_runs(branches, k, [&](int first, int end) {
    T* const to = row + branches.depth[first];
    for (int j = first; j < end; ++j) to[j - first] = from[j];
  });
}

/// Subtracts the row of k, of kPacks packs, from those of the freedoms on its branch, as often as it takes to make it
/// vanish under the diagonal; then divides it by its pivot.
template <int kPacks, class T>
PINTLE_INLINE void eliminate(const FreedomBranches& branches, int k, T* L, T* row) {
  using P = RowPack<T>;
  const T pivot = row[branches.depth[k]], reciprocal = T(1) / pivot;
  P numbers[kPacks];
  for (int p = 0; p < kPacks; ++p) numbers[p] = load<P>(row + p * P::kLanes);
  int depth = branches.depth[k];
  for (int i = branches.parent[k]; i >= 0; i = branches.parent[i]) {
    const P multiple(-(row[--depth] * reciprocal));
    T* const inner = L + i * branches.row;
    for (int p = 0; p < kPacks; ++p)
      store(fma(multiple, numbers[p], load<P>(inner + p * P::kLanes)), inner + p * P::kLanes);
  }
  // Not before: packs would have to wait for numbers that have just been stored one by one.
  for (int p = 0; p < kPacks; ++p) store(numbers[p] * P(reciprocal), row + p * P::kLanes);
  row[branches.depth[k]] = pivot;
}

/// The same for rows of any length.
template <class T>
PINTLE_INLINE void eliminate_long(const FreedomBranches& branches, int k, T* L, T* row) {
  using P = RowPack<T>;
  const T pivot = row[branches.depth[k]], reciprocal = T(1) / pivot;
  for (int i = branches.parent[k]; i >= 0; i = branches.parent[i]) {
    const P multiple(-(row[branches.depth[i]] * reciprocal));
    T* const inner = L + i * branches.row;
    for (int j = 0; j <= branches.depth[i]; j += P::kLanes)
      store(fma(multiple, load<P>(row + j), load<P>(inner + j)), inner + j);
  }
  for (int j = 0; j < branches.depth[k]; j += P::kLanes) store(load<P>(row + j) * P(reciprocal), row + j);
  row[branches.depth[k]] = pivot;
}

/// Fills L (MassMatrixFactor). Gives the freedom whose pivot is not positive, or -1.  [eq. branch-factor]
template <class T>
inline int factor_branches(const FreedomBranches& branches, const T* M, T* L) {
  using P = RowPack<T>;
  for (int k = branches.count - 1; k >= 0; --k) take_row(branches, k, M, L + k * branches.row);
  for (int k = branches.count - 1; k >= 0; --k) {
    T* const row = L + k * branches.row;
    // Below this the pivot is rounding of what was subtracted from it.
    if (!(row[branches.depth[k]] > base_t<T>(16) * kEpsilon<T> * M[k * (branches.count + 1)])) return k;
    switch ((branches.depth[k] + P::kLanes) / P::kLanes) {
      case 1:
        eliminate<1>(branches, k, L, row);
        break;
      case 2:
        eliminate<2>(branches, k, L, row);
        break;
      case 3:
        eliminate<3>(branches, k, L, row);
        break;
      case 4:
        eliminate<4>(branches, k, L, row);
        break;
      default:
        eliminate_long(branches, k, L, row);
    }
  }
  return -1;
}

/// y[j] -= a x[j] for j < count.
template <class T>
PINTLE_INLINE void subtract_multiple(const T& a, const T* x, T* y, int count) {
  using P = Pack<T, (NativePack<T>::kLanes < 4 ? NativePack<T>::kLanes : 4)>;
  int j = 0;
  for (; j + P::kLanes <= count; j += P::kLanes) store(fma(P(-a), load<P>(x + j), load<P>(y + j)), y + j);
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

/// x becomes M^-1 x.  [eq. branch-factor]
template <class T>
inline void solve_branches(const FreedomBranches& branches, const T* L, T* x) {
  const int n = branches.count;
  for (int k = n - 1; k >= 0; --k) {  // L'
    const T* const row = L + k * branches.row;
    for_runs(branches, branches.parent[k], [&](int first, int end) {
      subtract_multiple(x[k], row + branches.depth[first], x + first, end - first);
    });
  }
  for (int k = 0; k < n; ++k) {  // D, then L
    const T* const row = L + k * branches.row;
    T found = x[k] / row[branches.depth[k]];
    for_runs(branches, branches.parent[k], [&](int first, int end) {
      found = found - dot_rows(row + branches.depth[first], x + first, end - first);
    });
    x[k] = found;
  }
}

}  // namespace pintle::inline PINTLE_ISA
