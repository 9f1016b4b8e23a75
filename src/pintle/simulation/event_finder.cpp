#include "pintle/simulation/event_finder.h"

#include <algorithm>
#include <cmath>

#include "pintle/base/buffer.h"
#include "pintle/base/usage_error.h"
#include "pintle/math/scalar.h"
#include "pintle/simulation/bracketed_zero_impl.h"

namespace pintle {
namespace {

constexpr int kPieces = 8;                           // that a step is looked at in
constexpr double kRounding = 32 * kEpsilon<double>;  // of a value against the size of its terms, after a step
constexpr double kDifference = 0x1p-17;              // of a step, near eps^(1/3): for rates by central differences
constexpr double kShort = 0x1p-10;                   // of a step: the first sample after an event
constexpr double kTiny = 0x1p-1022;
constexpr double kNever = __builtin_inf();

int sign_of(double x) {
  return (x > 0.0) - (x < 0.0);
}

bool is_nan(double x) {
  return x != x;
}

/// From a time to the next larger number.
double spacing(double t) {
  return std::nextafter(std::abs(t), kNever) - std::abs(t);
}

bool same(const MotionState& a, const MotionState& b) {
  return a.t == b.t && a.q == b.q && a.v == b.v && a.extra == b.extra;
}

MotionInstant instant(const MotionState& state) {
  return {state.t, state.q, state.v, state.extra};
}

/// Hermite's cubic on 0 ... 1 through two values with their slopes.
struct Cubic {
  double f0, f1, d0, d1;

  double value(double x) const {
    const double rest = 1.0 - x;
    return f0 + x * (f1 - f0 + rest * (rest * (d0 - (f1 - f0)) - x * (d1 - (f1 - f0))));
  }
  double slope(double x) const {
    const double rest = 1.0 - x;
    return rest * (1.0 - 3.0 * x) * d0 + x * (3.0 * x - 2.0) * d1 + 6.0 * x * rest * (f1 - f0);
  }
  /// Where the value (or the slope) is zero; it has another sign at 0 than at 1. Good enough for a guess.
  double zero() const {
    return narrowed([this](double x) { return value(x); });
  }
  double extremum() const {
    return narrowed([this](double x) { return slope(x); });
  }

 private:
  template <class F>
  static double narrowed(F f) {
    ZeroBracket bracket{0.0, f(0.0), 1.0, f(1.0)};
    const bool ok = narrow([&](double x, double& y) { return !is_nan(y = f(x)); }, bracket, 1e-9);
    return ok ? bracket.passed : 0.5;
  }
};

/// What is known of one watch within a step.
struct Watched {
  const EventFunction* function = nullptr;
  double end_value = 0.0, end_rate = 0.0;  ///< at the end of the last step searched
  bool touching = false;
  bool fresh = false;           ///< at the start it is zero or has fired: a zero there does not count
  bool by_differences = false;  ///< its rate is not known
  bool looked_at = false;
  double value[kPieces + 1], rate[kPieces + 1];  ///< at the ends, and on the interpolant between them
  double scale = 0.0;                            ///< of its terms
  double noise = 0.0;                            ///< values within it are zero, as far as touching goes
  int start_sign = 0;                            ///< just after the start
  double zero = kNever;                          ///< [s] after the start
  EventPassage passage = EventPassage::rising;
};

/// What is followed along real steps: a function, its rate, or how it changes with the length of the step. The last two
/// differ by the error of the integrator.
enum class Number : unsigned char { value, rate, slope };

}  // namespace

/// Room for a search, and the search. Every function that gives a bool gives false after a failure, which `result` then
/// tells.
struct EventFinderMemory {
  EventFinderMemory(MotionSystem& mechanism, Stepper& steps, std::size_t most)
      : system(mechanism),
        stepper(steps),
        watched(most),
        hits(most),
        probe(neutral_state(mechanism)),
        last(probe),
        vdot(probe.v.size()),
        extra_rate(probe.extra.size()) {}

  bool read_ends(std::span<const unsigned char> fired);
  bool end_numbers(const MotionState& state, bool start);
  bool worth_a_look(const Watched& w) const;
  bool sample();
  bool start_slopes();
  void complete(std::size_t i);
  bool first_zero(std::size_t i);
  bool crossing(std::size_t i, int a, int b, int sign);
  bool turning(std::size_t i, int a, int b, int sign);
  bool locate(Number of, std::size_t i, int sign, double lo, double hi, double guess, double slope, double& place);
  bool conclude(MotionState& at);

  // States within the step: real partial steps, and the interpolant.
  bool real(double s);
  bool between(double part);
  bool real_number(Number of, std::size_t i, double s, double& out);

  // Functions at a state.
  bool value_at(std::size_t i, const MotionState& state, double& out);
  bool rate_at(std::size_t i, const MotionState& state, double& out);
  bool no_rates(double t);

  double time(int j) const { return j == kPieces ? h : h * (static_cast<double>(j) / kPieces); }
  Cubic cubic(const Watched& w, int a, int b) const {
    const double width = time(b) - time(a);
    return {w.value[a], w.value[b], width * w.rate[a], width * w.rate[b]};
  }
  /// Whether the rate of a function and the slope along partial steps differ enough to matter.
  bool rough() const { return facts(stepper.method()).order <= 2; }
  /// Zeros behind it come too late.
  double limit() const { return std::min(h, earliest + tolerance); }
  bool counts(std::size_t i, int sign) const {
    const EventDirection direction = watches[i].direction;
    return direction == EventDirection::both || (direction == EventDirection::falling) == (sign > 0);
  }

  MotionSystem& system;
  Stepper& stepper;
  Buffer<Watched> watched;
  Buffer<EventHit> hits;
  MotionState probe, last;  ///< a state within the step; the end of the last step searched
  bool last_known = false;
  Buffer<double> vdot, extra_rate;
  bool vdot_known = false;  ///< of the state at hand

  const MotionState* from = nullptr;
  const MotionState* to = nullptr;
  double h = 0.0, tolerance = 0.0;
  double earliest = kNever;  ///< zero so far [s after the start]
  std::span<const EventWatch> watches;
  FoundEvent result;
};

bool EventFinderMemory::no_rates(double t) {
  result.outcome = EventOutcome::step_failed;
  result.step.outcome = StepOutcome::no_rates;
  result.t = t;
  return false;
}

bool EventFinderMemory::value_at(std::size_t i, const MotionState& state, double& out) {
  out = watches[i].function->value(instant(state));
  if (!is_nan(out)) return true;
  result.outcome = EventOutcome::not_a_number;
  result.watch = static_cast<int>(i);
  result.t = state.t;
  return false;
}

/// NaN where the function does not know its rate.
bool EventFinderMemory::rate_at(std::size_t i, const MotionState& state, double& out) {
  EventFunction& function = *watches[i].function;
  if (function.rate_needs_accelerations() && !vdot_known) {
    if (!system.rates(state.t, state.q, state.v, state.extra, {vdot.data(), vdot.size()},
                      {extra_rate.data(), extra_rate.size()}))
      return no_rates(state.t);
    vdot_known = true;
  }
  out = function.rate(instant(state), {vdot.data(), vdot.size()});
  return true;
}

/// `probe` becomes the state after a real step of length s.
bool EventFinderMemory::real(double s) {
  vdot_known = false;
  if (s == 0.0 || s == h) {
    probe = s == 0.0 ? *from : *to;
    return true;
  }
  ++result.partial_steps;
  result.step = stepper.step(*from, s, probe);
  if (result.step.ok()) return true;
  result.outcome = EventOutcome::step_failed;
  result.t = from->t + s;
  return false;
}

/// `probe` becomes the state at a part of the step, on the interpolant.
bool EventFinderMemory::between(double part) {
  vdot_known = false;
  if (!stepper.interpolate(part, probe)) return no_rates(from->t);
  system.impose(probe.t, probe.q, probe.v, probe.extra);
  return true;
}

bool EventFinderMemory::real_number(Number of, std::size_t i, double s, double& out) {
  if (of == Number::value) return real(s) && value_at(i, probe, out);
  if (of == Number::rate && !watched[i].by_differences) {
    if (!real(s) || !rate_at(i, probe, out)) return false;
    if (!is_nan(out)) return true;
  }
  const double d = kDifference * h;
  double before = 0.0, after = 0.0;
  if (!real_number(Number::value, i, s - d, before) || !real_number(Number::value, i, s + d, after)) return false;
  out = (after - before) / (2.0 * d);
  return true;
}

/// Values, and where touching zeros count the rates, at one end of the step.
bool EventFinderMemory::end_numbers(const MotionState& state, bool start) {
  vdot_known = false;
  const int j = start ? 0 : kPieces;
  for (std::size_t i = 0; i < watches.size(); ++i) {
    Watched& w = watched[i];
    const bool kept = start && w.function == watches[i].function;
    w.rate[j] = __builtin_nan("");
    if (kept) w.value[j] = w.end_value;
    if (!kept && !value_at(i, state, w.value[j])) return false;
    if (!w.touching) continue;
    // Accelerations may have changed with what acts, though the state has not.
    if (kept && !watches[i].function->rate_needs_accelerations()) w.rate[j] = w.end_rate;
    if (is_nan(w.rate[j]) && !rate_at(i, state, w.rate[j])) return false;
    w.by_differences = w.by_differences || is_nan(w.rate[j]);
  }
  return true;
}

bool EventFinderMemory::read_ends(std::span<const unsigned char> fired) {
  const bool kept = last_known && same(last, *from);
  last_known = false;
  for (std::size_t i = 0; i < watches.size(); ++i) {
    Watched& w = watched[i];
    if (!kept) w.function = nullptr;
    w.touching = watches[i].touching;
    w.by_differences = false;
    w.zero = kNever;
  }
  if (!end_numbers(*from, true) || !end_numbers(*to, false)) return false;
  for (std::size_t i = 0; i < watches.size(); ++i) {
    Watched& w = watched[i];
    w.function = watches[i].function;
    w.end_value = w.value[kPieces];
    w.end_rate = w.rate[kPieces];
    w.fresh = w.value[0] == 0.0 || (!fired.empty() && fired[i] != 0);
    w.looked_at = worth_a_look(w);
  }
  last = *to;
  last_known = true;
  return true;
}

/// Whether a zero may lie within the step. The cubic through the ends leaves their chord by at most 4/27 of `bend`;
/// motion is given several times that.
bool EventFinderMemory::worth_a_look(const Watched& w) const {
  const double start = w.value[0], end = w.value[kPieces];
  if (w.fresh || sign_of(start) != sign_of(end)) return true;
  if (!w.touching) return false;
  const double chord = end - start;
  const double bend = std::abs(h * w.rate[0] - chord) + std::abs(h * w.rate[kPieces] - chord);
  return w.by_differences || !(std::min(std::abs(start), std::abs(end)) > bend);
}

/// The rate at the start of watches that have just had their zero, also where touching zeros do not count.
bool EventFinderMemory::start_slopes() {
  vdot_known = false;
  bool by_differences = false;
  for (std::size_t i = 0; i < watches.size(); ++i) {
    Watched& w = watched[i];
    if (!w.fresh || !is_nan(w.rate[0])) continue;
    if (!rate_at(i, *from, w.rate[0])) return false;
    by_differences = by_differences || is_nan(w.rate[0]);
  }
  if (!by_differences) return true;
  if (!between(kShort)) return false;
  for (std::size_t i = 0; i < watches.size(); ++i) {
    Watched& w = watched[i];
    if (!w.fresh || !is_nan(w.rate[0])) continue;
    double after = 0.0;
    if (!value_at(i, probe, after)) return false;
    w.rate[0] = (after - w.value[0]) / (kShort * h);
  }
  return true;
}

/// The functions on the interpolant. Partial steps of a rough method differ from it as much as they turn: there they
/// are made.
bool EventFinderMemory::sample() {
  if (!start_slopes()) return false;
  for (int j = 1; j < kPieces; ++j) {
    if (rough() ? !real(time(j)) : !between(static_cast<double>(j) / kPieces)) return false;
    for (std::size_t i = 0; i < watches.size(); ++i) {
      Watched& w = watched[i];
      if (!w.looked_at) continue;
      if (!value_at(i, probe, w.value[j])) return false;
      w.rate[j] = __builtin_nan("");
      if (w.touching && !w.by_differences && !rough() && !rate_at(i, probe, w.rate[j])) return false;
    }
  }
  for (std::size_t i = 0; i < watches.size(); ++i)
    if (watched[i].looked_at) complete(i);
  return true;
}

/// What follows from the samples: rates that are not known, the size of rounding, the sign just after the start.
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
  w.scale = std::max(watches[i].function->size(instant(*from)), watches[i].function->size(instant(*to)));
  for (const double x : w.value)
    if (std::isfinite(x)) w.scale = std::max(w.scale, std::abs(x));
  w.noise = w.touching ? kRounding * w.scale : 0.0;
  w.start_sign = sign_of(f[0]);
  if (!w.fresh && std::abs(f[0]) > w.noise) return;
  // The value itself may be rounding. Its rate decides, unless that is no more than what a rate that is zero may become
  // within the time tolerance: then what the function has become decides.
  const double bend = 2.0 * std::abs(f[1] - f[0] - width * w.rate[0]) / (width * width);
  const bool clear = std::abs(w.rate[0]) > 8.0 * tolerance * bend + kRounding * w.scale / width;
  if (!clear) w.start_sign = sign_of(f[1]);
  if (clear && w.fresh) w.start_sign = sign_of(w.rate[0]);
}

/// The first zero of watch i that counts and is not too late.
bool EventFinderMemory::first_zero(std::size_t i) {
  Watched& w = watched[i];
  int a = 0, sign = w.start_sign;
  for (int b = 1; b <= kPieces; ++b) {
    if (b < kPieces && std::abs(w.value[b]) <= w.noise) continue;  // its sign says nothing
    const int next = sign_of(w.value[b]);
    if (sign != 0) {
      if (time(a) >= limit()) return true;
      // A function that has just left its zero does not come near it within the first piece without crossing it.
      const bool turns = w.touching && !(w.fresh && a == 0) && sign * w.rate[a] < 0.0 && sign * w.rate[b] >= 0.0;
      if (turns && next != -sign) {
        if (!turning(i, a, b, sign)) return false;
      } else if (next != sign) {
        if (!crossing(i, a, b, sign)) return false;
      }
      if (w.zero < kNever) return true;
    }
    a = b;
    sign = next == 0 ? sign : next;
  }
  return true;
}

/// The function comes with `sign` and crosses zero between samples a and b.
bool EventFinderMemory::crossing(std::size_t i, int a, int b, int sign) {
  if (!counts(i, sign)) return true;
  Watched& w = watched[i];
  if (limit() < time(b)) {
    double value = 0.0;
    if (!real_number(Number::value, i, limit(), value)) return false;
    if (sign * value > 0.0) return true;
  }
  const double width = time(b) - time(a);
  Cubic piece = cubic(w, a, b);
  if (sign_of(piece.f0) != sign) piece.f0 = sign * kTiny;  // it has just left its zero
  const double part = piece.zero(), slope = piece.slope(part) / width;
  w.passage = sign > 0 ? EventPassage::falling : EventPassage::rising;
  return locate(Number::value, i, sign, 0.0, h, time(a) + part * width, slope, w.zero);
}

/// The function comes with `sign`, nears zero and leaves it again between samples a and b.
bool EventFinderMemory::turning(std::size_t i, int a, int b, int sign) {
  Watched& w = watched[i];
  const double width = time(b) - time(a), bend = (w.rate[b] - w.rate[a]) / width;
  const double guess = time(a) + cubic(w, a, b).extremum() * width;
  double turn = kNever, value = 0.0;
  if (!locate(Number::rate, i, -sign, 0.0, h, guess, bend, turn)) return false;
  if (turn < kNever && !real_number(Number::value, i, turn, value)) return false;
  const bool far = turn == kNever || sign * value > w.noise;
  if (far && rough() && !w.by_differences) {
    if (!locate(Number::slope, i, -sign, 0.0, h, turn == kNever ? guess : turn, bend, turn)) return false;
    if (turn < kNever && !real_number(Number::value, i, turn, value)) return false;
  }
  if (turn == kNever) return true;
  if (std::abs(value) <= w.noise) {
    w.passage = EventPassage::touching;
    if (counts(i, sign)) w.zero = turn;
    return true;
  }
  if (sign * value > 0.0) return true;
  // Two zeros, one on each side.
  const double way = std::sqrt(2.0 * std::abs(value / bend));
  const bool first = counts(i, sign);
  w.passage = (sign > 0) == first ? EventPassage::falling : EventPassage::rising;
  if (first) {
    return locate(Number::value, i, sign, w.fresh ? time(a) : 0.0, turn, turn - way, bend * way, w.zero);
  }
  return locate(Number::value, i, -sign, turn, h, turn + way, bend * way, w.zero);
}

/// Where a number that comes with `sign` reaches zero, on real steps, from a guess on the interpolant: walks from there
/// until the zero lies between, and narrows that down. The place is the end of the bracket at which the zero has been
/// reached or passed; it stays as it is where there is none from lo to hi.
bool EventFinderMemory::locate(Number of, std::size_t i, int sign, double lo, double hi, double guess, double slope,
                               double& place) {
  const bool from_zero = lo == 0.0 && of == Number::value && watched[i].fresh;  // there the sign is not to be trusted
  double x = guess > lo ? std::min(guess, hi) : lo + 0.5 * std::min(tolerance, hi - lo);
  double number = 0.0;
  if (!real_number(of, i, x, number)) return false;
  double way = 2.0 * std::abs(number / slope);
  if (!(way >= tolerance)) way = tolerance;
  if (way > hi - lo) way = 0.25 * (hi - lo);
  const bool early = sign * number > 0.0;
  ZeroBracket bracket{};
  do {
    (early ? bracket.before : bracket.passed) = x;
    (early ? bracket.before_value : bracket.passed_value) = number;
    if (early ? x >= hi : x <= lo) return true;
    if (early) {
      x = std::min(x + way, hi);
    } else {
      const double y = from_zero ? std::max(x - way, 0.25 * x) : std::max(x - way, lo);
      if (from_zero && y < tolerance) {  // gone again as soon as it had left its zero
        place = x;
        return true;
      }
      x = y;
    }
    way *= 8.0;
    if (!real_number(of, i, x, number)) return false;
  } while ((sign * number > 0.0) == early);
  (early ? bracket.passed : bracket.before) = x;
  (early ? bracket.passed_value : bracket.before_value) = number;
  const auto numbers = [&](double s, double& out) { return real_number(of, i, s, out); };
  if (!narrow(numbers, bracket, tolerance)) return false;
  place = bracket.passed;
  return true;
}

/// All that are zero at the earliest instant, and the state there.
bool EventFinderMemory::conclude(MotionState& at) {
  std::size_t count = 0;
  double s = std::min(h, spacing(from->t));  // so that time goes on
  for (std::size_t i = 0; i < watches.size(); ++i) {
    if (watched[i].zero == kNever || watched[i].zero > earliest + tolerance) continue;
    s = std::max(s, watched[i].zero);
    hits[count++] = {static_cast<int>(i), watched[i].passage};
  }
  // The last step of the stepper shall be the one that is gone on from.
  const bool found = count > 0;
  if (!found && result.partial_steps == 0) return true;
  ++result.partial_steps;
  result.step = stepper.step(*from, found ? s : h, found ? at : probe);
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

EventFinder::EventFinder(MotionSystem& system, Stepper& stepper, int most_watches)
    : memory_(new EventFinderMemory(system, stepper, static_cast<std::size_t>(most_watches))) {}

EventFinder::~EventFinder() {
  delete memory_;
}

void EventFinder::forget() {
  memory_->last_known = false;
}

FoundEvent EventFinder::search(const MotionState& from, double h, const MotionState& to,
                               std::span<const EventWatch> watches, std::span<const unsigned char> fired_at_start,
                               MotionState& at) {
  constexpr const char* kName = "EventFinder::search";
  EventFinderMemory& work = *memory_;
  require(h > 0.0, kName, "h", "it must be positive");
  require(&at != &from && &at != &to, kName, "at", "it is the same state as an end of the step");
  require(watches.size() <= work.watched.size(), kName, "watches", "there are more than the finder was made for");
  if (!fired_at_start.empty()) require_size(kName, "fired_at_start", fired_at_start.size(), watches.size());
  for (const EventWatch& watch : watches) require(watch.function != nullptr, kName, "watches", "one has no function");
  for (const MotionState* const state : {&from, &to, static_cast<const MotionState*>(&at)}) {
    require_size(kName, "state.q", state->q.size(), work.probe.q.size());
    require_size(kName, "state.v", state->v.size(), work.probe.v.size());
    require_size(kName, "state.extra", state->extra.size(), work.probe.extra.size());
  }
  work.from = &from;
  work.to = &to;
  work.h = h;
  work.tolerance = event_time_tolerance(std::max(std::abs(from.t), std::abs(to.t)));
  work.watches = watches;
  work.earliest = kNever;
  work.result = {};
  if (!work.read_ends(fired_at_start)) return work.result;
  const auto looked_at = [&](std::size_t i) { return work.watched[i].looked_at; };
  bool any = false;
  for (std::size_t i = 0; i < watches.size(); ++i) any = any || looked_at(i);
  if (!any || !work.sample()) return work.result;
  for (std::size_t i = 0; i < watches.size(); ++i) {
    if (looked_at(i) && !work.first_zero(i)) return work.result;
    work.earliest = std::min(work.earliest, work.watched[i].zero);
  }
  (void)work.conclude(at);
  return work.result;
}

double event_time_tolerance(double t) {
  return std::max(1e-12, 4.0 * spacing(t));
}

}  // namespace pintle
