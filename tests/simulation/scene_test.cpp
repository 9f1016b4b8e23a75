#include "pintle/simulation/scene/scene.h"

#include <doctest/doctest.h>

#include <thread>

#include "pintle/base/usage_error.h"
#include "pintle/simulation/run/simulation.h"
#include "support/scenes.h"

using namespace test;

namespace {

/// The codes of all problems; each has to say where, what, why and what to do.
std::vector<std::string> codes_of(const SceneSpec& spec) {
  const Result<Scene> scene = compile(spec);
  std::vector<std::string> codes;
  for (const Diagnostic& problem : scene.diagnostics()) {
    CAPTURE(format(problem));
    CHECK(problem.origin.file == "scene.toml");
    CHECK(problem.origin.line > 0);
    CHECK(!problem.what.empty());
    const bool unknown = problem.code.ends_with("-unknown");  // that says it all, and perhaps no name is near
    CHECK((unknown || problem.code == "expression-operand" || !problem.why.empty()));
    CHECK((unknown || !problem.fix.empty()));
    codes.push_back(problem.code);
  }
  CHECK(scene.ok() == codes.empty());
  return codes;
}

using Codes = std::vector<std::string>;

Origin line(int number) {
  return Origin("scene.toml", number);
}

Diagnostic only_problem(const SceneSpec& spec) {
  const Result<Scene> scene = compile(spec);
  REQUIRE(scene.diagnostics().size() == 1);
  return scene.diagnostics()[0];
}

/// One bar on a hinge, everything with an origin.
SceneSpec bar() {
  SceneSpec scene;
  add_bar(scene.model, 0.0, 0.5);
  scene.model.joints[0].origin = line(1);
  scene.model.bodies[0].origin = line(2);
  scene.run.origin = line(3);
  return scene;
}

MotorSpec motor(const std::string& name, const std::string& joint = "joint0") {
  MotorSpec spec;
  spec.name = name;
  spec.joint = joint;
  spec.effort = Command(1.0);
  spec.origin = line(10);
  return spec;
}

JointSpringSpec spring(const std::string& name, const std::string& joint = "joint0") {
  JointSpringSpec spec;
  spec.name = name;
  spec.joint = joint;
  spec.stiffness = 1.0;
  spec.origin = line(11);
  return spec;
}

JointLimitSpec limit(const std::string& joint, double restitution) {
  JointLimitSpec spec;
  spec.joint = joint;
  spec.restitution = restitution;
  spec.origin = line(12);
  return spec;
}

EventSpec event(const std::string& name, const std::string& expression) {
  EventSpec spec;
  spec.name = name;
  spec.expression = expression;
  spec.origin = line(13);
  return spec;
}

PrescribedMotionSpec motion(const std::string& name, const std::string& joint, const std::string& drive) {
  PrescribedMotionSpec spec;
  spec.name = name;
  spec.joint = joint;
  spec.drive = expression_drive(drive, Origin("scene.toml", 14, 9)).value();
  spec.origin = line(14);
  return spec;
}

}  // namespace

TEST_CASE("scene: good ones compile, without a word") {
  CHECK(codes_of(bar()).empty());
  CHECK(codes_of(SceneSpec{}).empty());  // nothing at all moves
  for (const NamedScene& scene : all_scenes()) {
    CAPTURE(scene.name);
    CHECK(compile(scene.spec).diagnostics().empty());
  }
}

TEST_CASE("scene: a spec with mistakes of every kind gives each of them, once") {
  SceneSpec scene = bar();
  scene.run.rows = 0;
  scene.run.tolerances.relative = -1.0;
  scene.motors = {motor("lift"), motor("lift"), motor("far", "jiont0")};
  scene.motors[2].gear = 0.0;
  scene.motors[2].rotor_inertia = -1.0;
  ControllerSpec controller;
  controller.name = "servo";
  controller.joint = "joint0";
  controller.dof = 3;
  controller.origin = line(15);
  scene.controllers = {controller};
  scene.joint_springs = {spring("soft", "nobody")};
  DragSpec drag;
  drag.name = "air";
  drag.at.on = "bar7";
  drag.origin = line(16);
  scene.drags = {drag};
  scene.prescribed = {motion("jump", "joint0", "step(t - 0.25)")};
  scene.events = {event("", "t - 0.5"), event("half", "t - "), event("half", "t - q.joint9")};
  SensorSpec sensor;
  sensor.name = "tip";
  sensor.place = "brr0";
  sensor.origin = line(17);
  scene.sensors = {sensor};
  scene.joint_limits = {limit("joint0", 2.0), limit("joint5", 3.0)};
  scene.initial = {at("joint0", {1.0, 2.0}), at("joint8", {})};
  for (InitialSpec& initial : scene.initial) initial.origin = line(18);
  const Codes expected{"run-tolerance",      "run-rows",
                       "name-missing",       "name-twice",
                       "name-twice",         "joint-unknown",
                       "gear-ratio",         "number-negative",
                       "dof-unknown",        "joint-unknown",
                       "place-unknown",      "drive-jump",
                       "expression-operand", "expression-unknown-name",
                       "place-unknown",      "restitution-range",
                       "restitution-range",  "joint-unknown",
                       "initial-count",      "joint-unknown"};
  const Codes found = codes_of(scene);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == expected[i]);
}

TEST_CASE("scene: a model that cannot be made is told with all that needs no model") {
  SceneSpec scene = bar();
  scene.model.joints[0].axis = {0, 0, 0};
  scene.run.step = -1.0;
  scene.events = {event("", "t")};
  scene.motors = {motor("far", "nobody")};
  CHECK(codes_of(scene) == Codes{"run-step", "name-missing", "axis-zero", "joint-unknown"});
}

TEST_CASE("scene: unknown names come with the nearest one") {
  SceneSpec scene = bar();
  scene.motors = {motor("lift", "jiont0")};
  CHECK(only_problem(scene).fix.find("'joint0'") != std::string::npos);
  scene = bar();
  scene.joint_limits = {limit("joint", 0.5)};
  CHECK(only_problem(scene).fix.find("'joint0'") != std::string::npos);
  scene = bar();
  scene.initial = {at("joynt0", {})};
  CHECK(only_problem(scene).fix.find("'joint0'") != std::string::npos);
}

TEST_CASE("scene: names tell elements apart, given motions among them; events have names of their own") {
  SceneSpec scene = bar();
  scene.motors = {motor("one")};
  scene.joint_springs = {spring("one"), spring("two")};
  scene.events = {event("one", "t - 0.5")};
  CHECK(codes_of(scene) == Codes{"name-twice"});
  add_bar(scene.model, 0.5, 0.5);
  scene.joint_springs = {spring("two")};
  scene.prescribed = {motion("two", "joint1", "t")};
  CHECK(codes_of(scene) == Codes{"name-twice"});
  scene.prescribed[0].name = "three";
  CHECK(codes_of(scene).empty());
  scene.motors.push_back(motor(""));
  scene.motors.push_back(motor(""));
  CHECK(codes_of(scene) == Codes{"name-missing", "name-missing"});
}

TEST_CASE("scene: two columns of one name are refused, whoever brings the second") {
  SceneSpec scene = bar();
  JointPassive passive;
  passive.damping = 1.0;
  scene.model.joints[0].passive = {passive};
  scene.joint_springs = {spring("damper.joint0")};
  Diagnostic problem = only_problem(scene);
  CHECK(problem.code == "column-twice");
  CHECK(problem.origin.line == 11);
  CHECK(problem.what.find("work.damper.joint0") != std::string::npos);
  scene.joint_springs.clear();
  SensorSpec sensor;
  sensor.name = "certificate";
  sensor.kind = SensorKind::joint_position;
  sensor.joint = "joint0";
  sensor.origin = line(19);
  scene.sensors = {sensor};
  problem = only_problem(scene);
  CHECK(problem.code == "column-twice");
  CHECK(problem.origin.line == 19);
}

TEST_CASE("scene: rotors come into the model, seen through their gears; both motors and controllers") {
  SceneSpec scene = bar();
  scene.motors = {motor("lift")};
  scene.motors[0].gear = -20.0;
  scene.motors[0].rotor_inertia = 1e-4;
  ControllerSpec controller;
  controller.name = "servo";
  controller.joint = "joint0";
  controller.gear = 3.0;
  controller.rotor_inertia = 0.5;
  scene.controllers = {controller};
  const Scene compiled = compile(scene).value();
  CHECK(compiled.model().dofs()[0].passive.armature == doctest::Approx(400.0 * 1e-4 + 9.0 * 0.5).epsilon(1e-15));
  CHECK(compiled.spec().model.joints[0].passive.empty());
  scene.motors[0].gear = 1e200;
  CHECK(only_problem(scene).code == "rotor-inertia");
}

TEST_CASE("scene: what the model says of a joint's effort holds for motors, as seen through the gear") {
  SceneSpec scene = bar();
  JointLimits limits;
  limits.effort = 6.0;
  scene.model.joints[0].limits = {limits};
  scene.model.gravity = {0, 0, 0};
  scene.motors = {motor("lift")};
  scene.motors[0].effort = Command(10.0);
  scene.motors[0].gear = -2.0;
  const auto effort = [&] {
    Simulation simulation(compile(scene).value());
    return simulation.motion().tau[0];
  };
  CHECK(effort() == -6.0);
  scene.motors[0].effort_limit = 1.0;  // the motor's own is less
  CHECK(effort() == -2.0);
  scene.motors[0].effort_limit = 5.0;
  CHECK(effort() == -6.0);
}

TEST_CASE("scene: restitution and stops") {
  SceneSpec scene = bar();
  for (const double wrong : {-0.1, 1.5, __builtin_nan("")}) {
    scene.joint_limits = {limit("joint0", wrong)};
    CHECK(codes_of(scene) == Codes{"restitution-range"});
  }
  scene.joint_limits = {limit("joint0", 0.0), limit("joint0", 1.0)};
  CHECK(codes_of(scene) == Codes{"limit-twice"});
  scene.joint_limits = {limit("joint0", 0.25)};
  CHECK(compile(scene).value().restitution()[0] == 0.25);
  add_bar(scene.model, 0.5, 0.5);
  add_bar(scene.model, 0.5, 0.5, 1.0, {0, 1, 0}, JointKind::fixed);
  CouplingSpec coupling;
  coupling.joint = "joint1";
  coupling.driver = "joint0";
  scene.model.couplings = {coupling};
  scene.joint_limits = {limit("joint1", 0.5), limit("joint2", 0.5)};
  CHECK(codes_of(scene) == Codes{"limit-joint", "limit-joint"});
}

TEST_CASE("scene: problems of formulas stand where they are in the file") {
  SceneSpec scene = bar();
  scene.events = {event("half", "t - 0.5 * (q.joint0")};
  scene.events[0].origin = Origin("scene.toml", 21, 15);
  const Diagnostic problem = only_problem(scene);
  CHECK(problem.origin.line == 21);
  CHECK(problem.origin.column > 15);
  CHECK(problem.code.starts_with("expression-"));
}

TEST_CASE("scene: a given motion that jumps is refused with the time; where it would start is then not judged") {
  SceneSpec scene = bar();
  JointLimits limits;
  limits.lower = 1.0;
  limits.upper = 2.0;
  scene.model.joints[0].limits = {limits};
  scene.prescribed = {motion("jump", "joint0", "1.5 + 0.1*step(t - 0.25)")};
  const Diagnostic problem = only_problem(scene);
  CHECK(problem.code == "drive-jump");
  CHECK(problem.what.find("0.25") != std::string::npos);
  scene.prescribed = {motion("still", "joint0", "1.5")};
  CHECK(codes_of(scene).empty());
  scene.prescribed = {motion("out", "joint0", "2.5")};
  CHECK(codes_of(scene) == Codes{"initial-limits"});
  scene.run.duration = -1.0;  // no times to judge a drive at
  scene.prescribed = {motion("jump", "joint0", "1.5 + 0.1*step(t - 0.25)")};
  CHECK(codes_of(scene) == Codes{"run-duration"});
}

TEST_CASE("scene: a given motion of a fixed joint is a problem of the motion, not of the joint") {
  SceneSpec scene = bar();
  add_bar(scene.model, 0.5, 0.5, 1.0, {0, 1, 0}, JointKind::fixed);
  scene.prescribed = {motion("still", "joint1", "1.5")};
  CHECK(codes_of(scene) == Codes{"dof-unknown"});
}

TEST_CASE("scene: copies share one memory, and threads may copy and drop them") {
  const Scene scene = compile(chain_scene()).value();
  const SceneSpec* const spec = &scene.spec();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([copy = scene, spec] {
      for (int k = 0; k < 1000; ++k) {
        Scene other = copy;
        Scene third = other;
        third = copy;
        if (&third.spec() != spec) throw std::logic_error("another memory");
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(&scene.spec() == spec);
  CHECK(scene.model().nv() == 4);
}

TEST_CASE("scene: a caller's force with the name of an element is refused") {
  class Nothing : public ForceElement {
   public:
    std::string_view name() const override { return "lift"; }
    ForcePower apply(const Model&, const ForceInput&, const ForceOutput&) override { return {}; }
  } nothing;
  ForceElement* const forces[] = {&nothing};
  CHECK_THROWS_AS(Simulation(compile(chain_scene()).value(), {.forces = forces}), UsageError);
}
