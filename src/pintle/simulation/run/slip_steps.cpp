#include "pintle/simulation/run/slip_steps.h"

#include <cmath>

#include "pintle/math/scalar.h"
#include "pintle/simulation/events/event_finder.h"
#include "pintle/simulation/run/work_budget.h"

namespace pintle {
namespace {

/// The shortest fixed step while contacts slide slowly, as a fraction of the length asked for.
constexpr double kShortestSlipStep = 0x1p-28;

/// At most so many attempts to find a step in which slow slips hold their directions within the tolerance.
constexpr int kMaxShortenings = 8;

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
      after_(motion.state),
      vdot_(motion.state.v.size()),
      later_vdot_(vdot_.size()),
      auxiliary_derivative_(motion.state.auxiliary.size()) {}

/// The contact forces at the present state.
bool SlipSteps::find_derivatives() {
  const MotionState& state = motion_.state;
  return motion_.system.derivatives(state.t, state.q, state.v, state.auxiliary, vdot_, auxiliary_derivative_);
}

/// The remaining time [s] of a slip that has ended, up to the tolerance of events.
double SlipSteps::shortest_slip() const {
  return kAtOnce * event_time_tolerance(motion_.state.t);
}

SlipSteps::Outlook SlipSteps::look(double h, std::vector<FrictionMarks>& ending) {
  SceneSystem& system = motion_.system;
  longest_ = __builtin_inf();
  release_directions();
  if (system.contacts().active().empty() || !system.slides_with_friction()) return Outlook::go_on;
  if (!find_derivatives()) return Outlook::go_on;  // the step will report the cause
  ContactForces& forces = system.contact_forces();
  if (!forces.lawful()) return Outlook::unlawful;
  ending.assign(system.contacts().active().size(), {});
  forces.find_slow(shortest_slip(), system.contacts().active());
  if (forces.find_ending(shortest_slip(), ending)) return Outlook::some_end;
  hold_directions(h);
  return Outlook::go_on;
}

/// Under error control, steps are so short that the directions held in them are right up to the tolerance, at the end
/// too: the error estimate of the method cannot see them.
void SlipSteps::hold_directions(double h) {
  SceneSystem& system = motion_.system;
  ContactForces& forces = system.contact_forces();
  const Tolerances& tolerances = motion_.run().tolerances;
  const double start = h;
  for (int k = 0; k < kMaxShortenings; ++k) {
    forces.hold_directions(h, system.contacts());
    if (!any_held() || !find_derivatives_after(h)) break;
    forces.release_rotating(h, system.contacts());
    if (!clock_.adaptive()) break;
    double fastest = 0.0;
    for (const double speed : motion_.state.v) fastest = max(fastest, std::abs(speed));
    const double error = forces.held_error(h), allowed = fma(tolerances.relative, fastest, tolerances.absolute);
    if (error <= allowed) break;
    h *= max(0.9 * std::sqrt(allowed / error), 1e-3);
    release_directions();
    if (!find_derivatives()) return;
  }
  longest_ = forces.followed_step();
  if (h < start) longest_ = min(longest_, h);
}

bool SlipSteps::any_held() const {
  for (const ActiveContact& contact : motion_.system.contacts().active())
    if (contact.holds_direction.any()) return true;
  return false;
}

/// The contact forces a time h [s] after the present state, up to the first order.
bool SlipSteps::find_derivatives_after(double h) {
  motion_.system.extrapolate(motion_.state, vdot_, h, after_);
  return motion_.system.derivatives(after_.t, after_.q, after_.v, after_.auxiliary, later_vdot_, auxiliary_derivative_);
}

void SlipSteps::release_directions() {
  for (ActiveContact& contact : motion_.system.contacts().active()) contact.holds_direction = {};
}

double SlipSteps::longest_step() const {
  SceneSystem& system = motion_.system;
  if (system.contacts().active().empty()) return __builtin_inf();
  if (clock_.adaptive()) return max(longest_, clock_.min_step(motion_.state.t));
  const double turning = system.contact_forces().fastest_turn();
  const double shortest = max(kShortestSlipStep * clock_.h(), shortest_slip());
  const double longest = turning > 0.0 ? max(kFarthestTurn / turning, shortest) : __builtin_inf();
  return min(longest, max(longest_, shortest));
}

bool SlipSteps::keep_stiction(std::vector<FrictionMarks>& rests) {
  if (!any(rests)) return false;
  if (find_derivatives()) motion_.system.contact_forces().unmark_faster(shortest_slip(), rests);
  motion_.system.choose_sides(instant(motion_.state));  // slips that changed direction have another one now
  return any(rests);
}

}  // namespace pintle
