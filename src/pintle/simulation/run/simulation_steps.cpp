#include <algorithm>
#include <cmath>
#include <utility>

#include "pintle/simulation/run/simulation_parts.h"

namespace pintle {
namespace {

/// A run is given up after so many events of which each takes no more than so many times the tolerance of their time.
constexpr int kMostEventsAtOnce = 1000;
constexpr double kAtOnce = 10.0;

/// Between looks of the ledger at how much is on the move: a look costs about a tenth of a step.
constexpr std::int64_t kStepsPerLook = 32;

/// Steps while contacts slide slowly: at most so many of the times in which the direction of slip settles (explicit
/// methods are stable up to 2.5 of them), and not less than so much of the length asked for.
constexpr double kSlipStep = 2.0;
constexpr double kShortestSlipStep = 0x1p-28;

/// How far the normal of a contact may turn within a fixed step [rad]: farther, the gap that is left would be closed
/// somewhere else.
constexpr double kFarthestTurn = 0.125;

/// A time that is likely to be clear is known that well only.
constexpr double kNearly = 1.25;

/// So many steps at most are known to be clear at a time.
constexpr double kLongestClear = 0x1p20;
/// Likewise of bodies that are so many that only near ones are looked at: who is near for longer costs more.
constexpr double kLongestOfMany = 32.0;

/// How much of the way to a time to go in steps of about h: not so much that a tiny bit is left.
double length_towards(double rest, double h) {
  return rest <= h ? rest : rest < 2.0 * h ? 0.5 * rest : h;
}

}  // namespace

/// One step, or up to `most` in one go where bodies fly.
bool Simulation::Parts::advance(double end, std::int64_t most) {
  if (finished()) return false;
  if (adaptive) return advance_under_control(end);
  if (glide(end, most) > 0) return true;
  const double next_grid = scene.run().t0 + static_cast<double>(grid + 1) * h;
  const bool on_grid = next_grid <= end + kSameTime * h;
  const double target = on_grid && next_grid < end - kSameTime * h ? next_grid : end;
  const double start = work();
  while (state.t < target) {
    const bool over = steps_over > 0 || cost_since(start) > 0.5 * purse;
    if (!over && (!move_towards(min(target, system.next_sample())) || finished()) && !stuck) return false;
    if ((over || stuck) && !step_over(target)) return false;
    if (state.t < target && handler != nullptr && !handler->within_step(state.t) && stopped_by_handler()) return false;
    if (state.t < target && glide(end, most) > 0) return true;  // after an event
  }
  pay(cost_since(start), 1.0);
  if (on_grid) ++grid;
  count_steps(1);
  return true;
}

/// One step under error control.
bool Simulation::Parts::advance_under_control(double end) {
  const double t = state.t;
  const double start = work();
  const bool over = steps_over > 0 || !(purse > 0.0);
  const bool moved = !over && move_towards(min(end, system.next_sample()));
  if (!moved && (finished() || !step_over(min(end, state.t + kSpanOver)))) return false;
  pay(cost_since(start), (state.t - t) / kSpanOver);
  count_steps(1);
  return true;
}

/// Up to `most` steps before `end` in which all bodies fly and nothing can touch: the same steps as move_towards makes,
/// without looking for what cannot happen. Gives their number.
std::int64_t Simulation::Parts::glide(double end, std::int64_t most) {
  const RunSpec& run = scene.run();
  if (run.method != Method::rk4 || momentum || !system.flies() || !watches.only_touches()) return 0;
  if (run.ledger) most = std::min(most, kStepsPerLook - steps % kStepsPerLook);
  const auto steps_until = [&](double time) {
    const double count = (time - run.t0) / h - static_cast<double>(grid) - kSameTime;
    return count >= static_cast<double>(most) ? most : static_cast<std::int64_t>(max(count, 0.0));
  };
  most = steps_until(end - h + 2.0 * kSameTime * h);  // the last step is made by others, who know how to end there
  if (most == 0 || (touch_at > state.t && touch_at <= state.t + h)) return 0;
  std::int64_t certain = steps_until(clear_until), likely = 0;
  if (certain == 0) {
    const FreeFlight::ClearTime clear = system.clear_time(state, kLongestClear * h, kLongestOfMany * h);
    clear_until = state.t + clear.certain;
    touch_at = state.t + clear.touch;
    certain = steps_until(clear_until);
    likely = steps_until(state.t + clear.likely);
    if (likely == 0 && steps_until(state.t + kNearly * clear.likely) > 0) likely = 1;
  }
  const auto fly = [&](std::int64_t count) {
    next = state;
    return system.fly({run.t0, h, grid, count}, next);
  };
  // Where it is not certain beforehand, it may be afterwards: of many steps, or of one.
  std::int64_t made = 0;
  for (std::int64_t count = likely; made == 0 && count > certain; count /= 8) {
    made = fly(count);
    if (made > 0 && !system.clear_step(next.t - state.t, next)) made = 0;
  }
  if (made == 0 && certain > 0) made = fly(certain);
  if (made == 0 || !all_finite(next)) return 0;
  std::swap(state, next);
  grid += made;
  count_steps(made);
  return made;
}

void Simulation::Parts::count_steps(std::int64_t count) {
  steps += count;
  if (scene.run().ledger && steps % kStepsPerLook == 0) ledger.look(state);
}

/// One step of the integrator towards a time, which ends there, at an event, or, under error control, before.
bool Simulation::Parts::move_towards(double goal) {
  double length = 0.0;
  system.contact_forces().forget_ranks();
  if (!end_slow_slips() || !try_step(goal, length)) return false;
  FoundEvent found;
  watches.look_at_step(state, length, next);
  finder.make_room(static_cast<int>(watches.most()));
  if (!watches.watches().empty()) found = finder.search(state, length, next, watches.watches(), watches.fired(), at);
  if (!found.ok()) return fail_search(found);
  if (found.found() && found.h == length) {
    at.t = next.t;
    motion.impose(at.t, at.q, at.v, at.extra);
  }
  if (!record_passed_rows(found.found() ? at : next)) return false;
  std::swap(state, found.found() ? at : next);
  if (!system.contacts().active().empty()) settle();
  watches.clear_fired();
  if (found.found() && !meet(found)) return false;
  return state.t < system.next_sample() || take_samples();
}

/// Takes out what integration has left of gaps and forbidden speeds.
void Simulation::Parts::settle() {
  system.settle_contacts(state);
  if (momentum) momentum->take_momentum(state);
  finder.forget();
}

/// Efforts jump at samples: what was held may be held no longer.
bool Simulation::Parts::take_samples() {
  system.sample(instant(state));
  finder.forget();
  bool any_held = false;
  for (const Hold hold : system.modes().hold) any_held = any_held || hold != Hold::none;
  any_held = any_held || !system.contacts().active().empty();
  contact_rests.clear();
  if (!any_held) return true;
  for (Cause& cause : causes) cause = Cause::none;
  return change_modes(watches.fired()) && (system.modes() == modes_before || !wants_rows || record_row(state));
}

/// A slip that gets slower and whose direction settles faster than the shortest step could follow is over: no step
/// would tell it from one that turns round and round.
bool Simulation::Parts::end_slow_slips() {
  slip_time = __builtin_inf();
  if (system.contacts().active().empty() || !system.slides_with_friction()) return true;
  if (!system.rates(state.t, state.q, state.v, state.extra, at.v, at.extra)) return true;  // the step will say why
  if (!system.contact_forces().lawful()) {
    return give_way(RunOutcome::not_converged, "no forces of contacts were found that obey the laws");
  }
  contact_rests.assign(system.contacts().active().size(), {});
  slip_time = system.contact_forces().shortest_time();
  system.contact_forces().find_slow(shortest_slip(), system.contacts().active());
  if (!system.contact_forces().find_ending(shortest_slip(), contact_rests)) return true;
  for (Cause& cause : causes) cause = Cause::none;
  if (stalls() || !change_modes(watches.fired())) return false;
  finder.forget();
  slip_time = 0.0;
  return !wants_rows || record_row(state);
}

/// Of the slips marked in contact_rests, whose speeds along what was their direction are zero, only those are at rest
/// that have nothing left across it; the others turn. False: none.
bool Simulation::Parts::keep_rests() {
  const auto any = [&] {
    for (const FrictionMarks& marks : contact_rests)
      if (marks.any()) return true;
    return false;
  };
  if (!any()) return false;
  if (system.rates(state.t, state.q, state.v, state.extra, at.v, at.extra))
    system.contact_forces().unmark_faster(shortest_slip(), contact_rests);
  system.choose_sides(instant(state));  // slips that turn have another direction now
  return any();
}

/// The time in which the direction of a slip settles that no step can follow [s].
double Simulation::Parts::shortest_slip() const {
  return (adaptive ? kAtOnce * event_time_tolerance(state.t) : kShortestSlipStep * h) / kSlipStep;
}

/// How far a fixed step may go: a contact must not wander too far over surfaces that bend; and the direction of a slow
/// slip settles fast, which an explicit method must follow.
double Simulation::Parts::longest_step() const {
  if (system.contacts().active().empty()) return __builtin_inf();
  const double turning = system.contact_forces().fastest_turn(), shortest = kShortestSlipStep * h;
  const double longest = turning > 0.0 ? max(kFarthestTurn / turning, shortest) : __builtin_inf();
  return min(longest, max(kSlipStep * slip_time, shortest));
}

/// `next` becomes the state after a step that is good enough.
bool Simulation::Parts::try_step(double goal, double& length) {
  system.choose_sides(instant(state));
  const double longest = adaptive ? 0.0 : longest_step();
  for (;;) {
    length = adaptive ? length_towards(goal - state.t, control.h) : min(goal - state.t, longest);
    const StepReport report = stepper.step(state, length, next);
    if (adaptive) {
      const StepVerdict verdict = control.judge(report, length, state.t);
      if (verdict == StepVerdict::rejected) {
        ++rejected;
        continue;
      }
      if (verdict != StepVerdict::accepted) {
        if (!report.ok() || !system.slides_with_friction()) return fail_too_small(report);
        return give_way(RunOutcome::step_too_small, "slips turn faster than steps of this method can follow");
      }
    } else if (!report.ok()) {
      return fail_step(report);
    }
    if (state.t + length >= goal || goal - state.t == length) {
      next.t = goal;
      motion.impose(goal, next.q, next.v, next.extra);
    }
    return true;
  }
}

/// Counts events; true where time hardly goes on between them.
bool Simulation::Parts::stalls() {
  const double window = kMostEventsAtOnce * kAtOnce * event_time_tolerance(state.t);
  if (!(state.t - last_event <= window)) {
    last_event = state.t;
    events_at_once = 0;
  }
  count_event_work();
  if (++events_at_once <= kMostEventsAtOnce) return false;
  events_at_once = 0;
  return !give_way(RunOutcome::no_progress,
                   "joints keep changing between sticking, sliding and resting at this instant");
}

/// What happens at an instant at which watched numbers are zero.
bool Simulation::Parts::meet(const FoundEvent& found) {
  if (stalls()) return false;
  for (Cause& cause : causes) cause = Cause::none;
  hits.assign(watches.most(), 0);
  contact_rests.assign(system.contacts().active().size(), {});
  bool modes_change = false, strikes = false, terminal = false;
  for (const EventHit& hit : found.hits) {
    hits[static_cast<std::size_t>(hit.watch)] = 1;
    const WatchRole& role = watches.roles()[static_cast<std::size_t>(hit.watch)];
    switch (role.kind) {
      case WatchKind::user:
        if (!note_user_event(hit)) return false;
        terminal = terminal || user_events[static_cast<std::size_t>(role.number)].terminal;
        break;
      case WatchKind::speed_limit:
        if (!note_speed(static_cast<std::size_t>(hit.watch), hit.passage == EventPassage::rising)) return false;
        break;
      case WatchKind::rest:
        causes[static_cast<std::size_t>(role.number)] = Cause::rest;
        modes_change = true;
        break;
      case WatchKind::stop:
        strikes = true;
        [[fallthrough]];
      case WatchKind::turn:
      case WatchKind::gives_way:
        modes_change = true;
        break;
      case WatchKind::touch:
        strikes = modes_change = true;
        break;
      case WatchKind::contact_rest:
        contact_rests[static_cast<std::size_t>(role.number)][role.friction] = true;
        break;
      case WatchKind::contact_gives_way:
        modes_change = true;
        break;
      case WatchKind::force_switch:
        break;
    }
  }
  if (keep_rests()) modes_change = true;
  if (strikes && wants_rows && !record_row(state)) return false;
  const std::span<const unsigned char> hit_marks = std::span(hits).first(watches.watches().size());
  if (modes_change) {
    if (!change_modes(hit_marks)) return false;
  } else {
    watches.choose(state, hit_marks);
  }
  finder.forget();
  if (wants_rows && !record_row(state)) return false;
  if (terminal) end_by_event();
  return true;
}

void Simulation::Parts::end_by_event() {
  outcome = RunOutcome::event_stopped;
  text = "t = " + number_text(state.t) + " s: a terminal event";
}

/// A joint may start at its stop, or stick from the start.
bool Simulation::Parts::start_modes() {
  last_event = __builtin_nan("");
  for (Cause& cause : causes) cause = Cause::none;
  contact_rests.clear();
  system.contacts().active().clear();
  return change_modes({});
}

bool Simulation::Parts::change_modes(std::span<const unsigned char> marks) {
  clear_until = touch_at = -__builtin_inf();
  modes_before = system.modes();
  contacts_before = system.contacts().active();
  before = state;
  const ModeChangeReport report = change.apply(causes, contact_rests, state);
  if (!report.ok) {
    if (system.trouble().element >= 0 || report.joint >= 0) return fail_rates(report.joint);
    std::swap(state, before);
    system.set_modes(modes_before);
    system.contacts().active() = contacts_before;
    return give_way(RunOutcome::not_converged, "no solution was found for the joints that meet a stop, stick or rest");
  }
  if (report.impact && scene.run().ledger) ledger.book_impact(before, state, change.blow_work(), change.contact_work());
  if (momentum) momentum->take_momentum(state);
  system.contact_forces().forget_ranks();
  watches.choose(state, marks);
  finder.make_room(static_cast<int>(watches.most()));
  return record_changes() && record_contacts(report) && (!report.impact || note_speed_jumps());
}

}  // namespace pintle
