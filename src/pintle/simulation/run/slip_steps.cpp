#include "pintle/simulation/run/slip_steps.h"

#include "pintle/simulation/events/event_finder.h"
#include "pintle/simulation/run/work_budget.h"

namespace pintle {
namespace {

/// Steps while contacts slide slowly: at most so many of the time constants in which the direction of slip settles
/// (explicit methods are stable up to 2.5 of them), and not less than this fraction of the length asked for.
constexpr double kSlipStep = 2.0;
constexpr double kShortestSlipStep = 0x1p-28;

/// Maximum rotation of the normal of a contact within a fixed step [rad]: beyond it, the remaining gap would be closed
/// somewhere else.
constexpr double kFarthestTurn = 0.125;

bool any(const std::vector<FrictionMarks>& marks) {
  for (const FrictionMarks& mark : marks)
    if (mark.any()) return true;
  return false;
}

}  // namespace

SlipSteps::SlipSteps(SceneMotion& motion, const StepClock& clock)
    : motion_(motion),
      clock_(clock),
      vdot_(motion.state.v.size()),
      auxiliary_derivative_(motion.state.auxiliary.size()) {}

/// The contact forces at the present state.
bool SlipSteps::find_derivatives() {
  const MotionState& state = motion_.state;
  return motion_.system.derivatives(state.t, state.q, state.v, state.auxiliary, vdot_, auxiliary_derivative_);
}

/// The time constant [s] of a slip direction that no step can follow.
double SlipSteps::shortest_slip() const {
  return (clock_.adaptive() ? kAtOnce * event_time_tolerance(motion_.state.t) : kShortestSlipStep * clock_.h()) /
         kSlipStep;
}

SlipSteps::Outlook SlipSteps::look(std::vector<FrictionMarks>& ending) {
  SceneSystem& system = motion_.system;
  slip_time_ = __builtin_inf();
  if (system.contacts().active().empty() || !system.slides_with_friction()) return Outlook::go_on;
  if (!find_derivatives()) return Outlook::go_on;  // the step will report the cause
  if (!system.contact_forces().lawful()) return Outlook::unlawful;
  ending.assign(system.contacts().active().size(), {});
  slip_time_ = system.contact_forces().shortest_time();
  system.contact_forces().find_slow(shortest_slip(), system.contacts().active());
  if (!system.contact_forces().find_ending(shortest_slip(), ending)) return Outlook::go_on;
  slip_time_ = 0.0;
  return Outlook::some_end;
}

double SlipSteps::longest_step() const {
  SceneSystem& system = motion_.system;
  if (system.contacts().active().empty()) return __builtin_inf();
  const double turning = system.contact_forces().fastest_turn(), shortest = kShortestSlipStep * clock_.h();
  const double longest = turning > 0.0 ? max(kFarthestTurn / turning, shortest) : __builtin_inf();
  return min(longest, max(kSlipStep * slip_time_, shortest));
}

bool SlipSteps::keep_stiction(std::vector<FrictionMarks>& rests) {
  if (!any(rests)) return false;
  if (find_derivatives()) motion_.system.contact_forces().unmark_faster(shortest_slip(), rests);
  motion_.system.choose_sides(instant(motion_.state));  // slips that changed direction have another one now
  return any(rests);
}

}  // namespace pintle
