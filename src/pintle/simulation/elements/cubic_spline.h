// The cubic spline through a table: twice continuously differentiable, a cubic between two rows.
#pragma once

#include <span>
#include <vector>

namespace pintle {

/// The boundary conditions of a spline.
enum class SplineEnds : unsigned char {
  natural,   ///< second derivative zero
  clamped,   ///< first derivatives prescribed
  periodic,  ///< value, first and second derivative are the same at both ends
};

/// A cubic from one row of the table to the next: values[0] + s (values[1] + s (values[2] + s values[3])), s from its
/// row.
struct SplinePiece {
  double begin = 0.0;
  double values[4] = {};
};

/// The pieces of the spline through (times[i], values[i]): one fewer than rows. Needs two rows or more, times that
/// increase, and for periodic ends equal first and last values; the caller must check that. `first_rate` and
/// `last_rate` are used for clamped ends only.  [eq. spline]
std::vector<SplinePiece> spline_pieces(std::span<const double> times, std::span<const double> values, SplineEnds ends,
                                       double first_rate, double last_rate);

}  // namespace pintle
