// TimeSteppingFallback: advances the run by time stepping where events cannot, or cost too much.
//
// It takes over for one step (a span of kSpan under error control), in short steps. If the run gets stuck again at
// once, it covers twice as many steps the next time, up to a limit.
#pragma once

#include <cstdint>
#include <vector>

#include "pintle/simulation/hybrid/time_stepping.h"
#include "pintle/simulation/run/event_recorder.h"
#include "pintle/simulation/run/hybrid_stepper.h"
#include "pintle/simulation/run/recorder.h"

namespace pintle {

class TimeSteppingFallback {
 public:
  /// A span of this length [s] counts as a step under error control.
  static constexpr double kSpan = 1e-3;

  TimeSteppingFallback(SceneMotion& motion, RunStatus& status, const StepClock& clock, Recorder& recorder,
                       EventRecorder& events, HybridStepper& hybrid);

  /// Not active.
  void reset() { memory_ = {}; }
  /// Takes over for the first step of a run.
  void start();

  /// Whether steps are left that it must cover.
  bool under_way() const { return memory_.steps_left > 0; }
  /// A step towards a time [s], which ends there, at a sample or a row, or under error control after kSpan; then events
  /// take over again, unless it is too soon for that. Unblocks the status. False: the run has ended.
  bool step_towards(double goal);

  /// What checkpoints store.
  struct Memory {
    std::int64_t steps_left = 0;
    std::int64_t steps = 0;           ///< how many steps it covered the last time
    double until = -__builtin_inf();  ///< [s] the end of the last of them
  };
  Memory& memory() { return memory_; }

 private:
  void take_over(std::int64_t steps) { memory_.steps_left = memory_.steps = steps; }
  std::int64_t twice() const;
  bool short_step(double goal, double longest);
  bool back_to_events();

  SceneMotion& motion_;
  RunStatus& status_;
  const StepClock& clock_;
  Recorder& recorder_;
  EventRecorder& events_;
  HybridStepper& hybrid_;
  TimeStepping time_stepping_;
  MotionState before_;                          // of a short step
  DofModes modes_before_, free_modes_;          // of the step; of time-stepping
  std::vector<ActiveContact> contacts_before_;  // of the step
  std::vector<ActiveContact> pressed_;          // in the last short step
  Memory memory_;
};

}  // namespace pintle
