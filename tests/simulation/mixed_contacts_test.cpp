// Contacts among mechanisms: links, stops, joints whose motion is given, thin plates, meshes. Whatever happens, the
// energy balance closes, the contact certificate is good, and no impact gains energy.
#include <doctest/doctest.h>

#include <cmath>

#include "pintle/geometry/shapes/surface_mesh.h"
#include "simulation/moving_scenes.h"
#include "support/free_body.h"

using namespace test;

namespace {

void add_shape(SceneSpec& scene, const std::string& body, const ContactShape& shape, const Vec3<>& place = {0, 0, 0}) {
  test::add_shape(scene, body, shape, "matter", {identity_pose<double>().rotation, place});
}

SceneSpec scene_of(const Surface& surface) {
  SceneSpec scene;
  scene.contact.surfaces.push_back({"matter", surface, {}});
  scene.run.step = 1e-3;
  scene.run.duration = 2.0;
  return scene;
}

void add_ball(SceneSpec& scene, const std::string& name, double mass, double radius, const Vec3<>& at,
              const Vec3<>& speed, const Vec3<>& spin = {0.3, 0.2, 0.1}) {
  const double I = 0.4 * mass * radius * radius;
  add_free_body(scene, name, {mass, {0, 0, 0}, {I, 0, 0, I, 0, I}});
  InitialSpec initial;
  initial.joint = name;
  initial.q = {at.x, at.y, at.z, 0, 0, 0, 1};
  initial.v = {speed.x, speed.y, speed.z, spin.x, spin.y, spin.z};
  scene.initial.push_back(initial);
  add_shape(scene, name, Sphere{radius});
}

struct Proof {
  double residual = 1e-10;  ///< of the energy, relative
  double contact = 1e-10;   ///< residual of the contact certificate
};

void check_proof(Moving& moving, const Proof& most) {
  Simulation& simulation = moving.simulation;
  CHECK(std::abs(simulation.energy_balance().energy().relative()) <= most.residual);
  CHECK(simulation.worst_certificate().certificate.worst() <= 1e-12);
  const ContactResiduals& found = simulation.contact_record().residuals;
  CAPTURE(found.momentum);
  CAPTURE(found.energy);
  CAPTURE(found.complementarity);
  CAPTURE(found.cone);
  CAPTURE(found.dissipation);
  CAPTURE(found.restitution);
  CHECK(found.worst() <= most.contact);
  CHECK(simulation.contact_record().gains == 0);
  const std::vector<double> rows = moving.recording.column("certificate.contact");
  for (const double row : rows) CHECK(row <= most.contact);
  for (const ImpactRecord& impact : moving.recording.impacts()) CHECK_FALSE(impact.gains_energy);
}

}  // namespace

TEST_CASE("mixed contacts: the links of two double pendulums hit the ground and each other") {
  SceneSpec scene = scene_of({0.5, 0.3, 0.4});
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0.0 ? "left" : "right";
    add_pendulum(scene.model, name + " arm", 1.0, 0.5, kWorld, {0.15 * side, 0, 0.9});
    add_pendulum(scene.model, name + " hand", 0.7, 0.5, name + " arm body", {0, 0, -0.5});
    add_shape(scene, name + " arm body", Capsule{0.04, 0.4}, {0, 0, -0.25});
    add_shape(scene, name + " hand body", Sphere{0.07}, {0, 0, -0.4});
    start(scene, name + " arm", side * -0.9, 0.0);
    start(scene, name + " hand", side * 0.5, 0.0);
  }
  add_shape(scene, std::string(kWorld), HalfSpace{});
  Moving moving(scene);
  const RunReport report = moving.run();
  REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
  int with_ground = 0, among = 0;
  for (const ImpactRecord& impact : moving.recording.impacts())
    ++(impact.body_a < 0 || impact.body_b < 0 ? with_ground : among);
  CHECK(with_ground > 2);
  CHECK(among > 1);
  check_proof(moving, {.residual = 1e-8});
}

TEST_CASE("mixed contacts: a joint limit and a contact meet at the same instant") {
  for (const double e : {0.0, 0.5, 1.0}) {
    CAPTURE(e);
    SceneSpec scene = scene_of({e, 0.3, 0.3});
    add_slider(scene.model, "slide", 2.0);
    limits(scene).lower = 0.0;
    restitution(scene, "slide", e);
    start(scene, "slide", 0.3, 0.0);
    add_shape(scene, "slide body", Sphere{0.1}, {0, 0, 0.1});
    scene.contact.rules.push_back({"slide body", std::string(kWorld), true, {}});
    add_shape(scene, std::string(kWorld), HalfSpace{});
    scene.run.duration = 1.2;
    Moving moving(scene);
    const RunReport report = moving.run();
    REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
    check_proof(moving, {});
    if (e == 1.0)
      CHECK(moving.simulation.energy_balance().now().total() == doctest::Approx(2.0 * 9.81 * 0.3).epsilon(1e-9));
    if (e == 0.0) CHECK(moving.simulation.state().q[0] == doctest::Approx(0.0));
  }
}

TEST_CASE("mixed contacts: a given motion strikes and pushes a body; its motor's work is in the energy balance") {
  SceneSpec scene = scene_of({0.6, 0.3, 0.3});
  add_slider(scene.model, "ram", 1.0, {1, 0, 0});
  prescribe(scene, "drive", "ram", MotionKind::position, "0.1*sin(4*t)");
  add_shape(scene, "ram body", Box{{0.1, 0.4, 0.4}}, {-0.05, 0, 0.2});
  add_ball(scene, "ball", 0.5, 0.1, {0.15, 0, 0.1}, {0, 0, 0});
  add_shape(scene, std::string(kWorld), HalfSpace{});
  Moving moving(scene);
  const RunReport report = moving.run();
  REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
  CHECK(moving.recording.impacts().size() > 0);
  CHECK(moving.simulation.state().q[1] > 0.3);  // the ball was sent away
  CHECK(moving.work(AccountKind::prescribed, "drive") > 0.01);
  check_proof(moving, {.residual = 1e-9});
}

TEST_CASE("mixed contacts: a ball of 5 mm at 300 m/s does not pass a plate of 1 mm") {
  for (const double e : {0.0, 0.8}) {
    for (const Method method : {Method::rk4, Method::dormand_prince}) {
      CAPTURE(e);
      SceneSpec scene = scene_of({e, 0.0, 0.0});
      scene.model.gravity = {0, 0, 0};
      add_ball(scene, "ball", 0.0005, 0.0025, {0.003, 0.004, 1.0}, {0, 0, -300}, {0, 0, 0});
      add_shape(scene, std::string(kWorld), Box{{0.2, 0.2, 0.001}});
      scene.run.method = method;
      scene.run.step = 1e-3;  // 0.3 m: all of plate and ball within one step
      scene.run.duration = 0.01;
      Moving moving(scene);
      REQUIRE(moving.run().outcome == RunOutcome::reached);
      REQUIRE(moving.recording.impacts().size() == 1);
      CHECK(moving.recording.impacts()[0].t == doctest::Approx((1.0 - 0.003) / 300).epsilon(1e-9));
      CHECK(moving.simulation.state().v[2] == doctest::Approx(300 * e).epsilon(1e-12));
      CHECK(moving.simulation.state().q[2] >= 0.003 * (1 - 1e-9));
      check_proof(moving, {.residual = 1e-12});
    }
  }
}

TEST_CASE("mixed contacts: balls bounce on a mesh and on a height field") {
  std::vector<double> heights;
  for (int iy = 0; iy < 9; ++iy)
    for (int ix = 0; ix < 9; ++ix) heights.push_back(0.03 * ((ix * 7 + iy * 5) % 4));
  const ContactShape field = height_field(9, 9, 0.25, heights).value();
  const std::vector<Vec3<>> corners{{-1, -1, 0.1}, {1, -1, 0}, {1, 1, 0.1}, {-1, 1, 0.05}, {0, 0, 0}};
  const std::vector<std::array<int, 3>> triangles{{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  const ContactShape mesh = surface_mesh(TriangleMesh{corners, triangles}).value();
  for (const ContactShape& ground : {field, mesh}) {
    CAPTURE(name(ground));
    SceneSpec scene = scene_of({0.7, 0.2, 0.2});
    add_ball(scene, "first", 0.3, 0.08, {0.13, 0.21, 0.6}, {0.1, 0.05, 0});
    add_ball(scene, "second", 0.6, 0.1, {0.15, 0.24, 0.9}, {0, 0, 0});
    add_shape(scene, std::string(kWorld), ground);
    scene.run.duration = 0.8;
    Moving moving(scene);
    const RunReport report = moving.run();
    REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
    CHECK(moving.recording.impacts().size() > 2);
    check_proof(moving, {.residual = 1e-9});
  }
}

TEST_CASE("mixed contacts: an impact that gains energy by Newton's law is flagged, by Stronge's there is none") {
  // A rod that falls on its tip, moving so that friction turns it into the floor (Kane's paradox).
  const auto fall = [](ImpactLaw law) {
    SceneSpec scene = scene_of({0.9, 0.8, 0.8});
    scene.contact.law = law;
    BodySpec body;
    body.name = "rod";
    body.inertia = {1.0, {0, 0, 0}, {1.0 / 12, 0, 0, 1.0 / 12, 0, 1e-4}};
    scene.model.bodies.push_back(body);
    JointSpec joint;
    joint.name = joint.child = "rod";
    joint.parent = kWorld;
    joint.kind = JointKind::free;
    scene.model.joints.push_back(joint);
    InitialSpec initial;
    initial.joint = "rod";
    const double half = 0.5 * 0.8;
    initial.q = {0, 0, 0.56, 0, std::sin(half), 0, std::cos(half)};
    initial.v = {0, 0, 0, 0.1, 0.05, 0};
    scene.initial.push_back(initial);
    add_shape(scene, "rod", Sphere{0.01}, {0, 0, -0.5});
    add_shape(scene, std::string(kWorld), HalfSpace{});
    scene.run.duration = 0.3;
    return scene;
  };
  int gains = 0;
  for (const double speed : {-1.0, 0.5, 1.0}) {
    SceneSpec newton = fall(ImpactLaw::newton), stronge = fall(ImpactLaw::stronge);
    newton.initial[0].v[0] = stronge.initial[0].v[0] = speed;
    Moving by_newton(newton), by_stronge(stronge);
    REQUIRE(by_newton.run().outcome == RunOutcome::reached);
    REQUIRE(by_stronge.run().outcome == RunOutcome::reached);
    for (const ImpactRecord& impact : by_newton.recording.impacts())
      CHECK(impact.gains_energy == (impact.energy < 0.0));
    gains += static_cast<int>(by_newton.simulation.contact_record().gains);
    check_proof(by_stronge, {.residual = 1e-9});
    CHECK(by_newton.simulation.contact_record().residuals.worst() <= 1e-10);
  }
  CHECK(gains > 0);
}
