#include "pintle/simulation/elements/sample_hold.h"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "pintle/base/usage_error.h"

using namespace pintle;

namespace {

/// Visits every instant up to `end`, reading the number of the sample: pairs of time and value in effect.
std::vector<std::pair<double, double>> instants(SampleHold& hold, double start, double end) {
  std::vector<std::pair<double, double>> seen;
  double value = 0.0;
  for (double t = start; t <= end; t = hold.next(t)) {
    if (hold.due(t)) hold.take(t, value += 1.0);
    hold.release(t);
    seen.emplace_back(t, hold.held());
  }
  return seen;
}

using Instants = std::vector<std::pair<double, double>>;

}  // namespace

TEST_CASE("sample hold: reads, delays and holds at the times of a list written by hand") {
  SampleHold at_once({.period = 0.5}, 2.0);
  CHECK(instants(at_once, 2.0, 3.5) == Instants{{2.0, 1}, {2.5, 2}, {3.0, 3}, {3.5, 4}});

  // Read at 10.5, 11.5, ...; in effect 2.25 s later: up to three are on their way.
  SampleHold late({.period = 1.0, .offset = 0.5, .delay = 2.25}, 10.0);
  const Instants expected = {{10.0, 0},  {10.5, 0}, {11.5, 0},  {12.5, 0}, {12.75, 1}, {13.5, 1},
                             {13.75, 2}, {14.5, 2}, {14.75, 3}, {15.5, 3}, {15.75, 4}};
  CHECK(instants(late, 10.0, 15.75) == expected);

  SampleHold short_delay({.period = 1.0, .offset = 0.0, .delay = 0.25}, 0.0);
  CHECK(instants(short_delay, 0.0, 2.25) == Instants{{0, 0}, {0.25, 1}, {1, 1}, {1.25, 2}, {2, 2}, {2.25, 3}});
}

TEST_CASE("sample hold: a delay of whole periods makes one instant, not two that differ by rounding") {
  for (const double start : {0.0, -1.0, 1e4}) {
    SampleHold hold({.period = 0.1, .offset = 0.0, .delay = 0.3}, start);
    double last = start - 1.0, value = 0.0;
    int count = 0;
    for (double t = start; count < 20000; t = hold.next(t), ++count) {
      CHECK(t - last > 0.09);
      REQUIRE(hold.due(t));
      hold.take(t, value += 1.0);
      hold.release(t);
      CHECK(hold.held() == (value > 3.0 ? value - 3.0 : 0.0));
      CHECK(!hold.due(t));
      last = t;
    }
  }
}

TEST_CASE("sample hold: an instant that is off by rounding counts once") {
  SampleHold hold({.period = 0.1}, 0.0);
  double t = 0.0;
  for (int k = 0; k < 100; ++k) {
    REQUIRE(hold.due(t));
    hold.take(t, k);
    hold.release(t);
    CHECK(hold.held() == k);
    const double next = hold.next(t);
    CHECK(next == 0.1 * (k + 1));
    t = next * (1.0 + (k % 3 - 1) * 2e-16);
  }
}

TEST_CASE("sample hold: what was missed becomes the same as the next sample") {
  SampleHold hold({.period = 1.0, .offset = 0.0, .delay = 1.5}, 0.0);
  CHECK(hold.next(7.25) == 8.0);  // those before are lost: nobody looked
  CHECK(hold.due(7.25));
  hold.take(7.25, 5.0);
  CHECK(!hold.due(7.25));
  hold.release(7.25);
  CHECK(hold.held() == 5.0);
  CHECK(hold.next(7.25) == 7.5);
}

TEST_CASE("sample hold: memory restores it to the bit, reset makes it new") {
  const Sampling sampling{.period = 0.1, .offset = 0.03, .delay = 0.37};
  SampleHold hold(sampling, 1.0, 1), fresh(sampling, 1.0, 1), copy(sampling, 1.0, 1);
  (void)instants(hold, 1.0, 3.0);
  hold.further(0) = 0.7;
  REQUIRE(hold.memory().size() == copy.memory().size());
  for (std::size_t i = 0; i < copy.memory().size(); ++i) copy.memory()[i] = hold.memory()[i];
  CHECK(copy.further(0) == 0.7);
  CHECK(copy.held() == hold.held());
  CHECK(copy.next(3.0) == hold.next(3.0));
  CHECK(instants(copy, 3.0, 5.0) == instants(hold, 3.0, 5.0));
  hold.reset();
  CHECK(hold.further(0) == 0.0);
  CHECK(instants(hold, 1.0, 5.0) == instants(fresh, 1.0, 5.0));
}

TEST_CASE("sample hold: without a period nothing is ever due; delays beyond memory are refused") {
  SampleHold hold({}, 0.0);
  CHECK(hold.continuous());
  CHECK(!hold.due(0.0));
  CHECK(hold.next(0.0) == __builtin_inf());
  CHECK_THROWS_AS(SampleHold({.period = 1e-6, .offset = 0.0, .delay = 1.0}, 0.0), UsageError);
}
