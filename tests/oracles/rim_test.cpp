// Flat ends tip over their true rim: cylinders that are pushed over, that rock, and coins that roll on their edge.
#include <doctest/doctest.h>

#include <cmath>

#include "pintle/simulation/run/simulation.h"

using namespace pintle;

namespace {

constexpr double kG = 9.81, kRadius = 0.1, kLength = 0.3, kMass = 2.0, kPi2 = 6.283185307179586;

Quaternion<> turn_about(const Vec3<>& axis, double angle) {
  const double s = std::sin(angle / 2);
  return {s * axis.x, s * axis.y, s * axis.z, std::cos(angle / 2)};
}

struct Motion {
  Vec3<> p, axis, v, w;  // in the world; axis: of the cylinder
};

struct Case {
  double radius = kRadius, length = kLength;
  Surface surface{0.0, 1.0, 1.0};
  ContactShape ground = HalfSpace{};
  double ground_z = 0.0;
  Vec3<> push{};
  Motion start{};
  Quaternion<> turn{0, 0, 0, 1};
  double duration = 0.3, step = 5e-4;
};

SceneSpec scene_of(const Case& of) {
  SceneSpec scene;
  scene.model.gravity = {0, 0, -kG};
  scene.contact.surfaces.push_back({"stuff", of.surface, {}});
  BodySpec body;
  body.name = "can";
  const double across = kMass * (3 * of.radius * of.radius + of.length * of.length) / 12;
  body.inertia = {kMass, {0, 0, 0}, {across, 0, 0, across, 0, kMass * of.radius * of.radius / 2}};
  scene.model.bodies.push_back(body);
  JointSpec joint;
  joint.name = joint.child = "can";
  joint.parent = kWorld;
  joint.kind = JointKind::free;
  scene.model.joints.push_back(joint);
  const Mat3<> R = rotation_matrix(of.turn);
  const Vec3<> v = transpose_times(R, of.start.v), w = transpose_times(R, of.start.w);
  InitialSpec initial;
  initial.joint = "can";
  initial.q = {of.start.p.x, of.start.p.y, of.start.p.z, of.turn.x, of.turn.y, of.turn.z, of.turn.w};
  initial.v = {v.x, v.y, v.z, w.x, w.y, w.z};
  scene.initial.push_back(initial);
  for (const bool of_can : {true, false}) {
    ContactShapeSpec part;
    part.body = of_can ? "can" : std::string(kWorld);
    part.shape = of_can ? ContactShape(Cylinder{of.radius, of.length}) : of.ground;
    if (!of_can) part.X_BS.translation.z = of.ground_z;
    part.material = "stuff";
    scene.contact.shapes.push_back(part);
  }
  if (norm(of.push) > 0.0) {
    BodyForceSpec force;
    force.name = "push";
    force.at = {"can", {0, 0, 0}};
    force.force = constant_drives(of.push);
    force.axes = ForceAxes::world;
    scene.body_forces.push_back(force);
  }
  scene.run.step = of.step;
  scene.run.duration = of.duration;
  return scene;
}

struct Ran {
  Motion end{};
  double residual = 0.0;
  std::size_t impacts = 0;
  double lost = 0.0;
  std::vector<double> approaches{};
};

Ran run(const Case& of) {
  const Result<Scene> scene = compile(scene_of(of));
  REQUIRE(scene.ok());
  Simulation simulation(*scene);
  MemoryRecording recording;
  const RunReport report = simulation.run({.sink = &recording});
  REQUIRE_MESSAGE(!facts(report.outcome).failed, report.text);
  const MotionState& state = simulation.state();
  const Mat3<> R = rotation_matrix(Quaternion<>{state.q[3], state.q[4], state.q[5], state.q[6]});
  Ran ran;
  ran.end = {{state.q[0], state.q[1], state.q[2]},
             column(R, 2),
             R * Vec3<>{state.v[0], state.v[1], state.v[2]},
             R * Vec3<>{state.v[3], state.v[4], state.v[5]}};
  ran.residual = std::abs(simulation.energy_balance().energy().relative());
  ran.impacts = recording.impacts().size();
  for (const ImpactRecord& impact : recording.impacts()) {
    ran.lost += impact.energy;
    ran.approaches.push_back(impact.approach);
  }
  return ran;
}

/// A motion as seen in axes that are turned about the vertical.
Vec3<> turned_back(const Vec3<>& v, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * v.x + s * v.y, -s * v.x + c * v.y, v.z};
}

double difference(const Motion& first, const Motion& other, double angle) {
  double worst = 0.0;
  const Vec3<> pairs[][2] = {{first.p, other.p}, {first.axis, other.axis}, {first.v, other.v}, {first.w, other.w}};
  for (const auto& pair : pairs) worst = std::max(worst, norm(turned_back(pair[1], angle) - pair[0]));
  return worst;
}

}  // namespace

TEST_CASE("a cylinder that is pushed over tips alike in every direction") {
  for (const bool on_box : {false, true}) {
    Motion first{};
    for (int k = 0; k < 16; ++k) {
      const double angle = kPi2 * k / 16 + 0.1;
      Case of;
      if (on_box) of.ground = Box{{2, 2, 1}}, of.ground_z = -0.5;
      of.start.p = {0, 0, kLength / 2};
      // It tips where the force at its middle is more than m g r/(l/2).
      const double push = 1.05 * kMass * kG * kRadius / (kLength / 2);
      of.push = {push * std::cos(angle), push * std::sin(angle), 0};
      const Ran ran = run(of);
      CAPTURE(k);
      CHECK(ran.residual <= 1e-9);
      CHECK(ran.impacts == 0);
      if (k == 0) {
        first = ran.end;
        for (Vec3<>* const v : {&first.p, &first.axis, &first.v, &first.w}) *v = turned_back(*v, angle);
        CHECK(norm(first.w) > 0.3);          // it does tip
        CHECK(std::abs(first.w.x) <= 1e-8);  // the place on the rim has 4.7e-8 rad; worst seen 2.5e-9
        continue;
      }
      CHECK(difference(first, ran.end, angle) <= 1e-9);
    }
  }
}

TEST_CASE("a cylinder that is pushed a little less than it takes stands, in every direction") {
  for (int k = 0; k < 16; ++k) {
    const double angle = kPi2 * k / 16 + 0.05;
    Case of;
    of.duration = 0.02;
    of.start.p = {0, 0, kLength / 2};
    const double push = 0.999 * kMass * kG * kRadius / (kLength / 2);
    of.push = {push * std::cos(angle), push * std::sin(angle), 0};
    const Ran ran = run(of);
    CHECK(norm(ran.end.v) + norm(ran.end.w) <= 1e-12);
    CHECK(norm(ran.end.p - of.start.p) <= 1e-12);
  }
}

TEST_CASE("a tilted cylinder that is let go rocks over to the far side of its rim alike in every direction") {
  Motion first{};
  double lost = 0.0;
  for (int k = 0; k < 6; ++k) {
    const double angle = kPi2 * k / 16 + 0.2, tilt = 0.2;
    Case of;
    of.duration = 0.5;
    // Leans towards `angle`, on the point of its rim there.
    of.turn = turn_about({-std::sin(angle), std::cos(angle), 0}, tilt);
    const Vec3<> foot =
        rotation_matrix(of.turn) * Vec3<>{kRadius * std::cos(angle), kRadius * std::sin(angle), -kLength / 2};
    of.start.p = {-foot.x, -foot.y, -foot.z};
    const Ran ran = run(of);
    CAPTURE(k);
    CHECK(ran.residual <= 1e-8);
    REQUIRE(ran.impacts > 4);
    // Of each fall to the other side (I + m (h^2 - r^2))/(I + m (h^2 + r^2)) of the speed is left (Housner 1963).
    const double h2 = kLength * kLength / 4, r2 = kRadius * kRadius, I = (3 * r2 + 4 * h2) / 12;
    for (std::size_t i = 0; i < 4; ++i)
      CHECK(ran.approaches[i + 1] / ran.approaches[i] == doctest::Approx((I + h2 - r2) / (I + h2 + r2)).epsilon(1e-7));
    if (k == 0) {
      first = ran.end;
      lost = ran.lost;
      for (Vec3<>* const v : {&first.p, &first.axis, &first.v, &first.w}) *v = turned_back(*v, angle);
      continue;
    }
    CHECK(difference(first, ran.end, angle) <= 1e-9);
    CHECK(std::abs(ran.lost - lost) <= 1e-9);
  }
}

TEST_CASE("a coin that rolls around on its rim keeps its energy, and its circle when it began on one") {
  // Euler's disk in steady motion without slip: the centre at rest, the point of contact running round at Om:
  // Om^2 = 4 g/(a sin(th)), th the tilt; the spin about the axis of the coin is zero.
  const double a = 0.04, thick = 1e-6, tilt = 0.3;
  for (const double faster : {1.0, 1.3}) {
    const double Om = std::sqrt(4 * kG / (a * std::sin(tilt)));
    Case of;
    of.radius = a;
    of.length = thick;
    of.step = 2e-5;
    of.duration = kPi2 / Om;
    of.turn = turn_about({0, 1, 0}, tilt);
    const Mat3<> R = rotation_matrix(of.turn);
    const Vec3<> foot = R * Vec3<>{a, 0, -thick / 2};
    of.start.p = {-foot.x, -foot.y, -foot.z};
    // It turns about the line from its centre to the point of contact.
    const Vec3<> to_foot = normalized(R * Vec3<>{a, 0, -thick / 2});
    const double rate = faster * Om * std::sin(tilt);
    of.start.w = {rate * to_foot.x, rate * to_foot.y, rate * to_foot.z};
    const Ran ran = run(of);
    CHECK(ran.residual <= 1e-9);
    CHECK(ran.impacts == 0);
    if (faster > 1.0) continue;                   // then it nods
    CHECK(norm(ran.end.p - of.start.p) <= 1e-7);  // the closed form is for a coin without thickness
    CHECK(std::abs(ran.end.axis.z - std::cos(tilt)) <= 1e-6);
  }
}
