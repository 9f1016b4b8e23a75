// The methods of contact against each other: time stepping converges to events with the order of its step, rebounds,
// keeps stacks standing, and "auto" chooses by counts.
#include "pintle/simulation/contact/contact_method.h"

#include <doctest/doctest.h>

#include <cmath>

#include "base/count_allocations.h"
#include "pintle/base/random.h"
#include "pintle/simulation/run/simulation.h"
#include "support/free_body.h"

using namespace pintle;

namespace {

constexpr double kGravity = 9.81;

SpatialInertia<> box_inertia(double mass, const Vec3<>& size) {
  const Vec3<> s{size.x * size.x, size.y * size.y, size.z * size.z};
  return {mass, {0, 0, 0}, {mass / 12 * (s.y + s.z), 0, 0, mass / 12 * (s.x + s.z), 0, mass / 12 * (s.x + s.y)}};
}

SceneSpec floor_scene(double restitution, double friction) {
  SceneSpec scene;
  scene.contact.surfaces.push_back({"stuff", {restitution, friction, friction}, {}});
  test::add_shape(scene, std::string(kWorld), HalfSpace{}, "stuff", identity_pose<double>());
  scene.run.rows = 10;
  return scene;
}

void add_box(SceneSpec& scene, const std::string& name, double mass, const Vec3<>& size, const Vec3<>& at) {
  test::add_free_body(scene, name, box_inertia(mass, size));
  test::add_shape(scene, name, Box{size}, "stuff", identity_pose<double>());
  InitialSpec initial;
  initial.joint = name;
  initial.q = {at.x, at.y, at.z, 0, 0, 0, 1};
  scene.initial.push_back(initial);
}

SceneSpec stack(int boxes, double heaviest = 1.0) {
  SceneSpec scene = floor_scene(0.0, 0.5);
  for (int k = 0; k < boxes; ++k)
    add_box(scene, "box" + std::to_string(k), k + 1 == boxes ? heaviest : 1.0, {0.2, 0.2, 0.1}, {0, 0, 0.05 + 0.1 * k});
  scene.run.step = 2e-3;
  return scene;
}

/// A ball above the floor that spins.
SceneSpec ball(double restitution, double height, const Vec3<>& velocity, const Vec3<>& spin) {
  SceneSpec scene = floor_scene(restitution, 0.3);
  const double r = 0.1, I = 0.4 * r * r;
  test::add_free_body(scene, "ball", {1.0, {0, 0, 0}, {I, 0, 0, I, 0, I}});
  test::add_shape(scene, "ball", Sphere{r}, "stuff", identity_pose<double>());
  InitialSpec initial;
  initial.joint = "ball";
  initial.q = {0, 0, r + height, 0, 0, 0, 1};
  initial.v = {velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z};
  scene.initial.push_back(initial);
  return scene;
}


std::vector<double> end_of(SceneSpec spec, ContactMethod method, double step) {
  spec.run.contact = method;
  spec.run.step = step;
  Simulation simulation(compile(spec).value());
  REQUIRE(simulation.run().ok());
  return simulation.state().q;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < 3; ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

}  // namespace

TEST_CASE("contact method: time stepping converges to events with the first order of its step") {
  // A ball that lands with backspin, bounces, slides and rolls.
  for (const double restitution : {0.0, 0.6}) {
    CAPTURE(restitution);
    SceneSpec spec = ball(restitution, 0.3, {1.0, 0, 0}, {0, -20.0, 0});
    spec.run.duration = 1.2;
    const std::vector<double> exact = end_of(spec, ContactMethod::events, 1e-3);
    double envelope = 0.0;
    for (const double h : {8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4}) {
      const double error = distance(end_of(spec, ContactMethod::time_stepping, h), exact);
      CAPTURE(h);
      CAPTURE(error);
      CHECK(error <= 2.0 * h);  // [m], of a way of a metre; errors of first order
      envelope = std::max(envelope, error / h);
    }
    CHECK(envelope > 1e-3);  // the envelope is of this order and no higher: else the test would see nothing
  }
}

TEST_CASE("contact method: a ball bounces as high as its restitution says, and never higher") {
  for (const double e : {0.3, 0.7, 1.0}) {
    CAPTURE(e);
    SceneSpec spec = ball(e, 1.0, {0, 0, 0}, {0, 0, 0});
    spec.run.contact = ContactMethod::time_stepping;
    spec.run.step = 1e-3;
    spec.run.duration = 5.0;
    Simulation simulation(compile(spec).value());
    const double start = simulation.energy_balance().now().total();
    double highest = 0.0;  // after the first impact
    bool down = false, hit = false;
    while (simulation.state().t < 5.0 && (highest == 0.0 || simulation.state().v[2] > 0.0)) {
      REQUIRE(simulation.step().ok());
      down = down || simulation.state().v[2] < 0.0;
      hit = hit || (down && simulation.state().v[2] > 0.0);
      if (hit) highest = std::max(highest, simulation.state().q[2] - 0.1);
      CHECK(simulation.energy_balance().now().total() <= start + 1e-12);
    }
    CHECK(highest <= e * e + 1e-12);
    CHECK(highest >= e * e - 10.0 * kGravity * 1e-3 * e);  // a step of the fall at its end, of 4.4 m/s
  }
}

TEST_CASE("contact method: stacks stand still, also under a thousand times their weight") {
  for (const double heaviest : {1.0, 1000.0}) {
    CAPTURE(heaviest);
    SceneSpec spec = stack(heaviest > 1.0 ? 2 : 10, heaviest);
    spec.run.contact = ContactMethod::time_stepping;
    spec.run.duration = 1.0;
    Simulation simulation(compile(spec).value());
    const std::vector<double> start = simulation.state().q;
    REQUIRE(simulation.run().ok());
    for (std::size_t i = 0; i < start.size(); ++i) CHECK(std::abs(simulation.state().q[i] - start[i]) <= 1e-9);
    CHECK(simulation.contact_record().breach <= 1e-8);
    CHECK(simulation.contact_record().residuals.worst() <= 1e-6);
  }
}

TEST_CASE("contact method: auto goes by events where little touches and by time stepping where much does") {
  SceneSpec few = ball(0.5, 0.3, {1.0, 0, 0}, {0, 0, 0});
  few.run.step = 1e-3;
  Simulation ball_run(compile(few).value());
  REQUIRE(ball_run.run().ok());
  CHECK(ball_run.contact_record().time_stepped == 0.0);

  SceneSpec many = stack(3);
  many.run.duration = 0.5;
  Simulation stack_run(compile(many).value());
  REQUIRE(stack_run.run().ok());
  CHECK(stack_run.contact_record().time_stepped == doctest::Approx(0.5));
  CHECK(stack_run.contact_record().spans == 1);
  CHECK(stack_run.contact_record().first_span == 0.0);

  many.run.contact = ContactMethod::events;
  Simulation by_events(compile(many).value());
  REQUIRE(by_events.run().ok());
  CHECK(by_events.contact_record().time_stepped == 0.0);

  few.run.contact = ContactMethod::time_stepping;
  Simulation forced(compile(few).value());
  REQUIRE(forced.run().ok());
  CHECK(forced.contact_record().spans >= 1);
}

TEST_CASE("contact method: after a heap has come apart, events go on where time stepping stopped") {
  // Three boxes one on another, which are all thrown off: 12 points, then none.
  SceneSpec spec = stack(3);
  spec.run.duration = 1.5;
  spec.initial[0].v = {0, 3.0, 6.0, 0, 0, 0};
  spec.initial[1].v = {3.0, 0, 7.0, 0, 0, 0};
  spec.initial[2].v = {-3.0, 0, 8.0, 0, 0, 0};
  Simulation simulation(compile(spec).value());
  const double start = simulation.energy_balance().now().total();
  REQUIRE(simulation.run().ok());
  const ContactRecord& record = simulation.contact_record();
  CHECK(record.time_stepped > 0.0);
  CHECK(record.time_stepped < 1.4);
  CHECK(simulation.energy_balance().now().total() <= start + 1e-9);
  CHECK(std::abs(simulation.energy_balance().energy().relative()) <= 1e-9);
  CHECK(simulation.energy_balance().linear().relative() <= 1e-9);
}

TEST_CASE("contact method: a run that is stopped within a sustained span goes on bit for bit") {
  SceneSpec spec = stack(4);
  spec.initial[3].v = {1.0, 0.5, 0, 0.3, 0, 2.0};
  spec.run.duration = 0.4;
  Simulation whole(compile(spec).value());
  while (whole.state().t < 0.2) REQUIRE(whole.step().ok());
  CHECK(whole.contact_record().time_stepped > 0.0);
  Simulation second(compile(spec).value());
  REQUIRE(second.resume(whole.checkpoint()).ok());
  while (whole.state().t < 0.4) {
    REQUIRE(whole.step().ok());
    REQUIRE(second.step().ok());
    CHECK(whole.state_hash() == second.state_hash());
  }
  CHECK(whole.contact_record().time_stepped == second.contact_record().time_stepped);
  CHECK(whole.contact_record().spans == second.contact_record().spans);
}

TEST_CASE("contact method: time stepping allocates nothing in steady state") {
  SceneSpec spec = stack(4);
  spec.run.contact = ContactMethod::time_stepping;
  Simulation simulation(compile(spec).value());
  for (int k = 0; k < 64; ++k) REQUIRE(simulation.step().ok());  // until it sleeps
  const std::size_t before = count_allocations();
  for (int k = 0; k < 20; ++k) (void)simulation.step();
  CHECK(count_allocations() == before);
}

TEST_CASE("contact method: joint limits and joint friction take part in time stepping") {
  // A pendulum that falls onto its limit and stays there, with friction in its joint; nothing touches.
  SceneSpec scene = floor_scene(0.0, 0.3);
  BodySpec bob;
  bob.name = "bob";
  bob.inertia = {1.0, {0.5, 0, 0}, {0.01, 0, 0, 0.26, 0, 0.26}};
  scene.model.bodies.push_back(bob);
  JointSpec hinge;
  hinge.name = "hinge";
  hinge.parent = kWorld;
  hinge.child = "bob";
  hinge.kind = JointKind::revolute;
  hinge.axis = {0, 1, 0};
  hinge.X_PJ.translation = {0, 0, 3};
  hinge.limits = {{.lower = -1.0, .upper = 0.5}};
  scene.model.joints.push_back(hinge);
  test::add_shape(scene, "bob", Sphere{0.1}, "stuff", {identity3<double>(), {0.5, 0, 0}});
  scene.run.contact = ContactMethod::time_stepping;
  scene.run.step = 1e-3;
  scene.run.duration = 1.0;
  Simulation simulation(compile(scene).value());
  REQUIRE(simulation.run().ok());
  CHECK(simulation.state().q[0] == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(std::abs(simulation.state().v[0]) <= 1e-12);
  CHECK(std::abs(simulation.energy_balance().energy().relative()) <= 1e-6);  // of RK4 in the fall
}

TEST_CASE("contact method: random scenes gain no energy and keep their certificate") {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed);
    SceneSpec scene = floor_scene(0.2 * static_cast<double>(seed % 6), 0.1 * static_cast<double>(seed % 9));
    const int bodies = 2 + static_cast<int>(seed % 4);
    for (int k = 0; k < bodies; ++k) {
      const Vec3<> size{random.uniform(0.1, 0.3), random.uniform(0.1, 0.3), random.uniform(0.1, 0.3)};
      const double mass = std::exp(random.uniform(-3.0, 3.0));  // drawn in this order by every compiler
      const Vec3<> at{random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), 0.3 + 0.4 * k};
      add_box(scene, "box" + std::to_string(k), mass, size, at);
      scene.initial.back().v = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-2, 0),
                                random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)};
    }
    scene.run.contact = ContactMethod::time_stepping;
    scene.run.step = 2e-3;
    scene.run.duration = 1.0;
    Simulation simulation(compile(scene).value());
    const double start = simulation.energy_balance().now().total();
    double before = start;
    while (simulation.state().t < 1.0) {
      const RunReport report = simulation.step();
      REQUIRE_MESSAGE(report.ok(), report.text);
      const double now = simulation.energy_balance().now().total();
      // Overlaps that open lift bodies: of second order in the step.
      CHECK(now <= before + 1e-4 * std::abs(start));
      before = now;
    }
    CHECK(simulation.energy_balance().now().total() < start);
    CHECK(std::abs(simulation.energy_balance().energy().relative()) <= 1e-9);
    CHECK(simulation.contact_record().residuals.worst() <= 1e-3);  // where the solver gave up; 1e-9 elsewhere
    CHECK(simulation.contact_record().penetration <= 5e-3);
  }
}

TEST_CASE("contact method: what rests falls asleep, stays to the bit, and wakes when something reaches it") {
  // Three boxes one on another, and a ball that falls beside them, rolls and hits them after half a second.
  SceneSpec spec = stack(3);
  spec.run.contact = ContactMethod::time_stepping;
  spec.run.duration = 2.0;
  const double I = 0.4 * 0.01;
  test::add_free_body(spec, "ball", {1.0, {0, 0, 0}, {I, 0, 0, I, 0, I}});
  test::add_shape(spec, "ball", Sphere{0.1}, "stuff", identity_pose<double>());
  InitialSpec initial;
  initial.joint = "ball";
  initial.q = {-1.2, 0.0, 0.1, 0, 0, 0, 1};
  initial.v = {2.0, 0, 0, 0, 20.0, 0};
  spec.initial.push_back(initial);
  Simulation simulation(compile(spec).value());
  for (int k = 0; k < 100; ++k) REQUIRE(simulation.step().ok());  // the ball is on its way
  const std::vector<double> q = simulation.state().q;
  for (std::size_t i = 0; i < 18; ++i) CHECK(simulation.state().v[i] == 0.0);
  CHECK(q[21] > -0.9);
  for (int k = 0; k < 50; ++k) REQUIRE(simulation.step().ok());
  for (std::size_t i = 0; i < 21; ++i) CHECK(simulation.state().q[i] == q[i]);
  Simulation second(compile(spec).value());
  REQUIRE(second.resume(simulation.checkpoint()).ok());
  while (simulation.state().t < 1.0) {
    REQUIRE(simulation.step().ok());
    REQUIRE(second.step().ok());
    CHECK(simulation.state_hash() == second.state_hash());
  }
  CHECK(simulation.state().q[0] > 1e-3);  // pushed
  CHECK(std::abs(simulation.energy_balance().energy().relative()) <= 1e-9);
}

TEST_CASE("contact method: sleepers wake when the caller's efforts change") {
  SceneSpec spec = stack(1);
  spec.run.contact = ContactMethod::time_stepping;
  Simulation simulation(compile(spec).value(), {.efforts = true});
  for (int k = 0; k < 100; ++k) REQUIRE(simulation.step().ok());
  for (const double v : simulation.state().v) CHECK(v == 0.0);
  simulation.set_effort("box0", std::vector<double>{8.0, 0, 0, 0, 0, 0});  // more than friction holds
  for (int k = 0; k < 10; ++k) REQUIRE(simulation.step().ok());
  CHECK(simulation.state().v[0] == doctest::Approx((8.0 - 0.5 * kGravity) * 10 * 2e-3).epsilon(1e-6));
}
