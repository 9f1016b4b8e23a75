// HeldFactor: a Cholesky factor that rows join and leave one at a time. For the solvers of this layer.
#pragma once

#include <cstddef>

namespace pintle {

/// L L' = A of the rows `order`; L by rows of `stride` numbers, only its lower triangle has a meaning. Owns nothing.
struct HeldFactor {
  double* L;
  std::size_t* order;
  std::size_t count;
  std::size_t stride;

  /// x = L^-1 x; gives x'x.
  double divide(double* x) const;

  /// y = L'^-1 x; y and x are apart.
  void divide_transposed(const double* x, double* y) const;

  /// A row joins: its column over L, and what its diagonal has besides.
  void append(std::size_t row, const double* column, double pivot);
  void append_column(const double* column, double pivot);

  /// A row leaves; the columns after it are turned into a triangle again.
  void remove(std::size_t row);
};

}  // namespace pintle
