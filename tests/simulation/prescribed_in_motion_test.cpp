// Joints whose motion is given, within a running simulation.
#include <doctest/doctest.h>

#include <cmath>

#include "pintle/dynamics/inverse_dynamics.h"
#include "simulation/moving_scenes.h"

using namespace test;

namespace {

/// A pendulum on a carriage that slides along x.
SceneSpec driven_pendulum() {
  SceneSpec spec;
  spec.model.name = "crane";
  add_slider(spec.model, "cart", 3.0, {1, 0, 0});
  add_pendulum(spec.model, "swing", 1.5, 0.8, "cart body");
  spec.run.step = 1e-3;
  return spec;
}

double drive_at(const SceneSpec& spec, double t) {
  return evaluate(spec.prescribed[0].drive, t).value;
}

}  // namespace

TEST_CASE("a prescribed position is the drive to the bit in every row, and its effort that of inverse dynamics") {
  for (const Method method : {Method::semi_implicit_euler, Method::rk4, Method::dormand_prince, Method::sdirk}) {
    CAPTURE(facts(method).name);
    SceneSpec spec = driven_pendulum();
    start(spec, "swing", 0.3, 0.0);
    prescribe(spec, "drive", "cart", MotionKind::position, "0.2*sin(3*t) + 0.1*t^2");
    spec.run.method = method;
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    const Model& model = moving.scene.model();
    InverseDynamicsWorkspace<> work(model);
    double worst = 0.0;
    for (std::size_t row = 0; row < moving.recording.rows(); ++row) {
      const std::span<const double> n = moving.recording.row_at(row);
      CHECK(n[1] == drive_at(spec, n[0]));
      CHECK(n[3] == evaluate(spec.prescribed[0].drive, n[0]).rate);
      double needed[2];
      inverse_dynamics(model, n.subspan(1, 2), n.subspan(3, 2), n.subspan(5, 2), work, needed);
      worst = worse(worst, needed[0] - n[7]);
      worst = worse(worst, needed[1]);
    }
    CHECK(worst <= 1e-12);
    if (method != Method::semi_implicit_euler) CHECK(std::abs(moving.residual()) <= 1e-8);
    CHECK(std::abs(moving.work(AccountKind::prescribed, "drive")) > 0.1);
  }
}

TEST_CASE("a carriage driven with constant acceleration tilts the gravity of its pendulum") {
  // About the tilted vertical, by angle atan(a/g), the pendulum swings as any other: its energy there is kept.
  SceneSpec spec = driven_pendulum();
  prescribe(spec, "drive", "cart", MotionKind::acceleration, "4");
  spec.run.duration = 3.0;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  const double g = std::hypot(9.81, 4.0), tilt = std::atan2(4.0, 9.81);
  double worst = 0.0;
  for (std::size_t row = 0; row < moving.recording.rows(); ++row) {
    const std::span<const double> n = moving.recording.row_at(row);
    worst = worse(worst, n[1] - 2.0 * n[0] * n[0]);
    worst = worse(worst, 0.5 * 0.8 * n[4] * n[4] - g * (std::cos(n[2] - tilt) - std::cos(tilt)));
  }
  CHECK(worst <= 1e-9);
  CHECK(std::abs(moving.residual()) <= 1e-9);
}

TEST_CASE("position, velocity and acceleration of one motion move a mechanism alike") {
  double q[3] = {}, v[3] = {};
  int k = 0;
  for (const auto& [kind, formula] :
       {std::pair{MotionKind::position, "0.25*sin(2*t)"}, std::pair{MotionKind::velocity, "0.5*cos(2*t)"},
        std::pair{MotionKind::acceleration, "-sin(2*t)"}}) {
    SceneSpec spec = driven_pendulum();
    prescribe(spec, "drive", "cart", kind, formula);
    if (kind == MotionKind::acceleration) start(spec, "cart", 0.0, 0.5);
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    q[k] = moving.q(1);
    v[k++] = moving.v(1);
  }
  for (int i = 1; i < 3; ++i) {
    CHECK(std::abs(q[i] - q[0]) <= 1e-11);
    CHECK(std::abs(v[i] - v[0]) <= 1e-11);
  }
}

TEST_CASE("a drive by table moves as its spline says") {
  SceneSpec spec = driven_pendulum();
  DriveTable table;
  for (int i = 0; i <= 10; ++i) table.rows.push_back({0.1 * i, 0.3 * std::sin(0.5 * i)});
  PrescribedMotionSpec motion;
  motion.name = "table";
  motion.joint = "cart";
  motion.drive = table_drive(table).value();
  spec.prescribed.push_back(motion);
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  for (std::size_t row = 0; row < moving.recording.rows(); ++row)
    CHECK(moving.recording.row_at(row)[1] == drive_at(spec, moving.recording.row_at(row)[0]));
  CHECK(std::abs(moving.residual()) <= 1e-8);  // the spline has kinks of its acceleration's rate
}

TEST_CASE("friction at a prescribed joint turns when the joint turns, also out of a rest") {
  const double friction = 3.0, mass = 2.0;
  SceneSpec spec;
  spec.model.name = "driven";
  add_slider(spec.model, "slide", mass, {1, 0, 0});
  passive(spec).friction = friction;
  SUBCASE("a swing") {
    prescribe(spec, "drive", "slide", MotionKind::position, "0.5*sin(4*t)");
    spec.run.duration = 2.0;
    spec.run.step = 0.01;
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    double worst = 0.0;
    for (std::size_t row = 0; row < moving.recording.rows(); ++row) {
      const std::span<const double> n = moving.recording.row_at(row);
      if (std::abs(n[2]) <= 1e-9) continue;
      // tau has all efforts: friction and the motor's, which together accelerate the mass.
      worst = worse(worst, n[4] - mass * n[3]);
    }
    CHECK(worst <= 1e-12);
    double path = 0.0, before = 0.0;  // of 0.5 sin(4 t): over its turning points
    for (int k = 0; k < 3; ++k) {
      const double at = 0.5 * std::sin(4.0 * (0.5 + k) * kPi<double> / 4.0);
      if ((0.5 + k) * kPi<double> / 4.0 > 2.0) break;
      path += std::abs(at - before);
      before = at;
    }
    path += std::abs(0.5 * std::sin(8.0) - before);
    CHECK(std::abs(moving.work(AccountKind::friction) + friction * path) <= 1e-8);
    CHECK(std::abs(moving.residual()) <= 1e-8);
  }
  SUBCASE("a rest, a move, a rest") {
    // From 0.3 to 0.7 s along 16 x^2 (1 - x)^2-like bumps: a velocity that starts and ends smoothly.
    prescribe(spec, "drive", "slide", MotionKind::velocity, "step(t - 0.3)*step(0.7 - t)*((t - 0.3)*(0.7 - t))^2*100");
    spec.run.step = 0.01;
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    const double way = 100.0 * std::pow(0.4, 5.0) / 30.0;
    CHECK(std::abs(moving.q() - way) <= 1e-8);
    CHECK(std::abs(moving.work(AccountKind::friction) + friction * way) <= 1e-8);
    CHECK(std::abs(moving.residual()) <= 1e-6);
  }
}

TEST_CASE("a joint limit is met while another joint is driven: the drive keeps its pace and takes the impact") {
  SceneSpec spec;
  spec.model.name = "hammer";
  spec.model.gravity = {0, 0, 0};
  add_slider(spec.model, "cart", 3.0, {1, 0, 0});
  add_slider(spec.model, "hammer", 1.5, {1, 0, 0}, "cart body");
  limits(spec, 0).upper = 5.0;  // of a prescribed joint: it is not watched, and has no account
  limits(spec, 1).upper = 0.5;
  start(spec, "hammer", 0.0, 1.0);
  restitution(spec, "hammer", 0.5);
  prescribe(spec, "drive", "cart", MotionKind::velocity, "0.4");
  spec.run.step = 0.03;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  for (const double v : moving.recording.column("v.cart")) CHECK(v == 0.4);
  CHECK(std::abs(moving.v(1) + 0.5) <= 1e-13);
  CHECK(std::abs(moving.work(AccountKind::limit) + 0.5 * 1.5 * 0.75) <= 1e-13);
  CHECK(std::abs(moving.work(AccountKind::prescribed) + 1.5 * 1.5 * 0.4) <= 1e-13);  // impulse times pace
  CHECK(std::abs(moving.residual()) <= 1e-13);
}

TEST_CASE("a prescribed joint may carry no mass") {
  SceneSpec spec;
  spec.model.name = "pivot";
  add_slider(spec.model, "pivot", 0.0, {0, 0, 1});
  add_pendulum(spec.model, "swing", 1.0, 0.5, "pivot body");
  prescribe(spec, "drive", "pivot", MotionKind::position, "0.05*sin(20*t)");
  start(spec, "swing", 0.2, 0.0);
  spec.run.step = 1e-3;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  CHECK(std::abs(moving.residual()) <= 1e-8);
}
