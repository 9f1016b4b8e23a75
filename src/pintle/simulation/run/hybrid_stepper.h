// HybridStepper: one step of the integrator to a time or to the first event within it, and what happens there.
//
//     integrate one step  ->  find its first event  ->  go there  ->  change modes, resolve impacts  ->  start anew
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
#include "pintle/simulation/run/step_clock.h"
#include "pintle/simulation/run/work_budget.h"

namespace pintle {

/// What it works on, and whom it tells.
struct HybridStepperParts {
  SceneMotion& motion;
  RunStatus& status;
  StepClock& clock;
  WorkBudget& budget;
  ModeWitnesses& watches;
  BallisticPath& flight;
  Recorder& recorder;
  EventRecorder& events;
};

/// Where a function gives false the run has ended, or it is blocked (RunStatus): time-stepping must take over.
class HybridStepper {
 public:
  explicit HybridStepper(const HybridStepperParts& parts);

  /// A step towards a time [s], which ends there, at an event, or, under error control, before.
  bool step_towards(double goal);

  /// Finds the modes of the initial state: a joint may start at its limit, or stick from the start.
  bool start();
  /// Finds the modes by the laws at the present state, where nothing has just come to rest.
  bool find_modes();
  /// Goes on with the modes as they are.
  void keep_modes();
  /// Lets the elements sample whose time has come. Efforts jump there: what was held may be held no longer.
  bool sample_if_due();
  /// Forgets what is known of the motion up to now: to be called when something else has moved it.
  void forget();

  /// The impacts between bodies in the last change of modes.
  std::span<const ImpactRecord> impacts() const { return transition_.impacts(); }

 private:
  bool end_slow_slips();
  bool integrate(double goal, double& length);
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
  ModeWitnesses& watches_;
  BallisticPath& flight_;
  Recorder& recorder_;
  EventRecorder& events_;
  Stepper stepper_;
  EventFinder finder_;
  SlipSteps slips_;
  ModeTransition transition_;
  MotionState next_;                 // the end of the step
  MotionState at_event_;             // its first event
  MotionState at_row_;               // a row within it
  std::vector<unsigned char> hits_;  // per watch
};

}  // namespace pintle
