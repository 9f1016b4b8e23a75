// Motors and controllers within a running simulation: sampling, delays, limits, and what an energy balance says of
// them.
#include <doctest/doctest.h>

#include <cmath>

#include "simulation/moving_scenes.h"

using namespace test;

namespace {

constexpr double kGravity = 9.81, kMass = 1.5, kLength = 0.7;

SceneSpec pendulum() {
  SceneSpec spec;
  spec.model.name = "pendulum";
  add_pendulum(spec.model, "swing", kMass, kLength);
  start(spec, "swing", 0.5, 0.0);
  return spec;
}

ControllerSpec pd(const std::string& target, double kp, double kd) {
  ControllerSpec spec;
  spec.name = "pd";
  spec.joint = "swing";
  spec.target = expression_drive(target).value();
  spec.kp = kp;
  spec.kd = kd;
  return spec;
}

/// The pendulum with a held torque, by many small steps of a method of its own.
void swing(double& q, double& v, double torque, double duration) {
  const auto rate = [&](double x) {
    return (torque - kMass * kGravity * kLength * std::sin(x)) / (kMass * kLength * kLength);
  };
  const int n = 200;
  const double h = duration / n;
  for (int i = 0; i < n; ++i) {
    const double a1 = rate(q), a2 = rate(q + 0.5 * h * v), a3 = rate(q + 0.5 * h * v + 0.25 * h * h * a1),
                 a4 = rate(q + h * v + 0.5 * h * h * a2);
    q += h * v + h * h / 6.0 * (a1 + a2 + a3);
    v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
}

}  // namespace

TEST_CASE("a sampled controller on steps of another length is that of a hand-written loop") {
  double worst = 0.0;
  for (const double delay : {0.0, 0.004, 0.013, 0.02}) {
    CAPTURE(delay);
    SceneSpec spec = pendulum();
    spec.controllers.push_back(pd("0.2", 30.0, 3.0));
    spec.controllers[0].sampling = {.period = 0.01, .delay = delay};
    spec.run.step = 0.0007;
    spec.run.duration = 0.5;
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    // Samples at k/100 take effect at k/100 + delay: walk from one change to the next.
    double q = 0.5, v = 0.0, torque = 0.0, t = 0.0;
    std::vector<double> samples;
    int taken = 0, effective = 0;
    while (t < 0.5 - 1e-12) {
      if (std::abs(t - 0.01 * taken) < 1e-12) {
        samples.push_back(30.0 * (0.2 - q) - 3.0 * v);
        ++taken;
      }
      while (effective < taken && 0.01 * effective + delay < t + 1e-12)
        torque = samples[static_cast<std::size_t>(effective++)];
      const double next = std::min(0.5, std::min(0.01 * taken, 0.01 * effective + delay));
      swing(q, v, torque, next - t);
      t = next;
    }
    worst = worse(worst, moving.q() - q);
    worst = worse(worst, moving.v() - v);
    CHECK(std::abs(moving.residual()) <= 1e-9);
  }
  CHECK(worst <= 1e-10);  // 1.4e-12
}

TEST_CASE("what a limit keeps back is in the energy balance: a motor that is cut all the time") {
  for (const bool by_joint : {false, true}) {
    SceneSpec spec = slider_scene(2.0, {0, 0, 0});
    motor(spec, "push", "slide", "50");
    if (by_joint) limits(spec).effort = 8.0;
    if (!by_joint) spec.motors[0].effort_limit = 8.0;
    spec.run.step = 0.03;
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    CHECK(std::abs(moving.q() - 2.0) <= 1e-13);  // 4 m/s^2
    CHECK(std::abs(moving.work(AccountKind::element) - 16.0) <= 1e-12);
    CHECK(std::abs(moving.clipped("push") - 84.0) <= 1e-12);
    CHECK(std::abs(moving.residual()) <= 1e-13);
  }
}

TEST_CASE("a motor whose effort meets its limit is integrated piece by piece, with the order of the method") {
  // 10 t, cut at 4: m v = 5 t^2 up to 0.4 s, then 4 N.
  SceneSpec spec = slider_scene(2.0, {0, 0, 0});
  motor(spec, "push", "slide", "10*t");
  spec.motors[0].effort_limit = 4.0;
  spec.run.step = 0.07;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  const double v = (5.0 * 0.16 + 4.0 * 0.6) / 2.0;
  const double q = 10.0 * 0.064 / 12.0 + 0.4 * 0.6 + 0.36;
  CHECK(std::abs(moving.v() - v) <= 1e-12);
  CHECK(std::abs(moving.q() - q) <= 1e-12);
}

TEST_CASE("a sampled effort breaks a joint loose, and lets it stick again, at its samples") {
  SceneSpec spec = slider_scene(2.0, {0, 0, 0});
  passive(spec).friction = 5.0;
  motor(spec, "push", "slide", "20*t");
  spec.motors[0].sampling = {.period = 0.1};
  spec.run.step = 0.03;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  const std::vector<double> slips = moving.times(EventKind::slip);
  REQUIRE(slips.size() == 1);
  CHECK(std::abs(slips[0] - 0.3) <= 1e-12);  // 6 N
  double q = 0.0, v = 0.0;
  for (int k = 3; k < 10; ++k) {
    const double a = (2.0 * k - 5.0) / 2.0;
    q += 0.1 * v + 0.005 * a;
    v += 0.1 * a;
  }
  CHECK(std::abs(moving.q() - q) <= 1e-12);
}

TEST_CASE("a sampled effort lifts a mass from its limit at the sample") {
  SceneSpec spec = slider_scene(2.0);
  limits(spec).lower = 0.0;
  motor(spec, "lift", "slide", "100*t");
  spec.motors[0].sampling = {.period = 0.1};
  spec.run.step = 0.03;
  spec.run.duration = 0.35;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  REQUIRE(moving.times(EventKind::limit_release).size() == 1);
  CHECK(std::abs(moving.times(EventKind::limit_release)[0] - 0.2) <= 1e-12);
  const double a = (20.0 - 2.0 * kGravity) / 2.0, b = (30.0 - 2.0 * kGravity) / 2.0;
  CHECK(std::abs(moving.q() - (0.005 * a + 0.05 * 0.1 * a + 0.5 * b * 0.0025)) <= 1e-12);
}

TEST_CASE("a continuous PID controller with limits brings a pendulum to its target and keeps its books") {
  SceneSpec spec = pendulum();
  ControllerSpec controller = pd("0.8", 60.0, 8.0);
  controller.ki = 80.0;
  controller.effort_limit = 12.0;
  controller.integral_limit = 11.0;
  spec.controllers.push_back(controller);
  spec.run.step = 1e-3;
  spec.run.duration = 8.0;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  CHECK(std::abs(moving.q() - 0.8) <= 1e-3);
  CHECK(std::abs(moving.v()) <= 1e-3);
  CHECK(std::abs(moving.residual()) <= 1e-9);
  for (const double tau : moving.recording.column("tau.swing")) CHECK(std::abs(tau) <= 12.0 + 1e-12);
}
