// M = L'D L along the branches of a tree (Featherstone 2008, section 6.5). A row of L stores the entries of its branch
// only, contiguous from the root, so that rows of one branch are subtracted from each other in whole packs, where T is
// a plain scalar; packs of states go one by one.
#pragma once

#include "pintle/dynamics/lanes/side_by_side.h"
#include "pintle/model/links/dof_branches.h"

namespace pintle::inline PINTLE_ISA {

/// Entries of a row that are processed at a time.
template <class T>
inline constexpr int kRowStep = kSideBySide<T> < kRowLanes ? kSideBySide<T> : kRowLanes;
template <class T, int kLanes = kRowStep<T>>
struct RowPackOf {
  using Type = Pack<T, kLanes>;
};
template <class T>
struct RowPackOf<T, 1> {
  using Type = T;
};
template <class T>
using RowPack = typename RowPackOf<T>::Type;

template <class T>
PINTLE_INLINE RowPack<T> load_row(const T* from) {
  if constexpr (kRowStep<T> == 1) {
    return *from;
  } else {
    return load<RowPack<T>>(from);
  }
}
template <class T>
PINTLE_INLINE void store_row(const RowPack<T>& numbers, T* to) {
  if constexpr (kRowStep<T> == 1) {
    *to = numbers;
  } else {
    store(numbers, to);
  }
}

/// Calls f(first, end) for the runs of the branch that ends with dof `last`, from there inwards.
template <class F>
PINTLE_INLINE void for_runs(const DofBranches& branches, int last, const F& f) {
  for (int first; last >= 0; last = branches.parent[first]) {
    first = branches.run[last];
    f(first, last + 1);
  }
}

/// The row of dof k in M, along its branch; zeros after it, up to whole packs.
template <class T>
PINTLE_INLINE void take_row(const DofBranches& branches, int k, const T* M, T* row) {
  const T* const from = M + k * branches.count;
  if constexpr (kRowStep<T> != 1)
    for (int j = branches.depth[k] + 1; j < branches.row; ++j) row[j] = T(0);
  for_runs(branches, k, [&](int first, int end) {
    T* const to = row + branches.depth[first];
    for (int j = first; j < end; ++j) to[j - first] = from[j];
  });
}

/// Eliminates the row of k, of kPacks packs, from those of the dofs on its branch; then divides it by its pivot.
template <int kPacks, class T>
PINTLE_INLINE void eliminate(const DofBranches& branches, int k, T* L, T* row) {
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
  // Not earlier: packs would stall on values just stored one by one.
  for (int p = 0; p < kPacks; ++p) store(numbers[p] * P(reciprocal), row + p * P::kLanes);
  row[branches.depth[k]] = pivot;
}

/// The same for rows of any length.
template <class T>
PINTLE_INLINE void eliminate_long(const DofBranches& branches, int k, T* L, T* row) {
  using P = RowPack<T>;
  const T pivot = row[branches.depth[k]], reciprocal = T(1) / pivot;
  for (int i = branches.parent[k]; i >= 0; i = branches.parent[i]) {
    const P multiple(-(row[branches.depth[i]] * reciprocal));
    T* const inner = L + i * branches.row;
    for (int j = 0; j <= branches.depth[i]; j += kRowStep<T>)
      store_row(fma(multiple, load_row(row + j), load_row(inner + j)), inner + j);
  }
  for (int j = 0; j < branches.depth[k]; j += kRowStep<T>) store_row(load_row(row + j) * P(reciprocal), row + j);
  row[branches.depth[k]] = pivot;
}

/// Eliminates by the row of k, in as many packs as it has.
template <class T>
PINTLE_INLINE void eliminate_any(const DofBranches& branches, int k, T* L, T* row) {
  if constexpr (kRowStep<T> == 1) {
    eliminate_long(branches, k, L, row);
  } else {
    switch ((branches.depth[k] + kRowStep<T>) / kRowStep<T>) {
      case 1:
        return eliminate<1>(branches, k, L, row);
      case 2:
        return eliminate<2>(branches, k, L, row);
      case 3:
        return eliminate<3>(branches, k, L, row);
      case 4:
        return eliminate<4>(branches, k, L, row);
      default:
        return eliminate_long(branches, k, L, row);
    }
  }
}

/// Fills L (MassMatrixFactor). Calls goes_on(k, whether the pivot of dof k is positive, in every lane) at each dof and
/// stops when it returns false.  [eq. branch-factor]
template <class T, class GoesOn>
PINTLE_INLINE void factor_branches(const DofBranches& branches, const T* M, T* L, GoesOn goes_on) {
  for (int k = branches.count - 1; k >= 0; --k) take_row(branches, k, M, L + k * branches.row);
  for (int k = branches.count - 1; k >= 0; --k) {
    T* const row = L + k * branches.row;
    // A smaller pivot is rounding of what was subtracted from it.
    if (!goes_on(k, row[branches.depth[k]] > base_t<T>(16) * kEpsilon<T> * M[k * (branches.count + 1)])) return;
    eliminate_any(branches, k, L, row);
  }
}

/// The same for one matrix: returns the dof whose pivot is not positive, or -1.
template <class T>
inline int factor_branches(const DofBranches& branches, const T* M, T* L) {
  int singular = -1;
  factor_branches(branches, M, L, [&singular](int k, bool positive) {
    if (!positive) singular = k;
    return positive;
  });
  return singular;
}

/// y[j] -= a x[j] for j < count.
template <class T>
PINTLE_INLINE void subtract_multiple(const T& a, const T* x, T* y, int count) {
  int j = 0;
  if constexpr (kSideBySide<T> != 1) {
    using P = Pack<T, (kSideBySide<T> < 4 ? kSideBySide<T> : 4)>;
    for (; j + P::kLanes <= count; j += P::kLanes) store(fma(P(-a), load<P>(x + j), load<P>(y + j)), y + j);
  }
  for (; j < count; ++j) y[j] = fma(-a, x[j], y[j]);
}

/// sum of x[j] y[j] for j < count: four partial sums. In scalars, since packs would stall on entries of x just stored
/// one by one.
template <class T>
PINTLE_INLINE T dot_rows(const T* x, const T* y, int count) {
  T sums[4] = {T(0), T(0), T(0), T(0)};
  int j = 0;
  for (; j + 4 <= count; j += 4)
    for (int lane = 0; lane < 4; ++lane) sums[lane] = fma(x[j + lane], y[j + lane], sums[lane]);
  for (; j < count; ++j) sums[0] = fma(x[j], y[j], sums[0]);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// x = M^-1 x.  [eq. branch-factor]
template <class T>
inline void solve_branches(const DofBranches& branches, const T* L, T* x) {
  const int n = branches.count;
  for (int k = n - 1; k >= 0; --k) {  // L'
    const T* const row = L + k * branches.row;
    const T multiple = x[k];
    for_runs(branches, branches.parent[k], [&](int first, int end) {
      subtract_multiple(multiple, row + branches.depth[first], x + first, end - first);
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
