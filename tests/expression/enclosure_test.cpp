// Enclosures contain what they enclose, and tighten with their range; the switches of a formula are found.
#include "pintle/expression/enclosure.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>

#include "pintle/base/random.h"
#include "pintle/expression/expression_impl.h"

using namespace pintle;

namespace {

Expression formula(const std::string& text) {
  ExpressionOptions options;
  options.variables = {"q", "t"};
  return parse_expression(text, options).value();
}

constexpr int kTime = 1;

using D = Dual<double, 1>;
using D2 = Dual<D, 1>;

/// Value, first and second derivative at q = 0.
std::array<double, 3> at(const Expression& expression, double t) {
  const std::array<D2, 2> variables = {D2(D(0.0)), D2::variable(D::variable(t, 0), 0)};
  const D2 f = evaluate_expression<D2>(expression, variables);
  return {f.value.value, f.derivative[0].value, f.derivative[0].derivative[0]};
}

bool contains(const Interval& range, double x) {
  const double slack = 1e-12 * (1.0 + std::abs(x));
  return range.low <= x + slack && range.high >= x - slack;
}

/// Every operation, smooth for t between 0.1 and 6 but where it switches.
constexpr const char* kFormulas[] = {"0.02*sin(6*pi*t)",
                                     "cos(3*t)*sin(t^2)",
                                     "t^3 - 2*t^2 + 5",
                                     "exp(-((t - 3)/0.1)^2)",
                                     "1/(1 + t^2)",
                                     "(t - 3)/(t + 1)",
                                     "tan(t/8)",
                                     "asin(t/7) + acos(t/9)",
                                     "atan(5*(t - 2))",
                                     "sinh(t/3) - cosh(t - 2)",
                                     "tanh(4*(t - 3))",
                                     "log(t) + sqrt(t)",
                                     "t^2.5 + t^-1",
                                     "t^t",
                                     "atan2(t, 3 - t) + atan2(-t, 1)",
                                     "abs(t - 2)^3",
                                     "cbrt(t + 1) + hypot(t, 2) + sign(t - 2)*t",
                                     "min(t, 3) + max(t^2, 2)",
                                     "clamp(t, 1, 4)*step(t - 2)",
                                     "q*t + sin(t)"};

}  // namespace

TEST_CASE("enclosure: all values and derivatives over a range are within it") {
  RandomStream random(7);
  for (const char* const text : kFormulas) {
    CAPTURE(text);
    const Expression f = formula(text);
    for (int trial = 0; trial < 300; ++trial) {
      const double low = random.uniform(0.1, 6.0), width = (6.0 - low) * std::pow(10.0, random.uniform(-6.0, 0.0));
      const Enclosure all = enclosure_over(f, kTime, {low, low + width});
      for (int i = 0; i <= 20; ++i) {
        const std::array<double, 3> x = at(f, low + width * i / 20.0);
        REQUIRE(contains(all.value, x[0]));
        REQUIRE(contains(all.rate, x[1]));
        REQUIRE(contains(all.second, x[2]));
      }
    }
  }
}

TEST_CASE("enclosure: over a short range it is as wide as the range, times a constant") {
  for (const char* const text : kFormulas) {
    CAPTURE(text);
    const Expression f = formula(text);
    for (const double low : {0.3, 2.5, 4.5}) {
      const double wide = enclosure_over(f, kTime, {low, low + 1e-3}).second.width();
      const double narrow = enclosure_over(f, kTime, {low, low + 1e-5}).second.width();
      CHECK(narrow <= 0.015 * wide + 1e-9);
    }
  }
}

TEST_CASE("enclosure: what is unbounded or not defined has no bounds, and never none at all") {
  for (const char* const text :
       {"1/(t - 1)", "log(t - 1)", "sqrt(t - 1)", "tan(t)", "asin(t)", "atan2(t - 1, t - 1)"}) {
    CAPTURE(text);
    const Enclosure all = enclosure_over(formula(text), kTime, {0.5, 2.0});
    CHECK(all.second.width() == __builtin_inf());
    CHECK(all.value.low <= all.value.high);
  }
  CHECK(enclosure_over(formula("0*exp(1000*t)"), kTime, {0.0, 5.0}).value.width() == 0.0);
}

TEST_CASE("next_switch: the neighbouring doubles between which a formula switches") {
  const auto next = [](const char* text, double from, double to) {
    return next_switch(formula(text), kTime, from, to);
  };
  const SwitchPlace at_one = next("3*step(t - 1)", 0.0, 20.0);
  CHECK(at_one.after == 1.0);
  CHECK(at_one.before == std::nextafter(1.0, 0.0));
  CHECK(next("3*step(t - 1)", 1.0, 20.0).after == __builtin_inf());
  CHECK(std::abs(next("abs(t - 2)", 0.0, 20.0).after - 2.0) < 1e-15);
  CHECK(std::abs(next("sign(t - 2)", 0.0, 20.0).after - 2.0) < 1e-15);
  CHECK(std::abs(next("min(t, 3)", 0.0, 20.0).after - 3.0) < 1e-15);
  CHECK(std::abs(next("max(t, 3)", 0.0, 20.0).after - 3.0) < 1e-15);
  CHECK(std::abs(next("clamp(t, -1, 4)", 0.0, 20.0).after - 4.0) < 1e-15);
  CHECK(std::abs(next("1/(t - 5)", 0.0, 20.0).after - 5.0) < 1e-15);
  // A pulse of a nanosecond in a hundred seconds, and both of its ends.
  const char* const pulse = "step(t - 70) - step(t - 70 - 1e-9)";
  CHECK(next(pulse, 0.0, 100.0).after == 70.0);
  CHECK(std::abs(next(pulse, 70.0, 100.0).after - 70.000000001) < 2e-14);
  // A square wave: every zero of the sine, in turn.
  double t = 0.0;
  for (int k = 1; k <= 40; ++k) {
    t = next("step(sin(50*t))", t, 1000.0).after;
    CHECK(std::abs(t - k * 3.14159265358979323846 / 50.0) < 1e-15 * (1 + k));
  }
}

TEST_CASE("next_switch: values and derivatives before and after a switch are those of its two sides") {
  // All switch at t = 1/4, a binary fraction, where arguments are exactly zero.
  for (const char* const text :
       {"step(t - 0.25)", "step(0.25 - t)", "sign(t - 0.25)", "sign(0.25 - t)", "abs(t - 0.25)", "abs(0.25 - t)",
        "abs(-(0.25 - t))", "min(t, 0.25)", "min(0.25, t)", "max(t, 0.25)", "max(0.25, t)", "clamp(4*t - 1, 0, 1)",
        "clamp(1 - 4*t, 0, 1)", "clamp(4*t, 0, 1)", "clamp(2 - 4*t, 0, 1)"}) {
    CAPTURE(text);
    const Expression f = formula(text);
    SwitchPlace place = next_switch(f, kTime, 0.125, 1.0);
    CHECK(std::abs(place.after - 0.25) < 1e-16);
    const double before = place.before;
    for (SwitchPlace next = place; next.after < 0.26; next = next_switch(f, kTime, place.after, 1.0)) place = next;
    CHECK(std::abs(place.after - 0.25) < 2e-16);
    for (const int derivative : {0, 1}) {
      const std::size_t k = static_cast<std::size_t>(derivative);
      CHECK(at(f, before)[k] == doctest::Approx(at(f, 0.25 - 0x1p-40)[k]).epsilon(1e-10));
      CHECK(at(f, place.after)[k] == doctest::Approx(at(f, 0.25 + 0x1p-40)[k]).epsilon(1e-10));
    }
  }
}

TEST_CASE("next_switch: arguments that keep their sign, are zero throughout, or depend on the motion do not switch") {
  for (const char* const text : {"abs(2 + sin(t))", "1/(1 + t^2)", "max(clamp(t - 30, 0, 1), 0)", "step(q - 1)",
                                 "abs(q + t)", "sin(t)*t", "max(t, -1)"}) {
    CAPTURE(text);
    CHECK(next_switch(formula(text), kTime, 0.0, 20.0).after == __builtin_inf());
  }
}
