#include "pintle/simulation/recording/row_clock.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/count_allocations.h"
#include "pintle/base/usage_error.h"
#include "pintle/simulation/recording/recording.h"

using namespace pintle;

TEST_CASE("row clock: of steps of one length every k-th has a row, k = ceil(N / rows), and the first and the last") {
  for (const std::int64_t steps : {0, 1, 2, 7, 999, 1000, 1001, 1999, 2000, 2500, 1234567}) {
    CAPTURE(steps);
    const StepRows clock = step_rows(steps);
    std::int64_t rows = 0, last = -1;
    for (std::int64_t step = 0; step <= steps; ++step) {
      if (!clock.takes(step)) continue;
      ++rows;
      if (step < steps) CHECK(step % clock.stride == 0);
      last = step;
    }
    CHECK(clock.stride == (steps == 0 ? 1 : (steps + 999) / 1000));
    CHECK(last == steps);
    CHECK(rows == clock.rows());
    CHECK(rows <= 1002);
    if (steps <= 1000) CHECK(rows == steps + 1);
  }
  // An open end: the stride alone.
  const StepRows open{-1, 3};
  CHECK(open.takes(0));
  CHECK(!open.takes(1));
  CHECK(open.takes(3000000000));
  CHECK_THROWS_AS((void)step_rows(-1), UsageError);
  CHECK_THROWS_AS((void)step_rows(5, 0), UsageError);
}

TEST_CASE("row clock: in continuous time rows are at t0 + i (t1 - t0) / n, the first and the last to the bit") {
  for (const double t1 : {0.1, 2.0, 1.0 / 3.0, 1e9}) {
    TimeRows clock = time_rows(-0.3, t1);
    CHECK(clock.next_time() == -0.3);
    double before = -1.0, last = 0.0;
    std::int64_t rows = 0;
    while (!clock.done()) {
      last = clock.next_time();
      CHECK(last > before);
      CHECK(std::fabs(last - (-0.3 + (t1 + 0.3) * static_cast<double>(rows) / 1000.0)) <= 4e-16 * (1.0 + t1));
      before = last;
      ++rows;
      clock.advance();
    }
    CHECK(rows == 1001);
    CHECK(last == t1);
    CHECK(std::isinf(clock.next_time()));
  }
  // A copy of the numbers goes on as the original does.
  TimeRows clock = time_rows(0.0, 1.0, 7);
  for (int i = 0; i < 3; ++i) clock.advance();
  const TimeRows copy{clock.t0, clock.t1, clock.span, clock.parts, clock.intervals, clock.next};
  CHECK(copy.next_time() == clock.next_time());
  CHECK(copy.next_time() == 3.0 / 7.0);
}

TEST_CASE("row clock: round intervals, no more rows than asked for and at least 5 in 8, the last at the end") {
  const struct {
    double duration, interval;
  } cases[] = {{10.0, 0.01}, {8.2, 0.01}, {8.0, 0.008}, {4.0, 0.004}, {2.0, 0.002}, {2.1, 0.0025}, {0.5, 0.0005},
               {3600.0, 4.0}, {1e-3, 1e-6}, {1e9, 1e6}, {9.99, 0.01}};
  for (const auto& one : cases) {
    const double duration = one.duration, interval = one.interval;
    CAPTURE(duration);
    TimeRows clock = round_time_rows(0.0, duration);
    std::int64_t i = 0;
    for (double last = -1.0; !clock.done(); clock.advance(), ++i) {
      const double t = clock.next_time();
      CHECK(t > last);
      CHECK(t <= duration);
      if (t < duration) CHECK(std::abs(t - static_cast<double>(i) * interval) <= 1e-15 * duration);
      last = t;
      if (i == clock.intervals) CHECK(t == duration);
    }
    CHECK(i <= 1001);
    CHECK(i >= 625);
  }
  // Decimal times are the nearest doubles, whatever the interval.
  CHECK(round_time_rows(0.0, 8.0).time(125) == 1.0);
  CHECK(round_time_rows(0.0, 8.0).time(25) == 0.2);
  CHECK(round_time_rows(0.0, 2.1).time(120) == 0.3);
  CHECK(round_time_rows(0.25, 10.25).time(100) == 1.25);
  CHECK(round_time_rows(0.0, 1.0, 3).time(1) == 0.4);
  CHECK(round_time_rows(0.0, 1.0, 1).time(1) == 1.0);
  TimeRows none = round_time_rows(2.0, 2.0);
  CHECK(none.next_time() == 2.0);
  none.advance();
  CHECK(none.done());
}

TEST_CASE("row clock: no time has two rows, also where there are fewer doubles than rows") {
  const double t0 = 1e6, t1 = 1e6 + 50 * 0x1p-33;  // 50 doubles apart
  TimeRows clock = time_rows(t0, t1);
  int rows = 0;
  for (double before = 0.0; !clock.done(); clock.advance(), ++rows) {
    CHECK(clock.next_time() > before);
    before = clock.next_time();
  }
  CHECK(rows == 51);
  TimeRows none = time_rows(2.0, 2.0);
  CHECK(none.next_time() == 2.0);
  none.advance();
  CHECK(none.done());
  CHECK_THROWS_AS((void)time_rows(1.0, 0.0), UsageError);
  CHECK_THROWS_AS((void)time_rows(0.0, std::numeric_limits<double>::quiet_NaN()), UsageError);
  CHECK_THROWS_AS((void)time_rows(0.0, 1.0, 0), UsageError);
}

TEST_CASE("row clock: a run of 10^7 steps has 1001 rows and allocates for none of them") {
  struct Stream : RecordSink {
    RecordReport begin(std::span<const Column>) override { return {}; }
    RecordReport row(std::span<const double> numbers) override {
      ++rows;
      sum += numbers[1];
      return {};
    }
    RecordReport event(const EventRecord&) override { return {}; }
    int rows = 0;
    double sum = 0.0;
  };
  Stream stream;
  MemoryRecording memory({.rows = 1001, .events = 0});
  const std::vector<Column> columns{{"t", "s"}, {"x", "m"}};
  REQUIRE(stream.begin(columns).ok());
  REQUIRE(memory.begin(columns).ok());
  // A harmonic oscillator, by the leapfrog.
  const std::int64_t steps = 10000000;
  const double h = 1e-6;
  double x = 1.0, v = -0.5 * h;
  const StepRows clock = step_rows(steps);
  bool ok = true;
  const std::size_t before = count_allocations();
  for (std::int64_t step = 0; step <= steps && ok; ++step) {
    if (clock.takes(step)) {
      const double row[2] = {h * static_cast<double>(step), x};
      ok = stream.row(row).ok() && memory.row(row).ok();
    }
    x += h * v;
    v -= h * x;
  }
  CHECK(count_allocations() == before);
  CHECK(ok);
  CHECK(stream.rows == 1001);
  CHECK(memory.rows() == 1001);
  CHECK(memory.row_at(1000)[0] == doctest::Approx(10.0));
  CHECK(memory.column("x")[1000] == doctest::Approx(std::cos(10.0)).epsilon(1e-6));
}
