// Efforts and states that a caller sets between steps.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "moving_scenes.h"
#include "pintle/base/usage_error.h"
#include "pintle/model/edit/model_builder.h"
#include "pintle/simulation/run/simulation.h"

using namespace pintle;

namespace {

/// A cart of 2 kg on a rail along x.
SceneSpec cart(double friction = 0.0, double damping = 0.0) {
  SceneSpec scene;
  ModelBuilder mechanism("cart");
  mechanism.body("cart", spatial_inertia(2.0, Vec3{0.0, 0.0, 0.0}, SymMat3{0.1, 0.0, 0.0, 0.1, 0.0, 0.1}))
      .prismatic({1, 0, 0}, "rail")
      .friction(friction)
      .damping(damping);
  scene.model = mechanism.spec();
  scene.run.duration = 10.0;
  scene.run.step = 1e-2;
  return scene;
}

}  // namespace

TEST_CASE("set_effort: a constant effort accelerates a cart, and its work is an account of the energy balance") {
  const Scene scene = compile(cart()).value();
  Simulation simulation(scene, {.efforts = true});
  simulation.set_effort("rail", 3.0);
  for (int i = 0; i < 100; ++i) REQUIRE(simulation.step().ok());
  CHECK(simulation.state().q[0] == doctest::Approx(0.75).epsilon(1e-13));
  simulation.set_effort(std::array{-3.0});
  for (int i = 0; i < 100; ++i) REQUIRE(simulation.step().ok());
  CHECK(std::abs(simulation.state().v[0]) < 1e-13);
  CHECK(simulation.state().q[0] == doctest::Approx(1.5).epsilon(1e-13));

  const EnergyBalance& balance = simulation.energy_balance();
  REQUIRE(simulation.accounts().size() == 1);
  CHECK(simulation.accounts()[0].name == "efforts");
  CHECK(std::abs(balance.work()[0]) < 1e-13);  // 3 N over 0.75 m, then -3 N over as much
  CHECK(std::abs(balance.energy().rest) < 1e-13);
}

TEST_CASE("set_effort: a step handler closes a control loop, and acts from the next step on") {
  const Scene scene = compile(cart()).value();
  Simulation simulation(scene, {.efforts = true});
  struct Sign : StepHandler {
    Simulation* simulation = nullptr;
    bool after_step(std::int64_t step, double, const MotionState&) override {
      simulation->set_effort("rail", step < 100 ? 3.0 : -3.0);
      return true;
    }
  } sign;
  sign.simulation = &simulation;
  sign.after_step(0, 0.0, simulation.state());
  REQUIRE(simulation.run({.until = 2.0, .handler = &sign}).ok());
  CHECK(std::abs(simulation.state().v[0]) < 1e-13);
  CHECK(simulation.state().q[0] == doctest::Approx(1.5).epsilon(1e-13));
}

TEST_CASE("set_effort: more than the friction of a joint at rest moves it, less does not") {
  const Scene scene = compile(cart(5.0)).value();
  Simulation simulation(scene, {.efforts = true});
  simulation.set_effort("rail", 4.99);
  for (int i = 0; i < 100; ++i) REQUIRE(simulation.step().ok());
  CHECK(simulation.state().q[0] == 0.0);
  simulation.set_effort("rail", 7.0);
  for (int i = 0; i < 100; ++i) REQUIRE(simulation.step().ok());
  CHECK(simulation.state().v[0] == doctest::Approx(1.0).epsilon(1e-13));
  simulation.set_effort("rail", 0.0);
  for (int i = 0; i < 100; ++i) REQUIRE(simulation.step().ok());
  CHECK(simulation.state().v[0] == 0.0);  // 2.5 m/s^2 stop 1 m/s in 0.4 s, over 0.2 m
  CHECK(simulation.state().q[0] == doctest::Approx(0.7).epsilon(1e-12));
}

TEST_CASE("set_state: a run from a set state has the bits of a run that starts there") {
  const SceneSpec spec = cart(0.0, 0.5);
  const Scene scene = compile(spec).value();
  Simulation wandering(scene), fresh(scene);
  for (int i = 0; i < 7; ++i) REQUIRE(wandering.step().ok());
  const std::array q{0.3}, v{-1.25};
  wandering.set_state(q, v);
  fresh.set_state(q, v);
  CHECK(wandering.state().t == doctest::Approx(0.07));
  CHECK(fresh.state().t == 0.0);
  CHECK(wandering.energy_balance().energy().rest == 0.0);
  for (int i = 0; i < 50; ++i) {
    REQUIRE(wandering.step().ok());
    REQUIRE(fresh.step().ok());
  }
  CHECK(wandering.state().q[0] == doctest::Approx(fresh.state().q[0]).epsilon(1e-14));
  CHECK(wandering.energy_balance().energy().rest == doctest::Approx(0.0));
}

TEST_CASE("set_state, set_effort: wrong calls are refused and change nothing") {
  const Scene scene = compile(cart()).value();
  Simulation plain(scene), simulation(scene, {.efforts = true});
  CHECK_THROWS_AS(plain.set_effort("rail", 1.0), UsageError);
  CHECK_THROWS_AS(simulation.set_effort("rial", 1.0), UsageError);
  CHECK_THROWS_AS(simulation.set_effort("rail", __builtin_nan("")), UsageError);
  CHECK_THROWS_AS(simulation.set_effort(std::array{1.0, 2.0}), UsageError);
  CHECK_THROWS_AS(simulation.set_state(std::array{0.0, 0.0}, std::array{0.0}), UsageError);
  CHECK_THROWS_AS(simulation.set_state(std::array{__builtin_inf()}, std::array{0.0}), UsageError);
  REQUIRE(simulation.step().ok());
  CHECK(simulation.state().v[0] == 0.0);

  struct Meddler : StepHandler {
    Simulation* simulation = nullptr;
    bool refused = false;
    bool after_step(std::int64_t, double, const MotionState&) override {
      try {
        simulation->set_state(std::array{1.0}, std::array{0.0});
      } catch (const UsageError&) {
        refused = true;
      }
      return false;
    }
  } meddler;
  meddler.simulation = &simulation;
  (void)simulation.run({.handler = &meddler});
  CHECK(meddler.refused);
}
