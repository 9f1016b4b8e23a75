// Formulas of motors and controllers that see other joints and sensors.
#include "pintle/simulation/recording/state_values.h"

#include <doctest/doctest.h>

#include <cmath>

#include "simulation/moving_scenes.h"

using namespace test;

namespace {

/// Two sliders along x on the world, of masses a and b.
SceneSpec two_sliders(double a, double b) {
  SceneSpec spec;
  spec.model.name = "sliders";
  spec.model.gravity = {0, 0, 0};
  add_slider(spec.model, "a", a, {1, 0, 0});
  add_slider(spec.model, "b", b, {1, 0, 0});
  return spec;
}

MotorSpec motor(const std::string& joint, const std::string& formula) {
  MotorSpec spec;
  spec.name = "motor " + joint;
  spec.joint = joint;
  spec.effort = command_expression(formula, Origin("scene.toml", 7, 11), CommandScope::scene).value();
  return spec;
}

SensorSpec sensor(const std::string& name, SensorKind kind) {
  SensorSpec spec;
  spec.name = name;
  spec.kind = kind;
  return spec;
}

SensorSpec formula(const std::string& name, const std::string& text) {
  SensorSpec spec = sensor(name, SensorKind::expression);
  spec.expression = text;
  return spec;
}

/// The problems of a scene whose first slider has a motor with that formula.
Diagnostics problems(const std::string& text, const std::vector<SensorSpec>& sensors = {}) {
  SceneSpec spec = two_sliders(1.0, 1.0);
  spec.sensors = sensors;
  spec.motors = {motor("a", text)};
  return compile(spec).diagnostics();
}

}  // namespace

TEST_CASE("state values: motors that see each other's joints are a spring, whose oscillation is known") {
  const double k = 12.0, a = 2.0, b = 3.0, omega = std::sqrt(k * (1 / a + 1 / b));
  const std::vector<std::vector<std::string>> laws = {
      {"12*(q.b - q.a)", "12*(q.a - q.b)"},
      {"12*(q1.b - q)", "12*(place.x - q)"},
      {"12*stretch", "-12*stretch"},
  };
  for (const std::vector<std::string>& law : laws) {
    CAPTURE(law[0]);
    SceneSpec spec = two_sliders(a, b);
    SensorSpec place = sensor("place", SensorKind::frame_pose);
    place.place = "a body";
    spec.sensors = {place, formula("stretch", "q.b - place.x")};
    spec.motors = {motor("a", law[0]), motor("b", law[1])};
    start(spec, "a", 0.0, 0.0);
    start(spec, "b", 0.5, 0.0);
    spec.run.duration = 2.0;
    spec.run.step = 1e-3;
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    const MotionState& end = moving.simulation.state();
    CHECK(end.q[1] - end.q[0] == doctest::Approx(0.5 * std::cos(omega * 2.0)).epsilon(1e-10));
    CHECK(a * end.v[0] + b * end.v[1] == doctest::Approx(0.0).epsilon(1e-12));
  }
}

TEST_CASE("state values: a controller follows another joint, with the derivative of its target") {
  SceneSpec spec = two_sliders(1.0, 2.0);
  ControllerSpec follow;
  follow.name = "follow";
  follow.joint = "b";
  follow.target = command_expression("2*q.a + t", {}, CommandScope::scene).value();
  follow.kp = 40.0;
  follow.kd = 8.0;
  spec.controllers = {follow};
  start(spec, "a", 0.3, 0.5);  // flies on: the target is 0.6 + 2 t
  start(spec, "b", 1.6, 2.0);
  spec.run.duration = 1.0;
  spec.run.step = 1e-3;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  // e'' + 4 e' + 20 e = 0 with e(0) = -1, e'(0) = 0.
  const double e = -std::exp(-2.0) * (std::cos(4.0) + 0.5 * std::sin(4.0));
  CHECK(moving.simulation.state().q[1] == doctest::Approx(2.6 - e).epsilon(1e-9));

  spec.controllers[0].target = command_expression("v.a", {}, CommandScope::scene).value();
  const Diagnostics found = compile(spec).diagnostics();
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "controller-target-rate");
  spec.controllers[0].kd = 0.0;
  CHECK(compile(spec).ok());
}

TEST_CASE("state values: names that do not exist, with place and nearest name") {
  SensorSpec place = sensor("place", SensorKind::frame_pose);
  place.place = "b body";
  Diagnostics found = problems("2*q.c", {place});
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "expression-unknown-name");
  CHECK(found[0].what == "motor 'motor a': unknown name 'q.c'");
  CHECK(found[0].origin.line == 7);
  CHECK(found[0].origin.column == 13);
  CHECK(found[0].fix == "did you mean 'q.a'?");
  found = problems("plaze.x", {place});
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == "motor 'motor a': unknown name 'plaze.x'");
  found = problems("place.w", {place});
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == "motor 'motor a': sensor 'place' has no value 'place.w'");
  CHECK(found[0].why == "its values are place.x, place.y, place.z, place.qx, place.qy, place.qz, place.qw");
  CHECK(problems("place.x*v.b + step(t - 1)", {place}).empty());
}

TEST_CASE("state values: what depends on accelerations or forces cannot give an effort") {
  SensorSpec imu = sensor("felt", SensorKind::imu);
  imu.place = "b body";
  const auto is_circular = [](const Diagnostics& found) {
    return found.size() == 1 && found[0].code == "formula-circular" && found[0].origin.line == 7;
  };
  CHECK(is_circular(problems("felt.ax", {imu})));
  CHECK(is_circular(problems("twice", {imu, formula("twice", "2*felt.ax")})));
  CHECK(is_circular(problems("inertia", {formula("inertia", "3*a.b")})));
  CHECK(is_circular(problems("a.b")));
  CHECK(is_circular(problems("tau.a")));
  CHECK(is_circular(problems("energy.total")));
  CHECK(problems("twice", {formula("twice", "2*v.b")}).empty());
}

TEST_CASE("state values: a problem of a sensor is not reported again for the motor that uses it") {
  SensorSpec place = sensor("place", SensorKind::frame_pose);
  place.place = "nowhere";
  const Diagnostics found = problems("place.x", {place});
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "place-unknown");
}

TEST_CASE("state values: jumps in time are found also where a formula sees other joints") {
  SceneSpec spec = two_sliders(1.0, 1.0);
  spec.motors = {motor("a", "step(t - 0.35)*(1 + 0*q.b)")};
  spec.run.duration = 1.0;
  spec.run.step = 0.1;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  CHECK(moving.simulation.state().v[0] == doctest::Approx(0.65).epsilon(1e-14));
}

TEST_CASE("state names: parts of joints with several coordinates") {
  ModelSpec spec{.name = "free"};
  spec.bodies.push_back(
      {.name = "body", .inertia = spatial_inertia(1.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{1, 1, 1}))});
  JointSpec joint;
  joint.name = "float";
  joint.kind = JointKind::free;
  joint.parent = kWorld;
  joint.child = "body";
  spec.joints.push_back(joint);
  const Model model = compile(spec).value();
  const StateNames names(model);
  const std::vector<double> q{1, 2, 3, 4, 5, 6, 7}, v{10, 20, 30, 40, 50, 60};
  const auto value = [&](const char* name) {
    return value_of(names.variable(static_cast<std::size_t>(names.find(name))), 0.0, q, v);
  };
  for (const Column& column : {Column{"q.float.x", ""}, {"q.float.z", ""}, {"q.float.qw", ""}, {"v.float.wz", ""}})
    REQUIRE(names.find(column.name) >= 0);
  CHECK(value("v1.float") == v[0]);
  CHECK(value("v.float.wz") + value("v.float.vz") == 30.0 + 60.0);
  CHECK(names.find("q1.float") < 0);
}
