#include "pintle/expression/interval.h"

#include <cmath>

#include "pintle/expression/expression_impl.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/math/hyperbolic_impl.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

/// Bounds as computed; without a number there is no bound.
Interval bounds(double low, double high) {
  return low <= high ? Interval(low, high) : kAllNumbers;
}

/// The product of two bounds. Zero times infinity is zero: it is a limit of products with zero.
double product(double a, double b) {
  return a == 0.0 || b == 0.0 ? 0.0 : a * b;
}

template <class F>
Interval increasing(const Interval& x, F f) {
  return bounds(f(x.low), f(x.high));
}

/// Whether an interval contains phase + k period for some integer k.
bool contains_any(const Interval& x, double phase, double period) {
  return pintle::floor((x.high - phase) / period) >= (x.low - phase) / period;
}

constexpr double kTurn = 2.0 * kPi<double>;

}  // namespace

double Interval::magnitude() const {
  return max(std::abs(low), std::abs(high));
}

Interval hull(const Interval& a, const Interval& b) {
  return {min(a.low, b.low), max(a.high, b.high)};
}

Interval operator-(const Interval& a) {
  return {-a.high, -a.low};
}

Interval operator+(const Interval& a, const Interval& b) {
  return bounds(a.low + b.low, a.high + b.high);
}

Interval operator-(const Interval& a, const Interval& b) {
  return bounds(a.low - b.high, a.high - b.low);
}

Interval operator*(const Interval& a, const Interval& b) {
  const double p = product(a.low, b.low), q = product(a.low, b.high), r = product(a.high, b.low),
               s = product(a.high, b.high);
  return bounds(min(min(p, q), min(r, s)), max(max(p, q), max(r, s)));
}

Interval operator/(const Interval& a, const Interval& b) {
  if (b.contains(0.0)) return kAllNumbers;
  return a * Interval(1.0 / b.high, 1.0 / b.low);
}

Interval square(const Interval& x) {
  const Interval size = abs(x);
  return {size.low * size.low, size.high * size.high};
}

Interval power(const Interval& x, double c) {
  if (c == 0.0) return 1.0;
  if (c < 0.0) return Interval(1.0) / power(x, -c);
  const auto to_power = [c](double v) { return pintle::pow(v, c); };
  if (c != pintle::floor(c)) return x.high < 0.0 ? kAllNumbers : increasing({max(x.low, 0.0), x.high}, to_power);
  if (0.5 * c == pintle::floor(0.5 * c)) return increasing(abs(x), to_power);
  return increasing(x, to_power);
}

Interval sqrt(const Interval& x) {
  return x.high < 0.0 ? kAllNumbers : bounds(std::sqrt(max(x.low, 0.0)), std::sqrt(x.high));
}

Interval cbrt(const Interval& x) {
  return increasing(x, [](double v) { return expressions::cube_root(v); });
}

Interval exp(const Interval& x) {
  return increasing(x, [](double v) { return pintle::exp(v); });
}

Interval log(const Interval& x) {
  if (x.high <= 0.0) return kAllNumbers;
  return {x.low > 0.0 ? pintle::log(x.low) : -__builtin_inf(), pintle::log(x.high)};
}

Interval sin(const Interval& x) {
  if (!(x.width() < kTurn)) return {-1.0, 1.0};
  const double a = pintle::sin(x.low), b = pintle::sin(x.high);
  return {contains_any(x, -0.25 * kTurn, kTurn) ? -1.0 : min(a, b),
          contains_any(x, 0.25 * kTurn, kTurn) ? 1.0 : max(a, b)};
}

Interval cos(const Interval& x) {
  if (!(x.width() < kTurn)) return {-1.0, 1.0};
  const double a = pintle::cos(x.low), b = pintle::cos(x.high);
  return {contains_any(x, 0.5 * kTurn, kTurn) ? -1.0 : min(a, b), contains_any(x, 0.0, kTurn) ? 1.0 : max(a, b)};
}

Interval tan(const Interval& x) {
  if (!(x.width() < 0.5 * kTurn) || contains_any(x, 0.25 * kTurn, 0.5 * kTurn)) return kAllNumbers;
  return increasing(x, [](double v) { return pintle::tan(v); });
}

Interval asin(const Interval& x) {
  if (x.low > 1.0 || x.high < -1.0) return kAllNumbers;
  return bounds(pintle::asin(max(x.low, -1.0)), pintle::asin(min(x.high, 1.0)));
}

Interval acos(const Interval& x) {
  if (x.low > 1.0 || x.high < -1.0) return kAllNumbers;
  return bounds(pintle::acos(min(x.high, 1.0)), pintle::acos(max(x.low, -1.0)));
}

Interval atan(const Interval& x) {
  return increasing(x, [](double v) { return pintle::atan(v); });
}

Interval sinh(const Interval& x) {
  return increasing(x, [](double v) { return pintle::sinh(v); });
}

Interval cosh(const Interval& x) {
  return increasing(abs(x), [](double v) { return pintle::cosh(v); });
}

Interval tanh(const Interval& x) {
  return increasing(x, [](double v) { return pintle::tanh(v); });
}

Interval abs(const Interval& x) {
  if (x.low >= 0.0) return x;
  if (x.high <= 0.0) return -x;
  return {0.0, x.magnitude()};
}

Interval min(const Interval& a, const Interval& b) {
  return {min(a.low, b.low), min(a.high, b.high)};
}

Interval max(const Interval& a, const Interval& b) {
  return {max(a.low, b.low), max(a.high, b.high)};
}

}  // namespace pintle
