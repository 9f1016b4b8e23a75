#include "pintle/simulation/events/event_finder.h"

#include "pintle/base/usage_error.h"
#include "pintle/simulation/events/event_search.h"

namespace pintle {

using namespace event_search;

namespace {

/// From a time to the next larger double.
double spacing(double t) {
  return std::nextafter(std::abs(t), kNever) - std::abs(t);
}

bool same(const MotionState& a, const MotionState& b) {
  return a.t == b.t && a.q == b.q && a.v == b.v && a.auxiliary == b.auxiliary;
}

}  // namespace

bool EventFinderMemory::no_derivatives(double t) {
  result.outcome = EventOutcome::step_failed;
  result.step.outcome = StepOutcome::no_derivatives;
  result.t = t;
  return false;
}

MotionInstant EventFinderMemory::numbered(const MotionState& state) const {
  MotionInstant at = instant(state);
  at.number = &state == from ? from_number : &state == to ? to_number : probe_number;
  return at;
}

bool EventFinderMemory::value_at(std::size_t i, const MotionState& state, double& out) {
  out = witnesses[i].function->value(numbered(state));
  if (!is_nan(out)) return true;
  result.outcome = EventOutcome::not_a_number;
  result.witness = static_cast<int>(i);
  result.t = state.t;
  return false;
}

/// NaN if the function does not know its derivative.
bool EventFinderMemory::rate_at(std::size_t i, const MotionState& state, double& out) {
  EventFunction& function = *witnesses[i].function;
  if (function.rate_needs_accelerations() && !vdot_known) {
    if (!system.derivatives(state.t, state.q, state.v, state.auxiliary, {vdot.data(), vdot.size()},
                            {auxiliary_derivative.data(), auxiliary_derivative.size()}))
      return no_derivatives(state.t);
    vdot_known = true;
  }
  out = function.rate(numbered(state), {vdot.data(), vdot.size()});
  return true;
}

/// `probe` becomes the state after a real step of length s.
bool EventFinderMemory::real(double s) {
  vdot_known = false;
  last_length = 0.0;
  if (s == 0.0 || s == h) {
    probe = s == 0.0 ? *from : *to;
    probe_number = s == 0.0 ? from_number : to_number;
    return true;
  }
  ++result.partial_steps;
  probe_number = ++instants;
  result.step = stepper.step(*from, s, probe);
  last_length = s;
  if (result.step.ok()) return true;
  result.outcome = EventOutcome::step_failed;
  result.t = from->t + s;
  return false;
}

/// `probe` becomes the state at a fraction of the step, on the interpolant.
bool EventFinderMemory::between(double part) {
  vdot_known = false;
  last_length = 0.0;
  probe_number = ++instants;
  if (!stepper.interpolate(*from, *to, part, probe)) return no_derivatives(from->t);
  system.prescribe(probe.t, probe.q, probe.v, probe.auxiliary);
  return true;
}

/// Values, and derivatives if grazing zeros count, at one end of the step.
bool EventFinderMemory::end_numbers(const MotionState& state, bool start) {
  vdot_known = false;
  const int j = start ? 0 : kPieces;
  for (std::size_t i = 0; i < witnesses.size(); ++i) {
    Watched& w = watched[i];
    const bool kept = start && w.function == witnesses[i].function;
    w.rate[j] = __builtin_nan("");
    if (kept) w.value[j] = w.end_value;
    if (!kept && !value_at(i, state, w.value[j])) return false;
    if (!w.touching) continue;
    // Accelerations may have changed with the forces, though the state has not.
    if (kept && !witnesses[i].function->rate_needs_accelerations()) w.rate[j] = w.end_rate;
    if (is_nan(w.rate[j]) && !rate_at(i, state, w.rate[j])) return false;
    w.by_differences = w.by_differences || is_nan(w.rate[j]);
  }
  return true;
}

bool EventFinderMemory::read_ends(std::span<const unsigned char> fired) {
  const bool kept = last_known && same(last, *from);
  last_known = false;
  for (Watched& w : watched)
    if (!kept) w.function = nullptr;
  for (std::size_t i = witnesses.size(); i < watched.size(); ++i) watched[i].function = nullptr;
  for (std::size_t i = 0; i < witnesses.size(); ++i) {
    Watched& w = watched[i];
    w.touching = witnesses[i].touching;
    w.by_differences = false;
    w.zero = kNever;
  }
  if (!end_numbers(*from, true) || !end_numbers(*to, false)) return false;
  for (std::size_t i = 0; i < witnesses.size(); ++i) {
    Watched& w = watched[i];
    w.function = witnesses[i].function;
    w.end_value = w.value[kPieces];
    w.end_rate = w.rate[kPieces];
    const unsigned char mark = fired.empty() ? 0 : fired[i];
    w.starts_above = mark == kStartsAbove;
    w.fresh = w.starts_above ? !(w.value[0] > 0.0) : w.value[0] == 0.0 || mark != 0;
    w.level = w.starts_above ? std::max(-w.value[0], 0.0) : 0.0;
    w.value[0] += w.level;
    w.value[kPieces] += w.level;
    w.looked_at = worth_a_look(w);
  }
  last = *to;
  last_known = true;
  return true;
}

/// Whether a zero may lie within the step. The cubic through the ends deviates from their chord by at most 4/27 of
/// `bend`; the motion is allowed several times that.
bool EventFinderMemory::worth_a_look(const Watched& w) const {
  const double start = w.value[0], end = w.value[kPieces];
  if (w.fresh || sign_of(start) != sign_of(end)) return true;
  if (!w.touching) return false;
  const double chord = end - start;
  const double bend = std::abs(h * w.rate[0] - chord) + std::abs(h * w.rate[kPieces] - chord);
  return w.by_differences || !(std::min(std::abs(start), std::abs(end)) > bend);
}

/// Whether a function clearly crosses zero once within the step: it is clear of it at the start, and the cubic through
/// the ends is monotone (Fritsch and Carlson's condition), as the motion then is.
bool EventFinderMemory::crosses_once(const Watched& w) const {
  const double chord = w.value[kPieces] - w.value[0];
  const bool one_way = w.rate[0] * chord > 0.0 && w.rate[kPieces] * chord > 0.0 &&
                       std::abs(h * w.rate[0]) <= 3.0 * std::abs(chord) &&
                       std::abs(h * w.rate[kPieces]) <= 3.0 * std::abs(chord);
  return !rough() && w.touching && !w.by_differences && !w.fresh && one_way &&
         sign_of(w.value[0]) == -sign_of(w.value[kPieces]) && sign_of(w.value[0]) != 0;
}

/// The derivative at the start of witnesses that have just had their zero, also if grazing zeros do not count.
bool EventFinderMemory::start_slopes() {
  vdot_known = false;
  bool by_differences = false;
  for (std::size_t i = 0; i < witnesses.size(); ++i) {
    Watched& w = watched[i];
    if (!w.fresh || !is_nan(w.rate[0])) continue;
    if (!rate_at(i, *from, w.rate[0])) return false;
    by_differences = by_differences || is_nan(w.rate[0]);
  }
  if (!by_differences) return true;
  if (!between(kDifference)) return false;
  for (std::size_t i = 0; i < witnesses.size(); ++i) {
    Watched& w = watched[i];
    if (!w.fresh || !is_nan(w.rate[0])) continue;
    double after = 0.0;
    if (!value_at(i, probe, after)) return false;
    w.rate[0] = (after - w.value[0]) / (kDifference * h);
  }
  return true;
}

/// The functions on the interpolant. Partial steps of a low-order method differ from it as much as the functions bend:
/// if grazing zeros count, partial steps are made.
bool EventFinderMemory::sample() {
  if (!start_slopes()) return false;
  bool by_steps = false;
  for (std::size_t i = 0; i < witnesses.size(); ++i)
    by_steps = by_steps || (rough() && watched[i].looked_at && watched[i].touching);
  for (int j = 1; j < kPieces; ++j) {
    if (by_steps ? !real(time(j)) : !between(static_cast<double>(j) / kPieces)) return false;
    for (std::size_t i = 0; i < witnesses.size(); ++i) {
      Watched& w = watched[i];
      if (!w.looked_at) continue;
      if (!value_at(i, probe, w.value[j])) return false;
      w.value[j] += w.level;
      w.rate[j] = __builtin_nan("");
      if (w.touching && !w.by_differences && !rough() && !rate_at(i, probe, w.rate[j])) return false;
    }
  }
  for (std::size_t i = 0; i < witnesses.size(); ++i)
    if (watched[i].looked_at) complete(i);
  return true;
}

/// What follows from the samples: unknown derivatives, the size of rounding, the sign just after the start.
void EventFinderMemory::complete(std::size_t i) {
  Watched& w = watched[i];
  const double* const f = w.value;
  const double width = h / kPieces;
  if (rough() && !w.fresh) w.rate[0] = __builtin_nan("");
  if (rough()) w.rate[kPieces] = __builtin_nan("");
  for (int j = 0; j <= kPieces; ++j) {
    if (!is_nan(w.rate[j])) continue;
    const double twice = j == 0         ? -3.0 * f[0] + 4.0 * f[1] - f[2]
                         : j == kPieces ? 3.0 * f[j] - 4.0 * f[j - 1] + f[j - 2]
                                        : f[j + 1] - f[j - 1];
    w.rate[j] = twice / (2.0 * width);
  }
  w.scale = std::max(witnesses[i].function->size(numbered(*from)), witnesses[i].function->size(numbered(*to)));
  for (const double x : w.value)
    if (std::isfinite(x)) w.scale = std::max(w.scale, std::abs(x));
  w.noise = w.touching ? kRounding * w.scale : 0.0;
  w.start_sign = w.starts_above ? 1 : sign_of(f[0]);
  if (w.starts_above) return;
  if (!w.fresh && std::abs(f[0]) > w.noise) return;
  // The value itself may be rounding. Its derivative decides, unless it is no more than a zero derivative may become
  // within the time tolerance: then the later values of the function decide.
  const double bend = 2.0 * std::abs(f[1] - f[0] - width * w.rate[0]) / (width * width);
  const bool clear = std::abs(w.rate[0]) > 8.0 * tolerance * bend + kRounding * w.scale / (kDifference * h);
  if (!clear) w.start_sign = sign_of(f[1]);
  if (clear && w.fresh) w.start_sign = sign_of(w.rate[0]);
}

/// All functions that are zero at the earliest instant, and the state there.
bool EventFinderMemory::conclude(MotionState& at) {
  std::size_t count = 0;
  double s = std::min(h, spacing(from->t));  // so that time advances
  for (std::size_t i = 0; i < witnesses.size(); ++i) {
    if (watched[i].zero == kNever || watched[i].zero > earliest + tolerance) continue;
    s = std::max(s, watched[i].zero);
    hits[count++] = {static_cast<int>(i), watched[i].crossing};
  }
  // The last step of the stepper must be the one that the run continues from.
  const bool found = count > 0;
  if (!found && result.partial_steps == 0) return true;
  if (found && s == last_length) {
    at = probe;
  } else {
    ++result.partial_steps;
    result.step = stepper.step(*from, found ? s : h, found ? at : probe);
  }
  if (!result.step.ok()) {
    result.outcome = EventOutcome::step_failed;
    result.t = from->t + s;
    return false;
  }
  if (!found) return true;
  result.outcome = EventOutcome::found;
  result.t = at.t;
  result.h = s;
  result.hits = {hits.data(), count};
  return true;
}

EventFinder::EventFinder(MotionSystem& system, Stepper& stepper, int max_witnesses) : memory_(nullptr) {
  require(max_witnesses >= 0, "EventFinder", "max_witnesses", "it is negative");
  memory_ = new EventFinderMemory(system, stepper, static_cast<std::size_t>(max_witnesses));
}

EventFinder::~EventFinder() {
  delete memory_;
}

void EventFinder::make_room(int max_witnesses) {
  const std::size_t count = static_cast<std::size_t>(max_witnesses);
  if (count <= memory_->watched.size()) return;
  memory_->watched = Buffer<event_search::Watched>(count);
  memory_->hits = Buffer<EventHit>(count);
  memory_->last_known = false;
}

void EventFinder::forget() {
  memory_->last_known = false;
}

FoundEvent EventFinder::search(const MotionState& from, double h, const MotionState& to,
                               std::span<const Witness> witnesses, std::span<const unsigned char> fired_at_start,
                               MotionState& at) {
  constexpr const char* kName = "EventFinder::search";
  EventFinderMemory& work = *memory_;
  require(h > 0.0, kName, "h", "it must be positive");
  require(&at != &from && &at != &to, kName, "at", "it is the same state as an end of the step");
  require(witnesses.size() <= work.watched.size(), kName, "witnesses", "there are more than the finder was made for");
  if (!fired_at_start.empty()) require_size(kName, "fired_at_start", fired_at_start.size(), witnesses.size());
  for (const Witness& witness : witnesses)
    require(witness.function != nullptr, kName, "witnesses", "one has no function");
  for (const MotionState* const state : {&from, &to, static_cast<const MotionState*>(&at)}) {
    require_size(kName, "state.q", state->q.size(), work.probe.q.size());
    require_size(kName, "state.v", state->v.size(), work.probe.v.size());
    require_size(kName, "state.auxiliary", state->auxiliary.size(), work.probe.auxiliary.size());
  }
  work.from = &from;
  work.to = &to;
  work.from_number = ++work.instants;
  work.to_number = ++work.instants;
  work.h = h;
  work.tolerance = event_time_tolerance(std::max(std::abs(from.t), std::abs(to.t)));
  work.witnesses = witnesses;
  work.earliest = kNever;
  work.last_length = 0.0;
  work.result = {};
  if (!work.read_ends(fired_at_start)) return work.result;
  const auto looked_at = [&](std::size_t i) { return work.watched[i].looked_at; };
  bool any = false, plain = true;
  for (std::size_t i = 0; i < witnesses.size(); ++i) {
    any = any || looked_at(i);
    plain = plain && (!looked_at(i) || work.crosses_once(work.watched[i]));
  }
  if (!any || (!plain && !work.sample())) return work.result;
  for (std::size_t i = 0; i < witnesses.size(); ++i) {
    const int sign = sign_of(work.watched[i].value[0]);
    if (looked_at(i) && !(plain ? work.crossing(i, 0, kPieces, sign) : work.first_zero(i))) return work.result;
    work.earliest = std::min(work.earliest, work.watched[i].zero);
  }
  (void)work.conclude(at);
  return work.result;
}

double event_time_tolerance(double t) {
  return std::max(1e-12, 4.0 * spacing(t));
}

}  // namespace pintle
