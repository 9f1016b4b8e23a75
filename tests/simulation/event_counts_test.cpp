// Formulas of efforts and targets that know how often an event has happened.
#include <doctest/doctest.h>

#include <cmath>

#include "pintle/simulation/recording/state_values.h"
#include "simulation/moving_scenes.h"

using namespace test;

namespace {

Command scene_formula(const std::string& text) {
  return command_expression(text, Origin("scene.toml", 7, 11), CommandScope::scene).value();
}

MotorSpec motor(const std::string& formula) {
  MotorSpec spec;
  spec.name = "motor";
  spec.joint = "slide";
  spec.effort = scene_formula(formula);
  return spec;
}

/// A mass of 1 kg without weight, at rest at zero, with that effort.
SceneSpec driven(const std::string& formula) {
  SceneSpec spec = slider_scene(1.0, {0, 0, 0});
  spec.motors = {motor(formula)};
  spec.run.duration = 3.5;
  spec.run.step = 0.3;
  return spec;
}

/// 1 N until it passes 0.5 m at t = 1, then -1 N; back at 0.5 m at t = 3, and from there -3 N.
SceneSpec back_and_forth() {
  SceneSpec spec = driven("1 - 2*count.half_way");
  watch(spec, "half way", "q.slide - 0.5");
  return spec;
}

Diagnostics problems(const SceneSpec& spec) {
  return compile(spec).diagnostics();
}

}  // namespace

TEST_CASE("event counts: an effort changes where an event happens, by every method and to rounding") {
  for (const Method method : {Method::rk4, Method::dormand_prince, Method::sdirk, Method::semi_implicit_euler}) {
    SceneSpec spec = back_and_forth();
    spec.run.method = method;
    if (method == Method::semi_implicit_euler) spec.run.step = 1e-4;
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    const double near = method == Method::semi_implicit_euler ? 1e-3 : 1e-8;
    const MotionState& end = moving.simulation.state();
    CHECK(std::abs(end.v[0] - -2.5) <= near);
    CHECK(std::abs(end.q[0] - -0.375) <= near);
    const std::vector<double> times = moving.times(EventKind::user, "half way");
    REQUIRE(times.size() == 2);
    CHECK(std::abs(times[1] - 3.0) <= near);
  }
}

TEST_CASE("event counts: only crossings in the direction of the event count") {
  SceneSpec spec = back_and_forth();
  spec.events[0].direction = EventDirection::rising;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  CHECK(moving.simulation.state().v[0] == doctest::Approx(-1.5).epsilon(1e-12));
}

TEST_CASE("event counts: what friction holds breaks away at the event that makes it") {
  SceneSpec spec = driven("0.5 + 1.5*count.begin");
  passive(spec).friction = 1.0;
  watch(spec, "begin", "t - 1");
  spec.run.duration = 2.0;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  const std::vector<double> slips = moving.times(EventKind::slip);
  REQUIRE(slips.size() == 1);
  CHECK(slips[0] == doctest::Approx(1.0).epsilon(1e-14));
  CHECK(moving.simulation.state().q[0] == doctest::Approx(0.5).epsilon(1e-12));
}

TEST_CASE("event counts: a target jumps, its rate does not; the row at the event shows the new one") {
  SceneSpec spec = slider_scene(1.0, {0, 0, 0});
  ControllerSpec controller;
  controller.name = "position";
  controller.joint = "slide";
  controller.target = scene_formula("0.25*count.begin");
  controller.kp = 4.0;
  controller.kd = 4.0;
  spec.controllers = {controller};
  watch(spec, "begin", "t - 1");
  spec.run.duration = 2.0;
  spec.run.step = 1e-3;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  // e'' + 4 e' + 4 e = 0 from e = 0.25.
  CHECK(moving.simulation.state().q[0] == doctest::Approx(0.25 - 0.25 * 3.0 * std::exp(-2.0)).epsilon(1e-9));
}

TEST_CASE("event counts: checkpoints hold them, and a reset forgets them") {
  const SceneSpec spec = back_and_forth();
  Moving whole(spec), first(spec), second(spec);
  REQUIRE(whole.run().outcome == RunOutcome::reached);
  REQUIRE(first.run(1.5).outcome == RunOutcome::reached);
  const std::string bytes = first.simulation.checkpoint();
  REQUIRE(second.simulation.resume(bytes));
  CHECK((second.simulation.checkpoint() == bytes));
  REQUIRE(second.run().outcome == RunOutcome::reached);
  CHECK(second.simulation.state_hash() == whole.simulation.state_hash());
  whole.simulation.reset();
  REQUIRE(whole.run().outcome == RunOutcome::reached);
  CHECK(whole.simulation.state().v[0] == doctest::Approx(-2.5).epsilon(1e-12));
  SceneSpec other = spec;
  watch(other, "other", "q.slide - 0.4");
  other.motors = {motor("1 - 2*count.other")};
  CHECK(Moving(other).simulation.scene_id() != whole.simulation.scene_id());
}

TEST_CASE("event counts: names that do not exist or are of two events, with their places") {
  SceneSpec spec = driven("2*count.half");
  Diagnostics found = problems(spec);
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "expression-unknown-name");
  CHECK(found[0].why == "there are no events");
  CHECK(found[0].origin.column == 13);
  watch(spec, "half_", "q.slide - 0.5");
  found = problems(spec);
  REQUIRE(found.size() == 1);
  CHECK(found[0].fix == "did you mean 'count.half_'?");
  watch(spec, "half way", "q.slide - 0.5");
  watch(spec, "half-way", "q.slide - 0.5");
  spec.motors = {motor("2*count.half_way")};
  found = problems(spec);
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "formula-event-ambiguous");
  spec.motors = {motor("2*q")};
  watch(spec, "second", "count.half_ - 2");
  found = problems(spec);
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "expression-unknown-name");
}
