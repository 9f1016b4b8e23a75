#include <utility>

#include "pintle/simulation/simulation_parts.h"

namespace pintle {
namespace {

/// Events at one instant before a run is given up.
constexpr int kMostEventsAtOnce = 1000;

/// Between looks of the ledger at how much is on the move: a look costs about a tenth of a step.
constexpr std::int64_t kStepsPerLook = 16;

/// How much of the way to a time to go in steps of about h: not so much that a tiny bit is left.
double length_towards(double rest, double h) {
  return rest <= h ? rest : rest < 2.0 * h ? 0.5 * rest : h;
}

Cause cause_of(WatchKind kind) {
  switch (kind) {
    case WatchKind::lower_stop:
      return Cause::lower_stop;
    case WatchKind::upper_stop:
      return Cause::upper_stop;
    case WatchKind::rest:
      return Cause::rest;
    case WatchKind::turn:
      return Cause::turn;
    case WatchKind::gives_way:
      return Cause::gives_way;
    case WatchKind::user:
    case WatchKind::speed_limit:
    case WatchKind::force_switch:
      break;
  }
  return Cause::none;
}

}  // namespace

bool Simulation::Parts::advance(double end) {
  if (finished()) return false;
  if (adaptive) {
    if (!move_towards(min(end, system.next_sample()))) return false;
    count_step();
    return true;
  }
  const double next_grid = scene.run().t0 + static_cast<double>(grid + 1) * h;
  const bool on_grid = next_grid <= end + kSameTime * h;
  const double target = on_grid && next_grid < end - kSameTime * h ? next_grid : end;
  while (state.t < target)
    if (!move_towards(min(target, system.next_sample()))) return false;
  if (on_grid) ++grid;
  count_step();
  return true;
}

void Simulation::Parts::count_step() {
  ++steps;
  if (scene.run().ledger && steps % kStepsPerLook == 0) ledger.look(state);
}

/// One step of the integrator towards a time, which ends there, at an event, or, under error control, before.
bool Simulation::Parts::move_towards(double goal) {
  double length = 0.0;
  if (!try_step(goal, length)) return false;
  FoundEvent found;
  if (!watches.watches().empty()) found = finder.search(state, length, next, watches.watches(), watches.fired(), at);
  if (!found.ok()) return fail_search(found);
  if (!record_passed_rows(found.found() ? at : next)) return false;
  std::swap(state, found.found() ? at : next);
  watches.clear_fired();
  if (found.found() && !meet(found)) return false;
  if (state.t >= system.next_sample()) {
    system.sample(instant(state));
    finder.forget();
  }
  return true;
}

/// `next` becomes the state after a step that is good enough.
bool Simulation::Parts::try_step(double goal, double& length) {
  system.choose_sides(instant(state));
  for (;;) {
    length = adaptive ? length_towards(goal - state.t, control.h) : goal - state.t;
    const StepReport report = stepper.step(state, length, next);
    if (adaptive) {
      const StepVerdict verdict = control.judge(report, length, state.t);
      if (verdict == StepVerdict::rejected) {
        ++rejected;
        continue;
      }
      if (verdict != StepVerdict::accepted) return fail_too_small(report);
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

/// What happens at an instant at which watched numbers are zero.
bool Simulation::Parts::meet(const FoundEvent& found) {
  events_at_once = state.t == last_event ? events_at_once + 1 : 0;
  last_event = state.t;
  if (events_at_once > kMostEventsAtOnce) {
    return fail(RunOutcome::no_progress, "joints keep changing between sticking, sliding and resting at this instant");
  }
  for (Cause& cause : causes) cause = Cause::none;
  for (unsigned char& hit : hits) hit = 0;
  bool modes_change = false, terminal = false;
  for (const EventHit& hit : found.hits) {
    hits[static_cast<std::size_t>(hit.watch)] = 1;
    const WatchRole& role = watches.roles()[static_cast<std::size_t>(hit.watch)];
    if (role.kind == WatchKind::user) {
      if (!note_user_event(hit)) return false;
      terminal = terminal || user_events[static_cast<std::size_t>(role.number)].terminal;
    }
    if (role.kind == WatchKind::speed_limit && !note_speed(hit)) return false;
    if (role.kind == WatchKind::gives_way) {
      watches.watches()[static_cast<std::size_t>(hit.watch)].function->value(instant(state));
    }
    const int freedom = role.kind == WatchKind::gives_way ? watches.nearest_to_give_way() : role.number;
    const Cause cause = cause_of(role.kind);
    if (cause == Cause::none || freedom < 0) continue;
    causes[static_cast<std::size_t>(freedom)] = cause;
    modes_change = true;
  }
  if (modes_change) {
    if (!change_modes()) return false;
  } else {
    watches.choose(state, std::span(hits).first(watches.watches().size()));
  }
  finder.forget();
  if (wants_rows && !record_row(state)) return false;
  if (terminal) {
    outcome = RunOutcome::event_stopped;
    text = "t = " + number_text(state.t) + " s: a terminal event";
  }
  return true;
}

/// A joint may start at its stop, or stick from the start.
bool Simulation::Parts::start_modes() {
  for (std::size_t i = 0; i < causes.size(); ++i) {
    causes[i] = Cause::none;
    if (change.q_number()[i] < 0 || system.prescribed()[i] != 0) continue;
    const double q = state.q[static_cast<std::size_t>(change.q_number()[i])];
    if (q <= change.lower()[i]) causes[i] = Cause::lower_stop;
    if (q >= change.upper()[i]) causes[i] = Cause::upper_stop;
  }
  for (unsigned char& hit : hits) hit = 0;
  return change_modes();
}

bool Simulation::Parts::change_modes() {
  modes_before = system.modes();
  before = state;
  bool strikes = false;
  for (const Cause cause : causes) strikes = strikes || cause == Cause::lower_stop || cause == Cause::upper_stop;
  if (strikes && wants_rows && !record_row(state)) return false;
  const ModeChangeReport report = change.apply(causes, state);
  if (!report.ok) {
    if (!system.trouble().element && report.joint < 0) return fail_rates();
    return fail(RunOutcome::not_converged, "no solution was found for the joints that meet a stop, stick or rest",
                report.joint);
  }
  if (report.impact) ledger.book_impact(before, state, change.blow_work());
  if (momentum) momentum->take_momentum(state);
  watches.choose(state, std::span<const unsigned char>(hits).first(watches.watches().size()));
  return record_changes();
}

}  // namespace pintle
