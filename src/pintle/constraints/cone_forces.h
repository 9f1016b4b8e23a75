// Forces within friction cones where many satisfy the same equations (a table on four legs): an interior-point method.
// For the solvers of contacts.
#pragma once

#include <cstddef>
#include <span>

#include "pintle/base/buffer.h"

namespace pintle {

/// A condition a >= |x_t| on unknowns x: a = slope x[normal] + offset; x_t are `rows` unknowns from `first` on (none:
/// the condition is a >= 0).
struct ForceCone {
  std::size_t normal = 0;
  double slope = 1.0;
  double offset = 0.0;
  std::size_t first = 0, rows = 0;
};

class ConeWorkspace {
 public:
  /// For up to so many equations and unknowns.
  explicit ConeWorkspace(std::size_t size);

  std::size_t max_size;
  Buffer<double> G;           ///< the equations, as elimination leaves them
  Buffer<double> N;           ///< orthonormal basis of the null space of G, by rows of `size` elements
  Buffer<double> H, g, step;  ///< Hessian, gradient and step of Newton's method
  Buffer<double> D;           ///< derivatives of a condition
  Buffer<std::size_t> order;  ///< of the columns of G
};

struct [[nodiscard]] ConeReport {
  bool found = false;   ///< x is within all cones
  double margin = 0.0;  ///< the minimum of a - |x_t|, as large as found
  int steps = 0;        ///< of Newton's method
  double work = 0.0;    ///< about how many multiplications
};

/// Moves x within the set of constant G x until it is within all cones, up to `slack`; where that is impossible, to the
/// point with the largest minimum of a - |x_t|. G is m x n, row-major, of a rank of at most `max_rank`, beyond which
/// the caller knows everything to be error. Throws UsageError if m or n exceeds the capacity of the workspace.
/// Allocates nothing.  [eq. cone-forces]
ConeReport move_into_cones(std::size_t m, std::size_t n, const double* G, std::span<const ForceCone> cones,
                           double slack, ConeWorkspace& work, double* x,
                           std::size_t max_rank = static_cast<std::size_t>(-1));

}  // namespace pintle
