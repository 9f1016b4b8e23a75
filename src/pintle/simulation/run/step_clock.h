// StepClock: when the next step ends. Fixed steps end on the grid t0 + n h, others where error control says.
#pragma once

#include <cstdint>

#include "pintle/simulation/integrators/step_control.h"
#include "pintle/simulation/scene/scene.h"
#include "pintle/simulation/system/motion.h"

namespace pintle {

/// Two times are equal if they differ by less than this fraction of a step.
inline constexpr double kSameTime = 1e-9;

class StepClock {
 public:
  /// `run` must outlive this object.
  explicit StepClock(const RunSpec& run);

  /// No steps yet.
  void reset();
  /// Chooses the length of the first step from a state.
  void start(MotionSystem& system, const MotionState& state);

  /// Whether error control chooses the lengths of steps.
  bool adaptive() const { return adaptive_; }
  /// The length of fixed steps [s].
  double h() const { return memory_.h; }
  /// The length of fixed steps, or of the next one [s].
  double step_length() const { return adaptive_ ? memory_.control.h : memory_.h; }
  /// The number of steps since the start.
  std::int64_t steps() const { return memory_.steps; }
  /// The index of the last grid time t0 + grid h that fixed steps reached.
  std::int64_t grid() const { return memory_.grid; }

  /// Where the next fixed step ends [s]: at the next grid time, or at the end of the run.
  struct Target {
    double t = 0.0;
    bool on_grid = false;
  };
  Target next_target(double end) const;
  /// How many whole fixed steps end before a time [s], at most `max_steps`.
  std::int64_t steps_until(double time, std::int64_t max_steps) const;

  /// The length of a step from t towards a goal [s], at most `longest`.
  double length_towards(double t, double goal, double longest) const;
  /// Judges a step of that length from t; only error control rejects one that has an end state.
  StepVerdict judge(const StepReport& report, double length, double t);
  /// The shortest step from t that error control tries [s].
  double min_step(double t) const { return memory_.control.min_step(t); }

  /// Counts completed steps.
  void count_steps(std::int64_t count) { memory_.steps += count; }
  /// Counts grid times reached.
  void pass_grid(std::int64_t count) { memory_.grid += count; }

  /// What checkpoints store; of the control h, previous_error, after_rejection and cause.
  struct Memory {
    std::int64_t steps = 0, rejected = 0, grid = 0;
    double h = 0.0;
    StepControl control{};
  };
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }

 private:
  const RunSpec& run_;
  bool adaptive_;
  Memory memory_;
};

}  // namespace pintle
