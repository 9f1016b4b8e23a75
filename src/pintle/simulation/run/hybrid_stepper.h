// HybridStepper: one step of the integrator to a time or to the first event within it, and the mode transition there.
//
//     integrate one step  ->  find its first event  ->  go there  ->  change modes, resolve impacts  ->  restart
#pragma once

#include <span>
#include <vector>

#include "pintle/simulation/events/event_finder.h"
#include "pintle/simulation/hybrid/mode_witnesses.h"
#include "pintle/simulation/integrators/stepper.h"
#include "pintle/simulation/run/ballistic_path.h"
#include "pintle/simulation/run/event_recorder.h"
#include "pintle/simulation/run/mode_transition.h"
#include "pintle/simulation/run/slip_steps.h"
#include "pintle/simulation/run/speed_bound.h"
#include "pintle/simulation/run/step_clock.h"
#include "pintle/simulation/run/work_budget.h"

namespace pintle {

/// What it works on, and where it reports.
struct HybridStepperParts {
  SceneMotion& motion;
  RunStatus& status;
  StepClock& clock;
  WorkBudget& budget;
  ModeWitnesses& witnesses;
  BallisticPath& flight;
  Recorder& recorder;
  EventRecorder& events;
};

/// If a function returns false the run has ended, or it is blocked (RunStatus): time stepping must take over.
class HybridStepper {
 public:
  explicit HybridStepper(const HybridStepperParts& parts);

  /// A step towards a time [s], which ends there, at an event or, under error control, earlier.
  bool step_towards(double goal);

  /// Finds the modes of the initial state: a joint may start at its limit, or stick from the start.
  bool start();
  /// Finds the modes from the laws at the present state, where nothing has just come to rest.
  bool find_modes();
  /// Continues with the modes as they are.
  void keep_modes();
  /// Lets the elements that are due sample. Efforts jump there: an active constraint may break away.
  bool sample_if_due();
  /// Efforts have jumped at the present state.
  bool meet_changed_forces();
  /// Discards what is known of the motion so far: to be called after something else has changed the state.
  void forget();

  /// The impacts between bodies in the last mode transition.
  std::span<const ImpactRecord> impacts() const { return transition_.impacts(); }

 private:
  bool drop_departed_contacts();
  bool leave_overloaded_modes();
  bool end_slow_slips(double goal);
  double goal_before_break(double goal);
  bool find_step(double goal, FoundEvent& event);
  bool integrate(double goal, double longest, double& length);
  bool fail_integration(const StepReport& report);
  FoundEvent find_event(double length);
  bool fail_search(const FoundEvent& found);
  bool record_passed_rows(const MotionState& to);
  bool chatters();
  bool meet(const FoundEvent& found);
  bool change_modes(std::span<const unsigned char> hits);

  SceneMotion& motion_;
  RunStatus& status_;
  StepClock& clock_;
  WorkBudget& budget_;
  ModeWitnesses& witnesses_;
  BallisticPath& flight_;
  Recorder& recorder_;
  EventRecorder& events_;
  Stepper stepper_;
  EventFinder finder_;
  SlipSteps slips_;
  SpeedBound bound_;
  ModeTransition transition_;
  MotionState next_;                 // the end of the step
  MotionState at_event_;             // its first event
  MotionState at_row_;               // a row within it
  std::vector<unsigned char> hits_;  // per witness function
  bool within_limits_ = false;       // leave_overloaded_modes has seen the present state
};

}  // namespace pintle
