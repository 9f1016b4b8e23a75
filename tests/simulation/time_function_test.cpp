// How functions of time bound the steps of a run.
#include "pintle/simulation/elements/time_function.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "pintle/math/scalar.h"

using namespace pintle;

namespace {

Drive formula(const char* text) {
  return expression_drive(text).value();
}

Drive table(std::vector<DriveRow> rows, SplineEnds ends, OutsideTable outside = OutsideTable::refuse) {
  DriveTable of;
  of.rows = std::move(rows);
  of.ends = ends;
  of.outside = outside;
  return table_drive(of).value();
}

/// All breaks up to a time.
std::vector<double> breaks(TimeFunction& function, double end) {
  std::vector<double> times;
  for (double t = function.next_break(0.0, end); t <= end; t = function.next_break(t, end)) times.push_back(t);
  return times;
}

}  // namespace

TEST_CASE("time function: a step along a sine is about a radian of its phase, wherever it begins") {
  const Drive sine = formula("0.02*sin(2*pi*3*t)");
  TimeFunction function(sine, 0.0, 20.0);
  CHECK(function.rate() == doctest::Approx(6.0 * kPi<double>).epsilon(1e-3));
  for (double t = 0.0; t < 1.0; t += 0.0137) {
    const double angle = function.longest_step(t, 1000.0) * 6.0 * kPi<double>;
    CHECK(angle <= 1.3);   // cos varies by angle^2/8 where it turns
    CHECK(angle >= 0.25);  // lengths are halved
    CHECK(function.longest_step(t, 1e-3) == 1e-3);
  }
}

TEST_CASE("time function: a pulse in a long rest is not passed over, and rest and straight motion bound nothing") {
  const Drive pulse = formula("exp(-((t - 700)/0.01)^2)");
  TimeFunction function(pulse, 0.0, 1000.0);
  double t = 0.0;
  int inside = 0;
  for (int i = 0; i < 10000 && t < 1000.0; ++i) {
    t += function.longest_step(t, 50.0);
    if (std::abs(t - 700.0) < 0.01) ++inside;
  }
  CHECK(t >= 1000.0);
  CHECK(inside >= 4);
  for (const char* const text : {"3", "2*t - 1", "t^2"}) {
    const Drive plain = formula(text);
    TimeFunction free(plain, 0.0, 20.0);
    CHECK(free.longest_step(0.0, 20.0) == 20.0);
    CHECK(free.next_break(0.0, 20.0) == kInfinity<double>);
  }
}

TEST_CASE("time function: steps end at the rows of a table, and at both sides of where a held one begins and ends") {
  const std::vector<DriveRow> rows = {{0.5, 0.0}, {0.75, 1.0}, {2.0, 0.0}};
  const Drive once = table(rows, SplineEnds::natural, OutsideTable::hold);
  TimeFunction held(once, 0.0, 10.0);
  const double before = std::nextafter(0.5, 0.0), after = std::nextafter(2.0, 3.0);
  CHECK(breaks(held, 10.0) == std::vector<double>{before, 0.5, 0.75, 2.0, after});
  const Drive again = table(rows, SplineEnds::periodic);
  TimeFunction periodic(again, 0.0, 4.0);
  const std::vector<double> times = breaks(periodic, 4.0);
  CHECK(times == std::vector<double>{0.5, 0.75, 2.0, 2.25, 3.5, 3.75});
}

TEST_CASE("time function: steps end on both sides of a jump, also of a command that depends on the motion") {
  const Command command = command_expression("5*step(t - 1)*q - abs(v) + step(t - 3)").value();
  TimeFunction function(command, 0.0, 10.0);
  CHECK(breaks(function, 10.0) ==
        std::vector<double>{std::nextafter(1.0, 0.0), 1.0, std::nextafter(3.0, 0.0), 3.0});
}
