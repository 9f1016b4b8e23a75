// Recorder: passes rows, events and impacts to the sink of a run, and checks their certificates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pintle/simulation/recording/recording.h"
#include "pintle/simulation/run/row_schedule.h"
#include "pintle/simulation/run/row_writer.h"
#include "pintle/simulation/run/run_status.h"
#include "pintle/simulation/run/scene_motion.h"
#include "pintle/simulation/run/simulation.h"
#include "pintle/simulation/time_stepping/time_stepping.h"

namespace pintle {

/// If a function returns false the run has ended, and its status says why: the sink accepts no more, there are no
/// accelerations, or a certificate is over its limit.
class Recorder {
 public:
  Recorder(SceneMotion& motion, RunStatus& status);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Nothing has been recorded yet.
  void reset();
  /// Modes at the start are not events; the impacts there are kept for the first sink.
  void start(std::span<const ImpactRecord> impacts);

  /// Begins a run up to `end` [s]; the sink may be null. `goes_on`: RowSchedule::plan.
  bool open(RecordSink* sink, const StepClock& clock, double end, bool goes_on = false);
  /// A row at the present state, unless the last one is.
  bool record_last_row();
  /// Ends the recording.
  void close();
  /// Releases the sink.
  void detach();

  bool has_sink() const { return sink_ != nullptr; }
  RowSchedule& schedule() { return schedule_; }
  const RowSchedule& schedule() const { return schedule_; }
  RowWriter& rows() { return rows_; }
  const RowWriter& rows() const { return rows_; }

  /// A row at a state.
  bool record_row(const MotionState& at);
  /// The same, if the run wants rows.
  bool record_row_if_wanted(const MotionState& at) { return !schedule_.any() || record_row(at); }
  /// The same at the present state, where modes have changed: it is also the one that is due there.
  bool record_row_at_event();
  /// A row at the present state, if rows are due there or before it.
  bool record_row_if_due();
  /// A row for the sink alone: the first of a resumed run, which must not depend on where the run was interrupted.
  bool show_row(const MotionState& at);
  /// Completes an event and records it; its time is relative to that of the state.
  bool record_event(EventRecord event);
  bool record_impact(const ImpactRecord& impact);
  /// Records the impacts at the start, once there is a sink.
  bool record_start();
  /// A step [s] from a time on was made by time stepping; `begins`: the step before was not.
  void note_time_stepped(double from, double length, bool begins);
  /// Such a step: the solver's residual, the depth of overlaps at its start, and its certificate, at the present time. A
  /// certificate over its limit ends the run.
  bool check_time_step(const TimeSteppingReport& step);

  /// What checkpoints store.
  struct Memory {
    std::int64_t events = 0;
    bool begun = false;  ///< a run has begun; its first step may not have ended yet
    WorstCertificate worst{};
    WorstBalance balance{};
    ContactRecord contacts{};
  };
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }

 private:
  bool check(const RecordReport& report);
  void note_balance(double t);
  void note_impact(const ImpactRecord& impact);
  void note_contacts(const ContactResiduals& residuals, double t, int body_a, int body_b, bool at_impact);
  bool check_contacts(const ContactResiduals& residuals, double t, int body_a, int body_b, bool at_impact);

  SceneMotion& motion_;
  RunStatus& status_;
  RowWriter rows_;
  RowSchedule schedule_;
  RecordSink* sink_ = nullptr;
  double last_row_ = __builtin_nan("");  // [s] the time of the last row that the sink got
  std::vector<ImpactRecord> start_impacts_;  // before there is a sink
  Memory memory_;
};

}  // namespace pintle
