// The goal of a step (a row, the end of a step of fixed length after an event) is met exactly, though the start and the
// length need not add up to it.
#include <doctest/doctest.h>

#include <string>

#include "pintle/base/random.h"
#include "pintle/simulation/recording/recording.h"
#include "pintle/simulation/run/simulation.h"
#include "support/scenes.h"

using namespace pintle;

namespace {

/// A point mass on one joint under gravity.
SceneSpec one_joint(JointKind kind, const Vec3<>& axis, const Vec3<>& mass_at) {
  SceneSpec scene;
  scene.model.gravity = {0.0, 0.0, -9.81};
  scene.model.bodies.push_back({.name = "b", .inertia = spatial_inertia(1.0, mass_at, SymMat3<>{})});
  JointSpec joint;
  joint.name = "j";
  joint.kind = kind;
  joint.parent = kWorld;
  joint.child = "b";
  joint.axis = axis;
  joint.passive = {JointPassive{}};
  joint.limits = {JointLimits{}};
  scene.model.joints.push_back(joint);
  return scene;
}

}  // namespace

TEST_CASE("rounded steps: rows within steps that start before time 0 are those of the motion") {
  RandomStream stream(1301);
  for (int k = 0; k < 60; ++k) {
    SceneSpec spec = one_joint(JointKind::prismatic, {0, 0, 1}, {0, 0, 0});
    spec.run.method = k % 2 == 0 ? Method::sdirk : Method::dormand_prince;
    spec.run.t0 = -stream.uniform();
    spec.run.duration = 0.5 + 5.0 * stream.uniform();
    spec.run.rows = 200;
    Simulation simulation(compile(spec).value());
    MemoryRecording rows;
    const RunReport report = simulation.run({.until = spec.run.t0 + spec.run.duration, .sink = &rows});
    CHECK(report.outcome == RunOutcome::reached);
  }
}

TEST_CASE("rounded steps: after an event early in a step the next one is found in what is left of it") {
  RandomStream stream(1302);
  for (int k = 0; k < 200; ++k) {
    SceneSpec spec = one_joint(JointKind::revolute, {0, 1, 0}, {0, 0, -1});
    const double start = 0.4 * stream.uniform();
    spec.initial.push_back(test::at("j", {start}, {-0.3}));
    const double early = start - 0.02 * stream.uniform(), later = start - 0.1 * stream.uniform();
    for (const std::string& expression :
         {"q.j - " + std::to_string(early), "q.j * q.j - " + std::to_string(later * later)}) {
      EventSpec event;
      event.name = "e" + std::to_string(spec.events.size());
      event.expression = expression;
      event.direction = EventDirection::both;
      spec.events.push_back(event);
    }
    spec.run.method = k % 2 == 0 ? Method::rk4 : Method::rk4_quaternion;
    spec.run.step = 0.01 + 0.2 * stream.uniform();
    spec.run.duration = 1.0;
    Simulation simulation(compile(spec).value());
    CHECK(simulation.run({.until = 1.0 + stream.uniform()}).outcome == RunOutcome::reached);
  }
}
