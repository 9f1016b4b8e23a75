#include "pintle/simulation/run/time_stepping_fallback.h"

#include <algorithm>
#include <cmath>

namespace pintle {
namespace {

/// Of a step.
constexpr double kShortSteps = 16.0;

/// Maximum number of steps that it covers at a time.
constexpr std::int64_t kMaxSteps = 16;

}  // namespace

TimeSteppingFallback::TimeSteppingFallback(SceneMotion& motion, RunStatus& status, const StepClock& clock,
                                           Recorder& recorder, EventRecorder& events, HybridStepper& hybrid)
    : motion_(motion),
      status_(status),
      clock_(clock),
      recorder_(recorder),
      events_(events),
      hybrid_(hybrid),
      time_stepping_(motion.system),
      before_(motion.state),
      modes_before_(motion.system.modes()),
      free_modes_(modes_before_) {}

void TimeSteppingFallback::start() {
  hybrid_.keep_modes();
  status_.unblock();
  take_over(1);
}

std::int64_t TimeSteppingFallback::twice() const {
  return std::min(2 * memory_.steps, kMaxSteps);
}

bool TimeSteppingFallback::step_towards(double goal) {
  SceneSystem& system = motion_.system;
  const MotionState& state = motion_.state;
  const double start = state.t, span = clock_.adaptive() ? kSpan : clock_.h();
  goal = min(goal, system.next_sample());
  // Rows do not change fixed steps: one that is due within the span comes at its end.
  if (clock_.adaptive()) goal = min(min(goal, recorder_.schedule().next_time()), start + span);
  status_.unblock();
  if (!under_way()) take_over(start - memory_.until <= span ? twice() : 1);
  if (state.t >= goal) {  // blocked at its end: rows wait for lawful forces
    hybrid_.keep_modes();
    return hybrid_.sample_if_due();
  }
  modes_before_ = system.modes();
  contacts_before_ = system.contacts().active();
  while (state.t < goal && !status_.finished())
    if (!short_step(goal, span / kShortSteps)) return false;
  recorder_.note_time_stepped(state.t - start);
  memory_.until = state.t;
  motion_.velocities_changed();
  hybrid_.forget();
  if (!events_.record_contacts(contacts_before_, false) || !back_to_events() || !recorder_.record_row_if_due())
    return false;
  return !status_.finished() && hybrid_.sample_if_due();
}

/// One short step by time stepping towards a time, no longer than `longest` [s].
bool TimeSteppingFallback::short_step(double goal, double longest) {
  MotionState& state = motion_.state;
  const double parts = std::ceil((goal - state.t) / longest - kSameTime);
  const bool last = !(parts > 1.0);
  before_ = state;
  const TimeSteppingReport report = time_stepping_.step(last ? goal - state.t : (goal - state.t) / parts, state);
  if (report.joint >= 0 || motion_.system.derivatives_error().element >= 0)
    return status_.fail_derivatives(report.joint);
  if (!report.ok) return status_.fail(RunOutcome::not_converged, "no forces of contacts and joint limits were found");
  if (last) state.t = goal;
  if (!all_finite(state)) return status_.fail_not_finite(state);
  recorder_.note_breach(report.residual);
  if (motion_.run().energy_balance) {
    motion_.energy_balance.record_impact_work(time_stepping_.free(), time_stepping_.hit(), time_stepping_.joint_work(),
                                              report.contact_work, time_stepping_.surface_work());
    motion_.energy_balance.record_projection(time_stepping_.mean(), state);
  }
  return events_.record_passed_events(before_) && events_.record_speed_jumps(before_);
}

/// The modes from the laws at this instant, if it is time for that and they have a solution.
bool TimeSteppingFallback::back_to_events() {
  SceneSystem& system = motion_.system;
  if (--memory_.steps_left == 0) {
    free_modes_ = system.modes();
    pressed_ = system.contacts().active();
    system.set_modes(modes_before_);
    for (ActiveContact& contact : system.contacts().active()) contact.mean_force = contact.mean_moment = {};
    if (hybrid_.find_modes()) return true;
    if (status_.finished()) return false;
    status_.unblock();
    system.set_modes(free_modes_);
    system.contacts().active() = pressed_;
    take_over(twice());
  }
  hybrid_.keep_modes();
  return true;
}

}  // namespace pintle
