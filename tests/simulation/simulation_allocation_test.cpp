#include <doctest/doctest.h>

#include "base/count_allocations.h"
#include "pintle/simulation/run/simulation.h"
#include "support/scenes.h"

using namespace test;

namespace {

/// Counts, step after step, what was allocated since the first one.
class Counter : public StepHandler {
 public:
  bool after_step(std::int64_t step, double, const MotionState&) override {
    if (step == 1) first_ = count_allocations();
    since_first = count_allocations() - first_;
    return true;
  }
  std::size_t since_first = 0;

 private:
  std::size_t first_ = 0;
};

}  // namespace

TEST_CASE(
    "simulation allocations: none from the first step on, with events, stops, friction, controllers and sensors") {
  std::size_t events = 0, rows = 0;
  for (NamedScene named : all_scenes()) {
    CAPTURE(named.name);
    named.spec.run.certificate_limit = 1e-6;
    Simulation simulation(compile(named.spec).value());
    MemoryRecording recording({.rows = 20000, .events = 10000});
    Counter counter;
    const RunReport report = simulation.run({.sink = &recording, .handler = &counter});
    REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
    CHECK(counter.since_first == 0);
    events += recording.events().size();
    rows += recording.rows();
  }
  CHECK(events > 100);
  CHECK(rows > 5000);
}

TEST_CASE(
    "simulation allocations: none in single steps, nor in looking at the energy balance, the motion and the hash") {
  for (const NamedScene& named : all_scenes()) {
    CAPTURE(named.name);
    Simulation simulation(compile(named.spec).value());
    (void)simulation.step();
    const std::size_t before = count_allocations();
    bool ok = true;
    for (int i = 0; i < 50; ++i) {
      ok = ok && simulation.step().ok();
      (void)simulation.energy_balance();
      (void)simulation.motion();
      (void)simulation.state_hash();
    }
    CHECK(count_allocations() == before);
    CHECK(ok);
  }
}
