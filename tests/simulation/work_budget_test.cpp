#include "pintle/simulation/run/work_budget.h"

#include <doctest/doctest.h>

#include "simulation/moving_scenes.h"

using namespace test;

TEST_CASE("work budget: impacts and changes of mode use it up, and steps refill it") {
  const Scene scene = compile(slider_scene()).value();
  const SceneSystem system(scene, {});
  WorkBudget budget(system);
  const double full = budget.memory().left, start = budget.start_of_step();
  CHECK(!budget.exceeded_since(start));
  budget.count_transition(999.0);
  CHECK(budget.spent() == start);
  budget.count_transition(0.4e3 * full);
  CHECK(!budget.exceeded_since(start));
  budget.count_transition(0.2e3 * full);
  CHECK(budget.exceeded_since(start));
  CHECK(budget.count_event(1.0));
  budget.pay_since(start, 1.0);
  CHECK(budget.memory().left < 0.45 * full);
  const double left = budget.memory().left;
  budget.pay_since(budget.start_of_step(), 1.0);
  CHECK(budget.memory().left > left);
  const double next = budget.start_of_step();
  budget.count_transition(1e4 * full);
  budget.pay_since(next, 0.0);
  CHECK(budget.empty());
  budget.reset();
  CHECK(budget.memory().left == full);
}

TEST_CASE("work budget: what a step spent before an interruption counts after it, in another process too") {
  const Scene scene = compile(slider_scene()).value();
  const SceneSystem system(scene, {});
  WorkBudget whole(system), first(system), second(system);
  const double half = 0.4e3 * whole.memory().left;
  const double start = whole.start_of_step();
  whole.count_transition(half);
  whole.count_transition(half);
  first.count_transition(0.1 * half);  // of other steps
  const double begun = first.start_of_step();
  first.count_transition(half);
  CHECK(!first.exceeded_since(begun));
  first.interrupt_step(begun);
  second.memory() = first.memory();
  for (WorkBudget* const resumed : {&first, &second}) {
    const double from = resumed->start_of_step();
    resumed->count_transition(half);
    CHECK(resumed->exceeded_since(from));
    resumed->pay_since(from, 1.0);
    CHECK(resumed->start_of_step() == resumed->spent());
  }
  whole.pay_since(start, 1.0);
  CHECK(first.memory().left == whole.memory().left);
  CHECK(second.memory().left == whole.memory().left);
}
