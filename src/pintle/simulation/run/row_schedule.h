// RowSchedule: which steps or times of a run get a row of its recording.
#pragma once

#include <cstdint>

#include "pintle/simulation/recording/row_clock.h"
#include "pintle/simulation/run/step_clock.h"
#include "pintle/simulation/scene/scene.h"

namespace pintle {

/// Rows are at round times, which lie within steps; with RunSpec::row_every they are at fixed steps.
class RowSchedule {
 public:
  /// Rows of the whole run up to `end`; those up to t [s] are not taken again. `goes_on`: rows at the same distances
  /// follow after `end`.
  void plan(const RunSpec& run, const StepClock& clock, double t, double end, bool goes_on = false);
  /// No more rows.
  void clear() { any_ = false; }

  bool any() const { return any_; }

  /// Whether there is a row after so many steps, the last of which may end at the end of the run.
  bool takes_step(std::int64_t steps, bool at_end) const {
    return any_ && !by_time_ && (step_rows_.takes(steps) || at_end);
  }
  /// After so many steps: how many fixed steps may be made before the next row at a step.
  std::int64_t steps_to_row(std::int64_t steps) const {
    return any_ && !by_time_ ? step_rows_.stride - steps % step_rows_.stride : std::int64_t{1} << 40;
  }

  /// The time [s] of the next row within steps, infinite where there is none.
  double next_time() const { return any_ && by_time_ ? time_rows_.next_time() : __builtin_inf(); }
  /// Whether the next row is at a time or before it. A fixed step that ends at a row, up to rounding, has it there.
  bool is_due(double t) const { return next_time() <= t + same_; }
  /// Whether the next row is due at the end of a step to a time, not within the step.
  bool is_at(double t) const { return is_due(t) && next_time() >= t - same_; }
  /// Advances to the time of the next row.
  void pass_time() { time_rows_.advance(); }

 private:
  bool any_ = false, by_time_ = false;
  double same_ = 0.0;  // [s] times that differ by no more are equal
  StepRows step_rows_;
  TimeRows time_rows_;
};

}  // namespace pintle
