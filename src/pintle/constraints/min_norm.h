// Minimum-norm least-squares solution of a linear system. For the solvers of this layer.
#pragma once

#include <cstddef>

#include "pintle/base/buffer.h"

namespace pintle {

class MinNormWorkspace {
 public:
  /// For square systems of up to `most` equations.
  explicit MinNormWorkspace(std::size_t size);

  std::size_t max_size;
  Buffer<double> T;            ///< the transposed triangle, for the minimum-norm solution
  Buffer<double> beta, beta2;  ///< of the reflections
  Buffer<double> y;            ///< the solution in permuted order
  Buffer<std::size_t> order;   ///< of the columns
};

/// x: the shortest vector that minimises |A x - b|, by Householder reflections with column pivoting; columns below the
/// rounding of the largest one count as zero. A is n x n, row-major; A and b are overwritten. Returns the rank, at most
/// `max_rank`, beyond which the caller knows everything to be error. Throws UsageError if n exceeds the capacity of the
/// workspace.  [eq. min-norm]
std::size_t solve_min_norm(std::size_t n, double* A, double* b, MinNormWorkspace& work, double* x,
                           std::size_t max_rank = static_cast<std::size_t>(-1));

}  // namespace pintle
