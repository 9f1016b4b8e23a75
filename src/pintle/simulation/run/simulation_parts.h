// The parts of a Simulation, for the files that implement it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pintle/math/number_arrays.h"
#include "pintle/math/number_text.h"
#include "pintle/simulation/events/event_finder.h"
#include "pintle/simulation/events/event_functions.h"
#include "pintle/simulation/hybrid/mode_change.h"
#include "pintle/simulation/hybrid/mode_watches.h"
#include "pintle/simulation/hybrid/time_stepping.h"
#include "pintle/simulation/integrators/momentum_form.h"
#include "pintle/simulation/integrators/step_control.h"
#include "pintle/simulation/recording/row_clock.h"
#include "pintle/simulation/run/row_writer.h"
#include "pintle/simulation/run/simulation.h"

namespace pintle {

/// Two times count as one when they differ by less than this part of a step.
inline constexpr double kSameTime = 1e-9;

/// What is in the purse from which steps are paid at the start (ContactForces::work): a few seconds' worth.
inline constexpr double kFullPurse = 6e6;

/// So long a span [s] is stepped over under error control, where there is no step.
inline constexpr double kSpanOver = 1e-3;

inline bool all_finite(const MotionState& state) {
  return all_finite(state.q, state.v, state.extra);
}

struct Simulation::Parts {
  Parts(const Scene& of, const SimulationParts& added);
  struct SinkInUse;

  void reset();
  bool start_modes();
  bool advance(double end, std::int64_t most = 1);
  std::int64_t glide(double end, std::int64_t most);
  bool advance_under_control(double end);
  double work() const;
  void count_event_work();
  double cost_since(double start) const;
  void pay(double cost, double fill_steps);
  std::int64_t steps_to_row() const;
  void count_steps(std::int64_t count);
  bool move_towards(double goal);
  bool end_slow_slips();
  bool keep_rests();
  double shortest_slip() const;
  double longest_step() const;
  bool try_step(double goal, double& length);
  bool meet(const FoundEvent& found);
  bool note_user_event(const EventHit& hit);
  bool note_speed(std::size_t watch, bool over);
  bool note_speed_jumps();
  bool change_modes(std::span<const unsigned char> marks);
  bool take_samples();
  void settle();
  bool stalls();
  bool give_way(RunOutcome why, const char* what);
  bool step_over(double target);
  bool short_step(double target, double longest);
  bool note_passed_events();
  void end_by_event();
  bool back_to_events();
  bool record_changes();
  bool tell_contacts();
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
  TimeStepping time_stepping;
  Ledger ledger;
  RowWriter rows;

  std::uint64_t scene_id = 0;  ///< what checkpoints know the scene by

  // The run.
  MotionState state;
  std::int64_t steps = 0, rejected = 0, events = 0;
  std::int64_t grid = 0;                  ///< of fixed steps: the last time t0 + grid h that was reached
  double h = 0.0;                         ///< of fixed steps
  double clear_until = -__builtin_inf();  ///< [s] nothing touches before, while all bodies fly and nothing happens
  double touch_at = -__builtin_inf();     ///< [s] then something is likely to touch, likewise
  bool adaptive = false;
  StepControl control;
  int events_at_once = 0;
  double purse = kFullPurse;             ///< for the parts of steps
  double event_work = 0.0;               ///< of events, as ContactForces::work
  bool stuck = false;                    ///< the way on by events was not found
  std::int64_t steps_over = 0;           ///< that are still to be stepped over by time-stepping
  std::int64_t longest_over = 0;         ///< so many were, the last time
  double over_until = -__builtin_inf();  ///< [s] the end of the last of them
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
  std::vector<ActiveContact> contacts_over;  // that pressed in the last short step
  double slip_time = __builtin_inf();        ///< [s] in which the direction of the slowest slip settles
  std::vector<ImpactRecord> start_impacts;   ///< blows at the start, before there is a sink
  RecordSink* sink = nullptr;
  StepHandler* handler = nullptr;  ///< of the run under way
  bool wants_rows = false;
  StepRows step_clock;
  TimeRows time_clock;
};

}  // namespace pintle
