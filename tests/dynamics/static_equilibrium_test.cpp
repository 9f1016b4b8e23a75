#include "pintle/dynamics/solve/static_equilibrium.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/math/elementary.h"
#include "support/arms.h"
#include "support/random_model.h"

using namespace test;

namespace {

using Outcome = StaticEquilibriumOutcome;

constexpr double kG = 9.81;
constexpr double kDown = 0.5 * kPi<double>;  // a bar that turns about y hangs at this angle

struct Rest {
  StaticEquilibriumReport report;
  std::vector<double> q, reactions;
};

Rest rest(const Model& model, std::vector<double> q, std::vector<double> tau = {},
          const StaticEquilibriumOptions& options = {}) {
  tau.resize(static_cast<std::size_t>(model.nv()));
  StaticEquilibriumWorkspace work(model);
  Rest result;
  result.report = static_equilibrium(model, tau, q, work, options);
  result.q = q;
  result.reactions.assign(result.report.reactions.begin(), result.report.reactions.end());
  return result;
}

double wrapped(double angle) {
  return std::remainder(angle, 2.0 * kPi<double>);
}

}  // namespace

TEST_CASE("static equilibrium: a pendulum hangs down from any start but the upright one") {
  const Model model = compile(bar_chain({0.7}, 2.0)).value();
  for (const double start : {0.0, 1.0, -1.0, 3.0, -1.5, -kDown + 1e-6, -kDown - 1e-9, 40.0, kDown}) {
    CAPTURE(start);
    const Rest hanging = rest(model, {start});
    CHECK(hanging.report.converged());
    CHECK(hanging.report.stable());
    CHECK(abs(wrapped(hanging.q[0] - kDown)) < 1e-12);
    CHECK(hanging.report.residual <= 1e-12);
    CHECK(hanging.report.iterations <= 30);
    CHECK(hanging.reactions == std::vector<double>{0.0});
  }
  const Rest upright = rest(model, {-kDown});
  CHECK(upright.report.converged());
  CHECK(upright.report.stability == Stability::unstable);
  CHECK(upright.report.iterations == 0);
}

TEST_CASE("static equilibrium: a pendulum under an effort, up to the one that lifts it over") {
  const double weight = 2.0 * kG * 0.7;
  const Model model = compile(bar_chain({0.7}, 2.0)).value();
  for (const double part : {-0.99, -0.5, 0.3, 0.999}) {
    CAPTURE(part);
    const Rest held = rest(model, {1.2}, {part * weight});
    CHECK(held.report.converged());
    CHECK(held.report.stable());
    // -m g l cos q = tau
    CHECK(abs(wrapped(held.q[0] - std::acos(-part))) < 1e-10);
  }
  const Rest spinning = rest(model, {1.2}, {1.01 * weight});
  CHECK(spinning.report.outcome == Outcome::iteration_limit);
  CHECK(spinning.report.residual > 1e-3);
}

TEST_CASE("static equilibrium: a spring-loaded arm rests where spring and weight agree") {
  const double weight = 2.0 * kG * 0.7;
  for (const double angle : {-0.4, 0.3, 1.1}) {
    CAPTURE(angle);
    ModelSpec spec = bar_chain({0.7}, 2.0);
    JointPassive spring;
    spring.stiffness = 20.0;  // above m g l: one balance only
    spring.rest = angle - weight * std::cos(angle) / spring.stiffness;
    spring.friction = 100.0;  // counts for nothing
    spec.joints[0].passive = {spring};
    const Model model = compile(spec).value();
    for (const double start : {-2.0, 0.0, 2.5}) {
      const Rest balanced = rest(model, {start});
      CHECK(balanced.report.stable());
      CHECK(abs(balanced.q[0] - angle) < 1e-12);
      CHECK(balanced.report.iterations <= 10);
    }
    const Rest bare = rest(model, {0.0}, {}, {.dynamics = {.passive = false}});
    CHECK(abs(bare.q[0] - kDown) < 1e-12);
  }
}

TEST_CASE("static equilibrium: a chain hangs straight down, and under efforts in its closed form") {
  RandomStream stream(85);
  for (const std::size_t n : {2u, 5u, 12u}) {
    CAPTURE(n);
    const Model model = compile(bar_chain(std::vector<double>(n, 0.5), 1.0)).value();
    for (int run = 0; run < 10; ++run) {
      std::vector<double> q(n), tau(n);
      random_configuration(model, stream, q);
      const Rest hanging = rest(model, q);
      CHECK(hanging.report.stable());
      double angle = 0.0;
      for (const double x : hanging.q) CHECK(abs(wrapped((angle += x) - kDown)) < 1e-10);

      // Bar i carries the masses i ... n - 1 at its end: -m (n - i) g l cos(angle_i) = tau_i - tau_(i+1).
      for (double& t : tau) t = stream.uniform(-1.0, 1.0);
      const Rest bent = rest(model, q, tau);
      CHECK(bent.report.stable());
      angle = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        angle += bent.q[i];
        const double torque = tau[i] - (i + 1 < n ? tau[i + 1] : 0.0);
        const double expected = std::acos(-torque / (static_cast<double>(n - i) * kG * 0.5));
        CHECK(abs(wrapped(angle - expected)) < 1e-10);
      }
    }
  }
}

TEST_CASE("static equilibrium: a ball joint's pendulum hangs, its spin indifferent") {
  ModelSpec spec{.name = "ball"};
  add_bar(spec, 0.0, 0.7, 2.0, {0, 0, 1}, JointKind::spherical);
  const Model model = compile(spec).value();
  RandomStream stream(86);
  for (int run = 0; run < 30; ++run) {
    std::vector<double> q(4);
    random_configuration(model, stream, q);
    const Rest hanging = rest(model, q);
    CHECK(hanging.report.converged());
    CHECK(hanging.report.stability == Stability::indifferent);
    const Vec3<> bar = rotate(Quaternion<>{hanging.q[0], hanging.q[1], hanging.q[2], hanging.q[3]}, Vec3<>{1, 0, 0});
    CHECK(norm(bar - Vec3<>{0, 0, -1}) < 1e-11);
  }
}

TEST_CASE("static equilibrium: geared pendulums balance about the vertical") {
  // q1 = q0 + 0.8, both of one weight: cos q0 + cos(q0 + 0.8) = 0.
  ModelSpec spec = bar_chain({0.7, 0.7}, 2.0);
  spec.joints[1].parent = kWorld;
  spec.couplings.push_back({.joint = "joint1", .driver = "joint0", .ratio = 1.0, .offset = 0.8});
  const Model model = compile(spec).value();
  const Rest balanced = rest(model, {-0.3});
  CHECK(balanced.report.stable());
  CHECK(abs(balanced.q[0] - (kDown - 0.4)) < 1e-12);
  // Twice the speed at half the arm the other way, from the horizontal: the two weights are equal and opposite, at any
  // angle to first order; q1 = -2 q0: cos q0 = cos 2 q0 at q0 = 2 pi / 3, and at 0.
  spec.joints[1].X_PJ = Pose<>{identity3(), {0, 1, 0}};
  spec.couplings[0].ratio = -2.0;
  spec.couplings[0].offset = 0.0;
  spec.bodies[1].inertia = spatial_inertia(2.0, Vec3<>{0.35, 0, 0}, 0.01 * diagonal(Vec3<>{1, 1, 1}));
  const Model opposed = compile(spec).value();
  const Rest turned = rest(opposed, {0.5});
  CHECK(turned.report.stable());
  CHECK(abs(wrapped(turned.q[0] - 2.0 * kPi<double> / 3.0)) < 1e-12);
}

TEST_CASE("static equilibrium: a stop carries what the pendulum does not") {
  ModelSpec spec = bar_chain({0.7}, 2.0);
  spec.joints[0].limits = {between(-0.5, 1.0)};
  const Model model = compile(spec).value();
  for (const double start : {-3.0, 0.0, 1.0, 2.0}) {  // the first and the last outside
    const Rest leaning = rest(model, {start});
    CHECK(leaning.report.stable());
    CHECK(leaning.q[0] == 1.0);
    CHECK(leaning.reactions[0] == doctest::Approx(-2.0 * kG * 0.7 * std::cos(1.0)).epsilon(1e-14));
  }
  // Two bars, the elbow stopped: the balance of the whole about the shoulder.
  ModelSpec arm = bar_chain({1.0, 1.0}, 1.0);
  arm.joints[1].limits = {between(0.6, 2.0)};
  const Model elbow = compile(arm).value();
  const Rest bent = rest(elbow, {0.1, 1.0});
  CHECK(bent.report.stable());
  CHECK(bent.q[1] == 0.6);
  // Centre of mass of the bent arm below the shoulder: 2 cos a + cos(a + 0.6) = 0.
  CHECK(abs(2.0 * std::cos(bent.q[0]) + std::cos(bent.q[0] + 0.6)) < 1e-12);
  CHECK(bent.reactions[0] == 0.0);
  CHECK(bent.reactions[1] == doctest::Approx(-kG * std::cos(bent.q[0] + 0.6)));
  CHECK(bent.reactions[1] > 0.0);
}

TEST_CASE("static equilibrium: external wrenches turn with their bodies") {
  // Gravity along -y, a bar along x that turns about z, and a force across it at its end: m g cos q = F.
  ModelSpec spec{.name = "pushed"};
  spec.gravity = {0, -kG, 0};
  add_bar(spec, 0.0, 0.7, 2.0, {0, 0, 1});
  const Model model = compile(spec).value();
  const double force = 7.0;
  const std::vector<Wrench<>> external = {{{0, force, 0}, {0, 0, 0.7 * force}}};
  const Rest pushed = rest(model, {-1.0}, {}, {.dynamics = {.external = external}});
  CHECK(pushed.report.stable());
  CHECK(abs(wrapped(pushed.q[0] + std::acos(force / (2.0 * kG)))) < 1e-12);
}

TEST_CASE("static equilibrium: what nothing holds runs away, what nothing pulls stays") {
  ModelSpec spec{.name = "free"};
  add_bar(spec, 0.0, 0.7, 2.0, {0, 0, 1}, JointKind::free);
  const Model falling = compile(spec).value();
  const std::vector<double> start = {1, 2, 3, 0, 0, 0, 1};
  const Rest fallen = rest(falling, start);
  CHECK(fallen.report.outcome == Outcome::runs_away);
  CHECK(fallen.report.residual > 0.1);
  for (const double x : fallen.q) CHECK(std::isfinite(x));
  spec.gravity = {0, 0, 0};
  const Rest floating = rest(compile(spec).value(), start);
  CHECK(floating.report.converged());
  CHECK(floating.report.stability == Stability::indifferent);
  CHECK(floating.q == start);
}

TEST_CASE("static equilibrium: the way down does not depend on the unit of length") {
  for (std::uint64_t run = 0; run < 10; ++run) {
    Rest rests[2];
    for (int i = 0; i < 2; ++i) {
      const double unit = i == 0 ? 1.0 : 1000.0;  // millimetres; forces in kg mm/s^2
      RandomStream stream(88, run);
      ModelSpec spec{.name = "units"};
      spec.gravity = unit * spec.gravity;
      for (int k = 0; k < 4; ++k) {
        add_bar(spec, 0.3 * unit, 0.2 * unit, 1.0, uniform_direction(stream));
        JointPassive spring;
        spring.stiffness = 2.0 * unit * unit;
        spec.joints.back().passive = {spring};
      }
      add_bar(spec, 0.2 * unit, 0.1 * unit, 1.0, uniform_direction(stream), JointKind::prismatic);
      JointPassive spring;
      spring.stiffness = 100.0;
      spec.joints.back().passive = {spring};
      for (BodySpec& body : spec.bodies) {
        const double x = body.inertia.first_moment.x;
        body.inertia = spatial_inertia(1.0, Vec3<>{x, 0, 0}, (0.01 * unit * unit) * diagonal(Vec3<>{1, 1, 1}));
      }
      std::vector<double> q(5);
      for (std::size_t k = 0; k < 4; ++k) q[k] = stream.uniform(-3, 3);
      rests[i] = rest(compile(spec).value(), q);
      CHECK(rests[i].report.stable());
      rests[i].q[4] /= unit;
    }
    CHECK(rests[0].report.iterations == rests[1].report.iterations);
    for (std::size_t k = 0; k < 5; ++k) CHECK(abs(rests[0].q[k] - rests[1].q[k]) < 1e-10);
  }
}

TEST_CASE("holding efforts: with them any place is a balance") {
  for (std::uint64_t run = 0; run < 40; ++run) {
    CAPTURE(run);
    RandomStream stream(87, run);
    const Model model = compile(random_spec(stream, {.links = 1 + static_cast<int>(run % 9),
                                                     .passive = true,
                                                     .couplings = run % 2 == 0,
                                                     .welds = run % 3 == 0}))
                            .value();
    const RandomState state(model, stream);
    InverseDynamicsWorkspace<> work(model);
    std::vector<double> tau(state.v.size());
    holding_efforts(model, state.q, work, tau);
    const Rest held = rest(model, state.q, tau);
    CHECK(held.report.converged());
    CHECK(held.report.iterations == 0);
    CHECK(held.report.residual <= 1e-15);
  }
}

TEST_CASE("static equilibrium: wrong calls are refused") {
  const Model model = compile(bar_chain({1.0, 0.7})).value();
  StaticEquilibriumWorkspace work(model);
  std::vector<double> q = {0.1, 0.2}, tau(2), wrong(3), broken = {0.1, std::nan("")};
  CHECK_THROWS_WITH_AS(static_equilibrium(model, tau, wrong, work),
                       "static_equilibrium: argument 'q' has size 3, expected 2", UsageError);
  CHECK_THROWS_AS(static_equilibrium(model, wrong, q, work), UsageError);
  CHECK_THROWS_AS(static_equilibrium(model, tau, broken, work), UsageError);
  CHECK_THROWS_AS(static_equilibrium(model, broken, q, work), UsageError);
  CHECK_THROWS_AS(static_equilibrium(model, tau, q, work, {.tolerance = 0.0}), UsageError);
}
