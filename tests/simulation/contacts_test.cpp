#include "pintle/simulation/contact/contacts.h"

#include <doctest/doctest.h>

#include <cmath>

#include "pintle/geometry/mass/mass_properties.h"
#include "pintle/simulation/contact/contact_setup.h"
#include "pintle/simulation/run/simulation.h"
#include "support/free_body.h"

using namespace pintle;

namespace {

/// Free boxes over a floor, that fall and come to rest on it and on each other.
SceneSpec falling_boxes(int count, const Surface& surface) {
  SceneSpec scene;
  scene.contact.surfaces.push_back({"wood", surface, {}});
  for (int k = 0; k < count; ++k) {
    const std::string name = "box" + std::to_string(k);
    test::add_free_body(scene, name, {1.0, {0, 0, 0}, {0.004, 0, 0, 0.005, 0, 0.006}});
    ContactShapeSpec shape;
    shape.body = name;
    shape.shape = Box{{0.2, 0.15, 0.1}};
    shape.material = "wood";
    scene.contact.shapes.push_back(shape);
    InitialSpec initial;
    initial.joint = name;
    initial.q = {0.4 * k, 0.0, 0.25, 0.1, 0.2, 0.05, std::sqrt(1 - 0.01 - 0.04 - 0.0025)};
    initial.v = {0.3, 0.1, 0.0, 1.0, 2.0, 1.0};
    scene.initial.push_back(initial);
  }
  ContactShapeSpec floor;
  floor.body = std::string(kWorld);
  floor.shape = HalfSpace{};
  floor.material = "wood";
  scene.contact.shapes.push_back(floor);
  scene.run.step = 1e-3;
  scene.run.duration = 1.5;
  return scene;
}

}  // namespace

TEST_CASE("contacts: a box tumbles, clatters and comes to rest; the energy balance closes") {
  const Scene scene = compile(falling_boxes(1, {0.3, 0.4, 0.4})).value();
  Simulation simulation(scene);
  MemoryRecording recording;
  const RunReport report = simulation.run({.sink = &recording});
  REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
  CHECK(recording.impacts().size() > 20);
  double lost = 0.0, t = 0.0;  // of all points that were hit at one instant
  for (const ImpactRecord& impact : recording.impacts()) {
    if (impact.t != t) CHECK(lost >= -1e-12);
    lost = impact.t == t ? lost + impact.energy : impact.energy;
    t = impact.t;
    CHECK(impact.tangential_impulse <= 0.4 * impact.normal_impulse * (1 + 1e-9));
  }
  double speed = 0.0;
  for (const double v : simulation.state().v) speed = std::max(speed, std::abs(v));
  CHECK(speed <= 1e-12);
  CHECK(std::abs(simulation.energy_balance().energy().relative()) <= 1e-8);
  CHECK(std::abs(simulation.energy_balance().linear().relative()) <= 1e-8);
  CHECK(simulation.worst_certificate().certificate.worst() <= 1e-12);
}

TEST_CASE("contacts: a run that goes on from a checkpoint has the bits of one that was never interrupted") {
  const Scene scene = compile(falling_boxes(1, {0.3, 0.4, 0.5, 2e-3, 1e-3})).value();
  Simulation whole(scene), first(scene), second(scene);
  REQUIRE(whole.run({.until = 0.8}).outcome == RunOutcome::reached);
  for (const double until : {0.2, 0.45, 0.6}) {
    first.reset();
    REQUIRE(first.run({.until = until}).outcome == RunOutcome::reached);
    REQUIRE(second.resume(first.checkpoint()).ok());
    REQUIRE(second.run({.until = 0.8}).outcome == RunOutcome::reached);
    Simulation same(scene);
    REQUIRE(same.run({.until = until}).outcome == RunOutcome::reached);
    REQUIRE(same.run({.until = 0.8}).outcome == RunOutcome::reached);
    CHECK(second.state_hash() == same.state_hash());
  }
}

TEST_CASE("contacts: a checkpoint right after resuming has the bytes of the one resumed from, while contacts slide") {
  const Scene scene = compile(falling_boxes(1, {0.0, 0.4, 0.5, 2e-3, 1e-3})).value();
  Simulation first(scene), second(scene);
  bool touches = false;
  for (int k = 1; k <= 40; ++k) {
    REQUIRE(first.run({.until = 0.02 * k}).outcome == RunOutcome::reached);
    const std::string saved = first.checkpoint();
    REQUIRE(second.resume(saved).ok());
    CHECK((second.checkpoint() == saved));
    touches = touches || first.touches();
  }
  CHECK(touches);
}

TEST_CASE("contacts: a run may be stopped within a step, and goes on from there with the same bits") {
  class Stopper : public StepHandler {
   public:
    bool after_step(std::int64_t, double, const MotionState&) override { return true; }
    bool within_step(double) override { return ++parts != 40; }
    int parts = 0;
  };
  const Scene scene = compile(falling_boxes(1, {0.3, 0.4, 0.5})).value();
  Simulation whole(scene), stopped(scene), resumed(scene);
  REQUIRE(whole.run({.until = 0.6}).outcome == RunOutcome::reached);
  Stopper stopper;
  const RunReport report = stopped.run({.until = 0.6, .handler = &stopper});
  REQUIRE(report.outcome == RunOutcome::handler_stopped);
  const double part = report.t / scene.run().step;
  CHECK(std::abs(part - std::round(part)) > 1e-6);
  REQUIRE(resumed.resume(stopped.checkpoint()).ok());
  REQUIRE(resumed.run({.until = 0.6}).outcome == RunOutcome::reached);
  CHECK(resumed.state_hash() == whole.state_hash());
}

TEST_CASE("contacts: rebounds from a joint limit come to an end also where bodies may touch") {
  SceneSpec spec = falling_boxes(1, {0, 0.5, 0.5});
  spec.initial[0].q[0] = 10.0;  // far away
  BodySpec slider;
  slider.name = "slider";
  slider.inertia = {1.0, {0, 0, 0}, {0.01, 0, 0, 0.01, 0, 0.01}};
  spec.model.bodies.push_back(slider);
  JointSpec joint;
  joint.name = joint.child = "slider";
  joint.parent = kWorld;
  joint.kind = JointKind::prismatic;
  joint.axis = {0, 0, 1};
  joint.limits = {{0.0, 5.0}};
  spec.model.joints.push_back(joint);
  spec.joint_limits.push_back({"slider", 0.5, {}});
  InitialSpec initial;
  initial.joint = "slider";
  initial.q = {0.2};
  spec.initial.push_back(initial);
  const Scene scene = compile(spec).value();
  Simulation simulation(scene);
  const RunReport report = simulation.run();
  REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
  CHECK(simulation.modes().hold.back() == ActiveConstraint::lower_limit);
}

TEST_CASE(
    "contacts: a row of pendulums whose balls touch exactly: together without rebound, or one end for the other") {
  // Equal pendulums at equal angles do not press each other: their forces are nothing but rounding, and so are the
  // accelerations of those that hang still. Neither may keep a run from going on.
  for (const double e : {0.0, 1.0}) {
    SceneSpec spec;
    spec.contact.surfaces.push_back({"steel", {e, 0.0, 0.0}, {}});
    spec.contact.several = e == 0.0 ? SeveralImpacts::simultaneous : SeveralImpacts::sequential;
    for (int k = 0; k < 3; ++k) {
      const std::string name = "ball" + std::to_string(k);
      BodySpec body;
      body.name = name;
      body.inertia = {1.0, {0, 0, 0}, {0.001, 0, 0, 0.001, 0, 0.001}};
      spec.model.bodies.push_back(body);
      JointSpec joint;
      joint.name = joint.child = name;
      joint.parent = kWorld;
      joint.kind = JointKind::revolute;
      joint.axis = {0, 1, 0};
      joint.X_PJ.translation = {0.1 * k, 0, 1};
      joint.X_CJ.translation = {0, 0, 1};
      spec.model.joints.push_back(joint);
      ContactShapeSpec shape;
      shape.body = name;
      shape.shape = Sphere{0.05};
      shape.material = "steel";
      spec.contact.shapes.push_back(shape);
    }
    InitialSpec initial;
    initial.joint = "ball0";
    initial.q = {0.2};
    spec.initial.push_back(initial);
    spec.run.step = 1e-3;
    spec.run.duration = 0.9;
    const Scene scene = compile(spec).value();
    Simulation simulation(scene);
    MemoryRecording recording;
    const RunReport report = simulation.run({.sink = &recording});
    REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
    const std::vector<double>& q = simulation.state().q;
    REQUIRE(recording.impacts().size() == 2);
    double lost = 0.0;
    for (const ImpactRecord& impact : recording.impacts()) lost += impact.energy;
    CAPTURE(e);
    if (e == 0.0) {
      CHECK(q[0] < -0.05);
      for (std::size_t k = 1; k < 3; ++k) CHECK(std::abs(q[k] - q[0]) <= 1e-14);
      CHECK(lost == doctest::Approx(2.0 / 3.0 * 9.81 * (1 - std::cos(0.2))).epsilon(1e-9));
    } else {
      CHECK(std::abs(q[0]) <= 1e-14);
      CHECK(std::abs(q[1]) <= 1e-14);
      CHECK(q[2] < -0.15);
      for (const ImpactRecord& impact : recording.impacts()) {
        CHECK(impact.restitution == doctest::Approx(1.0).epsilon(1e-14));
        CHECK(impact.approach == doctest::Approx(recording.impacts()[0].approach).epsilon(1e-14));
        CHECK(std::abs(impact.energy) <= 1e-15);
      }
    }
  }
}

TEST_CASE("contacts: boxes that slide apart from each other move as each does alone") {
  const auto place = [](InitialSpec& initial, int k) {
    initial.q = {0.4 * k, 0.0, 0.05, 0, 0, 0, 1};
    initial.v = {0.3 + 0.1 * k, 0.1, 0.0, 0.0, 0.0, 1.0 - k};
  };
  SceneSpec all = falling_boxes(3, {0.0, 0.2, 0.2});
  all.run.duration = 0.1;
  for (int k = 0; k < 3; ++k) place(all.initial[static_cast<std::size_t>(k)], k);
  const Scene together = compile(all).value();
  Simulation three(together);
  REQUIRE(three.run().outcome == RunOutcome::reached);
  for (int k = 0; k < 3; ++k) {
    SceneSpec one = falling_boxes(1, {0.0, 0.2, 0.2});
    one.run.duration = 0.1;
    place(one.initial[0], k);
    const Scene scene = compile(one).value();
    Simulation alone(scene);
    REQUIRE(alone.run().outcome == RunOutcome::reached);
    for (std::size_t i = 0; i < 6; ++i) {
      const std::size_t of = 6 * static_cast<std::size_t>(k) + i;
      CHECK(std::abs(three.state().v[of] - alone.state().v[i]) <= 1e-9);  // events of the others cut steps
    }
  }
}

TEST_CASE("contacts: who may touch whom") {
  SceneSpec spec = falling_boxes(2, {0, 0.5, 0.5});
  CHECK(compile(spec).value().contacts().pairs.size() == 3);
  spec.contact.rules.push_back({"box0", "box1", false, {}});
  CHECK(compile(spec).value().contacts().pairs.size() == 2);
  spec.contact.shapes[0].groups = {2, 2};
  CHECK(compile(spec).value().contacts().pairs.size() == 1);
  spec.contact.shapes[0].material = "woot";
  const Result<Scene> wrong = compile(spec);
  REQUIRE(!wrong.ok());
  CHECK(wrong.diagnostics()[0].fix.find("wood") != std::string::npos);
}

TEST_CASE("contacts: materials meet with the geometric means of their numbers, unless their pair has its own") {
  ContactSpec spec;
  spec.surfaces = {{"a", {0.4, 0.9, 1.6}, {}}, {"b", {0.9, 0.4, 0.4}, {}}};
  const Surface mean = surface_between(spec, "a", "b");
  CHECK(mean.restitution == doctest::Approx(0.6));
  CHECK(mean.friction == doctest::Approx(0.6));
  CHECK(mean.static_friction == doctest::Approx(0.8));
  spec.pairs.push_back({"b", "a", {0.1, 0.2, 0.3}, {}});
  CHECK(surface_between(spec, "a", "b").friction == 0.2);
  CHECK(surface_between(spec, "a", "a").friction == 0.9);
}

TEST_CASE("contacts: forces that are shared by the normal forces still hold what they must") {
  // A can on its rim leans against a wall, and the point there comes to stick while it hardly presses.
  SceneSpec scene;
  scene.contact.surfaces.push_back({"tin", {0.0, 0.8, 0.8}, {}});
  const Cylinder can{0.09, 0.099};
  test::add_free_body(scene, "can", inertia_from_mass(can, 1.0).value());
  const auto at = [](const Vec3<>& place) { return Pose<>{identity3(), place}; };
  test::add_shape(scene, "can", can, "tin", at({0, 0, 0}));
  test::add_shape(scene, std::string(kWorld), HalfSpace{}, "tin", at({0, 0, 0}));
  test::add_shape(scene, std::string(kWorld), Box{{2.0, 0.1, 1.0}}, "tin", at({0, 0.4, 0.3}));
  InitialSpec initial;
  initial.joint = "can";
  initial.q = {-0.7018,           0.2651, 0.0932, -0.30820646623949327, 0.6090127772221006, 0.4348091223910827,
               0.587412324039839};
  initial.v = {-0.0605, 0.3695, -0.2213, 0.0475, -2.5024, -4.1916};
  scene.initial.push_back(initial);
  scene.run.step = 1e-3;
  scene.run.duration = 0.35;
  Simulation simulation(compile(scene).value());
  MemoryRecording recording;
  REQUIRE(simulation.run({.sink = &recording}).outcome == RunOutcome::reached);
  CHECK(simulation.contact_record().residuals.momentum <= 1e-8);  // it was 0.012
  CHECK(simulation.contact_record().residuals.worst() <= 1e-6);
}
