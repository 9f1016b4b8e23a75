// Where the way on by events has no end or costs too much: time-stepping over it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "pintle/simulation/run/simulation_parts.h"

namespace pintle {
namespace {

/// What steps may cost in forces of contacts (ContactForces::work), beyond so many solutions for each: at most half of
/// what is in a purse, which every step fills by a little. A step that costs more is stepped over, in so many short
/// steps. Where that does not lead out of it, twice as many steps are stepped
/// over the next time, up to a limit.
constexpr double kFree = 64.0;
constexpr double kRefill = 20000.0;
constexpr double kEventCost = 32.0;  // in solutions
constexpr double kShortSteps = 16.0;
constexpr std::int64_t kMostStepsOver = 16;

}  // namespace

double Simulation::Parts::work() const {
  return std::as_const(system).contact_forces().work() + event_work;
}

/// An event costs so many solutions.
void Simulation::Parts::count_event_work() {
  const double contacts = static_cast<double>(std::as_const(system).contacts().active().size());
  event_work = fma(kEventCost, contacts * contacts, event_work);
}

/// What was done since `work` was `start`, beyond what every step is given.
double Simulation::Parts::cost_since(double start) const {
  const double contacts = static_cast<double>(std::as_const(system).contacts().active().size());
  return max(work() - start - kFree * contacts * contacts, 0.0);
}

/// Takes a cost from the purse, and fills it as after so many steps.
void Simulation::Parts::pay(double cost, double fill_steps) {
  purse = min(fma(kRefill, fill_steps, max(purse - cost, 0.0)), kFullPurse);
}

/// There is no way on by events: where contacts are the reason it is stepped over, else the run ends. False.
bool Simulation::Parts::give_way(RunOutcome why, const char* what) {
  stuck = system.contacts().any_pairs();
  return stuck ? false : fail(why, what);
}

/// Goes on to a time by time-stepping, then by events again, unless it is too soon for that.
bool Simulation::Parts::step_over(double target) {
  target = min(target, system.next_sample());
  if (adaptive && wants_rows) target = min(target, time_clock.next_time());
  const double start = state.t, span = adaptive ? kSpanOver : h, longest = span / kShortSteps;
  stuck = false;
  if (steps_over == 0) {
    longest_over = start - over_until <= span ? std::min(2 * longest_over, kMostStepsOver) : 1;
    steps_over = longest_over;
  }
  modes_before = system.modes();
  contacts_before = system.contacts().active();
  while (state.t < target && !finished())
    if (!short_step(target, longest)) return false;
  contact_record.stepped_over += state.t - start;
  over_until = state.t;
  if (momentum) momentum->take_momentum(state);
  finder.forget();
  if (!tell_contacts() || !back_to_events() || !record_passed_rows(state)) return false;
  if (finished()) return false;
  return state.t < system.next_sample() || take_samples();
}

/// One step by time-stepping towards a time, no longer than `longest` [s].
bool Simulation::Parts::short_step(double target, double longest) {
  const double parts = std::ceil((target - state.t) / longest - kSameTime);
  const bool last = !(parts > 1.0);
  before = state;
  const TimeSteppingReport report = time_stepping.step(last ? target - state.t : (target - state.t) / parts, state);
  if (report.joint >= 0 || system.trouble().element >= 0) return fail_rates(report.joint);
  if (!report.ok) return fail(RunOutcome::not_converged, "no forces of contacts and stops were found");
  if (last) state.t = target;
  if (!all_finite(state)) return fail_not_finite(state);
  contact_record.breach = max(contact_record.breach, report.residual);
  if (scene.run().ledger)
    ledger.book_impact(time_stepping.free(), time_stepping.struck(), time_stepping.joint_work(), report.contact_work);
  return note_passed_events() && note_speed_jumps();
}

/// The events of the scene that are between `before` and `state`: they are noted at its end.
bool Simulation::Parts::note_passed_events() {
  for (std::size_t k = 0; k < watches.watches().size(); ++k) {
    if (watches.roles()[k].kind != WatchKind::user) continue;
    const EventWatch& watch = watches.watches()[k];
    const double from = watch.function->value(instant(before)), to = watch.function->value(instant(state));
    const bool rises = from < 0.0 && to >= 0.0, falls = from > 0.0 && to <= 0.0;
    if (!(rises && watch.direction != EventDirection::falling) && !(falls && watch.direction != EventDirection::rising))
      continue;
    const EventHit hit{static_cast<int>(k), rises ? EventPassage::rising : EventPassage::falling};
    if (!note_user_event(hit) || (wants_rows && !record_row(state))) return false;
    if (user_events[static_cast<std::size_t>(watches.roles()[k].number)].terminal) end_by_event();
  }
  return true;
}

/// After time-stepping: the modes by the laws at this instant, if it is time for that and they have an answer.
bool Simulation::Parts::back_to_events() {
  clear_until = touch_at = -__builtin_inf();
  for (Cause& cause : causes) cause = Cause::none;
  contact_rests.clear();
  if (--steps_over == 0) {
    const FreedomModes free = system.modes();
    contacts_over = system.contacts().active();
    system.set_modes(modes_before);
    for (ActiveContact& contact : system.contacts().active()) contact.mean_force = contact.mean_moment = {};
    if (change_modes({})) return true;
    if (finished()) return false;
    stuck = false;
    system.set_modes(free);
    system.contacts().active() = contacts_over;
    longest_over = std::min(2 * longest_over, kMostStepsOver);
    steps_over = longest_over;
  }
  watches.choose(state, {});
  finder.make_room(static_cast<int>(watches.most()));
  return true;
}

}  // namespace pintle
