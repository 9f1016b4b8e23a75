#include "pintle/simulation/run/hybrid_stepper.h"

#include <cmath>
#include <string>
#include <utility>

#include "pintle/math/scalar.h"

namespace pintle {
namespace {

/// A fixed step is split no further than into so long parts, relative to its length, where fast shapes may meet: a run
/// that diverges must come to its end.
constexpr double kShortestPart = 0x1p-10;

/// Maximum rotation [rad] of a contact around its edge, or of its normal, within the shortest part of a fixed step: a
/// disc that settles on its face would need shorter and shorter steps.
constexpr double kMaxTurn = 0.125;

/// How often a step in which contact forces grow beyond bounds is halved.
constexpr int kMaxHalvings = 10;

}  // namespace

HybridStepper::HybridStepper(const HybridStepperParts& parts)
    : motion_(parts.motion),
      status_(parts.status),
      clock_(parts.clock),
      budget_(parts.budget),
      witnesses_(parts.witnesses),
      flight_(parts.flight),
      recorder_(parts.recorder),
      events_(parts.events),
      stepper_(motion_.integrated, motion_.run().method, motion_.run().tolerances),
      finder_(motion_.integrated, stepper_, static_cast<int>(witnesses_.capacity())),
      slips_(motion_, clock_),
      bound_(motion_),
      transition_(motion_, status_, events_, witnesses_),
      next_(motion_.state),
      at_event_(motion_.state),
      at_row_(motion_.state),
      hits_(witnesses_.capacity()) {}

bool HybridStepper::step_towards(double goal) {
  motion_.system.contact_forces().forget_ranks();
  if (!within_limits_ && !leave_overloaded_modes()) return false;
  within_limits_ = false;
  if (!end_slow_slips(goal)) return false;
  if (slips_.any_held()) witnesses_.forget_margins();  // they were found with other directions
  FoundEvent event;
  const bool made = find_step(goal_before_break(goal), event);
  slips_.release_directions();
  if (!made) return false;
  MotionState& end = event.found() ? at_event_ : next_;
  if (!record_passed_rows(end)) return false;
  swap(motion_.state, end);
  if (!motion_.system.contacts().active().empty()) {
    if (!event.found() && !drop_departed_contacts()) return false;
    motion_.stabilise();
    finder_.forget();
  }
  witnesses_.clear_fired();
  if (event.found() && !meet(event)) return false;
  if (!leave_overloaded_modes() || !recorder_.record_row_if_due()) return false;  // rows show lawful forces
  within_limits_ = !motion_.system.has_added_elements();  // which the caller may change between steps
  return sample_if_due();
}

/// A step towards a goal [s] to its end `next_`, or to its first event `at_event_`. A fixed step in which contact
/// forces grow beyond bounds is halved; if that does not help, the run is blocked.
bool HybridStepper::find_step(double goal, FoundEvent& event) {
  const bool bounded = !clock_.adaptive() && !motion_.system.contacts().active().empty();
  if (bounded) bound_.begin(witnesses_.accelerations(motion_.state));
  if (bounded && motion_.system.contact_forces().fastest_turn() * kShortestPart * clock_.h() > kMaxTurn)
    return status_.block(RunOutcome::step_too_small,
                         "a contact migrates faster than the steps of this method can follow");
  double longest = slips_.longest_step();
  for (int halvings = 0; halvings <= kMaxHalvings; ++halvings) {
    double length = 0.0;
    if (!integrate(goal, longest, length)) return false;
    event = find_event(length);
    if (!event.ok()) return fail_search(event);
    if (!bounded || bound_.allows(event.found() ? at_event_ : next_)) return true;
    finder_.forget();
    longest = 0.5 * (event.found() ? event.h : length);
  }
  return status_.block(RunOutcome::not_converged, "contact forces grow beyond all bounds (Painleve)");
}

/// Ends slips that are too slow, before a step towards a goal [s].
bool HybridStepper::end_slow_slips(double goal) {
  if (motion_.system.contacts().active().empty()) return true;
  while (true) {
    const double length = min(clock_.step_length(), goal_before_break(goal) - motion_.state.t);
    switch (slips_.look(length, transition_.contact_rests())) {
      case SlipSteps::Outlook::go_on:
        return true;
      case SlipSteps::Outlook::unlawful:
        return status_.block(RunOutcome::not_converged, "no contact forces were found that satisfy the contact laws");
      case SlipSteps::Outlook::some_end:
        break;
    }
    transition_.clear_causes();
    if (chatters() || !change_modes(witnesses_.fired())) return false;
    finder_.forget();
    if (!recorder_.record_row_at_event()) return false;
  }
}

/// What has slid over an edge within the step touches no more, or elsewhere: the modes are found again. Projected back
/// onto features that stand for those it has left it would lose its speed.
bool HybridStepper::drop_departed_contacts() {
  if (!motion_.system.drop_departed_contacts(motion_.state)) return true;
  witnesses_.choose(motion_.state, {});
  transition_.begin(0);
  if (chatters() || !change_modes({})) return false;
  return recorder_.record_row_at_event();
}

/// A margin that is below zero between two steps has no falling zero to be found: its mode ends now. The projection of
/// the state, a slip that has changed direction or an impact can leave it there. If no other modes obey the laws, the
/// run is blocked.
bool HybridStepper::leave_overloaded_modes() {
  motion_.system.contact_forces().forget_ranks();
  motion_.system.choose_sides(instant(motion_.state));
  if (!witnesses_.any_beyond_limits(motion_.state)) return true;
  transition_.begin(0);
  if (chatters() || !change_modes(witnesses_.fired())) return false;
  finder_.forget();
  motion_.system.choose_sides(instant(motion_.state));
  if (witnesses_.any_beyond_limits(motion_.state))
    return status_.block(RunOutcome::not_converged,
                         "a contact or a joint needs more than its law allows, and no other mode was found");
  return recorder_.record_row_at_event();
}

/// The goal [s], or the time before it at which what is a function of time is not smooth.
double HybridStepper::goal_before_break(double goal) {
  TimeFunctions& functions = motion_.system.time_functions();
  if (!functions.any()) return goal;
  const double t = motion_.state.t;
  return min(goal, functions.next_break(t, min(goal, t + clock_.step_length())));
}

/// `next_` becomes the state after an accepted step of a length [s], at most `longest`.
bool HybridStepper::integrate(double goal, double longest, double& length) {
  const MotionState& state = motion_.state;
  TimeFunctions& functions = motion_.system.time_functions();
  const double shortest = clock_.adaptive() ? clock_.min_step(state.t) : kShortestPart * clock_.h();
  while (true) {
    length = clock_.length_towards(state.t, goal, longest);
    if (functions.any()) length = functions.longest_step(state.t, length);
    const StepReport report = stepper_.step(state, length, next_);
    const StepVerdict verdict = clock_.judge(report, length, state.t);
    if (verdict == StepVerdict::rejected) continue;
    if (verdict != StepVerdict::accepted) return fail_integration(report);
    if (state.t + length >= goal || goal - state.t == length) {
      next_.t = goal;
      motion_.integrated.prescribe(goal, next_.q, next_.v, next_.auxiliary);
    }
    longest = max(witnesses_.look_at_step(state, length, next_), shortest);
    if (longest >= length) return true;
  }
}

bool HybridStepper::fail_integration(const StepReport& report) {
  if (!report.ok()) return status_.fail_step(report, next_, clock_.h());
  if (!motion_.system.slides_with_friction()) return status_.fail_too_small(clock_.min_step(motion_.state.t));
  return status_.block(RunOutcome::step_too_small,
                       "slip directions rotate faster than the steps of this method can follow");
}

/// The first event of the step to `next_`, and `at_event_`, the state there.
FoundEvent HybridStepper::find_event(double length) {
  finder_.make_room(static_cast<int>(witnesses_.capacity()));
  if (witnesses_.witnesses().empty()) return {};
  const FoundEvent found =
      finder_.search(motion_.state, length, next_, witnesses_.witnesses(), witnesses_.fired(), at_event_);
  if (found.found() && found.h == length) {
    at_event_.t = next_.t;
    motion_.integrated.prescribe(at_event_.t, at_event_.q, at_event_.v, at_event_.auxiliary);
  }
  return found;
}

bool HybridStepper::fail_search(const FoundEvent& found) {
  if (found.outcome == EventOutcome::step_failed) return status_.fail_step(found.step, next_, clock_.h());
  const WitnessKind kind = witnesses_.roles()[size(found.witness)].kind;
  if (kind == WitnessKind::gives_way) return status_.fail_derivatives();
  const std::string name = kind == WitnessKind::user ? events_.user_event(found.witness).name : "of a force element";
  return status_.fail(RunOutcome::not_finite, "the event function '" + name + "' is not a number within the next step");
}

/// Rows at times within the step to `to`, by the interpolant of the step; not one at its end, which has that state.
bool HybridStepper::record_passed_rows(const MotionState& to) {
  const MotionState& from = motion_.state;
  RowSchedule& schedule = recorder_.schedule();
  while (schedule.is_due(to.t) && !schedule.is_at(to.t)) {
    const double t = schedule.next_time();
    schedule.pass_time();
    const double work_done = motion_.system.contact_forces().work();
    if (!stepper_.interpolate(from, to, (t - from.t) / (to.t - from.t), at_row_)) return status_.fail_derivatives();
    motion_.system.contact_forces().set_work(work_done);  // rows do not count for the work budget
    at_row_.t = t;
    motion_.integrated.prescribe(t, at_row_.q, at_row_.v, at_row_.auxiliary);
    if (!recorder_.record_row(at_row_)) return false;
  }
  return true;
}

/// Counts an event; true if time hardly advances between events.
bool HybridStepper::chatters() {
  if (budget_.count_event(motion_.state.t)) return false;
  return !status_.block(
      RunOutcome::chattering,
      "joints keep switching between sticking, sliding and resting at a limit at this instant (chattering)");
}

/// Handles the instant at which witness functions are zero.
bool HybridStepper::meet(const FoundEvent& found) {
  if (chatters()) return false;
  hits_.assign(witnesses_.capacity(), 0);
  transition_.begin(motion_.system.contacts().active().size());
  // No zero is resolved in a step between the two sides of a break: what changed its sign there has jumped over it.
  const bool jumped = found.h <= 2.0 * kEpsilon<double> * std::abs(motion_.state.t);
  bool modes_change = false, impacts = false, terminal = false;
  for (const EventHit& hit : found.hits) {
    hits_[size(hit.witness)] = jumped ? 0 : 1;
    const WitnessRole& role = witnesses_.roles()[size(hit.witness)];
    switch (role.kind) {
      case WitnessKind::user:
        if (!events_.record_user_event(hit)) return false;
        terminal = terminal || events_.user_event(hit.witness).terminal;
        break;
      case WitnessKind::speed_limit:
        if (!events_.record_speed(size(hit.witness), hit.crossing == EventCrossing::rising)) return false;
        break;
      case WitnessKind::rest:
        transition_.mark_rest(role.number);
        modes_change = true;
        break;
      case WitnessKind::limit:
      case WitnessKind::touch:
        impacts = modes_change = true;
        break;
      case WitnessKind::turn:
      case WitnessKind::gives_way:
      case WitnessKind::contact_breakaway:
        modes_change = true;
        break;
      case WitnessKind::contact_rest:
        transition_.mark_contact_rest(role.number, role.friction);
        break;
      case WitnessKind::force_switch:
        break;
    }
  }
  if (slips_.keep_stiction(transition_.contact_rests())) modes_change = true;
  if (!modes_change && witnesses_.any_beyond_limits(motion_.state)) modes_change = true;  // with the new slips
  // A row before the impact, unless the modes have ended at the same instant: their forces are not lawful.
  const bool row_before = impacts && !witnesses_.any_beyond_limits(motion_.state);
  if (row_before && !recorder_.record_row_if_wanted(motion_.state)) return false;
  if (events_.count(found.hits)) {
    motion_.system.choose_sides(instant(motion_.state));
    modes_change = modes_change || motion_.system.holds_anything();
  }
  const std::span<const unsigned char> hits = std::span(hits_).first(witnesses_.witnesses().size());
  if (modes_change) {
    if (!change_modes(hits)) return false;
  } else {
    witnesses_.choose(motion_.state, hits);
  }
  finder_.forget();
  if (!recorder_.record_row_at_event()) return false;
  if (terminal) events_.end_run();
  return true;
}

bool HybridStepper::start() {
  motion_.system.contacts().active().clear();
  return find_modes();
}

bool HybridStepper::find_modes() {
  transition_.begin(0);
  return change_modes({});
}

void HybridStepper::keep_modes() {
  within_limits_ = false;
  witnesses_.choose(motion_.state, {});
  finder_.make_room(static_cast<int>(witnesses_.capacity()));
}

bool HybridStepper::sample_if_due() {
  SceneSystem& system = motion_.system;
  if (motion_.state.t < system.next_sample()) return true;
  system.sample(instant(motion_.state));
  return meet_changed_forces();
}

bool HybridStepper::meet_changed_forces() {
  SceneSystem& system = motion_.system;
  finder_.forget();
  within_limits_ = false;
  if (!system.holds_anything()) return true;
  transition_.begin(0);
  if (!change_modes(witnesses_.fired())) return false;
  return !transition_.changed_dofs() || recorder_.record_row_if_wanted(motion_.state);
}

void HybridStepper::forget() {
  finder_.forget();
  flight_.forget();
  within_limits_ = false;
}

bool HybridStepper::change_modes(std::span<const unsigned char> hits) {
  flight_.forget();
  within_limits_ = false;
  const bool changed = transition_.apply(hits);
  budget_.count_transition(transition_.work());
  finder_.make_room(static_cast<int>(witnesses_.capacity()));
  return changed;
}

}  // namespace pintle
