#include <doctest/doctest.h>

#include <cmath>

#include "pintle/simulation/run/simulation.h"
#include "support/random_model.h"

namespace pintle {
namespace {

/// Three bodies that float, turn and swing; a spring in one joint.
SceneSpec floating_scene() {
  SceneSpec scene;
  ModelSpec& model = scene.model;
  model.gravity = {0.0, 0.0, 0.0};
  const auto add = [&](const char* name, const char* parent, JointKind kind, const Vec3<>& at) {
    BodySpec body;
    body.name = name;
    body.inertia = spatial_inertia(1.5, Vec3<>{0.1, 0.05, -0.2}, SymMat3<>{0.03, 0.0, 0.0, 0.04, 0.0, 0.05});
    model.bodies.push_back(body);
    JointSpec joint;
    joint.name = name;
    joint.kind = kind;
    joint.parent = parent;
    joint.child = name;
    joint.X_PJ.translation = at;
    joint.axis = {0.3, 1.0, 0.2};
    model.joints.push_back(joint);
  };
  add("hull", "world", JointKind::free, {0.0, 0.0, 0.0});
  add("arm", "hull", JointKind::revolute, {0.3, 0.0, 0.0});
  add("hand", "arm", JointKind::spherical, {0.0, 0.4, 0.0});
  model.joints[1].passive.push_back({});
  model.joints[1].passive[0].stiffness = 3.0;
  scene.initial.push_back({"hull", {1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0}, {0.3, -0.2, 0.1, 0.8, -1.1, 0.5}});
  scene.initial.push_back({"arm", {0.4}, {1.3}});
  scene.initial.push_back({"hand", {}, {0.2, 0.9, -0.4}});
  scene.run.step = 2e-3;
  scene.run.duration = 4.0;
  return scene;
}

double length(const Vec3<>& a) {
  return std::sqrt(dot(a, a));
}

TEST_CASE("momentum state: in free flight the momentum of a floating tree holds to rounding, its motion to the order") {
  SceneSpec scene = floating_scene();
  Simulation by_velocity(compile(scene).value());
  REQUIRE(by_velocity.run().ok());
  scene.run.momentum_state = true;
  scene.run.momentum_point = {0.2, -0.1, 0.3};
  Simulation by_momentum(compile(scene).value());
  const Momentum<> start = by_momentum.energy_balance().momentum();
  REQUIRE(by_momentum.run().ok());
  const Momentum<> end = by_momentum.energy_balance().momentum();
  // p itself does not change; that of q and v rounds: three bodies of about 1 kg m/s, up to ten times each.
  CHECK(length(end.linear - start.linear) <= 3e-15);
  CHECK(length(end.angular - start.angular) <= 1e-13);  // 2000 roundings of about 10 kg m^2/s: 4e-14 seen
  for (std::size_t i = 0; i < by_velocity.state().v.size(); ++i)
    CHECK(std::abs(by_velocity.state().v[i] - by_momentum.state().v[i]) < 1e-8);  // both are of order 4
}

TEST_CASE("momentum state: under gravity p grows by weight times time, and the energy balance closes") {
  SceneSpec scene = floating_scene();
  scene.model.gravity = {0.0, 0.0, -9.81};
  scene.run.momentum_state = true;
  Simulation simulation(compile(scene).value());
  const Vec3<> before = simulation.energy_balance().momentum().linear;
  REQUIRE(simulation.run().ok());
  const EnergyBalance& energy_balance = simulation.energy_balance();
  CHECK(length(energy_balance.momentum().linear - before - Vec3<>{0.0, 0.0, -9.81 * 4.5 * 4.0}) < 1e-11);
  CHECK(energy_balance.linear().relative() < 1e-13);
  CHECK(std::abs(energy_balance.energy().relative()) < 1e-9);
}

TEST_CASE("momentum state: checkpoints hold it, and what does not float is refused") {
  SceneSpec scene = floating_scene();
  scene.run.momentum_state = true;
  const Scene compiled = compile(scene).value();
  Simulation whole(compiled), first(compiled), second(compiled);
  REQUIRE(whole.run().ok());
  REQUIRE(first.run({.until = 1.5}).ok());
  REQUIRE(second.resume(first.checkpoint()).ok());
  REQUIRE(second.run().ok());
  CHECK(second.state_hash() == whole.state_hash());

  scene.model.joints[0].kind = JointKind::spherical;
  scene.initial.clear();
  const Result<Scene> hung = compile(scene);
  REQUIRE(!hung);
  CHECK(hung.diagnostics()[0].code == "run-momentum");
}

}  // namespace
}  // namespace pintle
