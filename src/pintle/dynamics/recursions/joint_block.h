// JointBlock: the inertia that a joint of up to six dofs moves, S' I_A S, and its factors.
#pragma once

#include "pintle/dynamics/recursions/buffers.h"

namespace pintle::inline PINTLE_ISA {

/// L D L' in place. False when a pivot is not positive relative to its original entry: the joint moves a singular
/// inertia.
template <class T>
inline bool factor_block(JointBlock<T>& D, int n) {
  bool good = true;
  for (int j = 0; j < n; ++j) {
    const T before = D.m[j][j];
    T pivot = before;
    for (int k = 0; k < j; ++k) pivot = fma(-(D.m[j][k] * D.m[j][k]), T(1) / D.m[k][k], pivot);
    // A smaller pivot is rounding of what was subtracted from it.
    good = good && all(pivot > (base_t<T>(16) * kEpsilon<T>)*before) && all(before > T(0));
    D.m[j][j] = T(1) / pivot;
    for (int i = j + 1; i < n; ++i) {
      for (int k = 0; k < j; ++k) D.m[i][j] = fma(-(D.m[i][k] * D.m[j][k]), T(1) / D.m[k][k], D.m[i][j]);
      D.m[i][j] = D.m[i][j] * D.m[j][j];
    }
  }
  return good;
}

/// x = D^-1 b from the factors; b may alias x.
template <class T>
inline void solve_block(const JointBlock<T>& D, int n, const T* b, T* x) {
  for (int i = 0; i < n; ++i) {
    T sum = b[i];
    for (int k = 0; k < i; ++k) sum = fma(-D.m[i][k], x[k], sum);
    x[i] = sum;
  }
  for (int i = 0; i < n; ++i) x[i] = x[i] * D.m[i][i];
  for (int i = n - 1; i >= 0; --i)
    for (int k = i + 1; k < n; ++k) x[i] = fma(-D.m[k][i], x[k], x[i]);
}

}  // namespace pintle::inline PINTLE_ISA
