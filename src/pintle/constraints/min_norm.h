// The shortest of all vectors that solve a linear system as well as possible. For the solvers of this layer.
#pragma once

#include <cstddef>

#include "pintle/base/buffer.h"

namespace pintle {

class MinNormWorkspace {
 public:
  /// For systems of up to `most` equations and as many unknowns.
  explicit MinNormWorkspace(std::size_t most);

  std::size_t most;
  Buffer<double> T;            ///< the transposed triangle, for the shortest solution
  Buffer<double> beta, beta2;  ///< of the reflections
  Buffer<double> y;            ///< the solution in permuted order
  Buffer<std::size_t> order;   ///< of the columns
};

/// x: the shortest vector among those for which |A x - b| is smallest, by Householder's reflections with the largest
/// column first; what is smaller than rounding of the largest counts as nothing. A has n rows of n numbers and is used
/// up, so is b. Gives the rank; where more than `max_rank` is known to be no more than error, that. n must not be more
/// than the workspace has room for, else UsageError.  [eq. min-norm]
std::size_t solve_min_norm(std::size_t n, double* A, double* b, MinNormWorkspace& work, double* x,
                           std::size_t max_rank = static_cast<std::size_t>(-1));

}  // namespace pintle
