// Interval: a range of real numbers, and the ranges of functions over it.
#pragma once

namespace pintle {

/// All numbers between two bounds, which may be infinite. Every function here contains the values of its operation for
/// all numbers of its arguments, up to rounding; where it is unbounded or not defined the result is kAllNumbers.
struct Interval {
  double low = 0.0, high = 0.0;

  constexpr Interval() = default;
  constexpr Interval(double value) : low(value), high(value) {}
  constexpr Interval(double from, double to) : low(from), high(to) {}

  double width() const { return high - low; }
  bool contains(double x) const { return low <= x && x <= high; }
  /// The largest absolute value.
  double magnitude() const;
};

inline constexpr Interval kAllNumbers{-__builtin_inf(), __builtin_inf()};

/// The smallest interval that contains both.
Interval hull(const Interval& a, const Interval& b);

Interval operator-(const Interval& a);
Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
Interval operator/(const Interval& a, const Interval& b);

Interval square(const Interval& x);
/// x^c; for an exponent that is not an integer, of what is not negative in x.
Interval power(const Interval& x, double c);
Interval sqrt(const Interval& x);
Interval cbrt(const Interval& x);
Interval exp(const Interval& x);
Interval log(const Interval& x);
Interval sin(const Interval& x);
Interval cos(const Interval& x);
Interval tan(const Interval& x);
Interval asin(const Interval& x);
Interval acos(const Interval& x);
Interval atan(const Interval& x);
Interval sinh(const Interval& x);
Interval cosh(const Interval& x);
Interval tanh(const Interval& x);
Interval abs(const Interval& x);
Interval min(const Interval& a, const Interval& b);
Interval max(const Interval& a, const Interval& b);

}  // namespace pintle
