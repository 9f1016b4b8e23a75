// Joints at their limits while everything falls: nothing presses them, and rounding must not let them go.
#include <doctest/doctest.h>

#include <cmath>

#include "pintle/base/random.h"
#include "pintle/simulation/run/simulation.h"
#include "support/free_body.h"

using namespace pintle;

namespace {

SpatialInertia<> some_inertia(RandomStream& random) {
  const double mass = random.uniform(0.1, 3.0), r = random.uniform(0.02, 0.2), m = mass * r * r;
  const Vec3<> c{random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2)};
  return spatial_inertia<double>(mass, c, {m, 0, 0, 1.2 * m, 0, 1.5 * m});
}

/// A free body with chains of hinges of which each starts at its lower or upper limit.
SceneSpec falling(std::uint64_t seed) {
  RandomStream random(seed);
  SceneSpec scene;
  test::add_free_body(scene, "trunk", some_inertia(random));
  for (int k = 0; k < 8; ++k) {
    BodySpec body;
    body.name = "link" + std::to_string(k);
    body.inertia = some_inertia(random);
    JointSpec joint;
    joint.name = joint.child = body.name;
    joint.parent = k % 4 == 0 ? "trunk" : "link" + std::to_string(k - 1);
    joint.kind = JointKind::revolute;
    joint.axis = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    joint.axis = joint.axis / norm(joint.axis);
    joint.X_PJ.translation = {random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)};
    const bool low = random.uniform(0, 1) < 0.5;
    joint.limits = {{.lower = low ? 0.0 : -1.0, .upper = low ? 1.0 : 0.0}};
    scene.model.bodies.push_back(body);
    scene.model.joints.push_back(joint);
  }
  scene.run.step = 1e-2;
  scene.run.duration = 0.2;
  return scene;
}

}  // namespace

TEST_CASE("stops: joints at their limits stay there while everything falls") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Simulation simulation(compile(falling(seed)).value());
    const RunReport report = simulation.run();
    REQUIRE_MESSAGE(report.ok(), report.text);
    for (std::size_t i = 6; i < simulation.state().v.size(); ++i) CHECK(std::abs(simulation.state().v[i]) <= 1e-12);
  }
}
