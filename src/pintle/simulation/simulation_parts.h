// The parts of a Simulation, for the files that implement it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pintle/math/number_text.h"
#include "pintle/simulation/event_finder.h"
#include "pintle/simulation/event_functions.h"
#include "pintle/simulation/mode_change.h"
#include "pintle/simulation/mode_watches.h"
#include "pintle/simulation/momentum_form.h"
#include "pintle/simulation/row_clock.h"
#include "pintle/simulation/row_writer.h"
#include "pintle/simulation/simulation.h"
#include "pintle/simulation/step_control.h"

namespace pintle {

/// Two times count as one when they differ by less than this part of a step.
inline constexpr double kSameTime = 1e-9;

struct Simulation::Parts {
  Parts(const Scene& of, const SimulationParts& added);
  struct SinkInUse;

  void reset();
  bool start_modes();
  bool advance(double end, std::int64_t most = 1);
  std::int64_t glide(double end, std::int64_t most);
  std::int64_t steps_to_row() const;
  void count_steps(std::int64_t count);
  bool move_towards(double goal);
  double longest_step();
  bool try_step(double goal, double& length);
  bool meet(const FoundEvent& found);
  bool note_user_event(const EventHit& hit);
  bool note_speed(std::size_t watch, bool over);
  bool note_speed_jumps();
  bool change_modes(std::span<const unsigned char> marks);
  bool take_samples();
  void settle();
  bool stalls();
  bool record_changes();
  bool tell_contact(EventKind kind, const ActiveContact& contact);
  bool record_contacts(const ModeChangeReport& change_report);
  bool record_passed_rows(const MotionState& to);
  bool show_row(const MotionState& at);
  bool record_row(const MotionState& at);
  bool judge_contacts(const ContactResiduals& residuals, double t, int body_a, int body_b, bool at_impact);
  bool record(EventRecord event);
  bool heed(const RecordReport& report);
  void run_to(double end);
  bool stopped_by_handler();
  void begin_rows(double end);
  bool tell_start();
  bool fail(RunOutcome outcome, std::string text, int joint = -1, int body = -1);
  bool fail_rates() { return fail_rates(system.trouble().joint); }
  bool fail_rates(int joint);
  bool fail_too_small(const StepReport& report);
  bool fail_not_finite(const MotionState& broken);
  bool fail_step(const StepReport& report);
  bool fail_search(const FoundEvent& found);
  bool finished() const { return outcome != RunOutcome::reached; }
  RunReport report() const;

  Scene scene;
  std::vector<ExpressionEvent> scene_events;
  std::vector<UserEvent> user_events;  ///< of the scene, then of the caller
  SceneSystem system;
  std::optional<MomentumForm> momentum;  ///< in momentum state
  MotionSystem& motion;                  ///< what is integrated: the system, or its momentum form
  Stepper stepper;
  ModeWatches watches;
  EventFinder finder;
  ModeChange change;
  Ledger ledger;
  RowWriter rows;

  std::uint64_t scene_id = 0;  ///< what checkpoints know the scene by

  // The run.
  MotionState state;
  std::int64_t steps = 0, rejected = 0, events = 0;
  std::int64_t grid = 0;  ///< of fixed steps: the last time t0 + grid h that was reached
  double h = 0.0;         ///< of fixed steps
  double clear_until = -__builtin_inf();  ///< [s] nothing touches before, while all bodies fly and nothing happens
  bool adaptive = false;
  StepControl control;
  int events_at_once = 0;
  double last_event = __builtin_nan("");
  WorstCertificate worst;
  ContactRecord contact_record;
  RunOutcome outcome = RunOutcome::reached;
  int trouble_joint = -1, trouble_body = -1;
  std::string trouble_element;
  std::string text;

  // Scratch.
  MotionState next, at, before;
  std::vector<Cause> causes;
  FreedomModes modes_before;
  std::vector<unsigned char> hits;           ///< per watch
  std::vector<FrictionMarks> contact_rests;  ///< per active contact
  std::vector<ActiveContact> contacts_before;
  std::vector<ImpactRecord> start_impacts;  ///< blows at the start, before there is a sink
  RecordSink* sink = nullptr;
  StepHandler* handler = nullptr;  ///< of the run under way
  bool wants_rows = false;
  StepRows step_clock;
  TimeRows time_clock;
};

}  // namespace pintle
