#include "pintle/simulation/elements/check_smooth.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "pintle/base/usage_error.h"

using namespace pintle;

namespace {

const double kPi = std::acos(-1.0);

Diagnostics problems(const char* text, double t0, double t1) {
  const Drive drive = *expression_drive(text);
  return check_smooth(drive, t0, t1).diagnostics();
}

/// The time a message names.
double time_of(const Diagnostic& problem) {
  const std::size_t at = problem.what.find("t = ");
  REQUIRE(at != std::string::npos);
  return std::stod(problem.what.substr(at + 4));
}

void check_found(const char* text, double t0, double t1, const char* code, const std::vector<double>& times) {
  CAPTURE(std::string(text));
  const Diagnostics found = problems(text, t0, t1);
  std::string all;
  for (const Diagnostic& d : found) all += format(d, text) + "\n";
  CAPTURE(all);
  REQUIRE(found.size() == times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    CHECK(found[i].code == code);
    CHECK(std::fabs(time_of(found[i]) - times[i]) <= 1e-12);
  }
}

void check_smooth_on(const char* text, double t0, double t1) {
  CAPTURE(std::string(text));
  const Diagnostics found = problems(text, t0, t1);
  std::string all;
  for (const Diagnostic& d : found) all += format(d, text) + "\n";
  CAPTURE(all);
  CHECK(found.empty());
}

}  // namespace

TEST_CASE("check_smooth: jumps in value are found to rounding, with what is left and right") {
  check_found("step(t - 0.5)", 0, 1, "drive-jump", {0.5});
  check_found("2 - 3*step(0.123456789012345 - t)", 0, 1, "drive-jump", {0.123456789012345});
  check_found("step(sin(t))", 1, 10, "drive-jump", {kPi, 2 * kPi, 3 * kPi});
  check_found("sin(t) + step(t - 0.5) + step(t - 0.50001) + step(t - 3)", 0, 10, "drive-jump", {0.5, 0.50001, 3});
  check_found("step(step(t - 1) - 0.5)", 0, 3, "drive-jump", {1});
  check_found("atan2(sin(t), cos(t))", 0, 6, "drive-jump", {kPi});
  check_found("1e6*t + step(t - 1)", 0, 3, "drive-jump", {1});
  check_found("step(-(t - 0.5)^2)", 0, 1, "drive-jump", {0.5});
  const Diagnostic jump = problems("1 + 2*step(t - 0.5)", 0, 1).at(0);
  CHECK(jump.what == "the drive jumps at t = 0.5 s from 1 to 3");
  CHECK(jump.origin.column == 7);
  CHECK(!jump.why.empty());
  CHECK(!jump.fix.empty());
}

TEST_CASE("check_smooth: corners are jumps of the rate") {
  check_found("abs(sin(t))", 0.5, 10, "drive-kink", {kPi, 2 * kPi, 3 * kPi});
  check_found("max(t, 0.25)", 0, 1, "drive-kink", {0.25});
  check_found("min(t, 1 - t)", 0, 1, "drive-kink", {0.5});
  check_found("clamp(t, 0.2, 0.7)", 0, 1, "drive-kink", {0.2, 0.7});
  check_found("(t - 1)*step(t - 1)", 0, 3, "drive-kink", {1});
  check_found("sqrt(sin(t)^2)", 1, 4, "drive-kink", {kPi});
  CHECK(problems("abs(t - 1)", 0, 2).at(0).what == "the time derivative of the drive jumps at t = 1 s from -1 to 1");
  // Two switches far closer than the times looked at: the size of the argument has a minimum between them.
  check_found("abs((t - 0.3)^2 - 1e-14)", 0, 1, "drive-kink", {0.3 - 1e-7, 0.3 + 1e-7});
  CHECK(problems("abs(sin(100*t))", 0, 100).size() == 10);
}

TEST_CASE("check_smooth: what is not finite is found, and where it comes from") {
  check_found("1/(t - 0.4)", 0, 1, "drive-not-finite", {0.4});
  check_found("1/(t - 0.4)^2", 0, 1, "drive-not-finite", {0.4});
  check_found("(t - 0.4)^-2", 0, 1, "drive-not-finite", {0.4});
  check_found("sqrt((t - 0.3)^2)", 0, 1, "drive-not-finite", {0.3});
  check_found("sin(t)/t", -1, 2, "drive-not-finite", {0});
  check_found("log(1 - t)", 0, 2, "drive-not-finite", {1});
  check_found("sqrt(0.5 - t)", 0, 1, "drive-not-finite", {0.5});
  check_found("sqrt(t)", 0, 1, "drive-not-finite", {0});
  check_found("t^1.5", 0, 1, "drive-not-finite", {0});
  check_found("asin(t)", 0, 2, "drive-not-finite", {1});
  CHECK(!problems("tan(t)", 0, 2).empty());
  CHECK(std::fabs(time_of(problems("tan(t)", 0, 2).at(0)) - kPi / 2) <= 1e-12);
  CHECK(std::fabs(time_of(problems("1/sin(t)^2", 1, 4).at(0)) - kPi) <= 1e-12);
  CHECK(problems("2 + log(-1 - t)", 0, 1).at(0).origin.column == 5);
  CHECK(!problems("exp(1000*t)", 0, 2).empty());
  // A gap in the domain that no time looked at falls into.
  CHECK(problems("sqrt((t - 0.3)^2 - 1e-14)", 0, 1).size() >= 1);
}

TEST_CASE("check_smooth: smooth drives pass, with switches that change nothing too") {
  check_smooth_on("sin(t)^2", 0, 100);
  check_smooth_on("0", 0, 1);
  check_smooth_on("exp(-t)*cos(50*t) + t^3/(1 + t^2)", -10, 10);
  check_smooth_on("abs(t)", 0, 10);
  check_smooth_on("max(t, -1)", 0, 10);
  check_smooth_on("clamp(sin(t), -2, 2)", 0, 100);
  check_smooth_on("step(t - 1)*(t - 1)^2", 0, 3);
  check_smooth_on("max(t, 0)^2", -1, 1);
  check_smooth_on("abs(sin(t))^3", 0, 50);
  check_smooth_on("clamp((t - 1)/2, 0, 1)^2*(3 - 2*clamp((t - 1)/2, 0, 1))", 0, 5);
  check_smooth_on("abs(sin(t)^2 + cos(t)^2 - 1)", 0, 10);
  check_smooth_on("sqrt(1 + t^2)", -5, 5);
  check_smooth_on("1/(1.0001 + sin(t))", 0, 100);
  check_smooth_on("t^2.5", 0, 1);
  check_smooth_on("atan2(sin(t), cos(t))", 0, 3);
  check_smooth_on("step(t - 0.5)", 0.5, 0.5);
}

TEST_CASE("check_smooth: tables are smooth inside; outside they are refused or must come to rest") {
  DriveTable table;
  table.rows = {{0, 0}, {1, 2}, {2, 1}};
  CHECK(check_smooth(*table_drive(table), 0, 2).ok());
  const Result<void> outside = check_smooth(*table_drive(table), 0, 3);
  REQUIRE(!outside.ok());
  CHECK(outside.diagnostics()[0].code == "drive-outside-table");
  CHECK(outside.diagnostics()[0].what == "the table goes from t = 0 s to 2 s, the run from 0 s to 3 s");

  table.outside = OutsideTable::hold;
  CHECK(check_smooth(*table_drive(table), 0, 2).ok());
  CHECK(check_smooth(*table_drive(table), 2, 5).ok());
  const Result<void> corners = check_smooth(*table_drive(table), -1, 3);
  REQUIRE(corners.diagnostics().size() == 2);
  CHECK(corners.diagnostics()[0].code == "drive-kink");
  CHECK(time_of(corners.diagnostics()[0]) == 0.0);
  CHECK(time_of(corners.diagnostics()[1]) == 2.0);
  table.ends = SplineEnds::clamped;
  CHECK(check_smooth(*table_drive(table), -1, 3).ok());
  table.ends = SplineEnds::periodic;
  table.rows.back().value = 0.0;
  CHECK(check_smooth(*table_drive(table), -100, 100).ok());
  CHECK(check_smooth(constant_drive(3), -100, 100).ok());
}

TEST_CASE("check_smooth: a wrong interval is a wrong call") {
  CHECK_THROWS_AS((void)check_smooth(Drive(), 1, 0), UsageError);
  CHECK_THROWS_AS((void)check_smooth(Drive(), 0, std::numeric_limits<double>::infinity()), UsageError);
  CHECK_THROWS_AS((void)check_smooth(Drive(), std::numeric_limits<double>::quiet_NaN(), 1), UsageError);
}
