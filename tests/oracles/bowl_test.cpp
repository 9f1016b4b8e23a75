// A ball in a bowl: the curvatures of both surfaces count.
#include <doctest/doctest.h>

#include <cmath>

#include "pintle/simulation/run/simulation.h"
#include "support/free_body.h"

using namespace pintle;

namespace {

constexpr double kG = 9.81, kR = 0.5, kBall = 0.05, kMass = 0.3;

/// A ball that is let go in a bowl, at an angle from the bottom, with a speed around the axis.
SceneSpec ball_in_bowl(double angle, double around, double friction) {
  SceneSpec scene;
  scene.model.gravity = {0, 0, -kG};
  scene.contact.surfaces.push_back({"stuff", {0.0, friction, friction}, {}});
  const double I = 0.4 * kMass * kBall * kBall;
  test::add_free_body(scene, "ball", {kMass, {0, 0, 0}, {I, 0, 0, I, 0, I}});
  const double way = kR - kBall;
  InitialSpec initial;
  initial.joint = "ball";
  initial.q = {way * std::sin(angle), 0, kR - way * std::cos(angle), 0, 0, 0, 1};
  initial.v = {0, around, 0, 0, 0, 0};
  if (friction > 0.0) {  // so that it rolls: the point of contact rests
    initial.v[3] = -around * std::cos(angle) / kBall;
    initial.v[5] = -around * std::sin(angle) / kBall;
  }
  scene.initial.push_back(initial);
  for (const bool of_ball : {true, false}) {
    ContactShapeSpec part;
    part.body = of_ball ? "ball" : std::string(kWorld);
    part.shape = of_ball ? ContactShape(Sphere{kBall}) : ContactShape(Bowl{kR, kR});
    part.material = "stuff";
    scene.contact.shapes.push_back(part);
  }
  SensorSpec sensor;
  sensor.name = "felt";
  sensor.kind = SensorKind::imu;
  sensor.place = "ball";
  scene.sensors.push_back(sensor);
  scene.run.step = 2.5e-4;
  scene.run.duration = 1.0;
  return scene;
}

/// The largest deviation of the force along the normal from m (g cos a + v^2/(R - r)), over all rows.
double worst_normal_force(const MemoryRecording& recording) {
  const char* const names[] = {"q.ball.x",  "q.ball.y",  "q.ball.z",  "q.ball.qx", "q.ball.qy",
                               "q.ball.qz", "q.ball.qw", "v.ball.vx", "v.ball.vy", "v.ball.vz",
                               "felt.ax",   "felt.ay",   "felt.az"};
  std::size_t at[13];
  for (std::size_t k = 0; k < 13; ++k) at[k] = recording.column_number(names[k]);
  double worst = 0.0;
  for (std::size_t i = 0; i < recording.rows(); ++i) {
    const std::span<const double> row = recording.row_at(i);
    const auto vector = [&](std::size_t k) { return Vec3<>{row[at[k]], row[at[k + 1]], row[at[k + 2]]}; };
    const Quaternion<> turn{row[at[3]], row[at[4]], row[at[5]], row[at[6]]};
    const Vec3<> to_center = Vec3<>{0, 0, kR} - vector(0), n = to_center / norm(to_center);
    CHECK(std::abs(norm(to_center) - (kR - kBall)) <= 1e-13);
    const double force = kMass * dot(n, rotation_matrix(turn) * vector(10));
    const double expected = kMass * (kG * n.z + norm_squared(vector(7)) / (kR - kBall));
    worst = std::max(worst, std::abs(force - expected));
  }
  return worst;
}

}  // namespace

TEST_CASE("a ball in a bowl presses with m (g cos a + v^2/(R - r)), at the bottom too, and keeps its energy") {
  for (const double friction : {0.0, 2.0}) {
    for (const double around : {0.0, 1.5}) {
      const Scene scene = compile(ball_in_bowl(0.7, around, friction)).value();
      Simulation simulation(scene);
      MemoryRecording recording;
      const RunReport report = simulation.run({.sink = &recording});
      REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
      CHECK(recording.impacts().empty());
      CHECK(worst_normal_force(recording) <= 1e-9);
      CHECK(std::abs(simulation.energy_balance().energy().relative()) <= 1e-9);
      double lowest = 1.0;
      for (const double z : recording.column("q.ball.z")) lowest = std::min(lowest, z);
      if (around == 0.0) CHECK(lowest <= kBall + 1e-5);  // it has been at the bottom
    }
  }
}

TEST_CASE(
    "a ball rolls to and fro at the bottom of a bowl in 2 pi sqrt(7 (R - r)/(5 g)), and slides in 2 pi sqrt((R - "
    "r)/g)") {
  for (const double friction : {0.0, 2.0}) {
    SceneSpec spec = ball_in_bowl(1e-4, 0.0, friction);
    const double period = 6.283185307179586 * std::sqrt((friction > 0.0 ? 1.4 : 1.0) * (kR - kBall) / kG);
    spec.run.duration = period;
    const Scene scene = compile(spec).value();
    Simulation simulation(scene);
    const RunReport report = simulation.run();
    REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
    const double start = (kR - kBall) * std::sin(1e-4);
    CHECK(std::abs(simulation.state().q[0] - start) <= 1e-12);
  }
}

TEST_CASE("a ball that is dropped over the rim of a bowl bounces on the rim and falls on the far side") {
  SceneSpec spec = ball_in_bowl(0.0, 0.0, 0.0);
  spec.initial[0].q = {kR + 0.02, 0, 2.0, 0, 0, 0, 1};
  spec.contact.surfaces[0].surface.restitution = 0.5;
  spec.run.duration = 1.2;
  const Scene scene = compile(spec).value();
  Simulation simulation(scene);
  MemoryRecording recording;
  const RunReport report = simulation.run({.sink = &recording});
  REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
  REQUIRE(recording.impacts().size() == 1);
  const ImpactRecord& impact = recording.impacts()[0];
  const double height = std::sqrt(kBall * kBall - 0.02 * 0.02);
  CHECK(norm(impact.point - Vec3<>{kR, 0, kR}) <= 1e-12);
  CHECK(std::abs(impact.t - std::sqrt(2.0 * (2.0 - kR - height) / kG)) <= 1e-12);
  CHECK(simulation.state().q[2] < 0.0);
}

TEST_CASE("a ball in a bowl keeps its energy roughly, even with steps in which it would cross the whole bowl") {
  for (const double friction : {0.0, 0.5}) {
    SceneSpec spec = ball_in_bowl(1.2, 0.0, friction);
    spec.run.step = 0.1;
    spec.run.duration = 10.0;
    const Scene scene = compile(spec).value();
    Simulation simulation(scene);
    REQUIRE(simulation.run().outcome == RunOutcome::reached);
    CAPTURE(friction);
    CHECK(std::abs(simulation.energy_balance().energy().relative()) <= 0.02);
  }
}
