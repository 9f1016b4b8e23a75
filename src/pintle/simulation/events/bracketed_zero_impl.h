// The zero of a function between two points at which it has different signs.
#pragma once

#include <cmath>

namespace pintle {

/// Two points and the function's values there: at `before` it has its initial sign, at `passed` it is zero or has the
/// other sign. Either may be the larger.
struct ZeroBracket {
  double before, before_value;
  double passed, passed_value;
};

/// Narrows a bracket to the width `tolerance`, or to a point where the function is zero. Inverse quadratic
/// interpolation where three points look like a monotone function, else bisection, and never less than half the
/// tolerance from an end, so that both ends converge: superlinear for smooth functions, and no worse than a few times
/// bisection for any. `f(x, value)` returns false where it has no value; this function then does too.  [eq.
/// bracketed-zero]
template <class F>
inline bool narrow(F&& f, ZeroBracket& bracket, double tolerance) {
  const bool from_below = bracket.before_value < 0.0;
  double a = bracket.passed, fa = bracket.passed_value;  // the newest point
  double b = bracket.before, fb = bracket.before_value;  // on the other side
  double part = fa / (fa - fb);
  while (std::abs(bracket.passed - bracket.before) > tolerance && bracket.passed_value != 0.0) {
    const double min_part = 0.5 * tolerance / std::abs(b - a);
    if (!(part >= min_part)) part = std::isfinite(part) ? min_part : 0.5;
    if (part > 1.0 - min_part) part = 1.0 - min_part;
    double x = a + part * (b - a);
    if (x == a || x == b) x = a + 0.5 * (b - a);  // the tolerance may be finer than doubles are
    if (x == a || x == b) return true;            // no double lies between them
    double fx = 0.0;
    if (!f(x, fx)) return false;
    const bool before = from_below ? fx < 0.0 : fx > 0.0;
    (before ? bracket.before : bracket.passed) = x;
    (before ? bracket.before_value : bracket.passed_value) = fx;
    double c = a, fc = fa;  // the point before the newest, or the one that was left behind
    if (before != (from_below ? fa < 0.0 : fa > 0.0)) {
      c = b;
      fc = fb;
      b = a;
      fb = fa;
    }
    a = x;
    fa = fx;
    const double place = (a - b) / (c - b), level = (fa - fb) / (fc - fb);
    part = 0.5;
    if (level * level < place && (1.0 - level) * (1.0 - level) < 1.0 - place) {
      part = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb);
    }
  }
  return true;
}

}  // namespace pintle
