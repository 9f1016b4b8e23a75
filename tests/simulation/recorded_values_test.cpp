// What a run records besides its state: targets and errors of controllers, coupled joints, momentum, directions of slip.
#include <doctest/doctest.h>

#include <cmath>

#include "simulation/moving_scenes.h"

using namespace test;

TEST_CASE("recorded values: target and error of a controller, at the instant of each row") {
  SceneSpec spec = slider_scene(2.0, {0, 0, 0});
  for (const double period : {0.0, 0.3}) {
    ControllerSpec servo;
    servo.name = "servo";
    servo.joint = "slide";
    servo.target = expression_drive("0.1 + 0.2*t").value();
    servo.kp = 30.0;
    servo.sampling.period = period;
    spec.controllers = {servo};
    spec.run.duration = 1.0;
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    const std::vector<double> t = moving.recording.column("t"), q = moving.recording.column("q.slide");
    const std::vector<double> target = moving.recording.column("target.servo"), error = moving.recording.column("error.servo");
    REQUIRE(t.size() > 100);
    for (std::size_t i = 0; i < t.size(); ++i) {
      CHECK(target[i] == doctest::Approx(0.1 + 0.2 * t[i]).epsilon(1e-14));
      CHECK(error[i] == target[i] - q[i]);
    }
    CHECK(moving.recording.columns()[moving.recording.column_number("target.servo")].unit == "m");
  }
}

TEST_CASE("recorded values: coupled joints") {
  SceneSpec spec;
  spec.model.name = "gripper";
  spec.model.gravity = {0, 0, 0};
  add_slider(spec.model, "left", 1.0, {1, 0, 0});
  add_slider(spec.model, "right", 1.0, {1, 0, 0});
  CouplingSpec coupling;
  coupling.joint = "right";
  coupling.driver = "left";
  coupling.ratio = -0.5;
  coupling.offset = 0.25;
  spec.model.couplings = {coupling};
  start(spec, "left", 0.1, 0.2);
  spec.run.duration = 1.0;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  const std::vector<double> q = moving.recording.column("q.right"), v = moving.recording.column("v.right");
  CHECK(q.front() == -0.5 * 0.1 + 0.25);
  CHECK(q.back() == doctest::Approx(-0.5 * 0.3 + 0.25).epsilon(1e-13));
  CHECK(v.back() == doctest::Approx(-0.1).epsilon(1e-13));
}

TEST_CASE("recorded values: a sensor of momentum, about the origin and about a moving body") {
  SceneSpec spec;
  spec.model.name = "two";
  spec.model.gravity = {0, 0, 0};
  add_slider(spec.model, "a", 2.0, {1, 0, 0});
  add_slider(spec.model, "b", 3.0, {0, 1, 0}, kWorld);
  spec.model.joints[1].X_PJ.translation = {4, 0, 0};
  for (const char* const place : {"world", "a body"}) {
    SensorSpec sensor;
    sensor.name = place[0] == 'w' ? "whole" : "about_a";
    sensor.kind = SensorKind::momentum;
    sensor.place = place;
    spec.sensors.push_back(sensor);
  }
  start(spec, "a", 0.0, 0.5);
  start(spec, "b", 0.0, 0.25);
  spec.run.duration = 2.0;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  const auto last = [&](const char* column) { return moving.recording.column(column).back(); };
  CHECK(last("whole.px") == doctest::Approx(1.0).epsilon(1e-13));
  CHECK(last("whole.py") == doctest::Approx(0.75).epsilon(1e-13));
  CHECK(last("whole.Lz") == doctest::Approx(3.0).epsilon(1e-13));    // 4 * 0.75
  CHECK(last("about_a.Lz") == doctest::Approx(2.25).epsilon(1e-13));  // (4 - 1) * 0.75: a is at x = 1, y = 0
}

TEST_CASE("recorded values: an impact knows in which direction it slips") {
  SceneSpec spec;
  spec.model.name = "ball";
  spec.model.bodies.push_back(
      {.name = "ball", .inertia = spatial_inertia(1.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0.4e-2, 0.4e-2, 0.4e-2}))});
  JointSpec joint;
  joint.name = "ball";
  joint.kind = JointKind::free;
  joint.parent = kWorld;
  joint.child = "ball";
  spec.model.joints.push_back(joint);
  ContactShapeSpec ground, ball;
  ground.body = kWorld;
  ground.shape = HalfSpace{};
  ground.material = "steel";
  ball.body = "ball";
  ball.shape = Sphere{0.1};
  ball.material = "steel";
  spec.contact.shapes = {ground, ball};
  spec.contact.surfaces.push_back({.material = "steel", .surface = {.restitution = 0.5, .friction = 0.1, .static_friction = 0.1}});
  InitialSpec initial;
  initial.joint = "ball";
  initial.q = {0, 0, 0.2, 0, 0, 0, 1};
  initial.v = {3, -4, 0, 0, 0, 0};
  spec.initial = {initial};
  spec.run.duration = 0.2;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  REQUIRE(!moving.recording.impacts().empty());
  const ImpactRecord& impact = moving.recording.impacts()[0];
  const double mu_P = 0.1 * impact.normal_impulse;  // slides throughout: the slip falls by mu P (1/m + r^2/I)
  const double after = 5.0 - mu_P * (1.0 + 0.01 / 0.4e-2);
  CHECK(impact.body_a == -1);
  CHECK(norm(impact.slip_before - Vec3<>{3, -4, 0}) < 1e-10);
  CHECK(norm(impact.slip_after - Vec3<>{0.6 * after, -0.8 * after, 0}) < 1e-9);
  CHECK(impact.slip == doctest::Approx(5.0).epsilon(1e-12));
}

TEST_CASE("recorded values: works within the long steps of sdirk are those along the motion") {
  SceneSpec spec = slider_scene(1.0, {0, 0, 0});
  motor(spec, "push", "slide", "t");  // v = t^2/2, W = t^4/8
  spec.run.method = Method::sdirk;
  spec.run.step = 0.0;
  spec.run.duration = 1.0;
  spec.run.rows = 50;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  CHECK(moving.simulation.steps() < 40);
  const std::vector<double> t = moving.recording.column("t"), work = moving.recording.column("work.push");
  REQUIRE(work.size() == t.size());
  for (std::size_t i = 0; i < t.size(); ++i)
    CHECK(work[i] == doctest::Approx(0.125 * t[i] * t[i] * t[i] * t[i]).epsilon(1e-7).scale(1e-2));
}
