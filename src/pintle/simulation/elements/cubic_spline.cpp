#include "pintle/simulation/elements/cubic_spline.h"

#include <cstddef>

namespace pintle {
namespace {

/// A row of the equations for the slopes: lower m[i-1] + diagonal m[i] + upper m[i+1] = right. The matrix is diagonally
/// dominant, so elimination without pivoting is stable.
struct SlopeRow {
  double lower = 0.0, diagonal = 1.0, upper = 0.0, right = 0.0;
};

/// Solves for all slopes; the first row has no lower, the last no upper neighbour.
std::vector<double> solve(std::vector<SlopeRow> rows) {
  const std::size_t n = rows.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = rows[i].lower / rows[i - 1].diagonal;
    rows[i].diagonal -= factor * rows[i - 1].upper;
    rows[i].right -= factor * rows[i - 1].right;
  }
  std::vector<double> slopes(n);
  for (std::size_t i = n; i-- > 0;) {
    const double above = i + 1 < n ? rows[i].upper * slopes[i + 1] : 0.0;
    slopes[i] = (rows[i].right - above) / rows[i].diagonal;
  }
  return slopes;
}

struct RowInterval {
  double length, slope;
};

/// The second derivative is the same on both sides of the row between two intervals.
SlopeRow smooth_row(const RowInterval& before, const RowInterval& after) {
  const double a = 1.0 / before.length, b = 1.0 / after.length;
  return {a, 2.0 * (a + b), b, 3.0 * (a * before.slope + b * after.slope)};
}

std::vector<double> open_slopes(std::span<const RowInterval> intervals, SplineEnds ends, double first_rate,
                                double last_rate) {
  const bool natural = ends == SplineEnds::natural;
  std::vector<SlopeRow> rows;
  rows.push_back(natural ? SlopeRow{0, 2, 1, 3 * intervals.front().slope} : SlopeRow{0, 1, 0, first_rate});
  for (std::size_t i = 1; i < intervals.size(); ++i) rows.push_back(smooth_row(intervals[i - 1], intervals[i]));
  rows.push_back(natural ? SlopeRow{1, 2, 0, 3 * intervals.back().slope} : SlopeRow{0, 1, 0, last_rate});
  return solve(rows);
}

/// The slopes as a + b m for an unknown slope m at both ends; the row that closes the period determines m.
std::vector<double> periodic_slopes(std::span<const RowInterval> intervals) {
  std::vector<double> a = open_slopes(intervals, SplineEnds::clamped, 0.0, 0.0);
  std::vector<RowInterval> flat(intervals.begin(), intervals.end());
  for (RowInterval& interval : flat) interval.slope = 0.0;
  const std::vector<double> b = open_slopes(flat, SplineEnds::clamped, 1.0, 1.0);
  const std::size_t last = a.size() - 1;
  const SlopeRow row = smooth_row(intervals.back(), intervals.front());
  const double m = (row.right - row.lower * a[last - 1] - row.upper * a[1]) /
                   (row.diagonal + row.lower * b[last - 1] + row.upper * b[1]);
  for (std::size_t i = 0; i <= last; ++i) a[i] += b[i] * m;
  return a;
}

}  // namespace

std::vector<SplinePiece> spline_pieces(std::span<const double> times, std::span<const double> values, SplineEnds ends,
                                       double first_rate, double last_rate) {
  std::vector<RowInterval> intervals;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double length = times[i] - times[i - 1];
    intervals.push_back({length, (values[i] - values[i - 1]) / length});
  }
  const std::vector<double> slopes =
      ends == SplineEnds::periodic ? periodic_slopes(intervals) : open_slopes(intervals, ends, first_rate, last_rate);
  std::vector<SplinePiece> pieces;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const auto [h, d] = intervals[i];
    const double left = slopes[i] - d, right = slopes[i + 1] - d;
    pieces.push_back({times[i], {values[i], slopes[i], -(2.0 * left + right) / h, (left + right) / h / h}});
  }
  return pieces;
}

}  // namespace pintle
