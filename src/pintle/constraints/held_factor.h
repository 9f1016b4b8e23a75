// HeldFactor: a Cholesky factor with row insertion and removal. For the solvers of this layer.
#pragma once

#include <cstddef>

namespace pintle {

/// L L' = A of the rows `order`; L is row-major with `stride` entries per row; only its lower triangle is used. Does
/// not own its memory.
struct HeldFactor {
  double* L;
  std::size_t* order;
  std::size_t count;
  std::size_t stride;

  /// x = L^-1 x; returns x'x.
  double divide(double* x) const;

  /// y = L'^-1 x; y and x must not overlap.
  void divide_transposed(const double* x, double* y) const;

  /// Adds a row: its column over L, and its pivot.
  void append(std::size_t row, const double* column, double pivot);
  void append_column(const double* column, double pivot);

  /// Removes a row; rotations restore the triangle of the columns after it.
  void remove(std::size_t row);
};

}  // namespace pintle
