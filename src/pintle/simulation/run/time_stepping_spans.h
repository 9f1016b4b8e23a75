// TimeSteppingSpans: the parts of a run that are made by time stepping, and when they begin and end.
//
//   contact = "time-stepping"  all steps;
//   contact = "auto"           sustained spans while many points touch, or events cost too much; short ones, in short
//                              steps, where events cannot go on (docs/contact.md has the rule);
//   contact = "events"         none.
#pragma once

#include <cstdint>
#include <vector>

#include "pintle/simulation/contact/near_pairs.h"
#include "pintle/simulation/run/event_recorder.h"
#include "pintle/simulation/run/hybrid_stepper.h"
#include "pintle/simulation/run/recorder.h"
#include "pintle/simulation/time_stepping/contact_counts.h"
#include "pintle/simulation/time_stepping/time_stepping.h"

namespace pintle {

class TimeSteppingSpans {
 public:
  /// A step of this length [s] counts as a step under error control.
  static constexpr double kSpan = 1e-3;

  TimeSteppingSpans(SceneMotion& motion, RunStatus& status, const StepClock& clock, Recorder& recorder,
                    EventRecorder& events, HybridStepper& hybrid);

  /// None is under way.
  void reset();
  /// Whether the run starts in one, because it is to or because many points touch: then nothing need look for modes.
  bool starts();
  /// Begins a short span at a start that events cannot resolve.
  void start_short();

  /// Whether the next step is one of time stepping.
  bool under_way() const { return forced() || memory_.sustained || memory_.short_step; }
  /// Begins a sustained span if so much touches now, after a step by events.
  void look_at_contacts();
  /// Begins a sustained span, because events cost too much.
  void sustain();
  /// Whether events may hand over to time stepping.
  bool allowed() const { return motion_.run().contact != ContactMethod::events; }

  /// A step towards a time [s], which ends there, at a sample, or under error control after kSpan; then events may take
  /// over again. Unblocks the status. False: the run has ended.
  bool step_towards(double goal);

  /// Whether a span is under way in which everything sleeps.
  bool all_sleep() const { return under_way() && time_stepping_.all_sleep(); }
  /// Steps of such a span, since a time [s], were made otherwise.
  void pass_from(double start);

  /// What checkpoints store.
  struct Memory {
    bool sustained = false;
    std::int64_t calm = 0;            ///< steps in which little touched
    std::int64_t calm_needed = 0;     ///< so many end a sustained span
    bool short_step = false;          ///< the next step is made in short ones
    double until = -__builtin_inf();  ///< [s] the end of the last step
  };
  Memory& memory() { return memory_; }
  const Sleep::Memory& sleepers() const { return time_stepping_.sleep().memory(); }
  void set_sleepers(const Sleep::Memory& memory) { time_stepping_.sleep().set_memory(memory); }

 private:
  /// Where nothing can touch, joints go by events.
  bool forced() const {
    return motion_.run().contact == ContactMethod::time_stepping && motion_.system.contacts().any_pairs();
  }
  bool is_many(std::span<const ActiveContact> contacts);
  bool is_calm();
  double step_length() const { return clock_.adaptive() ? kSpan : clock_.h(); }
  bool make_step(double goal, double longest);
  bool back_to_events();

  SceneMotion& motion_;
  RunStatus& status_;
  const StepClock& clock_;
  Recorder& recorder_;
  EventRecorder& events_;
  HybridStepper& hybrid_;
  TimeStepping time_stepping_;
  ContactCounter counter_;
  NearPairs near_;
  KinematicsWorkspace places_;
  std::vector<double> zero_;
  TimeSteppingReport last_{};
  MotionState before_;                          // of a step
  DofModes modes_before_, free_modes_;          // of the step; of time stepping
  std::vector<ActiveContact> contacts_before_;  // of the step
  std::vector<ActiveContact> pressed_;          // in the last step
  Memory memory_;
};

}  // namespace pintle
