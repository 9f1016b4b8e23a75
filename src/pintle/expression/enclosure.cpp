#include "pintle/expression/enclosure.h"

#include "pintle/expression/expression_impl.h"

namespace pintle {
namespace {

using Op = Expression::Operation;
using Instruction = Expression::Instruction;

/// A value on the stack. `other`: it depends on another variable than the one of the range.
struct Jet {
  Interval value{}, rate{}, second{};
  bool other = false;
};

/// f(x) by the chain rule, from f and its first two derivatives over the values of x.
Jet chain(const Jet& x, const Interval& f, const Interval& first, const Interval& second) {
  return {f, first * x.rate, second * square(x.rate) + first * x.second, x.other};
}

Jet sum(const Jet& a, const Jet& b) {
  return {a.value + b.value, a.rate + b.rate, a.second + b.second, a.other || b.other};
}

Jet negative(const Jet& a) {
  return {-a.value, -a.rate, -a.second, a.other};
}

Jet product(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.second * b.value + Interval(2.0) * (a.rate * b.rate) + a.value * b.second, a.other || b.other};
}

Jet power_of(const Jet& x, double c) {
  const Interval first = c == 0.0 ? Interval(0.0) : Interval(c) * power(x.value, c - 1.0);
  const Interval second = c == 0.0 || c == 1.0 ? Interval(0.0) : Interval(c * (c - 1.0)) * power(x.value, c - 2.0);
  return chain(x, power(x.value, c), first, second);
}

Jet reciprocal(const Jet& x) {
  return power_of(x, -1.0);
}

Jet cube_root(const Jet& x) {
  const Interval f = cbrt(x.value), first = Interval(1.0) / (Interval(3.0) * square(f));
  return chain(x, f, first, Interval(-2.0) * first / (Interval(3.0) * power(f, 3.0)));
}

Jet exponential(const Jet& x) {
  const Interval f = exp(x.value);
  return chain(x, f, f, f);
}

Jet logarithm(const Jet& x) {
  const Interval first = Interval(1.0) / x.value;
  return chain(x, log(x.value), first, -square(first));
}

Jet arc_sine(const Jet& x) {
  const Interval first = Interval(1.0) / sqrt(Interval(1.0) - square(x.value));
  return chain(x, asin(x.value), first, x.value * power(first, 3.0));
}

Jet arc_tangent(const Jet& x) {
  const Interval first = Interval(1.0) / (Interval(1.0) + square(x.value));
  return chain(x, atan(x.value), first, Interval(-2.0) * x.value * square(first));
}

Jet tangent(const Jet& x) {
  const Interval f = tan(x.value), first = Interval(1.0) + square(f);
  return chain(x, f, first, Interval(2.0) * f * first);
}

Jet hyperbolic_tangent(const Jet& x) {
  const Interval f = tanh(x.value), first = Interval(1.0) - square(f);
  return chain(x, f, first, Interval(-2.0) * f * first);
}

/// The angle of the vector (x, y): by the quotient of which the denominator is not zero.
Jet angle_of(const Jet& y, const Jet& x) {
  const double quarter = 0.5 * kPi<double>;
  if (x.value.low > 0.0) return arc_tangent(product(y, reciprocal(x)));
  const Jet rest = negative(arc_tangent(product(x, reciprocal(y))));
  if (y.value.low > 0.0) return sum({quarter, 0.0, 0.0}, rest);
  if (y.value.high < 0.0) return sum({-quarter, 0.0, 0.0}, rest);
  return {{-2.0 * quarter, 2.0 * quarter}, kAllNumbers, kAllNumbers, x.other || y.other};
}

/// Either of two, with a value.
Jet either(const Interval& value, const Jet& a, const Jet& b) {
  return {value, hull(a.rate, b.rate), hull(a.second, b.second), a.other || b.other};
}

Jet smaller(const Jet& a, const Jet& b) {
  if (a.value.high < b.value.low) return a;
  if (b.value.high < a.value.low) return b;
  return either(min(a.value, b.value), a, b);
}

Jet larger(const Jet& a, const Jet& b) {
  return negative(smaller(negative(a), negative(b)));
}

Jet absolute(const Jet& x) {
  return larger(x, negative(x));
}

Jet sign_of(const Jet& x) {
  const auto of = [](double v) { return v < 0.0 ? -1.0 : v > 0.0 ? 1.0 : 0.0; };
  return {{of(x.value.low), of(x.value.high)}, 0.0, 0.0, x.other};
}

Jet unit_step(const Jet& x) {
  return {{x.value.low < 0.0 ? 0.0 : 1.0, x.value.high < 0.0 ? 0.0 : 1.0}, 0.0, 0.0, x.other};
}

Jet result_of(const Instruction& instruction, const Jet* a, int variable, const Interval& range) {
  switch (instruction.operation) {
    case Op::constant:
      break;
    case Op::variable:
      return instruction.index == variable ? Jet{range, 1.0, 0.0, false} : Jet{0.0, 0.0, 0.0, true};
    case Op::negate:
      return negative(a[0]);
    case Op::power_constant:
      return power_of(a[0], instruction.number);
    case Op::sin:
      return chain(a[0], sin(a[0].value), cos(a[0].value), -sin(a[0].value));
    case Op::cos:
      return chain(a[0], cos(a[0].value), -sin(a[0].value), -cos(a[0].value));
    case Op::tan:
      return tangent(a[0]);
    case Op::asin:
      return arc_sine(a[0]);
    case Op::acos:
      return sum({0.5 * kPi<double>, 0.0, 0.0}, negative(arc_sine(a[0])));
    case Op::atan:
      return arc_tangent(a[0]);
    case Op::sinh:
      return chain(a[0], sinh(a[0].value), cosh(a[0].value), sinh(a[0].value));
    case Op::cosh:
      return chain(a[0], cosh(a[0].value), sinh(a[0].value), cosh(a[0].value));
    case Op::tanh:
      return hyperbolic_tangent(a[0]);
    case Op::exp:
      return exponential(a[0]);
    case Op::log:
      return logarithm(a[0]);
    case Op::sqrt:
      return power_of(a[0], 0.5);
    case Op::cbrt:
      return cube_root(a[0]);
    case Op::abs:
      return absolute(a[0]);
    case Op::sign:
      return sign_of(a[0]);
    case Op::step:
      return unit_step(a[0]);
    case Op::add:
      return sum(a[0], a[1]);
    case Op::subtract:
      return sum(a[0], negative(a[1]));
    case Op::multiply:
      return product(a[0], a[1]);
    case Op::divide:
      return product(a[0], reciprocal(a[1]));
    case Op::power:
      return exponential(product(a[1], logarithm(a[0])));
    case Op::atan2:
      return angle_of(a[0], a[1]);
    case Op::hypot:
      return power_of(sum(power_of(a[0], 2.0), power_of(a[1], 2.0)), 0.5);
    case Op::min:
      return smaller(a[0], a[1]);
    case Op::max:
      return larger(a[0], a[1]);
    case Op::clamp:
      return smaller(larger(a[0], a[1]), a[2]);
  }
  return {instruction.number, 0.0, 0.0, false};
}

/// Calls sink(x) for each value at whose sign changes the result of an instruction may jump or have a kink. Of sign(x)
/// zero is a place of its own, so that -x counts too.
template <class Sink>
void visit_switches(const Instruction& instruction, const Jet* a, Sink sink) {
  switch (instruction.operation) {
    case Op::sign:
      sink(negative(a[0]));
      return sink(a[0]);
    case Op::step:
    case Op::abs:
    case Op::cbrt:
      return sink(a[0]);
    case Op::divide:
      return sink(a[1]);
    case Op::min:
    case Op::max:
      return sink(sum(a[0], negative(a[1])));
    case Op::clamp:
      sink(sum(a[0], negative(a[1])));
      return sink(sum(larger(a[0], a[1]), negative(a[2])));
    default:
      return;
  }
}

/// Runs a program over a range; `sink` sees its switches.
template <class Sink>
Jet run_over(const Expression& expression, int variable, const Interval& range, Sink sink) {
  Jet stack[Expression::kMaxStack];
  Jet* top = stack;
  for (const Instruction& instruction : expression.program()) {
    top -= expressions::operands(instruction.operation);
    visit_switches(instruction, top, sink);
    *top = result_of(instruction, top, variable, range);
    ++top;
  }
  return stack[0];
}

/// A search for the first switch.
class SwitchSearch {
 public:
  SwitchSearch(const Expression& expression, int variable) : expression_(expression), variable_(variable) {}

  SwitchPlace in(double from, double to) {
    finest_ = 0x1p-48 * (to - from);
    (void)look(from, to);
    return found_;
  }

 private:
  /// A formula whose arguments stay within rounding of zero cannot be decided by halving: after so many ranges those
  /// left are compared at their ends.
  static constexpr int kMaxRanges = 1 << 16;

  /// Whether a switch was found in (low, high].
  bool look(double low, double high) {
    ++ranges_;
    if (certain(low, high)) return false;
    const double middle = low + 0.5 * (high - low);
    if (high - low <= finest_ || ranges_ > kMaxRanges || !(middle > low && middle < high))
      return differ(low, high) && narrow(low, high);
    return look(low, middle) || look(middle, high);
  }

  /// Whether no argument changes its sign over a range.
  bool certain(double low, double high) const {
    bool all = true;
    run_over(expression_, variable_, {low, high}, [&](const Jet& x) {
      all = all && (x.other || x.value.low >= 0.0 || x.value.high < 0.0);
    });
    return all;
  }

  /// Whether an argument has different signs at two places; zero counts as positive, as it does for step.
  bool differ(double a, double b) const {
    constexpr int kMaxSwitches = 256;
    bool below[kMaxSwitches];
    int count = 0, number = 0;
    run_over(expression_, variable_, a, [&](const Jet& x) {
      if (count < kMaxSwitches) below[count++] = !x.other && x.value.low < 0.0;
    });
    bool any = false;
    run_over(expression_, variable_, b, [&](const Jet& x) {
      if (number < count && !x.other) any = any || below[number] != (x.value.low < 0.0);
      ++number;
    });
    return any;
  }

  /// The first of the neighbouring doubles that differ, by halving.
  bool narrow(double low, double high) {
    for (double middle = low + 0.5 * (high - low); middle > low && middle < high; middle = low + 0.5 * (high - low))
      (differ(low, middle) ? high : low) = middle;
    found_ = {low, high};
    return true;
  }

  const Expression& expression_;
  int variable_;
  double finest_ = 0.0;
  int ranges_ = 0;
  SwitchPlace found_;
};

}  // namespace

Enclosure enclosure_over(const Expression& expression, int variable, const Interval& range) {
  const Jet jet = run_over(expression, variable, range, [](const Jet&) {});
  return {jet.value, jet.rate, jet.second};
}

SwitchPlace next_switch(const Expression& expression, int variable, double from, double to) {
  return SwitchSearch(expression, variable).in(from, to);
}

}  // namespace pintle
