// The matrix work of the island solver: products with J and M^-1, and the factorisation of M + J'GJ by blocks of trees.
//
// Rows are padded with zeros to whole packs of eight, whatever the register holds: so sums are taken in the same order
// by every instruction set. J'GJ need not be symmetric (friction of a sliding contact follows its normal impulse), but
// has the pattern of a symmetric matrix; so the factors are L and U without exchanges of rows.
#pragma once

#include "pintle/constraints/island_view.h"
#include "pintle/math/pack.h"

namespace pintle::inline PINTLE_ISA {

using IslandPack = Pack<double, static_cast<int>(kIslandLanes)>;

/// The sum of the lanes.
PINTLE_INLINE double sum_lanes(const IslandPack& x) {
  return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

PINTLE_INLINE double dot_rows(const double* a, const double* b, std::size_t stride) {
  IslandPack sum = load<IslandPack>(a) * load<IslandPack>(b);
  for (std::size_t k = kIslandLanes; k < stride; k += kIslandLanes)
    sum = fma(load<IslandPack>(a + k), load<IslandPack>(b + k), sum);
  return sum_lanes(sum);
}

/// y += a x
PINTLE_INLINE void add_row(double a, const double* x, double* y, std::size_t stride) {
  const IslandPack factor(a);
  for (std::size_t k = 0; k < stride; k += kIslandLanes)
    store(fma(factor, load<IslandPack>(x + k), load<IslandPack>(y + k)), y + k);
}

PINTLE_INLINE void clear_row(double* x, std::size_t stride) {
  for (std::size_t k = 0; k < stride; k += kIslandLanes) store(IslandPack(0.0), x + k);
}

/// y = sum x_k (row k of A), k < count: a product with A'.
PINTLE_INLINE void combine_rows(const double* x, const double* A, std::size_t count, double* y, std::size_t stride) {
  for (std::size_t k = 0; k < stride; k += kIslandLanes) {
    IslandPack sum = IslandPack(x[0]) * load<IslandPack>(A + k);
    for (std::size_t i = 1; i < count; ++i) sum = fma(IslandPack(x[i]), load<IslandPack>(A + i * stride + k), sum);
    store(sum, y + k);
  }
}

/// y += sum x_(k step) (row k of A).
PINTLE_INLINE void add_rows(const double* x, std::size_t step, const double* A, std::size_t count, double* y,
                            std::size_t stride) {
  for (std::size_t k = 0; k < stride; k += kIslandLanes) {
    IslandPack sum = load<IslandPack>(y + k);
    for (std::size_t i = 0; i < count; ++i)
      sum = fma(IslandPack(x[i * step]), load<IslandPack>(A + i * stride + k), sum);
    store(sum, y + k);
  }
}

/// y -= sum x_k (row k of A).
PINTLE_INLINE void subtract_rows(const double* x, const double* A, std::size_t count, double* y, std::size_t stride) {
  for (std::size_t k = 0; k < stride; k += kIslandLanes) {
    IslandPack sum = load<IslandPack>(y + k);
    for (std::size_t i = 0; i < count; ++i) sum = fma(IslandPack(-x[i]), load<IslandPack>(A + i * stride + k), sum);
    store(sum, y + k);
  }
}

inline void find_local_kernel(const IslandView& island) {
  for (std::size_t p = 0; p < island.points; ++p) {
    const IslandPointView& point = island.point[p];
    double* const A = island.local + point.local;
    for (std::size_t i = 0; i < point.rows * point.rows; ++i) A[i] = 0.0;
    for (std::size_t side = 0; side < 2; ++side) {
      if (point.tree[side] < 0) continue;
      const IslandTreeView& tree = island.tree[point.tree[side]];
      const double* const J = island.J + point.J[side];
      double* const Y = island.Y + point.J[side];
      for (std::size_t i = 0; i < point.rows; ++i) {
        combine_rows(J + i * tree.stride, island.M_inverse + tree.mass, tree.dofs, Y + i * tree.stride, tree.stride);
        for (std::size_t j = 0; j <= i; ++j)
          A[i * point.rows + j] += dot_rows(Y + i * tree.stride, J + j * tree.stride, tree.stride);
      }
    }
    for (std::size_t i = 0; i < point.rows; ++i)
      for (std::size_t j = 0; j < i; ++j) A[j * point.rows + i] = A[i * point.rows + j];
  }
  for (std::size_t k = 0; k < island.bars; ++k) {
    const IslandTreeView& tree = island.tree[island.bar[k].tree];
    island.local[island.bar_gain + k] = island.M_inverse[tree.mass + island.bar[k].dof * (tree.stride + 1)];
  }
}

inline void add_effort_kernel(const IslandView& island, const double* P, double* effort) {
  clear_row(effort, island.velocities);
  for (std::size_t p = 0; p < island.points; ++p) {
    const IslandPointView& point = island.point[p];
    for (std::size_t side = 0; side < 2; ++side) {
      if (point.tree[side] < 0) continue;
      const IslandTreeView& tree = island.tree[point.tree[side]];
      add_rows(P + point.first, 1, island.J + point.J[side], point.rows, effort + tree.first, tree.stride);
    }
  }
  for (std::size_t k = 0; k < island.bars; ++k) {
    const IslandBarView& bar = island.bar[k];
    effort[island.tree[bar.tree].first + bar.dof] += bar.sign * P[bar.row];
  }
}

inline void find_jump_kernel(const IslandView& island, const double* P, double* effort, double* jump) {
  add_effort_kernel(island, P, effort);
  for (std::size_t t = 0; t < island.trees; ++t) {
    const IslandTreeView& tree = island.tree[t];
    combine_rows(effort + tree.first, island.M_inverse + tree.mass, tree.dofs, jump + tree.first, tree.stride);
  }
}

inline void find_rows_kernel(const IslandView& island, const double* jump, const double* b, double* w) {
  for (std::size_t i = 0; i < island.rows; ++i) w[i] = b != nullptr ? b[i] : 0.0;
  for (std::size_t p = 0; p < island.points; ++p) {
    const IslandPointView& point = island.point[p];
    for (std::size_t side = 0; side < 2; ++side) {
      if (point.tree[side] < 0) continue;
      const IslandTreeView& tree = island.tree[point.tree[side]];
      for (std::size_t i = 0; i < point.rows; ++i)
        w[point.first + i] +=
            dot_rows(island.J + point.J[side] + i * tree.stride, jump + tree.first, tree.stride);
    }
  }
  for (std::size_t k = 0; k < island.bars; ++k) {
    const IslandBarView& bar = island.bar[k];
    w[bar.row] = fma(bar.sign, jump[island.tree[bar.tree].first + bar.dof], w[bar.row]);
  }
}

/// factor = M + J'GJ, before any elimination.
inline void gather_factor(const IslandView& island) {
  clear_row(island.factor, island.factor_size);
  for (std::size_t t = 0; t < island.trees; ++t) {
    const IslandTreeView& tree = island.tree[t];
    const double* const M = island.M + tree.mass;
    double* const K = island.factor + tree.factor;
    for (std::size_t i = 0; i < tree.dofs * tree.stride; i += kIslandLanes)
      store(load<IslandPack>(M + i), K + i);
  }
  for (std::size_t p = 0; p < island.points; ++p) {
    const IslandPointView& point = island.point[p];
    const double* const G = island.gain + point.local;
    for (std::size_t b = 0; b < 2; ++b) {
      if (point.tree[b] < 0) continue;
      const IslandTreeView& right = island.tree[point.tree[b]];
      double* const GJ = island.scratch;
      for (std::size_t i = 0; i < point.rows; ++i)
        combine_rows(G + i * point.rows, island.J + point.J[b], point.rows, GJ + i * right.stride, right.stride);
      for (std::size_t a = 0; a < 2; ++a) {
        if (point.tree[a] < 0) continue;
        const IslandTreeView& left = island.tree[point.tree[a]];
        double* const K = island.factor + point.factor[2 * a + b];
        for (std::size_t i = 0; i < left.dofs; ++i)
          add_rows(island.J + point.J[a] + i, left.stride, GJ, point.rows, K + i * right.stride, right.stride);
      }
    }
  }
  for (std::size_t k = 0; k < island.bars; ++k) {
    const IslandBarView& bar = island.bar[k];
    const IslandTreeView& tree = island.tree[bar.tree];
    island.factor[tree.factor + bar.dof * (tree.stride + 1)] += island.gain[island.bar_gain + k];
  }
}

/// D = L U in place; `strict`: the rows of U without its diagonal. False: a pivot is zero or no number.
inline bool factorise_diagonal(const IslandTreeView& tree, double* D, double* inverse, double* strict) {
  const std::size_t n = tree.dofs, stride = tree.stride;
  for (std::size_t c = 0; c < n; ++c) {
    const double pivot = D[c * stride + c];
    inverse[c] = 1.0 / pivot;
    if (pivot == 0.0 || inverse[c] - inverse[c] != 0.0) return false;
    double* const row = strict + c * stride;
    for (std::size_t k = 0; k < stride; ++k) row[k] = k > c ? D[c * stride + k] : 0.0;
    for (std::size_t i = c + 1; i < n; ++i) {
      const double l = D[i * stride + c] * inverse[c];
      add_row(-l, row, D + i * stride, stride);
      D[i * stride + c] = l;
    }
  }
  return true;
}

inline bool factorise_kernel(const IslandView& island) {
  gather_factor(island);
  for (std::size_t k = 0; k < island.pivots; ++k) {
    const IslandPivotView& pivot = island.pivot[k];
    const IslandTreeView& tree = island.tree[pivot.tree];
    double* const D = island.factor + tree.factor;
    double* const inverse = island.pivots_inverse + tree.first;
    double* const strict = island.scratch;
    if (!factorise_diagonal(tree, D, inverse, strict)) return false;
    const IslandNeighbour* const next = island.neighbour + pivot.first;
    for (std::size_t j = 0; j < pivot.count; ++j) {
      const IslandTreeView& other = island.tree[next[j].tree];
      double* const U = island.factor + next[j].upper;  // L^-1 K_kj
      for (std::size_t i = 1; i < tree.dofs; ++i)
        subtract_rows(D + i * tree.stride, U, i, U + i * other.stride, other.stride);
      double* const L = island.factor + next[j].lower;  // K_jk U^-1
      for (std::size_t i = 0; i < other.dofs; ++i) {
        double* const x = L + i * tree.stride;
        for (std::size_t c = 0; c < tree.dofs; ++c) {
          const double value = x[c] * inverse[c];
          add_row(-value, strict + c * tree.stride, x, tree.stride);
          x[c] = value;
        }
      }
    }
    const std::size_t* target = island.targets + pivot.target;
    for (std::size_t i = 0; i < pivot.count; ++i) {
      const double* const L = island.factor + next[i].lower;
      const std::size_t rows = island.tree[next[i].tree].dofs;
      for (std::size_t j = 0; j < pivot.count; ++j, ++target) {
        const double* const U = island.factor + next[j].upper;
        const std::size_t stride = island.tree[next[j].tree].stride;
        double* const K = island.factor + *target;
        for (std::size_t r = 0; r < rows; ++r)
          subtract_rows(L + r * tree.stride, U, tree.dofs, K + r * stride, stride);
      }
    }
  }
  return true;
}

inline void solve_kernel(const IslandView& island, double* x) {
  for (std::size_t k = 0; k < island.pivots; ++k) {
    const IslandPivotView& pivot = island.pivot[k];
    const IslandTreeView& tree = island.tree[pivot.tree];
    const double* const D = island.factor + tree.factor;
    double* const own = x + tree.first;
    for (std::size_t i = 1; i < tree.dofs; ++i) {
      double sum = own[i];
      for (std::size_t c = 0; c < i; ++c) sum = fma(-D[i * tree.stride + c], own[c], sum);
      own[i] = sum;
    }
    for (std::size_t j = 0; j < pivot.count; ++j) {
      const IslandNeighbour& next = island.neighbour[pivot.first + j];
      const IslandTreeView& other = island.tree[next.tree];
      for (std::size_t i = 0; i < other.dofs; ++i)
        x[other.first + i] -= dot_rows(island.factor + next.lower + i * tree.stride, own, tree.stride);
    }
  }
  for (std::size_t k = island.pivots; k-- > 0;) {
    const IslandPivotView& pivot = island.pivot[k];
    const IslandTreeView& tree = island.tree[pivot.tree];
    const double* const D = island.factor + tree.factor;
    const double* const inverse = island.pivots_inverse + tree.first;
    double* const own = x + tree.first;
    for (std::size_t j = 0; j < pivot.count; ++j) {
      const IslandNeighbour& next = island.neighbour[pivot.first + j];
      const IslandTreeView& other = island.tree[next.tree];
      for (std::size_t i = 0; i < tree.dofs; ++i)
        own[i] -= dot_rows(island.factor + next.upper + i * other.stride, x + other.first, other.stride);
    }
    for (std::size_t i = tree.dofs; i-- > 0;) {
      double sum = own[i];
      for (std::size_t c = i + 1; c < tree.dofs; ++c) sum = fma(-D[i * tree.stride + c], own[c], sum);
      own[i] = sum * inverse[i];
    }
  }
}

}  // namespace pintle::inline PINTLE_ISA
