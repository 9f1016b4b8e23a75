// Contact against closed forms: table D of the reference cases, and the bouncing cylinder of table E.
#include <doctest/doctest.h>

#include <cmath>

#include "pintle/simulation/hybrid/mode_change.h"
#include "pintle/simulation/run/simulation.h"
#include "support/free_body.h"

using namespace pintle;

namespace {

constexpr double kG = 9.81;

struct Numbers {
  std::vector<double> q, v;
};

/// A free body of a mass and principal inertias.
void add_body(SceneSpec& scene, const char* name, double mass, const Vec3<>& inertia, const ContactShape& shape,
              const Numbers& start) {
  test::add_free_body(scene, name, {mass, {0, 0, 0}, {inertia.x, 0, 0, inertia.y, 0, inertia.z}});
  ContactShapeSpec part;
  part.body = name;
  part.shape = shape;
  part.material = "stuff";
  scene.contact.shapes.push_back(part);
  InitialSpec initial;
  initial.joint = name;
  initial.q = start.q;
  initial.v = start.v;
  scene.initial.push_back(initial);
}

/// Turned about y by an angle.
Quaternion<> about_y(double angle) {
  return {0, std::sin(angle / 2), 0, std::cos(angle / 2)};
}

SceneSpec scene_of(const Surface& surface) {
  SceneSpec scene;
  scene.model.gravity = {0, 0, -kG};
  scene.contact.surfaces.push_back({"stuff", surface, {}});
  scene.run.step = 1e-3;
  return scene;
}

/// The ground, which falls towards +x by an angle.
void add_ground(SceneSpec& scene, double slope = 0.0) {
  ContactShapeSpec ground;
  ground.body = std::string(kWorld);
  ground.shape = HalfSpace{};
  ground.X_BS = {rotation_matrix(about_y(slope)), {0, 0, 0}};
  ground.material = "stuff";
  scene.contact.shapes.push_back(ground);
}

Numbers on_slope(double slope, double height, const std::vector<double>& v = {0, 0, 0, 0, 0, 0}) {
  const Quaternion<> turn = about_y(slope);
  const Vec3<> p = rotation_matrix(turn) * Vec3<>{0, 0, height};
  return {{p.x, p.y, p.z, turn.x, turn.y, turn.z, turn.w}, v};
}

struct Run {
  MemoryRecording recording;
  RunReport report;
  std::vector<double> q, v;
  double residual = 0.0;
};

Run run(SceneSpec scene, double duration) {
  scene.run.duration = duration;
  Result<Scene> compiled = compile(scene);
  REQUIRE(compiled.ok());
  Simulation simulation(*compiled);
  Run result;
  RunOptions options;
  options.sink = &result.recording;
  result.report = simulation.run(options);
  REQUIRE_MESSAGE(!facts(result.report.outcome).failed, result.report.text);
  result.q = simulation.state().q;
  result.v = simulation.state().v;
  result.residual = std::abs(simulation.energy_balance().energy().relative());
  return result;
}

double speed(const Run& run) {
  return std::sqrt(run.v[0] * run.v[0] + run.v[1] * run.v[1] + run.v[2] * run.v[2]);
}

/// How far a body that began at on_slope has come along the slope.
double way(const Run& run, double slope, double height) {
  const Vec3<> start = rotation_matrix(about_y(slope)) * Vec3<>{0, 0, height};
  const Vec3<> now{run.q[0], run.q[1], run.q[2]};
  return dot(now - start, rotation_matrix(about_y(slope)) * Vec3<>{1, 0, 0});
}

Vec3<> ball_inertia(double mass, double radius) {
  const double I = 0.4 * mass * radius * radius;
  return {I, I, I};
}

}  // namespace

TEST_CASE("a ball bounces to e^2 of its height, at the instants of the closed form, and comes to rest") {
  const double h = 1.0, r = 0.1;
  for (const double e : {0.3, 0.5, 0.8}) {
    SceneSpec scene = scene_of({e, 0, 0});
    add_ground(scene);
    add_body(scene, "ball", 1.0, ball_inertia(1.0, r), Sphere{r}, {{0, 0, h + r, 0, 0, 0, 1}, {}});
    const double t0 = std::sqrt(2 * h / kG), v0 = kG * t0, rest = t0 * (1 + e) / (1 - e);
    const Run bounced = run(scene, rest + 0.1);
    double t = t0, v = v0, worst_time = 0.0, worst_speed = 0.0;
    REQUIRE(bounced.recording.impacts().size() > 10);
    for (std::size_t n = 0; n < 10; ++n) {
      const ImpactRecord& impact = bounced.recording.impacts()[n];
      worst_time = std::max(worst_time, std::abs(impact.t - t));
      worst_speed = std::max(worst_speed, std::abs(impact.approach - v));  // h_n = v^2/2g
      CHECK(std::abs(impact.restitution - e) <= 1e-12);
      CHECK(std::abs(impact.normal_impulse - (1 + e) * v) <= 1e-10);
      CHECK(std::abs(impact.energy - 0.5 * (1 - e * e) * v * v) <= 1e-9);
      v *= e;
      t += 2 * v / kG;
    }
    CHECK(worst_time <= 1e-10);  // seen: 2e-12
    CHECK(worst_speed <= 1e-10);
    REQUIRE(!bounced.recording.events().empty());
    CHECK(facts(bounced.recording.events()[0].event.kind).name == "contact-hold");
    CHECK(std::abs(bounced.recording.events()[0].event.t - rest) <=
          1e-9);  // seen: 3e-11, of the hops that are left out
    CHECK(bounced.q[2] == doctest::Approx(r).epsilon(1e-15));
    CHECK(speed(bounced) <= 1e-18);
    CHECK(bounced.residual <= 1e-13);
  }
}

TEST_CASE("a ball with spin: Jn = m (1 + e) |vn|, Jt = min(mu Jn, (2/7) m |slip|)") {
  const double m = 0.7, r = 0.2, e = 0.6;
  for (const double mu : {0.05, 0.5}) {
    SceneSpec scene = scene_of({e, mu, mu});
    scene.model.gravity = {0, 0, 0};
    add_ground(scene);
    add_body(scene, "ball", m, ball_inertia(m, r), Sphere{r}, {{0, 0, 0.3, 0, 0, 0, 1}, {1.5, 0, -2, 0, -4, 0}});
    const Run hit = run(scene, 0.2);
    REQUIRE(hit.recording.impacts().size() == 1);
    const ImpactRecord& impact = hit.recording.impacts()[0];
    const double Jn = m * (1 + e) * 2, slip = 1.5 + 4 * r;
    CHECK(std::abs(impact.normal_impulse - Jn) <= 1e-9);
    CHECK(std::abs(impact.tangential_impulse - std::min(mu * Jn, 2.0 / 7 * m * slip)) <= 1e-9);
    CHECK(std::abs(impact.slip - slip) <= 1e-9);
    CHECK(hit.residual <= 1e-12);
  }
}

TEST_CASE("a ball slides and then rolls: v = (5 v0 + 2 r w0)/7 at t = 2 (v0 - r w0)/(7 mu g)") {
  const double r = 0.1, mu = 0.3, v0 = 2.0, w0 = -3.0;
  SceneSpec scene = scene_of({0, mu, mu});
  scene.run.method = Method::dormand_prince;
  scene.run.tolerances = {1e-12, 1e-12};
  add_ground(scene);
  add_body(scene, "ball", 1.0, ball_inertia(1.0, r), Sphere{r}, {{0, 0, r, 0, 0, 0, 1}, {v0, 0, 0, 0, w0, 0}});
  const Run rolled = run(scene, 1.0);
  REQUIRE(rolled.recording.events().size() == 1);
  const EventRecord& stick = rolled.recording.events()[0].event;
  CHECK(facts(stick.kind).name == "contact-stick");
  CHECK(std::abs(stick.t - 2 * (v0 - r * w0) / (7 * mu * kG)) <= 1e-9);
  CHECK(std::abs(speed(rolled) - (5 * v0 + 2 * r * w0) / 7) <= 1e-9);
  CHECK(rolled.residual <= 1e-10);
}

TEST_CASE("a ball on a slope rolls with 5/7 g sin(a) while tan(a) <= 3.5 mu, else it slides too") {
  const double r = 0.1, mu = 0.2;
  for (const double part : {0.999, 1.001}) {
    const double slope = std::atan(part * 3.5 * mu);
    SceneSpec scene = scene_of({0, mu, mu});
    add_ground(scene, slope);
    add_body(scene, "ball", 1.0, ball_inertia(1.0, r), Sphere{r}, on_slope(slope, r));
    const Run moved = run(scene, 0.5);
    const double a = part < 1 ? 5.0 / 7 * kG * std::sin(slope) : kG * (std::sin(slope) - mu * std::cos(slope));
    CHECK(std::abs(way(moved, slope, r) - a * 0.125) <= 1e-9);
    if (part < 1) CHECK(std::abs(moved.v[4] * r - speed(moved)) <= 1e-9);
  }
}

TEST_CASE(
    "friction against rolling slows a ball by 5/7 rho g/r until it stands, and holds it on a slope of tan(a) <= "
    "rho/r") {
  const double r = 0.1, rho = 2e-3, v0 = 0.3;
  {
    SceneSpec scene = scene_of({0, 0.5, 0.5, rho, 0.0});
    add_ground(scene);
    add_body(scene, "ball", 1.0, ball_inertia(1.0, r), Sphere{r}, {{0, 0, r, 0, 0, 0, 1}, {v0, 0, 0, 0, v0 / r, 0}});
    const Run rolled = run(scene, 3.0);
    const double a = 5.0 / 7 * rho * kG / r;
    REQUIRE(rolled.recording.events().size() == 1);
    const EventRecord& still = rolled.recording.events()[0].event;
    CHECK(facts(still.kind).name == "contact-rotation-stick");
    CHECK(std::abs(still.t - v0 / a) <= 1e-9);
    CHECK(std::abs(rolled.q[0] - v0 * v0 / (2 * a)) <= 1e-9);
    CHECK(speed(rolled) <= 1e-15);
    CHECK(rolled.residual <= 1e-10);
  }
  for (const double part : {0.999, 1.001}) {
    const double slope = std::atan(part * rho / r);
    SceneSpec scene = scene_of({0, 0.5, 0.5, rho, 0.0});
    add_ground(scene, slope);
    add_body(scene, "ball", 1.0, ball_inertia(1.0, r), Sphere{r}, on_slope(slope, r));
    const Run moved = run(scene, 2.0);
    const double a = part < 1 ? 0.0 : 5.0 / 7 * kG * (std::sin(slope) - rho / r * std::cos(slope));
    CHECK(std::abs(way(moved, slope, r) - a * 2.0) <= (part < 1 ? 1e-15 : 1e-9));
  }
}

TEST_CASE("friction against spinning stops a ball that turns about the vertical after 2/5 r^2 w/(rho g)") {
  const double r = 0.1, rho = 1e-3, w0 = 5.0;
  for (const double sign : {1.0, -1.0}) {
    SceneSpec scene = scene_of({0, 0.5, 0.5, 1e-3, rho});
    add_ground(scene);
    add_body(scene, "ball", 1.0, ball_inertia(1.0, r), Sphere{r}, {{0, 0, r, 0, 0, 0, 1}, {0, 0, 0, 0, 0, sign * w0}});
    const Run spun = run(scene, 3.0);
    REQUIRE(spun.recording.events().size() == 1);
    CHECK(facts(spun.recording.events()[0].event.kind).name == "contact-rotation-stick");
    CHECK(std::abs(spun.recording.events()[0].event.t - 0.4 * r * r * w0 / (rho * kG)) <= 1e-9);
    for (const double v : spun.v) CHECK(std::abs(v) <= 1e-15);
    CHECK(spun.residual <= 1e-12);
  }
}

TEST_CASE("a brick below the friction angle does not move at all; above it slides with g (sin a - mu cos a)") {
  const double mu = 0.5;
  const Vec3<> size{0.2, 0.3, 0.1};
  const Vec3<> inertia{0.1 / 12, 0.05 / 12, 0.13 / 12};
  {
    const double slope = std::atan(0.99 * mu);
    SceneSpec scene = scene_of({0, mu, mu});
    scene.run.step = 0.01;
    add_ground(scene, slope);
    add_body(scene, "brick", 1.0, inertia, Box{size}, on_slope(slope, 0.05));
    const Run still = run(scene, 100.0);
    CHECK(std::abs(way(still, slope, 0.05)) <= 1e-9);  // seen: 1e-16
    CHECK(speed(still) <= 1e-15);
    CHECK(still.recording.events().empty());
  }
  for (const double v0 : {0.0, 0.3, -0.3}) {
    const double slope = std::atan(1.01 * mu);
    SceneSpec scene = scene_of({0, mu, mu});
    add_ground(scene, slope);
    add_body(scene, "brick", 1.0, inertia, Box{size}, on_slope(slope, 0.05, {v0, 0, 0, 0, 0, 0}));
    const Run slid = run(scene, 0.02);
    const double a = kG * (std::sin(slope) - (v0 < 0 ? -mu : mu) * std::cos(slope));
    CHECK(std::abs(way(slid, slope, 0.05) - (v0 * 0.02 + 0.5 * a * 4e-4)) <= 1e-9);
    CHECK(std::abs(slid.v[0] - (v0 + a * 0.02)) <= 1e-9);
    CHECK(std::abs(slid.v[5]) <= 1e-9);
  }
}

TEST_CASE("two equal balls that do not rebound go on together; elastic ones change places") {
  for (const double e : {0.0, 1.0}) {
    SceneSpec scene = scene_of({e, 0, 0});
    scene.model.gravity = {0, 0, 0};
    add_body(scene, "a", 2.0, ball_inertia(2.0, 0.1), Sphere{0.1}, {{0, 0, 0, 0, 0, 0, 1}, {3, 0, 0, 0, 0, 0}});
    add_body(scene, "b", 2.0, ball_inertia(2.0, 0.1), Sphere{0.1}, {{0.5, 0, 0, 0, 0, 0, 1}, {}});
    const Run met = run(scene, 0.3);
    REQUIRE(met.recording.impacts().size() == 1);
    CHECK(std::abs(met.recording.impacts()[0].t - 0.1) <= 1e-11);
    CHECK(std::abs(met.v[0] - (e == 0.0 ? 1.5 : 0.0)) <= 1e-12);
    CHECK(std::abs(met.v[6] - (e == 0.0 ? 1.5 : 3.0)) <= 1e-12);
  }
}

TEST_CASE("a brick that slides up a steep slope reverses its slip at v/(g (sin a + mu cos a)), and does not stick") {
  const double mu = 0.3, slope = 0.6, v = 1.2;
  for (const Method method : {Method::rk4, Method::dormand_prince}) {
    SceneSpec scene = scene_of({0, mu, mu});
    scene.run.method = method;
    scene.run.step = 2e-3;
    add_ground(scene, slope);
    add_body(scene, "brick", 2.0, {.01, .02, .02}, Box{{0.3, 0.2, 0.05}}, on_slope(slope, 0.025, {-v, 0, 0, 0, 0, 0}));
    const Run slid = run(scene, 0.5);
    const double slows = kG * (std::sin(slope) + mu * std::cos(slope)), t = v / slows;
    std::vector<double> times;
    for (const RecordedEvent& event : slid.recording.events()) {
      if (facts(event.event.kind).name == "contact-slip-reversal") times.push_back(event.event.t);
      CHECK(facts(event.event.kind).name != "contact-stick");
    }
    REQUIRE(times.size() == 4);  // of its corners
    for (const double time : times) CHECK(std::abs(time - t) <= 1e-9);
    const double a = kG * (std::sin(slope) - mu * std::cos(slope));
    CHECK(std::abs(speed(slid) - a * (0.5 - t)) <= 1e-9);
  }
  SceneSpec gentle = scene_of({0, 0.8, 0.8});  // holds it: tan(0.6) = 0.68
  add_ground(gentle, slope);
  add_body(gentle, "brick", 2.0, {.01, .02, .02}, Box{{0.3, 0.2, 0.05}}, on_slope(slope, 0.025, {-v, 0, 0, 0, 0, 0}));
  for (const RecordedEvent& event : run(gentle, 0.5).recording.events())
    CHECK(facts(event.event.kind).name != "contact-slip-reversal");
}

TEST_CASE("a small ball of 300 m/s does not tunnel through a plate of 1 mm") {
  SceneSpec scene = scene_of({0.4, 0, 0});
  add_body(scene, "ball", 0.01, ball_inertia(0.01, 0.002), Sphere{0.002},
           {{0, 0, 1.0, 0, 0, 0, 1}, {0, 0, -300, 0, 0, 0}});
  ContactShapeSpec plate;
  plate.body = std::string(kWorld);
  plate.shape = Box{{1, 1, 0.001}};
  plate.material = "stuff";
  scene.contact.shapes.push_back(plate);
  const Run hit = run(scene, 0.01);
  REQUIRE(hit.recording.impacts().size() == 1);
  CHECK(std::abs(hit.recording.impacts()[0].restitution - 0.4) <= 1e-12);
  CHECK(hit.q[2] > 0.1);
}

TEST_CASE("seed 004's bouncing cylinder: impacts and momenta of the same law, located exactly") {
  SceneSpec scene = scene_of({0.87, 0.15, 0.15});
  scene.model.gravity = {0, 0, -10};
  scene.contact.single_point = true;
  scene.run.method = Method::dormand_prince;
  scene.run.tolerances = {1e-12, 1e-12};
  add_ground(scene);
  add_body(scene, "cylinder", 2.0, {.0018, .0018, .0009}, Cylinder{0.03, 0.09},
           {{0, 0, 0.045, 0, 0, 0, 1}, {0, 0, -1, 0, 5, 0}});
  const Run bounced = run(scene, 0.35);
  const std::span<const ImpactRecord> impacts = bounced.recording.impacts();
  REQUIRE(impacts.size() >= 4);
  CHECK(std::abs(impacts[0].normal_impulse - 3.74) <= 1e-14);
  CHECK(std::abs(impacts[0].tangential_impulse - 0.138461538461538) <= 1e-14);
  const double times[] = {0.0, .166635121747, .263066233444, .283060170353};
  for (std::size_t k = 0; k < 4; ++k) CHECK(std::abs(impacts[k].t - times[k]) <= 1e-9);
}
