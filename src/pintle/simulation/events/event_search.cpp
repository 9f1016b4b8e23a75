// The zeros of one witness function: between which samples they lie, and where on real steps.
#include "pintle/simulation/events/event_search.h"

#include "pintle/simulation/events/bracketed_zero_impl.h"

namespace pintle {

using namespace event_search;

namespace {

constexpr double kTiny = 0x1p-1022;
constexpr int kMaxStraight = 2;  // Newton steps to a zero

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
  /// Where the value (or the slope) is zero, or 1 if it has the same sign at both ends. Good enough for a guess.
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
    if (bracket.before_value < 0.0 ? bracket.passed_value < 0.0 : bracket.passed_value > 0.0) return 1.0;
    const bool ok = narrow([&](double x, double& y) { return !is_nan(y = f(x)); }, bracket, 1e-9);
    return ok ? bracket.passed : 0.5;
  }
};

Cubic cubic(const Watched& w, int a, int b, double width) {
  return {w.value[a], w.value[b], width * w.rate[a], width * w.rate[b]};
}

}  // namespace

bool EventFinderMemory::real_number(Number of, std::size_t i, double s, double& out) {
  if (of == Number::value) {
    if (!real(s) || !value_at(i, probe, out)) return false;
    out += watched[i].level;
    return true;
  }
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

/// The first zero of witness i that counts and is not too late.
bool EventFinderMemory::first_zero(std::size_t i) {
  Watched& w = watched[i];
  int a = 0, sign = w.start_sign;
  for (int b = 1; b <= kPieces; ++b) {
    const bool unclear = std::abs(w.value[b]) <= w.noise;  // its sign says nothing
    if (unclear && (b < kPieces || (w.starts_above && w.fresh))) continue;
    const int next = sign_of(w.value[b]);
    if (sign != 0) {
      if (time(a) >= limit()) return true;
      // A function that has just left its zero does not approach it within the first piece without crossing it.
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

/// The function starts with `sign` and crosses zero between samples a and b.
bool EventFinderMemory::crossing(std::size_t i, int a, int b, int sign) {
  if (!counts(i, sign)) return true;
  Watched& w = watched[i];
  if (limit() < time(b)) {
    double value = 0.0;
    if (!real_number(Number::value, i, limit(), value)) return false;
    if (sign * value > 0.0) return true;
  }
  const double width = time(b) - time(a);
  Cubic piece = cubic(w, a, b, width);
  if (sign_of(piece.f0) != sign) piece.f0 = sign * kTiny;  // it has just left its zero
  const double part = piece.zero(), slope = piece.slope(part) / width;
  w.crossing = sign > 0 ? EventCrossing::falling : EventCrossing::rising;
  Sought zero{Number::value, i, sign, time(a), time(b), 0.0, w.touching ? time(b) : h, time(a) + part * width, slope};
  if (!locate(zero, w.zero)) return false;
  if (w.zero < kNever || !w.touching) return true;
  // One of the samples has another sign on real steps. It is near an extremum, and so may be the zero.
  double there = 0.0;
  if (!real_number(Number::value, i, time(b), there)) return false;
  const bool wrong_end = sign * there > 0.0;
  const int last_sample = b == kPieces || sign * w.rate[b] >= 0.0 ? b : b + 1;
  const int first_sample = a == 0 || sign * w.rate[a] > 0.0 ? a : a - 1;
  if (!(wrong_end ? turning(i, a, last_sample, sign) : turning(i, first_sample, b, -sign))) return false;
  if (w.zero < kNever || !wrong_end) return true;
  zero.upper = h;
  zero.guess = time(b);
  w.crossing = sign > 0 ? EventCrossing::falling : EventCrossing::rising;
  return locate(zero, w.zero);
}

/// The function starts with `sign`, approaches zero and departs again between samples a and b.
bool EventFinderMemory::turning(std::size_t i, int a, int b, int sign) {
  Watched& w = watched[i];
  const double width = time(b) - time(a), bend = (w.rate[b] - w.rate[a]) / width;
  const double guess = time(a) + cubic(w, a, b, width).extremum() * width;
  double turn = kNever, value = 0.0;
  Sought extreme{Number::rate, i, -sign, time(a), time(b), 0.0, h, guess, bend};
  if (!locate(extreme, turn)) return false;
  if (turn < kNever && !real_number(Number::value, i, turn, value)) return false;
  const bool far = turn == kNever || sign * value > w.noise;
  const bool singular = turn == kNever || rough() || std::abs(value) < 0.02 * std::abs(bend) * width * width;
  if (far && singular && !w.by_differences) {
    extreme.of = Number::slope;
    if (!locate(extreme, turn)) return false;
    if (turn < kNever && !real_number(Number::value, i, turn, value)) return false;
  }
  if (turn == kNever) return true;
  if (std::abs(value) <= w.noise) {
    w.crossing = EventCrossing::touching;
    if (counts(i, sign)) w.zero = turn;
    return true;
  }
  if (sign * value > 0.0) return true;
  // Two zeros, one on each side.
  const double way = std::sqrt(2.0 * std::abs(value / bend)), slope = bend * way;
  const bool first = counts(i, sign);
  w.crossing = (sign > 0) == first ? EventCrossing::falling : EventCrossing::rising;
  if (first) {
    const double start = w.fresh ? time(a) : 0.0;
    return locate({Number::value, i, sign, time(a), turn, start, turn, turn - way, -slope}, w.zero);
  }
  return locate({Number::value, i, -sign, turn, time(b), turn, h, turn + way, slope}, w.zero);
}

/// Where a value reaches zero, on real steps. The result is unchanged if there is no zero. A function that grazes zero
/// after its start reaches it where it falls: a zero at which it does not fall is rounding, and the one to be found is
/// where it is clearly below.
bool EventFinderMemory::locate(const Sought& sought, double& place) {
  const std::size_t i = sought.i;
  const bool from_zero = sought.lower == 0.0 && sought.of == Number::value && watched[i].fresh;
  double found = place;
  if (!locate_crossing(sought, from_zero, 0.0, found)) return false;
  if (from_zero && found < kNever && watched[i].starts_above && witnesses[i].grazes) {
    double rate = 0.0;
    if (!real_number(Number::rate, i, found, rate)) return false;
    if (!(sought.sign * rate < 0.0)) {
      found = place;
      if (!locate_crossing(sought, from_zero, sought.sign * watched[i].noise, found)) return false;
    }
  }
  place = found;
  return true;
}

/// A Newton step from x, slightly lengthened, but not beyond where the samples have the zero: there may be another one.
/// If the value, with a shift, is as linear as its slope says and is just past zero, the zero is as near: `there`.
bool EventFinderMemory::step_past(const Sought& sought, double shift, double& x, double& number, bool& there) {
  const double fine = kFine * tolerance, next = x - number / sought.slope + 0.5 * fine;
  there = false;
  if (!(next > sought.low && next < sought.high && std::abs(next - x) > fine)) return true;
  const double before = number, straight = sought.slope * (next - x);
  x = next;
  if (!real_number(sought.of, sought.i, x, number)) return false;
  number += shift;
  const double part = (number - before) / straight;
  there = part > 0.5 && part < 2.0 && sought.sign * number <= 0.0 && std::abs(number) <= fine * std::abs(sought.slope);
  return true;
}

/// Where a value with a shift reaches zero, from a guess on the interpolant: searches from there until the zero is
/// bracketed, and narrows the bracket. The result is the end of the bracket at which the zero has been reached or
/// passed. `from_zero`: the sign at the start is not reliable.
bool EventFinderMemory::locate_crossing(const Sought& sought, bool from_zero, double shift, double& place) {
  const auto [of, i, sign, low, high, lower, upper, guess, slope] = sought;
  const auto read = [this, shift](Number what, std::size_t witness, double s, double& out) {
    if (!real_number(what, witness, s, out)) return false;
    out += shift;
    return true;
  };
  double x = guess > lower ? std::min(guess, upper) : lower + 0.5 * std::min(tolerance, upper - lower);
  double number = 0.0;
  if (!read(of, i, x, number)) return false;
  const double fine = kFine * tolerance;
  bool there = false;
  for (int k = 0; k < kMaxStraight && of == Number::value && !from_zero && !there; ++k)
    if (!step_past(sought, shift, x, number, there)) return false;
  if (there) {
    place = x;
    return true;
  }
  double way = 2.0 * std::abs(number / slope);
  if (!(way >= fine)) way = fine;
  if (way > upper - lower) way = 0.25 * (upper - lower);
  const bool early = sign * number > 0.0;
  ZeroBracket bracket{};
  do {
    (early ? bracket.before : bracket.passed) = x;
    (early ? bracket.before_value : bracket.passed_value) = number;
    if (early ? x >= upper : x <= lower) return true;
    if (early) {
      x = std::min(x + way, x < high ? high : upper);
    } else if (from_zero) {
      x = std::max(x - way, 0.25 * x);
      if (x < tolerance) {  // back as soon as it had left its zero
        place = bracket.passed;
        return true;
      }
    } else {
      x = std::max(x - way, x > low ? low : lower);
    }
    way *= 4.0;
    if (!read(of, i, x, number)) return false;
  } while ((sign * number > 0.0) == early);
  (early ? bracket.passed : bracket.before) = x;
  (early ? bracket.passed_value : bracket.before_value) = number;
  const auto numbers = [&](double s, double& out) { return read(sought.of, sought.i, s, out); };
  if (!narrow(numbers, bracket, fine)) return false;
  place = bracket.passed;
  return true;
}

}  // namespace pintle
