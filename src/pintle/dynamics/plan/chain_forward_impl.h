// Forward dynamics of a chain with its links side by side: M vdot = tau - h, by a factorisation of M from the tip
// inwards.
#pragma once

#include "pintle/dynamics/plan/chain_inverse_impl.h"
#include "pintle/dynamics/plan/chain_mass_impl.h"

namespace pintle::inline PINTLE_ISA {

// ---- M = L' D L, four rows at a time: L has ones on its diagonal, and the last row is eliminated first

/// Data to eliminate the rows of a pack: m_ij, which is row i left of its pivot once the later rows are eliminated, and
/// the reciprocals of the pivots, broadcast to all lanes.
struct ChainPivots {
  ChainScalar m32, m31, m30, m21, m20, m10;
  ChainScalar inverse[kChainLanes];
};

/// Eliminates the rows of a block on the diagonal; L becomes rows of factors. The second of two pivots is c - b b / a,
/// and its reciprocal a / (a c - b b), which does not depend on that of the first. Rows stay in registers: each depends
/// on the previous one, and reloading what was just stored would add latency.
PINTLE_INLINE ChainPivots eliminate_pivots(ChainBlock& M, ChainBlock& L) {
  const ChainScalar one(1.0), r3 = M.row[3];
  ChainScalar r2 = M.row[2], r1 = M.row[1], r0 = M.row[0];
  ChainPivots p;
  const auto pair = [&](ChainScalar a, ChainScalar b, ChainScalar c, ChainScalar& first, ChainScalar& second) {
    first = one / a;
    second = a / fma(a, c, -(b * b));
  };
  p.m32 = everywhere<2>(r3), p.m31 = everywhere<1>(r3), p.m30 = everywhere<0>(r3);
  pair(everywhere<3>(r3), p.m32, everywhere<2>(r2), p.inverse[3], p.inverse[2]);
  const ChainScalar l3 = r3 * p.inverse[3];
  r2 = fma(-p.m32, l3, r2);
  p.m21 = everywhere<1>(r2), p.m20 = everywhere<0>(r2);
  const ChainScalar l2 = r2 * p.inverse[2];
  r1 = fma(-p.m21, l2, fma(-p.m31, l3, r1));
  r0 = fma(-p.m20, l2, fma(-p.m30, l3, r0));
  p.m10 = everywhere<0>(r1);
  pair(everywhere<1>(r1), p.m10, everywhere<0>(r0), p.inverse[1], p.inverse[0]);
  const ChainScalar l1 = r1 * p.inverse[1];
  r0 = fma(-p.m10, l1, r0);
  M = {{r0, r1, r2, r3}};
  L = {{r0 * p.inverse[0], l1, l2, l3}};
  return p;
}

/// The same in the columns of another pack.
PINTLE_INLINE void eliminate(const ChainPivots& p, ChainBlock& M, ChainBlock& L) {
  const ChainScalar r3 = M.row[3], l3 = r3 * p.inverse[3];
  const ChainScalar r2 = fma(-p.m32, l3, M.row[2]), l2 = r2 * p.inverse[2];
  const ChainScalar r1 = fma(-p.m21, l2, fma(-p.m31, l3, M.row[1])), l1 = r1 * p.inverse[1];
  const ChainScalar r0 = fma(-p.m10, l1, fma(-p.m20, l2, fma(-p.m30, l3, M.row[0])));
  M = {{r0, r1, r2, r3}};
  L = {{r0 * p.inverse[0], l1, l2, l3}};
}

/// Updates inner rows: `of_rows` are the eliminated ones in the columns of those, L their factors in the columns of M.
PINTLE_INLINE void subtract(const ChainBlock& of_rows, const ChainBlock& L, ChainBlock& M) {
  const ChainScalar l0 = L.row[0], l1 = L.row[1], l2 = L.row[2], l3 = L.row[3];
  for (int i = 0; i < kChainLanes; ++i) {
    const auto times = [&](int k, ChainScalar l, ChainScalar sum) {
      return fma(-ChainScalar(lanes_at(of_rows.row[k])[i]), l, sum);
    };
    M.row[i] = times(0, l0, times(1, l1, times(2, l2, times(3, l3, M.row[i]))));
  }
}

/// Lane i of row i.
PINTLE_INLINE ChainScalar diagonal_of(const ChainScalar (&row)[kChainLanes]) {
  return lanes_of<0, 1, 6, 7>(lanes_of<0, 5, 2, 3>(row[0], row[1]), lanes_of<0, 1, 2, 7>(row[2], row[3]));
}

// ---- the solution: a serial recurrence, which has less latency in scalars than in lanes

/// D L x = left of the rows of pack k, once the outboard rows are done, in place; updates the inner rows.
PINTLE_INLINE void solve_inwards(const ChainMemory& at, int k) {
  const ChainBlock* const L = at.factors->blocks[k];
  const double *const l1 = lanes_at(L[k].row[1]), *const l2 = lanes_at(L[k].row[2]), *const l3 = lanes_at(L[k].row[3]);
  double* const x = lanes_at(at.links[k].left);
  const double x3 = x[3], x2 = fma(-l3[2], x3, x[2]), x1 = fma(-l2[1], x2, fma(-l3[1], x3, x[1])),
               x0 = fma(-l1[0], x1, fma(-l2[0], x2, fma(-l3[0], x3, x[0])));
  for (int j = k - 1; j >= 0; --j) {
    const ChainScalar(&l)[kChainLanes] = L[j].row;
    ChainScalar& left = at.links[j].left;
    left = fma(-l[0], x0, fma(-l[1], x1, fma(-l[2], x2, fma(-l[3], x3, left))));
  }
  const double* const D_inverse = lanes_at(at.links[k].D_inverse);
  x[0] = x0 * D_inverse[0];
  x[1] = x1 * D_inverse[1];
  x[2] = x2 * D_inverse[2];
  x[3] = x3 * D_inverse[3];
}

/// The factors, the reciprocals of D, and D L x = left in place. False when the inertia that a joint moves is nearly
/// singular.
PINTLE_INLINE bool factor_chain(const PlanChain& chain, const ChainMemory& at) {
  ChainScalar margin(1.0);
  for (int k = chain.count - 1; k >= 0; --k) {
    ChainLinks& here = at.links[k];
    ChainBlock(&M)[kMaxFactoredPacks] = at.M->blocks[k];
    ChainBlock(&L)[kMaxFactoredPacks] = at.factors->blocks[k];
    const ChainPivots pivots = eliminate_pivots(M[k], L[k]);
    here.D_inverse = diagonal_of(pivots.inverse);
    margin = min(fma(ChainScalar(-64.0 * kEpsilon<double>), here.max_diagonal, diagonal_of(M[k].row)), margin);
    for (int j = 0; j < k; ++j) eliminate(pivots, M[j], L[j]);
    for (int i = k - 1; i >= 0; --i)
      for (int j = 0; j <= i; ++j) subtract(M[i], L[j], at.M->blocks[i][j]);
    solve_inwards(at, k);
  }
  return all(margin > ChainScalar(0.0));
}

/// L x = left, outwards, in place.
PINTLE_INLINE void solve_outwards(const PlanChain& chain, const ChainMemory& at) {
  for (int k = 0; k < chain.count; ++k) {
    const ChainBlock* const L = at.factors->blocks[k];
    double* const left = lanes_at(at.links[k].left);
    double x[kChainLanes] = {left[0], left[1], left[2], left[3]};
    for (int j = 0; j < k; ++j) {
      const double* const inner = lanes_at(at.links[j].left);
      for (int l = 0; l < kChainLanes; ++l)
        for (int i = 0; i < kChainLanes; ++i) x[i] = fma(-lanes_at(L[j].row[i])[l], inner[l], x[i]);
    }
    for (int l = 0; l < kChainLanes; ++l)
      for (int i = l + 1; i < kChainLanes; ++i) x[i] = fma(-lanes_at(L[k].row[i])[l], x[l], x[i]);
    for (int i = 0; i < kChainLanes; ++i) left[i] = x[i];
  }
}

}  // namespace pintle::inline PINTLE_ISA
