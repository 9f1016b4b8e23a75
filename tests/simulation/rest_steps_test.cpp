// Steps of bodies at rest: made at once where nothing can happen, and nowhere else.
#include "pintle/simulation/run/rest_steps.h"

#include <doctest/doctest.h>

#include <cmath>

#include "pintle/simulation/hybrid/mode_change.h"
#include "pintle/simulation/run/simulation.h"
#include "support/free_body.h"

using namespace pintle;

namespace {

constexpr double kG = 9.81;

/// A brick of 2 kg, 0.2 x 0.3 x 0.1 m, on a floor.
SceneSpec brick(double friction = 0.5) {
  SceneSpec scene;
  scene.model.gravity = {0, 0, -kG};
  scene.contact.surfaces.push_back({"stuff", {0.0, friction, friction}, {}});
  test::add_free_body(scene, "brick", {2.0, {0, 0, 0}, {0.2 / 12, 0, 0, 0.1 / 12, 0, 0.26 / 12}}).X_PJ.translation = {
      0, 0, 0.05};
  test::add_shape(scene, std::string(kWorld), HalfSpace{}, "stuff", identity_pose<double>());
  test::add_shape(scene, "brick", Box{{0.2, 0.3, 0.1}}, "stuff", identity_pose<double>());
  scene.run.step = 1e-3;
  scene.run.duration = 10.0;
  return scene;
}

void add_ball(SceneSpec& scene, double height) {
  test::add_free_body(scene, "ball", {0.1, {0, 0, 0}, {4e-5, 0, 0, 4e-5, 0, 4e-5}}).X_PJ.translation = {0, 0, height};
  test::add_shape(scene, "ball", Sphere{0.02}, "stuff", identity_pose<double>());
}

void push(SceneSpec& scene, const char* force) {
  BodyForceSpec spec;
  spec.name = "push";
  spec.at.on = "brick";
  spec.at.point = {0, 0, -0.05};
  spec.force[0] = expression_drive(force).value();
  scene.body_forces.push_back(spec);
}

/// How many of 100 steps are made at once at the start of a scene.
std::int64_t steps_at_once(const SceneSpec& spec, std::span<ForceElement* const> forces = {},
                           std::span<const Witness> events = {}) {
  const Scene scene = compile(spec).value();
  SceneMotion motion(scene, forces, false);
  motion.reset();
  ModeWitnesses witnesses(motion.system, events);
  StepClock clock(motion.run());
  clock.start(motion.integrated, motion.state);
  ModeChange change(motion.system);
  const std::vector<Guard> none(motion.state.v.size());
  REQUIRE(change.apply(none, {}, motion.state).ok);
  witnesses.choose(motion.state, {});
  RestSteps rest(motion, witnesses, clock);
  const MotionState before = motion.state;
  const std::int64_t made = rest.advance(1.0, 100, false);
  CHECK(motion.state.q == before.q);
  CHECK(clock.grid() == made);
  CHECK(std::abs(motion.state.t - 1e-3 * static_cast<double>(made)) <= 1e-15);
  return made;
}

struct Run {
  MemoryRecording recording;
  MotionState state{};
};

Run run(const SceneSpec& spec, double until, const SimulationParts& parts = {}) {
  const Scene scene = compile(spec).value();
  Simulation simulation(scene, parts);
  Run result;
  const RunReport report = simulation.run({.until = until, .sink = &result.recording});
  REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
  result.state = simulation.state();
  return result;
}

/// A force of the caller's, which begins after half a second.
class LatePush final : public ForceElement {
 public:
  std::string_view name() const override { return "late"; }
  bool needs_places() const override { return true; }
  ForcePower apply(const Model& model, const ForceInput& in, const ForceOutput& out) override {
    const double force = in.t > 0.5 ? 40.0 * (in.t - 0.5) : 0.0;
    const Wrench<> F{{force, 0, 0}, {0, -0.05 * force, 0}};
    out.external[0] += F;
    (void)model;
    return {force * in.v[0], 0.0, true};
  }
};

}  // namespace

TEST_CASE("rest: a brick, and one held at 0.9 of its friction, make all steps at once") {
  CHECK(steps_at_once(brick()) == 100);
  SceneSpec pushed = brick();
  push(pushed, "8.829");
  CHECK(steps_at_once(pushed) == 100);
}

TEST_CASE("rest: what moves, may move, or depends on time makes its own steps") {
  SceneSpec smooth = brick(0.0);  // could glide
  CHECK(steps_at_once(smooth) == 0);
  SceneSpec moving = brick();
  InitialSpec initial;
  initial.joint = "brick";
  initial.v = {0.1, 0, 0, 0, 0, 0};
  moving.initial.push_back(initial);
  CHECK(steps_at_once(moving) == 0);
  SceneSpec driven = brick();
  push(driven, "2*t");
  CHECK(steps_at_once(driven) == 0);
  SceneSpec two = brick();
  add_ball(two, 1.0);  // falls
  CHECK(steps_at_once(two) == 0);
  SceneSpec balanced = brick();
  add_ball(balanced, 0.12);  // on the brick, free to roll
  CHECK(steps_at_once(balanced) == 0);
  LatePush late;
  ForceElement* const forces[] = {&late};
  CHECK(steps_at_once(brick(), forces) == 0);
}

TEST_CASE("rest: nothing that ends it is missed") {
  SceneSpec hit = brick();
  add_ball(hit, 0.12 + 0.5 * kG * 0.25);
  const Run fallen = run(hit, 1.0);
  REQUIRE(!fallen.recording.impacts().empty());
  CHECK(std::abs(fallen.recording.impacts()[0].t - 0.5) <= 1e-10);

  LatePush late;
  ForceElement* const forces[] = {&late};
  const Run pushed = run(brick(), 1.0, {.forces = forces});
  REQUIRE(!pushed.recording.events().empty());
  CHECK(std::abs(pushed.recording.events()[0].event.t - (0.5 + 0.5 * 2 * kG / 40)) <= 1e-10);

  SceneSpec timed = brick();
  timed.events.push_back({"noon", "t - 0.3", EventDirection::both, false, {}});
  const Run seen = run(timed, 1.0);
  REQUIRE(seen.recording.events().size() == 1);
  CHECK(std::abs(seen.recording.events()[0].event.t - 0.3) <= 1e-12);
}

TEST_CASE("rest: rows, momentum and bits do not depend on how many steps are made at once") {
  const Scene scene = compile(brick()).value();
  Simulation whole(scene), single(scene);
  (void)whole.run({.until = 10.0});
  for (int k = 0; k < 5000; ++k) (void)single.step();
  for (int k = 5001; k <= 10000; ++k) (void)single.run({.until = 1e-3 * k});
  CHECK(whole.state().t == single.state().t);
  CHECK(whole.state().q == single.state().q);
  CHECK(whole.state().v == single.state().v);
  CHECK(whole.state().auxiliary == single.state().auxiliary);
  CHECK(std::abs(whole.state().q[2]) <= 1e-16);
}
