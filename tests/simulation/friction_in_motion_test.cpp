// Joint friction that sticks, within a running simulation, against piecewise closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include "simulation/convergence.h"
#include "simulation/moving_scenes.h"

using namespace test;

namespace {

constexpr double kMass = 2.0, kFriction = 5.0;

/// A block on a level plane, along x.
SceneSpec block(double friction = kFriction) {
  SceneSpec scene;
  scene.model.name = "block";
  add_slider(scene.model, "slide", kMass, {1, 0, 0});
  passive(scene).friction = friction;
  return scene;
}

/// On a spring of 80 N/m, let go at 0.83 m.
SceneSpec oscillator() {
  SceneSpec scene = block();
  spring(scene, "slide", 80.0);
  start(scene, "slide", 0.83, 0.0);
  scene.run.duration = 5.0;
  return scene;
}

}  // namespace

TEST_CASE("a block on an incline sticks for ever, to the bit, as long as its load is below its friction") {
  for (const Method method :
       {Method::semi_implicit_euler, Method::rk4, Method::dormand_prince, Method::sdirk, Method::rk4_quaternion}) {
    CAPTURE(facts(method).name);
    SceneSpec spec = block(kMass * 9.81 * std::sin(0.4) * 1.0001);
    spec.model.joints[0].axis = {std::cos(0.4), 0, -std::sin(0.4)};
    start(spec, "slide", 0.125, 0.0);
    spec.run.method = method;
    spec.run.fixed_step = true;
    spec.run.step = 1e-3;
    spec.run.duration = 100.0;
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    CHECK(moving.simulation.steps() == 100000);
    for (const double q : moving.recording.column("q.slide")) CHECK(q == 0.125);
    for (const double v : moving.recording.column("v.slide")) CHECK(v == 0.0);
    CHECK(moving.recording.events().empty());
    CHECK(moving.work(AccountKind::friction) == 0.0);
  }
}

TEST_CASE("a load that just equals the friction neither moves a block nor makes it chatter") {
  SceneSpec spec = block(kMass * 9.81 * std::sin(0.4));
  spec.model.joints[0].axis = {std::cos(0.4), 0, -std::sin(0.4)};
  spec.run.step = 1e-3;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  CHECK(moving.q() == 0.0);
  CHECK(moving.recording.events().empty());
}

TEST_CASE("a slip that reverses is an event of its own, at its time; one that sticks or rebounds is none") {
  for (const Method method : {Method::rk4, Method::dormand_prince}) {
    SceneSpec spec = block();
    motor(spec, "load", "slide", "-3*5");  // three times its friction
    start(spec, "slide", 0.0, 2.0);
    spec.run.method = method;
    spec.run.duration = 1.0;
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    const std::vector<double> times = moving.times(EventKind::slip_reversal);
    REQUIRE(times.size() == 1);
    CHECK(std::abs(times[0] - 2.0 * kMass / (15.0 + kFriction)) <= 1e-11);
    CHECK(moving.times(EventKind::stick).empty());
  }
  SceneSpec spec = block();
  start(spec, "slide", 0.0, 3.0);
  limits(spec).upper = 0.5;
  restitution(spec, "slide", 0.8);
  spec.run.duration = 3.0;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  CHECK(moving.times(EventKind::limit_impact).size() == 1);
  CHECK(moving.times(EventKind::stick).size() == 1);
  CHECK(moving.times(EventKind::slip_reversal).empty());
}

TEST_CASE("a block breaks loose, slides, stops and sticks again when closed forms say so") {
  double worst_time = 0.0, worst_place = 0.0, worst_work = 0.0, worst_rest = 0.0;
  for (const Method method : {Method::rk4, Method::dormand_prince, Method::sdirk}) {
    for (const double side : {1.0, -1.0}) {
      for (const double t0 : {0.0, 7.25}) {
        CAPTURE(facts(method).name);
        CAPTURE(side);
        CAPTURE(t0);
        // The load is friction + 4 s (1 - s) with s the time since 0.25: a polynomial that these methods integrate
        // exactly. It moves the block from s = 0 to s = 1.5.
        SceneSpec spec = block();
        const std::string s = "(t - " + std::to_string(t0 + 0.25) + ")";
        motor(spec, "load", "slide", std::string(side > 0 ? "" : "-") + "(5 + 4*" + s + "*(1 - " + s + "))");
        spec.run.method = method;
        spec.run.t0 = t0;
        spec.run.step = spec.run.largest_step = 0x1p-9;  // work is not part of the error control
        spec.run.duration = 2.25;
        Moving moving(spec);
        REQUIRE(moving.run().outcome == RunOutcome::reached);
        const double way = 4.0 / kMass * (1.5 * 1.5 * 1.5 / 6.0 - 1.5 * 1.5 * 1.5 * 1.5 / 12.0);
        const std::vector<double> slips = moving.times(EventKind::slip), sticks = moving.times(EventKind::stick);
        REQUIRE(slips.size() == 1);
        REQUIRE(sticks.size() == 1);
        worst_time = worse(worst_time, slips[0] - t0 - 0.25);
        worst_time = worse(worst_time, sticks[0] - t0 - 1.75);
        worst_place = worse(worst_place, moving.q() - side * way);
        CHECK(moving.v() == 0.0);
        worst_work = worse(worst_work, moving.work(AccountKind::friction) / (kFriction * way) + 1.0);
        worst_rest = worse(worst_rest, moving.residual());
        double before = 0.0;
        for (const double work : moving.recording.column("work.friction.slide")) {
          CHECK(work <= before);
          before = work;
        }
      }
    }
  }
  // Worst seen: times 4e-14 s, place 2e-14 m, work 8e-14, energy balance 2e-14.
  CHECK(worst_time <= 1e-11);
  CHECK(worst_place <= 1e-11);
  CHECK(worst_work <= 1e-11);
  CHECK(worst_rest <= 1e-9);  // the power of the load is of degree 5
}

TEST_CASE("a mass on a spring with friction loses 2 f/k each half swing and stops where friction can hold it") {
  SceneSpec spec = oscillator();
  spec.run.step = 1e-3;
  for (const Method method : {Method::rk4, Method::dormand_prince}) {
    CAPTURE(facts(method).name);
    spec.run.method = method;
    spec.run.tolerances = {1e-13, 1e-13};
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    const double omega = std::sqrt(80.0 / kMass), band = kFriction / 80.0;
    double place = 0.83;
    std::size_t swings = 0;
    while (std::abs(place) > band) {
      place = (place > 0.0 ? -1.0 : 1.0) * (std::abs(place) - 2.0 * band);
      ++swings;
    }
    const std::vector<double> t = moving.recording.column("t"), q = moving.recording.column("q.slide");
    const double end = static_cast<double>(swings) * kPi<double> / omega;
    const std::vector<double> sticks = moving.times(EventKind::stick);
    REQUIRE(sticks.size() == 1);
    double worst_path = 0.0;
    for (std::size_t row = 0; row < t.size(); ++row) {
      const double swing = std::floor(t[row] * omega / kPi<double>);
      if (t[row] >= end) continue;
      const double sign = std::fmod(swing, 2.0) == 0.0 ? 1.0 : -1.0;
      const double size = 0.83 - (2.0 * swing + 1.0) * band;  // about the place where spring and friction balance
      const double exact = sign * (band + size * std::cos(omega * t[row] - swing * kPi<double>));
      worst_path = worse(worst_path, q[row] - exact);
    }
    // Worst seen: with RK4 5e-11 s and 6e-11 m, with Dormand-Prince 8e-15 s and 4e-13 m.
    CHECK(std::abs(sticks[0] - end) <= 1e-10);
    CHECK(std::abs(moving.q() - place) <= 1e-10);
    CHECK(worst_path <= 1e-10);
    CHECK(moving.v() == 0.0);
    CHECK(std::abs(moving.residual()) <= 1e-10);
    const double lost = 0.5 * 80.0 * (0.83 * 0.83 - place * place);
    CHECK(std::abs(moving.work(AccountKind::friction) + lost) <= 1e-10);
  }
}

TEST_CASE("between changes of mode a method keeps its order: RK4 on a mass with friction converges with order 4") {
  SceneSpec spec = oscillator();
  const double end = 1.37, omega = std::sqrt(80.0 / kMass), band = kFriction / 80.0;
  const double swing = std::floor(end * omega / kPi<double>), size = 0.83 - (2.0 * swing + 1.0) * band;
  REQUIRE(std::fmod(swing, 2.0) == 0.0);
  const double exact = band + size * std::cos(omega * end - swing * kPi<double>);
  double errors[6];
  for (int halving = 0; halving < 6; ++halving) {
    spec.run.step = end / (24 << halving);
    spec.run.duration = end;
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    errors[halving] = std::abs(moving.q() - exact);
  }
  CHECK(std::abs(slope(errors) - 4.0) <= 0.1);  // 4.06: errors from 5e-4 down to 4e-10
}

TEST_CASE("a block on a moving belt sticks, then swings about the place where friction and its spring balance") {
  // A belt moves with 0.1 m/s; the block on it has friction against it and is tied to the world by a spring.
  SceneSpec spec;
  spec.model.name = "belt";
  spec.model.gravity = {0, 0, 0};
  add_slider(spec.model, "belt", 10.0, {1, 0, 0});
  add_slider(spec.model, "block", kMass, {1, 0, 0}, "belt body");
  passive(spec, 1).friction = kFriction;
  const double speed = 0.1, k = 80.0, omega = std::sqrt(k / kMass), band = kFriction / k;
  prescribe(spec, "drive", "belt", MotionKind::velocity, "0.1");
  LineSpringSpec tie;
  tie.name = "tie";
  tie.first.point = {-3.0, 0, 0};
  tie.second.on = "block body";
  tie.stiffness = k;
  tie.rest_length = 3.0;
  spec.line_springs.push_back(tie);
  spec.run.step = 1e-3;
  spec.run.duration = 6.0;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  // It sticks until the spring pulls with the friction: x = band at t = band / speed. Then, against full friction, x =
  // band + (speed / omega) sin(omega s). One whole turn later its speed is the belt's again, and the spring pulls just
  // as strongly as friction holds: it touches rest and slips on.
  const double slip = band / speed;
  const std::vector<double> slips = moving.times(EventKind::slip, "block");
  REQUIRE(!slips.empty());
  CHECK(std::abs(slips[0] - slip) <= 1e-11);
  const std::vector<double> t = moving.recording.column("t"), q = moving.recording.column("q.block");
  double worst = 0.0;
  for (std::size_t row = 0; row < t.size(); ++row) {
    const double s = t[row] - slip;
    const double exact = s <= 0.0 ? speed * t[row] : band + speed / omega * std::sin(omega * s);
    worst = worse(worst, q[row] + speed * t[row] - exact);
  }
  CHECK(worst <= 1e-10);
  CHECK(std::abs(moving.residual()) <= 1e-9);
}

TEST_CASE("an arm that friction holds stands still, and gives way at the joint that is weakest") {
  const double g = 9.81;
  SceneSpec spec;
  spec.model.name = "arm";
  for (int i = 0; i < 3; ++i) {
    const std::string name = "j" + std::to_string(i);
    add_pendulum(spec.model, name, 1.0, 0.5, i == 0 ? kWorld : "j" + std::to_string(i - 1) + " body",
                 {0, 0, i == 0 ? 0.0 : -0.5});
  }
  // Held out level: torques 0.5 g (1 + 2 + 3), 0.5 g (1 + 2), 0.5 g.
  start(spec, "j0", -kPi<double> / 2.0, 0.0);
  passive(spec, 0).friction = 3.5 * g;
  passive(spec, 1).friction = 1.7 * g;
  passive(spec, 2).friction = 0.8 * g;
  motor(spec, "load", "j1", "0.1*9.81*t");
  spec.run.step = 0.01;
  spec.run.duration = 3.0;
  Moving held(spec);
  const double sign = held.simulation.motion().tau[1] > 0.0 ? 1.0 : -1.0;
  spec.motors.clear();
  motor(spec, "load", "j1", sign > 0 ? "-0.1*9.81*t" : "0.1*9.81*t");
  Moving moving(spec);
  REQUIRE(moving.run(1.9).outcome == RunOutcome::reached);
  for (std::size_t i = 0; i < 3; ++i) CHECK(moving.v(i) == 0.0);
  CHECK(moving.recording.events().empty());
  // The load adds to what j1 holds: 1.5 g + 0.1 g t = 1.7 g at 2 s. What j1 gets, j0 and j2 need not carry.
  REQUIRE(moving.run(2.5).outcome == RunOutcome::reached);
  const std::vector<double> slips = moving.times(EventKind::slip);
  REQUIRE(!slips.empty());
  CHECK(moving.recording.events()[0].name == "j1");
  CHECK(std::abs(slips[0] - 2.0) <= 1e-11);
  CHECK(std::abs(moving.residual()) <= 1e-9);
}

TEST_CASE("two joints that give way at one instant both do") {
  SceneSpec spec = block();
  add_slider(spec.model, "other", kMass, {0, 1, 0});
  passive(spec, 1).friction = kFriction;
  motor(spec, "one", "slide", "10*t");
  motor(spec, "two", "other", "-10*t");
  spec.run.step = 0.03;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  CHECK(std::abs(moving.q(0) - 10.0 * 0.125 / (6.0 * kMass)) <= 1e-12);
  CHECK(std::abs(moving.q(0) + moving.q(1)) <= 1e-14);
}

TEST_CASE("a load that only touches the friction leaves a block at rest, and a peak above it moves it") {
  for (const double peak : {0.999999, 1.000001}) {
    SceneSpec spec = block();
    motor(spec, "load", "slide", std::to_string(kFriction * peak) + "*sin(pi*t)");
    spec.run.step = 0.01;
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    CHECK((moving.times(EventKind::slip).size() == 1) == (peak > 1.0));
    CHECK(moving.v() == 0.0);
    CHECK(moving.q() >= 0.0);
    CHECK(moving.q() <= 1e-6);
  }
}
