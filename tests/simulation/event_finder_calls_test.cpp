// How often a search asks its functions, and what it tells where they have no answer.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "pintle/simulation/events/event_functions.h"
#include "simulation/watched_motion.h"

using namespace test;

namespace {

/// A function that counts how often it is asked.
class Counted : public EventFunction {
 public:
  double value(const MotionInstant& at) override {
    ++values;
    return at.q[0] < not_below ? __builtin_nan("") : at.q[0];
  }
  double rate(const MotionInstant& at, std::span<const double>) override {
    ++derivatives;
    return at.v[0];
  }
  bool rate_needs_accelerations() const override { return needs_accelerations; }

  int values = 0, derivatives = 0;
  bool needs_accelerations = false;
  double not_below = -__builtin_inf();
};

}  // namespace

TEST_CASE("event finder: a step without a change of sign costs one value, and with touching zeros one rate") {
  WatchedMotion ball(slider(9.81), Method::rk4);
  ball.from.q[0] = 100.0;
  Counted f;
  const auto count = [&](bool touching) {
    const Witness witnesses[] = {{.function = &f, .touching = touching}};
    for (int step = 0; step < 11; ++step) {
      if (step == 1) f.values = f.derivatives = 0, ball.system.evaluations = 0;
      const FoundEvent found = ball.look(0.01, witnesses);
      CHECK(!found.found());
      CHECK(found.partial_steps == 0);
      std::swap(ball.from, ball.to);
    }
    CHECK(f.values == 10);
    return static_cast<int>(ball.system.evaluations) - 40;  // without those of the steps
  };
  CHECK(count(false) == 0);
  CHECK(f.derivatives == 0);
  CHECK(count(true) == 0);
  CHECK(f.derivatives == 10);
  f.needs_accelerations = true;
  CHECK(count(false) == 0);
  CHECK(count(true) == 20);  // at both ends: what acts may have changed between the steps
}

TEST_CASE("event finder: values kept from the last step are not those of another state or function") {
  WatchedMotion ball(slider(9.81), Method::rk4);
  ball.from.q[0] = 1.0;
  CoordinateEvent low(ball.system.model(), "z", 0.9), high(ball.system.model(), "z", 1.1);
  const Witness first[] = {{&low}}, second[] = {{&high}};
  CHECK(!ball.look(0.1, first).found());
  std::swap(ball.from, ball.to);
  ball.from.v[0] = 10.0;
  CHECK(ball.look(0.1, second).found());
  ball.from.q[0] = 1.2;
  ball.from.v[0] = 0.0;
  CHECK(!ball.look(0.01, second).found());

  // A watch that was away for a step, in which its sign has changed.
  CoordinateEvent far(ball.system.model(), "z", -9.0);
  const Witness both[] = {{.function = &far, .touching = false}, {.function = &low, .touching = false}};
  ball.from.v[0] = -40.0;
  ball.from.q[0] = 1.3;
  (void)ball.look(0.005, both);
  std::swap(ball.from, ball.to);
  CHECK(!ball.look(0.01, std::span(both).first(1)).found());
  std::swap(ball.from, ball.to);
  CHECK(ball.from.q[0] < 0.9);
  ball.system.tau[0] = 1e5;  // the state stays, and goes back
  const FoundEvent back = ball.look(0.01, both);
  REQUIRE(back.found());
  CHECK(back.hits[0].witness == 1);
}

TEST_CASE("event finder: NaN and failing steps are named") {
  WatchedMotion ball(slider(9.81), Method::rk4);
  ball.from.q[0] = 1.0;
  CoordinateEvent ground(ball.system.model(), "z", 0.0);
  Counted f;
  for (const bool touching : {false, true}) {
    f.not_below = 0.0;
    const Witness witnesses[] = {{.function = &ground, .touching = touching}, {.function = &f, .touching = touching}};
    const FoundEvent at_end = ball.look(0.5, witnesses);
    CHECK(!at_end.ok());
    CHECK(at_end.outcome == EventOutcome::not_a_number);
    CHECK(at_end.witness == 1);
    CHECK(at_end.t == 0.5);
  }
  // Within the step only: what is pulled upwards goes down and comes back.
  WatchedMotion balloon(slider(-9.81), Method::rk4);
  balloon.from.q[0] = 1.0;
  balloon.from.v[0] = -5.0;
  f.not_below = 0.2;
  const Witness witnesses[] = {{&f}};
  const FoundEvent within = balloon.look(1.0, witnesses);
  CHECK(within.outcome == EventOutcome::not_a_number);
  CHECK(within.witness == 0);
  CHECK(within.t > 0.0);
  CHECK(within.t < 1.0);

  /// Has accelerations until it is broken.
  class Breaking : public MechanismSystem {
   public:
    using MechanismSystem::MechanismSystem;
    bool derivatives(double t, std::span<const double> q, std::span<const double> v, std::span<const double> auxiliary,
                     std::span<double> vdot, std::span<double> auxiliary_derivative) override {
      return MechanismSystem::derivatives(t, q, v, auxiliary, vdot, auxiliary_derivative) && !broken;
    }
    bool broken = false;
  };
  for (const MethodFacts& method : kMethodFacts) {
    CAPTURE(method.name);
    Breaking system(slider(9.81));
    Stepper stepper(system, method.method);
    EventFinder finder(system, stepper, 1);
    MotionState from = neutral_state(system), to = from, at = from;
    from.q[0] = 1.0;
    from.v[0] = -2.0;  // explicit Euler moves it by its first velocity
    REQUIRE(stepper.step(from, 0.6, to).ok());
    system.broken = true;
    const Witness plain[] = {{.function = &ground, .touching = false}};
    const FoundEvent found = finder.search(from, 0.6, to, plain, {}, at);
    CHECK(found.outcome == EventOutcome::step_failed);
    CHECK(found.step.outcome == StepOutcome::no_derivatives);
  }
}
