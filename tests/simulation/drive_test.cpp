#include "pintle/simulation/elements/drive.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/count_allocations.h"
#include "pintle/base/random.h"
#include "pintle/base/usage_error.h"

using namespace pintle;

namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

DriveTable table(const std::vector<DriveRow>& rows, SplineEnds ends = SplineEnds::natural) {
  DriveTable t;
  t.rows = rows;
  t.ends = ends;
  return t;
}

/// Rows at random distances, from -1 s on.
std::vector<DriveRow> random_rows(RandomStream& stream, int count) {
  std::vector<DriveRow> rows;
  double time = -1.0;
  for (int i = 0; i < count; ++i) {
    rows.push_back({time, stream.uniform(-1, 1)});
    time += stream.uniform(0.1, 1.0);
  }
  return rows;
}

void check_close(double a, double b, double tolerance) {
  CHECK_MESSAGE(std::fabs(a - b) <= tolerance, a, " and ", b, " differ by ", a - b);
}

}  // namespace

TEST_CASE("drive: a constant, and an expression of t with its exact derivatives") {
  CHECK(evaluate(Drive(), 3.0).value == 0.0);
  const DriveValue still = evaluate(constant_drive(2.5), 7.0);
  CHECK(still.value == 2.5);
  CHECK(still.rate == 0.0);
  CHECK(still.second == 0.0);
  CHECK_THROWS_AS((void)constant_drive(kNan), UsageError);

  const Drive drive = *expression_drive("30 deg * sin(2*pi*0.5 Hz*t)");
  const double pi = std::acos(-1.0), A = pi / 6;
  for (const double t : {0.0, 0.3, 1.7, 100.0}) {
    const DriveValue f = evaluate(drive, t);
    check_close(f.value, A * std::sin(pi * t), 4 * kEps * (1 + pi * t));
    check_close(f.rate, A * pi * std::cos(pi * t), 16 * kEps * (1 + pi * t));
    check_close(f.second, -A * pi * pi * std::sin(pi * t), 64 * kEps * (1 + pi * t));
  }
  const Result<Drive> wrong = expression_drive("2*x", Origin("scene.toml", 4, 9));
  REQUIRE(!wrong.ok());
  CHECK(wrong.diagnostics()[0].origin.line == 4);
  CHECK(wrong.diagnostics()[0].origin.column == 11);
}

TEST_CASE("drive: a clamped spline reproduces every cubic") {
  RandomStream stream(5);
  for (int run = 0; run < 50; ++run) {
    const double c[4] = {stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1)};
    const auto cubic = [&](double t) {
      return DriveValue{c[0] + t * (c[1] + t * (c[2] + t * c[3])), c[1] + t * (2 * c[2] + t * 3 * c[3]),
                        2 * c[2] + 6 * c[3] * t};
    };
    DriveTable t = table(random_rows(stream, 2 + run % 12), SplineEnds::clamped);
    for (DriveRow& row : t.rows) row.value = cubic(row.time).value;
    t.first_rate = cubic(t.rows.front().time).rate;
    t.last_rate = cubic(t.rows.back().time).rate;
    const Drive drive = *table_drive(t);
    const double last = t.rows.back().time, scale = (1 + std::fabs(last)) * (1 + last * last);
    for (int k = 0; k < 20; ++k) {
      const double at = stream.uniform(t.rows.front().time, last);
      const DriveValue f = evaluate(drive, at), g = cubic(at);
      // A second derivative is a quotient of differences by h^2 >= 0.01. Worst seen: 0.3 of these bounds.
      check_close(f.value, g.value, 8 * kEps * scale);
      check_close(f.rate, g.rate, 80 * kEps * scale);
      check_close(f.second, g.second, 2000 * kEps * scale);
    }
  }
}

TEST_CASE("drive: a spline goes through its rows, is C2 at them, and keeps the promise of its ends") {
  RandomStream stream(6);
  for (int run = 0; run < 90; ++run) {
    DriveTable t = table(random_rows(stream, 2 + run % 15), static_cast<SplineEnds>(run % 3));
    if (t.ends == SplineEnds::periodic) t.rows.back().value = t.rows.front().value;
    t.first_rate = 0.7;
    t.last_rate = -0.4;
    const Drive drive = *table_drive(t);
    const double scale = 1e3 * kEps * 50;  // slopes up to 2 / 0.1, their quotients by h up to ten times that
    for (std::size_t i = 0; i < t.rows.size(); ++i) {
      const double at = t.rows[i].time;
      check_close(evaluate(drive, at).value, t.rows[i].value, 100 * kEps);
      if (i == 0 || i + 1 == t.rows.size()) continue;
      const DriveValue left = evaluate(drive, std::nextafter(at, -kInf)), right = evaluate(drive, at);
      check_close(left.rate, right.rate, scale);
      check_close(left.second, right.second, 10 * scale);
    }
    const double first = t.rows.front().time, last = t.rows.back().time;
    if (t.ends == SplineEnds::natural) {
      check_close(evaluate(drive, first).second, 0.0, 10 * scale);
      check_close(evaluate(drive, last).second, 0.0, 10 * scale);
    } else if (t.ends == SplineEnds::clamped) {
      CHECK(evaluate(drive, first).rate == 0.7);
      check_close(evaluate(drive, last).rate, -0.4, scale);
    } else {
      const DriveValue begin = evaluate(drive, first), end = evaluate(drive, std::nextafter(last, first));
      check_close(begin.rate, end.rate, scale);
      check_close(begin.second, end.second, 10 * scale);
      const double at = stream.uniform(first, last), period = last - first;
      for (const double turns : {-3.0, 1.0, 10.0}) {
        check_close(evaluate(drive, at + turns * period).value, evaluate(drive, at).value, 1e5 * kEps);
      }
    }
  }
}

TEST_CASE("drive: a periodic spline through a sine comes near it, and two rows give a line or a constant") {
  DriveTable t = table({}, SplineEnds::periodic);
  const double pi = std::acos(-1.0);
  for (int i = 0; i <= 64; ++i) t.rows.push_back({i / 64.0, i % 64 == 0 ? 0.0 : std::sin(2 * pi * i / 64.0)});
  const Drive drive = *table_drive(t);
  for (double at = -1.0; at < 2.0; at += 0.01) {  // error of a spline: 5/384 h^4 f'''' = 1.2e-6
    check_close(evaluate(drive, at).value, std::sin(2 * pi * at), 1.3e-6);
  }
  const DriveValue line = evaluate(*table_drive(table({{0, 1}, {2, 5}})), 0.5);
  CHECK(line.value == 2.0);
  CHECK(line.rate == 2.0);
  CHECK(line.second == 0.0);
  const DriveValue flat = evaluate(*table_drive(table({{0, 1}, {2, 1}}, SplineEnds::periodic)), 0.5);
  CHECK(flat.value == 1.0);
  CHECK(flat.rate == 0.0);
}

TEST_CASE("drive: outside its table a drive is unknown or held; the last row itself is inside, rounding included") {
  DriveTable t = table({{0, 1}, {0.3, 2}});
  const Drive strict = *table_drive(t);
  CHECK(std::isnan(evaluate(strict, -0.01).value));
  CHECK(std::isnan(evaluate(strict, 0.31).rate));
  CHECK(std::isnan(evaluate(strict, kNan).value));
  CHECK(evaluate(strict, 0.1 + 0.1 + 0.1).value == doctest::Approx(2.0));  // above 0.3 by rounding
  CHECK(!strict.covers(0.31));
  CHECK(strict.covers(0.3));
  t.outside = OutsideTable::hold;
  const Drive held = *table_drive(t);
  CHECK(evaluate(held, -1.0).value == 1.0);
  CHECK(evaluate(held, -1.0).rate == 0.0);
  CHECK(evaluate(held, 5.0).value == 2.0);
  CHECK(evaluate(held, 5.0).second == 0.0);
  CHECK(std::isnan(evaluate(held, kNan).value));
  CHECK(held.first_time() == 0.0);
  CHECK(held.last_time() == 0.3);
  CHECK(constant_drive(1).last_time() == kInf);
}

TEST_CASE("drive: every wrong row of a table is named") {
  const auto only = [](const DriveTable& t, const char* code) {
    const Result<Drive> result = table_drive(t);
    REQUIRE(!result.ok());
    REQUIRE(result.diagnostics().size() == 1);
    CHECK(result.diagnostics()[0].code == code);
    CHECK(!result.diagnostics()[0].fix.empty());
    return result.diagnostics()[0];
  };
  only(table({}), "drive-table-rows");
  CHECK(only(table({{0, 1}}), "drive-table-rows").what == "the table has 1 row");
  CHECK(only(table({{0, 1}, {1, 1}, {1, 2}}), "drive-table-order").what ==
        "row 3 has the time 1 s, the previous row 1 s");
  CHECK(only(table({{0, 1}, {kNan, 1}, {1, 2}}), "drive-table-not-finite").what == "row 2 is (nan, 1)");
  only(table({{0, 1}, {1, kInf}}), "drive-table-not-finite");
  only(table({{0, 1}, {1, 2}}, SplineEnds::periodic), "drive-table-periodic");
  only(table({{0, 0}, {1e-300, 1e300}, {1, 0}}), "drive-table-range");
  DriveTable rate = table({{0, 1}, {1, 2}}, SplineEnds::clamped);
  rate.last_rate = kInf;
  only(rate, "drive-table-rate");

  DriveTable t = table({{0, 1, 5}, {-1, 1, 6}, {-2, kNan, 8}, {3, 1}});
  t.origin = Origin("motor.csv", 3, 1);
  const Result<Drive> result = table_drive(t);
  REQUIRE(result.diagnostics().size() == 2);
  CHECK(result.diagnostics()[0].origin.file == "motor.csv");
  CHECK(result.diagnostics()[0].origin.line == 6);
  CHECK(result.diagnostics()[1].origin.line == 8);
}

TEST_CASE("drive: evaluation allocates nothing") {
  DriveTable t = table({{0, 1}, {1, 2}, {3, 0}});
  const Drive by_table = *table_drive(t);
  const Drive by_expression = *expression_drive("sin(t)^2 + clamp(t, 0, 1)*exp(-t)/(1 + t^2)");
  const std::size_t before = count_allocations();
  double sum = 0.0;
  for (double at = 0.0; at < 3.0; at += 0.1) sum += evaluate(by_table, at).rate + evaluate(by_expression, at).second;
  CHECK(count_allocations() == before);
  CHECK(std::isfinite(sum));
}
