#include "pintle/simulation/run/row_bodies.h"

#include <doctest/doctest.h>

#include "pintle/model/edit/model_builder.h"
#include "pintle/simulation/run/simulation.h"

using namespace pintle;

namespace {

/// An arm on a universal joint and a ball, held by a spring and slowed by drag, with the pose, twist and wrench of
/// every part as sensors.
SceneSpec sensed_arm() {
  const SpatialInertia<> bar = spatial_inertia(0.5, Vec3<>{0.15, 0.02, 0.0}, diagonal(Vec3<>{1e-3, 4e-3, 4e-3}));
  ModelBuilder model("arm");
  model.body("upper", bar).universal({1, 0, 0}, {0, 1, 0}, "shoulder").damping(0.02);
  model.body("lower", bar).spherical("elbow").at({0.3, 0.0, 0.0});
  SceneSpec spec;
  spec.model = model.spec();
  LineSpringSpec spring;
  spring.name = "rope";
  spring.first = {.on = "lower", .point = {0.2, 0.0, 0.01}};
  spring.second = {.on = "world", .point = {0.1, 0.3, 0.4}};
  spring.stiffness = 50.0;
  spring.damping = 0.5;
  spring.rest_length = 0.2;
  spec.line_springs.push_back(spring);
  spec.initial.push_back({.joint = "elbow", .q = {}, .v = {1.0, 2.0, -0.5}});
  for (const char* const body : {"upper", "lower"}) {
    spec.sensors.push_back({.name = std::string(body) + "_pose", .kind = SensorKind::frame_pose, .place = body});
    spec.sensors.push_back({.name = std::string(body) + "_twist",
                            .kind = SensorKind::frame_twist,
                            .place = body,
                            .axes = Axes::local_world_aligned});
  }
  for (const char* const joint : {"shoulder", "elbow"})
    spec.sensors.push_back({.name = std::string(joint) + "_wrench", .kind = SensorKind::joint_wrench, .joint = joint});
  spec.run.duration = 0.5;
  spec.run.step = 1e-3;
  spec.run.rows = 20;
  return spec;
}

}  // namespace

TEST_CASE("row bodies: what is found from a row again is what sensors saw in the run, to the bit") {
  const Scene scene = compile(sensed_arm()).value();
  const Model& model = scene.model();
  MemoryRecording recording;
  REQUIRE(Simulation(scene).run({.sink = &recording}).ok());
  RowBodies bodies(scene);
  const std::size_t nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
  for (std::size_t i = 0; i < recording.rows(); ++i) {
    const std::span<const double> row = recording.row_at(i);
    REQUIRE(bodies.find(row[0], row.subspan(1, nq), row.subspan(1 + nq, nv), row.subspan(1 + nq + nv, nv)));
    const auto seen = [&](const std::string& name) { return row[recording.column_number(name)]; };
    for (const std::string body : {"upper", "lower"}) {
      const Place place = place_named(model, body);
      CHECK(pose_of(bodies.places(), place).translation.y == seen(body + "_pose.y"));
      CHECK(velocity_of(bodies.places(), place, Axes::local_world_aligned).linear.z == seen(body + "_twist.vz"));
    }
    for (const std::string joint : {"shoulder", "elbow"}) {
      const Wrench<> F = reaction_of(model, bodies.reactions(), model.joint(joint));
      CHECK(F.force.x == seen(joint + "_wrench.fx"));
      CHECK(F.torque.y == seen(joint + "_wrench.ny"));
    }
  }
}

TEST_CASE("row bodies: where a spring has no length there is nothing to be found") {
  SceneSpec spec = sensed_arm();
  spec.line_springs[0].first = {.on = "lower", .point = {0.0, 0.0, 0.0}};
  spec.line_springs[0].second = {.on = "world", .point = {0.0, 0.3, 0.0}};
  const Scene scene = compile(spec).value();
  RowBodies bodies(scene);
  std::vector<double> q(scene.initial_q().begin(), scene.initial_q().end());
  const std::vector<double> rest(scene.initial_v().size());
  CHECK(bodies.find(0.0, q, rest, rest));
  spec.line_springs[0].second.point = {0.3, 0.0, 0.0};  // where the elbow is
  RowBodies at_elbow(compile(spec).value());
  CHECK_FALSE(at_elbow.find(0.0, q, rest, rest));
}
