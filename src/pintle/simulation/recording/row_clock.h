// Which instants of a run get a row of its recording. Plain data, which a checkpoint can store.
#pragma once

#include <cstdint>

namespace pintle {

/// The default number of intervals between rows.
inline constexpr std::int64_t kDefaultRows = 1000;

/// For runs with fixed steps of which every `stride`-th has a row, and so have the first and the last.
struct StepRows {
  std::int64_t steps = 0;   ///< of the whole run; -1 if that is not known
  std::int64_t stride = 1;  ///< at least 1

  /// Whether there is a row after `step` steps (0: at the start).
  bool takes(std::int64_t step) const { return step % stride == 0 || step == steps; }

  /// How many rows the whole run has. For a known number of steps.
  std::int64_t rows() const { return steps / stride + 1 + (steps % stride != 0 ? 1 : 0); }
};

/// About `rows` rows for a run of `steps` steps, never more than rows + 2: every k-th, k = ceil(steps / rows).
/// UsageError unless steps >= 0 and rows >= 1.
StepRows step_rows(std::int64_t steps, std::int64_t rows = kDefaultRows);

/// For runs of any steps: rows at t0 + i span / parts, i = 0 ... intervals - 1, the last at t1 to the bit.
///
///     while (clock.next_time() <= to.t) {   // after a step to `to`
///       ...interpolate and record at clock.next_time()...
///       clock.advance();
///     }
struct TimeRows {
  double t0 = 0.0;  ///< [s]
  double t1 = 0.0;
  double span = 0.0, parts = 1.0;  ///< [s], 1: their quotient is the interval between rows
  std::int64_t intervals = kDefaultRows;
  std::int64_t next = 0;  ///< the index of the next row

  /// The time of row i [s].
  double time(std::int64_t i) const { return i >= intervals ? t1 : t0 + static_cast<double>(i) * span / parts; }

  /// Whether all rows have been taken.
  bool done() const { return next > intervals; }

  /// The time of the next row [s]; infinite after the last.
  double next_time() const { return done() ? __builtin_inf() : time(next); }

  /// Advances to the next row, skipping those at the same time; there are such if a run has fewer doubles than rows
  /// between its ends.
  void advance() {
    const double now = next_time();
    do ++next;
    while (!done() && time(next) <= now);
  }
};

/// Rows from t0 to t1 [s] at equal intervals. UsageError unless both are finite, t0 <= t1 and rows >= 1. A run of no
/// duration has one row.
TimeRows time_rows(double t0, double t1, std::int64_t rows = kDefaultRows);

/// The same at round intervals after t0: 1, 2, 2.5, 4, 5 or 8 times a power of ten, the shortest that makes no more
/// rows. Every whole second is a row then, if there are several in a second; the last interval may be shorter.
TimeRows round_time_rows(double t0, double t1, std::int64_t rows = kDefaultRows);

}  // namespace pintle
