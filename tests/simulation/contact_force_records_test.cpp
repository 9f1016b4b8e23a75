// The forces of contacts as rows have them: they carry what they must, point where they should, and change nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "pintle/io/recording/contact_numbers.h"
#include "pintle/simulation/run/row_bodies.h"
#include "pintle/simulation/run/simulation.h"
#include "support/free_body.h"

using namespace pintle;

namespace {

constexpr double kGravity = 9.81;

void add_shape(SceneSpec& scene, const std::string& body, const ContactShape& shape, const Pose<>& X_BS) {
  test::add_shape(scene, body, shape, "stuff", X_BS);
}

/// A body of 2 kg on a plane that is tilted about y by a 3-4-5 triangle, or level.
SceneSpec on_plane(const ContactShape& shape, double height, const Surface& surface, bool tilted, bool ground_first) {
  SceneSpec scene;
  scene.contact.surfaces.push_back({"stuff", surface, {}});
  const Mat3<> turned{0.8, 0.0, 0.6, 0.0, 1.0, 0.0, -0.6, 0.0, 0.8};
  const Mat3<> R = tilted ? turned : identity3();
  JointSpec& joint = test::add_free_body(scene, "body", {2.0, {0, 0, 0}, {0.0018, 0, 0, 0.0018, 0, 0.0018}});
  joint.X_PJ = {R, R * Vec3<>{0.0, 0.0, height}};
  if (ground_first) add_shape(scene, std::string(kWorld), HalfSpace{}, {R, {0, 0, 0}});
  add_shape(scene, "body", shape, identity_pose<double>());
  if (!ground_first) add_shape(scene, std::string(kWorld), HalfSpace{}, {R, {0, 0, 0}});
  scene.run.step = 1e-3;
  scene.run.duration = 0.2;
  return scene;
}

MemoryRecording record(const SceneSpec& spec) {
  MemoryRecording recording;
  Simulation simulation(compile(spec).value());
  const RunReport report = simulation.run({.sink = &recording});
  REQUIRE_MESSAGE(report.ok(), report.text);
  return recording;
}

Vec3<> sum_of(std::span<const ContactForceRecord> contacts) {
  Vec3<> sum{0.0, 0.0, 0.0};
  for (const ContactForceRecord& contact : contacts) sum += contact.force();
  return sum;
}

bool near(const Vec3<>& a, const Vec3<>& b, double tolerance) {
  return norm(a - b) <= tolerance;
}

/// Two boxes that fall and come to rest on a third, which slides, and on the floor.
SceneSpec pile() {
  SceneSpec scene;
  scene.contact.surfaces.push_back({"stuff", {0.0, 0.3, 0.3}, {}});
  for (int k = 0; k < 3; ++k) {
    const std::string name = "box" + std::to_string(k);
    test::add_free_body(scene, name, {1.0 + k, {0, 0, 0}, {0.004, 0, 0, 0.005, 0, 0.006}});
    add_shape(scene, name, Box{{0.2, 0.15, 0.1}}, identity_pose<double>());
    InitialSpec initial;
    initial.joint = name;
    initial.q = {0.04 * k, 0.01 * k, 0.05 + 0.12 * k, 0, 0, 0, 1};
    initial.v = {k == 0 ? 0.5 : 0.0, 0.0, 0.0, 0.0, 0.0, 0.2 * k};
    scene.initial.push_back(initial);
  }
  add_shape(scene, std::string(kWorld), HalfSpace{}, identity_pose<double>());
  scene.run.step = 1e-3;
  scene.run.duration = 0.4;
  scene.run.rows = 100;
  return scene;
}

}  // namespace

TEST_CASE("contact forces: a brick that holds on a slope is carried by four corners, with friction uphill") {
  for (const bool ground_first : {false, true}) {
    const MemoryRecording run = record(on_plane(Box{{0.1, 0.08, 0.06}}, 0.03, {0.0, 0.8, 0.8}, true, ground_first));
    for (const std::size_t row : {std::size_t{0}, run.rows() / 2, run.rows() - 1}) {
      const std::span<const ContactForceRecord> contacts = run.contacts_at(row);
      REQUIRE(contacts.size() == 4);
      CHECK(near(sum_of(contacts), {0.0, 0.0, 2.0 * kGravity}, 1e-12));
      for (const ContactForceRecord& contact : contacts) {
        CHECK(contact.body_a == -1);
        CHECK(contact.body_b == 0);
        CHECK(near(contact.normal, {0.6, 0.0, 0.8}, 1e-15));
        CHECK(std::abs(dot(contact.normal, contact.point)) < 1e-15);
        CHECK(std::abs(dot(contact.normal, contact.friction)) < 1e-13);
        CHECK(contact.normal_force > 0.0);
        CHECK(dot(contact.friction, {-0.8, 0.0, 0.6}) > 0.0);
        CHECK(norm(contact.friction) <= 0.8 * contact.normal_force * (1 + 1e-12));
        CHECK(!contact.slides);
        CHECK(contact.slip == 0.0);
        CHECK(norm(contact.moment) == 0.0);
      }
    }
  }
}

TEST_CASE("contact forces: where it slides friction is mu times the normal force against the slip") {
  const MemoryRecording run = record(on_plane(Box{{0.1, 0.08, 0.02}}, 0.01, {0.0, 0.25, 0.25}, true, true));
  const std::size_t row = run.rows() - 1;
  const double t = run.row_at(row)[0], speed = kGravity * (0.6 - 0.25 * 0.8) * t;
  const std::span<const ContactForceRecord> contacts = run.contacts_at(row);
  REQUIRE(contacts.size() == 4);
  double normal = 0.0;
  for (const ContactForceRecord& contact : contacts) {
    CHECK(contact.slides);
    CHECK(contact.slip == doctest::Approx(speed).epsilon(1e-9));
    CHECK(near(contact.friction, 0.25 * contact.normal_force * Vec3<>{-0.8, 0.0, 0.6}, 1e-12));
    normal += contact.normal_force;
  }
  CHECK(normal == doctest::Approx(2.0 * kGravity * 0.8).epsilon(1e-12));
}

TEST_CASE("contact forces: friction against rolling and spinning is a moment") {
  SceneSpec spec = on_plane(Sphere{0.05}, 0.05, {0.0, 0.5, 0.5, 1e-3, 2e-3}, false, true);
  spec.initial.push_back({.joint = "body", .q = {}, .v = {0.5, 0.0, 0.0, 0.0, 10.0, 3.0}});
  const MemoryRecording run = record(spec);
  REQUIRE(run.contacts_at(1).size() == 1);
  const ContactForceRecord& contact = run.contacts_at(1)[0];
  CHECK(contact.normal_force == doctest::Approx(2.0 * kGravity).epsilon(1e-12));
  CHECK(near(contact.moment, contact.normal_force * Vec3<>{0.0, -1e-3, -2e-3}, 1e-9));
  CHECK(!contact.slides);
}

TEST_CASE("contact forces: with them the free joints of a pile carry nothing: Newton and Euler hold for every body") {
  const SceneSpec spec = pile();
  const Scene scene = compile(spec).value();
  const MemoryRecording run = record(spec);
  RowBodies bodies(scene);
  const std::size_t nq = static_cast<std::size_t>(scene.model().nq()),
                    nv = static_cast<std::size_t>(scene.model().nv());
  const std::size_t certificate = run.column_number("certificate.contact");
  std::size_t most = 0, sliding = 0, singular = 0;
  double worst = 0.0, worst_without = 0.0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const std::span<const double> row = run.row_at(i);
    const std::span<const ContactForceRecord> contacts = run.contacts_at(i);
    const auto carried = [&](std::span<const ContactForceRecord> with) {
      REQUIRE(bodies.find(row[0], row.subspan(1, nq), row.subspan(1 + nq, nv), row.subspan(1 + nq + nv, nv), with));
      double largest = 0.0;
      for (int joint = 0; joint < 3; ++joint) {
        const Wrench<> F = reaction_of(scene.model(), bodies.reactions(), joint);
        largest = std::max({largest, norm(F.force), norm(F.torque) / 0.1});
      }
      return largest;
    };
    // At the instant when a slip ends its direction is rounding, and the certificate of the row says so.
    if (row[certificate] > 1e-9) {
      double slowest = 1.0;
      for (const ContactForceRecord& contact : contacts)
        if (contact.slides) slowest = std::min(slowest, contact.slip);
      CHECK(slowest < 1e-9);
      ++singular;
      continue;
    }
    worst = std::max(worst, carried(contacts));
    worst_without = std::max(worst_without, carried({}));
    most = std::max(most, contacts.size());
    for (const ContactForceRecord& contact : contacts) {
      sliding += contact.slides ? 1 : 0;
      CHECK(contact.body_a < contact.body_b);
      CHECK(contact.normal_force >= -1e-9);
    }
  }
  CHECK(10 * singular < run.rows());
  CHECK(most >= 8);
  CHECK(sliding > 10);
  CHECK(worst_without > 10.0);
  CHECK(worst < 1e-9);  // of 30 N; the worst seen is 1e-10, with means over a step
}

TEST_CASE("contact forces: recording them changes no bit of a run, with and without certificates") {
  std::uint64_t hashes[4];
  for (int k = 0; k < 4; ++k) {
    SceneSpec spec = pile();
    spec.run.contact_forces = k % 2 == 0;
    spec.run.certificate = k < 2;
    MemoryRecording recording;
    Simulation simulation(compile(spec).value());
    REQUIRE(simulation.run({.sink = &recording}).ok());
    hashes[k] = simulation.state_hash();
    CHECK(recording.contacts_at(recording.rows() - 1).empty() == (k % 2 == 1));
  }
  CHECK(hashes[0] == hashes[1]);
  CHECK(hashes[2] == hashes[3]);
  CHECK(hashes[0] == hashes[2]);
}

TEST_CASE("contact forces: a run that goes on from a checkpoint has the same ones") {
  const Scene scene = compile(pile()).value();
  MemoryRecording whole, rest;
  Simulation first(scene), second(scene);
  REQUIRE(first.run({.sink = &whole}).ok());
  Simulation half(scene);
  REQUIRE(half.run({.until = 0.2}).ok());
  REQUIRE(second.resume(half.checkpoint()).ok());
  REQUIRE(second.run({.sink = &rest}).ok());
  const std::size_t a = whole.rows() - 1, b = rest.rows() - 1;
  REQUIRE(whole.contacts_at(a).size() >= 4);
  REQUIRE(whole.contacts_at(a).size() == rest.contacts_at(b).size());
  for (std::size_t c = 0; c < whole.contacts_at(a).size(); ++c)
    CHECK(numbers_of(whole.contacts_at(a)[c]) == numbers_of(rest.contacts_at(b)[c]));
}

TEST_CASE("contact forces: a sensor adds them up, of all that touches a body or of a pair, about any place") {
  SceneSpec spec = on_plane(Box{{0.2, 0.2, 0.1}}, 0.05, {0.0, 0.5, 0.5}, false, true);
  JointSpec& joint = test::add_free_body(spec, "top", {0.5, {0, 0, 0}, {0.001, 0, 0, 0.001, 0, 0.001}});
  joint.X_PJ.translation = {0.03, 0.0, 0.12};
  add_shape(spec, "top", Box{{0.04, 0.04, 0.04}}, identity_pose<double>());
  FrameSpec frame;
  frame.name = "edge";
  frame.body = "body";
  frame.X_BF.translation = {-0.1, 0.0, 0.0};
  spec.model.frames.push_back(frame);
  const auto sensor = [&](const char* name, const char* place, const char* reference, Axes axes) {
    SensorSpec added;
    added.name = name;
    added.kind = SensorKind::contact_force;
    added.place = place;
    added.reference = reference;
    added.axes = axes;
    spec.sensors.push_back(added);
  };
  sensor("floor", "body", "world", Axes::local_world_aligned);
  sensor("load", "edge", "top", Axes::local);
  sensor("all", "body", "", Axes::world);
  sensor("ground", "world", "", Axes::local);
  spec.run.contact_forces = false;  // sensors do not need it
  const MemoryRecording run = record(spec);
  const std::size_t last = run.rows() - 1;
  const auto value = [&](const char* column) { return run.row_at(last)[run.column_number(column)]; };
  const auto is = [&](const char* column, double expected) {
    CAPTURE(column);
    CHECK(std::abs(value(column) - expected) < 1e-12 * 25);
  };
  CHECK(run.contacts_at(last).empty());
  is("floor.fz", 2.5 * kGravity);
  is("floor.fx", 0.0);
  is("floor.ny", -0.03 * 0.5 * kGravity);  // under the load beside the middle
  is("load.fz", -0.5 * kGravity);
  is("load.ny", (0.1 + 0.03) * 0.5 * kGravity);
  is("all.fz", 2.0 * kGravity);
  is("all.ny", 0.0);
  is("ground.fz", -2.5 * kGravity);
  is("ground.ny", 0.03 * 0.5 * kGravity);
}

TEST_CASE("contact forces: a sensor of a contact that cannot be is refused") {
  SceneSpec spec = on_plane(Box{{0.2, 0.2, 0.1}}, 0.05, {0.0, 0.5, 0.5}, false, true);
  test::add_free_body(spec, "ghost", {0.5, {0, 0, 0}, {0.001, 0, 0, 0.001, 0, 0.001}});
  SensorSpec sensor;
  sensor.name = "force";
  sensor.kind = SensorKind::contact_force;
  for (const auto& [place, reference] :
       {std::pair("ghost", ""), std::pair("body", "ghost"), std::pair("body", "body")}) {
    sensor.place = place;
    sensor.reference = reference;
    spec.sensors = {sensor};
    const Result<Scene> scene = compile(spec);
    REQUIRE(!scene);
    CHECK(scene.diagnostics()[0].code == "sensor-contact");
  }
}
