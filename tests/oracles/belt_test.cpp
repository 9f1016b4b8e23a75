// Conveyor belts against closed forms.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "pintle/simulation/run/simulation.h"
#include "support/free_body.h"

using namespace pintle;

namespace {

constexpr double kG = 9.81, kMu = 0.4, kBelt = 1.5;

/// Of energy: a slip ends when it is within 1e-12 of the speeds of the two surfaces, and what is left of it is projected
/// out; on a belt the body has a speed then, so that energy changes in the first order.
constexpr double kStick = 4e-12;

struct Run {
  MemoryRecording recording;
  RunReport report;
  std::vector<double> q, v;
  double residual = 0.0, momentum = 0.0;
  double contacts = 0.0, belt = 0.0, belt_of_body = 0.0;  // [J]

  double time_of(const char* kind) const {
    for (const auto& event : recording.events())
      if (facts(event.event.kind).name == kind) return event.event.t;
    return -1.0;
  }
};

Run run(SceneSpec scene, double duration) {
  scene.run.duration = duration;
  const Result<Scene> compiled = compile(scene);
  REQUIRE(compiled.ok());
  Simulation simulation(*compiled);
  Run result;
  RunOptions options;
  options.sink = &result.recording;
  result.report = simulation.run(options);
  REQUIRE_MESSAGE(!facts(result.report.outcome).failed, result.report.text);
  result.q = simulation.state().q;
  result.v = simulation.state().v;
  const EnergyBalance& balance = simulation.energy_balance();
  result.residual = std::abs(balance.energy().relative());
  result.momentum = std::max(std::abs(balance.linear().relative()), std::abs(balance.angular().relative()));
  for (std::size_t a = 0; a < simulation.accounts().size(); ++a) {
    const WorkAccount& account = simulation.accounts()[a];
    if (account.kind == AccountKind::contact) result.contacts = balance.work()[a];
    if (account.kind == AccountKind::surface)
      (account.number < 0 ? result.belt : result.belt_of_body) = balance.work()[a];
  }
  return result;
}

SceneSpec scene_of(const Surface& surface, const SurfaceVelocity& belt, const ContactShape& ground = HalfSpace{}) {
  SceneSpec scene;
  scene.model.gravity = {0, 0, -kG};
  scene.contact.surfaces.push_back({"stuff", surface, {}});
  scene.run.step = 1e-3;
  test::add_shape(scene, std::string(kWorld), ground, "stuff", identity_pose<double>());
  scene.contact.shapes.back().surface_velocity = belt;
  return scene;
}

void add_body(SceneSpec& scene, const char* name, double mass, const Vec3<>& inertia, const ContactShape& shape,
              const Vec3<>& at, const std::vector<double>& v = {0, 0, 0, 0, 0, 0}) {
  test::add_free_body(scene, name, {mass, {0, 0, 0}, {inertia.x, 0, 0, inertia.y, 0, inertia.z}});
  test::add_shape(scene, name, shape, "stuff", identity_pose<double>());
  InitialSpec initial;
  initial.joint = name;
  initial.q = {at.x, at.y, at.z, 0, 0, 0, 1};
  initial.v = v;
  scene.initial.push_back(initial);
}

/// A flat brick, which does not tip.
void add_brick(SceneSpec& scene, double mass, double height = 0.0, const std::vector<double>& v = {0, 0, 0, 0, 0, 0}) {
  const Vec3<> size{0.4, 0.3, 0.05};
  const auto I = [&](double a, double b) { return mass * (a * a + b * b) / 12; };
  add_body(scene, "brick", mass, {I(size.y, size.z), I(size.x, size.z), I(size.x, size.y)}, Box{size},
           {0, 0, 0.5 * size.z + height}, v);
}

}  // namespace

TEST_CASE("a brick on a belt slides for v/(mu g), then is carried along at the belt's velocity") {
  const double mass = 3.0, slides = kBelt / (kMu * kG), end = 1.0;
  for (const Method method : {Method::semi_implicit_euler, Method::rk4, Method::rk4_quaternion, Method::dormand_prince,
                              Method::sdirk, Method::symplectic_midpoint}) {
    CAPTURE(facts(method).name);
    SceneSpec scene = scene_of({0, kMu, kMu}, {{kBelt, 0, 0}, {0, 0, 0}});
    scene.run.method = method;
    add_brick(scene, mass);
    const Run carried = run(scene, end);
    CHECK(std::abs(carried.time_of("contact-stick") - slides) <= 1e-9);
    CHECK(std::abs(carried.v[0] - kBelt) <= 1e-14);
    for (std::size_t i = 1; i < 6; ++i) CHECK(std::abs(carried.v[i]) <= 1e-13);
    // Semi-implicit Euler is of first order in where the slide ends.
    const double way = 0.5 * kBelt * slides + kBelt * (end - slides);
    CHECK(std::abs(carried.q[0] - way) <= (method == Method::semi_implicit_euler ? 1e-3 : 1e-9));
    CHECK(carried.residual <= (method == Method::semi_implicit_euler ? 1e-3 : kStick));
    // The belt does m v^2, half of which friction dissipates.
    CHECK(std::abs(carried.belt - mass * kBelt * kBelt) <= (method == Method::semi_implicit_euler ? 1e-2 : 1e-9));
    CHECK(std::abs(carried.contacts + 0.5 * mass * kBelt * kBelt) <=
          (method == Method::semi_implicit_euler ? 1e-2 : 1e-9));
    for (const double residual : carried.recording.column("certificate.contact")) CHECK(residual <= 1e-10);
  }
}

TEST_CASE("a ball on a belt rolls at 2/7 of its speed, where it was put without spin") {
  const double mass = 0.8, r = 0.1;
  SceneSpec scene = scene_of({0, kMu, kMu}, {{0, kBelt, 0}, {0, 0, 0}});
  const double I = 0.4 * mass * r * r;
  add_body(scene, "ball", mass, {I, I, I}, Sphere{r}, {0, 0, r});
  const Run rolled = run(scene, 0.5);
  // mu g t = (2/7) v: then the lowest point has the belt's velocity.
  CHECK(std::abs(rolled.time_of("contact-stick") - 2.0 / 7.0 * kBelt / (kMu * kG)) <= 1e-9);
  const Vec3<> velocity = rotation_matrix(Quaternion<>{rolled.q[3], rolled.q[4], rolled.q[5], rolled.q[6]}) *
                          Vec3<>{rolled.v[0], rolled.v[1], rolled.v[2]};
  CHECK(norm(velocity - Vec3<>{0, 2.0 / 7.0 * kBelt, 0}) <= 1e-12);
  CHECK(std::abs(rolled.v[3] - 5.0 / 7.0 * kBelt / r) <= 1e-11);
  CHECK(rolled.residual <= kStick);
  CHECK(rolled.momentum <= 1e-12);
}

TEST_CASE("a ball that drops on a belt: Jt = min(mu Jn, (2/7) m v) along it, and the balance closes") {
  const double mass = 0.8, r = 0.1, e = 0.5, h = 0.3, fall = std::sqrt(2 * kG * h);
  for (const double mu : {0.05, 0.6}) {
    SceneSpec scene = scene_of({e, mu, mu}, {{kBelt, 0, 0}, {0, 0, 0}});
    const double I = 0.4 * mass * r * r;
    add_body(scene, "ball", mass, {I, I, I}, Sphere{r}, {0, 0, r + h});
    const Run dropped = run(scene, std::sqrt(2 * h / kG) + 0.1);
    REQUIRE(dropped.recording.impacts().size() == 1);
    const ImpactRecord& impact = dropped.recording.impacts()[0];
    const double Jn = mass * (1 + e) * fall, Jt = std::min(mu * Jn, 2.0 / 7.0 * mass * kBelt);
    CHECK(std::abs(impact.normal_impulse - Jn) <= 1e-11);
    CHECK(std::abs(impact.tangential_impulse - Jt) <= 1e-12);
    CHECK(norm(impact.slip_before - Vec3<>{-kBelt, 0, 0}) <= 1e-13);
    CHECK(impact.certificate.worst() <= 1e-12);
    CHECK_FALSE(impact.gains_energy);
    CHECK(std::abs(dropped.belt - Jt * kBelt) <= 1e-12);
    // Of the fall (1 - e^2) m v^2/2, and of friction Jt times the mean slip.
    const double slip_after = kBelt - 3.5 * Jt / mass;
    const double lost = 0.5 * mass * (1 - e * e) * fall * fall + 0.5 * Jt * (kBelt + slip_after);
    CHECK(std::abs(impact.energy - lost) <= 1e-11);
    CHECK(std::abs(dropped.contacts + lost) <= 1e-11);
    CHECK(dropped.residual <= 1e-12);
  }
}

TEST_CASE("a brick that drops on a belt with four corners bounces, slides and is carried along") {
  for (const bool sequential : {false, true}) {
    SceneSpec scene = scene_of({0.3, kMu, kMu + 0.1}, {{kBelt, 0, 0}, {0, 0, 0}});
    if (sequential) scene.contact.several = SeveralImpacts::sequential;
    add_brick(scene, 2.0, 0.2, {0, 0.1, 0, 0, 0, 0.3});
    const Run dropped = run(scene, 1.5);
    CHECK(dropped.recording.impacts().size() >= 4);
    const Quaternion<> turn{dropped.q[3], dropped.q[4], dropped.q[5], dropped.q[6]};
    const Vec3<> velocity = rotation_matrix(turn) * Vec3<>{dropped.v[0], dropped.v[1], dropped.v[2]};
    CHECK(norm(velocity - Vec3<>{kBelt, 0, 0}) <= 1e-12);
    CHECK(std::abs(dropped.v[5]) <= 1e-12);
    CHECK(dropped.residual <= 1e-9);
    CHECK(dropped.momentum <= 1e-9);
    double worst = 0.0;
    for (const double residual : dropped.recording.column("certificate.contact")) worst = std::max(worst, residual);
    CHECK(worst <= 1e-7);
  }
}

TEST_CASE("a brick is held on an inclined belt up to the friction angle, and slips beyond it") {
  for (const double slope : {0.3, 0.5}) {  // tan: 0.309, 0.546
    SceneSpec scene = scene_of({0, kMu, kMu}, {{-0.7, 0, 0}, {0, 0, 0}});  // upwards
    scene.model.gravity = {kG * std::sin(slope), 0, -kG * std::cos(slope)};
    add_brick(scene, 2.0, 0.0, {-0.7, 0, 0, 0, 0, 0});
    const Run moved = run(scene, 0.5);
    const double a = std::max(kG * (std::sin(slope) - kMu * std::cos(slope)), 0.0);
    CHECK(std::abs(moved.v[0] + 0.7 - 0.5 * a) <= 1e-12);
    CHECK(moved.residual <= 1e-12);
    // Held, the belt lifts it: m g sin(a) v t.
    if (a == 0.0) CHECK(std::abs(moved.belt - 2.0 * kG * std::sin(slope) * 0.7 * 0.5) <= 1e-11);
  }
}

TEST_CASE("a belt around a box runs back below it, and one around a roller drives a ball at its rim") {
  // Gravity that points upwards presses a brick to the lower side.
  SceneSpec below = scene_of({0, kMu, kMu}, {{0, 0, 0}, {0, kBelt, 0}}, Box{{10, 2, 0.2}});
  below.model.gravity = {0, 0, kG};
  add_brick(below, 2.0);
  below.initial[0].q[2] = -0.1 - 0.025;
  CHECK(std::abs(run(below, 1.0).v[0] + kBelt) <= 1e-13);
  SceneSpec above = scene_of({0, kMu, kMu}, {{0, 0, 0}, {0, kBelt, 0}}, Box{{10, 2, 0.2}});
  add_brick(above, 2.0, 0.1);
  CHECK(std::abs(run(above, 1.0).v[0] - kBelt) <= 1e-13);
  // A wheel on a slide rests on a roller of radius 0.2 m: in the end their rims run together.
  SceneSpec roller = scene_of({0, kMu, kMu}, {{0, 0, 0}, {0, 0, kBelt}}, Cylinder{0.2, 1.0});
  roller.model.gravity = {0, -kG, 0};
  const double mass = 0.5, r = 0.1, I = 0.4 * mass * r * r;
  roller.model.bodies.push_back({.name = "slide", .inertia = spatial_inertia(1.0, {0, 0, 0}, SymMat3<>{})});
  JointSpec slide;
  slide.name = slide.child = "slide";
  slide.parent = kWorld;
  slide.kind = JointKind::prismatic;
  slide.axis = {0, 1, 0};
  roller.model.joints.push_back(slide);
  add_body(roller, "wheel", mass, {I, I, I}, Sphere{r}, {0, 0, 0});
  JointSpec& axle = roller.model.joints.back();
  axle.parent = "slide";
  axle.kind = JointKind::revolute;
  axle.axis = {0, 0, 1};
  axle.X_PJ.translation = {0, 0.2 + r, 0};
  roller.initial.clear();
  const Run turned = run(roller, 0.5);
  CHECK(std::abs(turned.v[0]) <= 1e-13);
  CHECK(std::abs(turned.v[1] + kBelt / r) <= 1e-11);
  const double load = (1.0 + mass) * kG;
  CHECK(std::abs(turned.time_of("contact-stick") - I * kBelt / r / (kMu * load * r)) <= 1e-9);
  CHECK(turned.residual <= 1e-11);
}

TEST_CASE("a belt on a cart drives brick and cart apart, and what it does is energy of both") {
  const double cart = 5.0, mass = 2.0, mu = 0.3;
  SceneSpec scene = scene_of({0, 0, 0}, {});
  scene.contact.surfaces.push_back({"rubber", {0, mu, mu}, {}});
  add_body(scene, "cart", cart, {1, 1, 1}, Box{{6, 1, 0.2}}, {0, 0, 0.1});
  scene.contact.shapes.back().material = "rubber";
  scene.contact.shapes.back().surface_velocity.linear = {1.0, 0, 0};
  SurfacePairSpec slippery;
  slippery.first = "rubber";
  slippery.second = "stuff";
  scene.contact.pairs.push_back(slippery);
  add_brick(scene, mass, 0.2);
  scene.contact.shapes.back().material = "rubber";
  const Run apart = run(scene, 1.0);
  // In the end the brick is 1 m/s faster than the cart, and their momentum is zero.
  CHECK(std::abs(apart.v[0] + mass / (mass + cart)) <= 1e-12);
  CHECK(std::abs(apart.v[6] - cart / (mass + cart)) <= 1e-12);
  const double reduced = mass * cart / (mass + cart);
  CHECK(std::abs(apart.belt_of_body - reduced) <= 1e-10);
  CHECK(std::abs(apart.contacts + 0.5 * reduced) <= 1e-10);
  CHECK(apart.residual <= kStick);
  CHECK(apart.momentum <= 1e-12);
}

TEST_CASE("a run on a belt resumes from a checkpoint to the same bits, and another speed is another scene") {
  SceneSpec spec = scene_of({0.4, kMu, kMu}, {{kBelt, 0, 0}, {0, 0, 0}});
  add_brick(spec, 2.0, 0.1, {0, 0.2, 0, 0, 0, 0.5});
  spec.run.duration = 1.0;
  const Scene scene = compile(spec).value();
  Simulation whole(scene), first(scene), second(scene);
  REQUIRE(whole.run().outcome == RunOutcome::reached);
  RunOptions half;
  half.until = 0.45;
  (void)first.run(half);
  REQUIRE(second.resume(first.checkpoint()).ok());
  (void)second.run();
  CHECK(second.state().q == whole.state().q);
  CHECK(second.state().v == whole.state().v);
  CHECK(second.energy_balance().energy().rest == whole.energy_balance().energy().rest);
  spec.contact.shapes[0].surface_velocity.linear.x = 1.0;
  const Scene slower = compile(spec).value();
  Simulation other(slower);
  CHECK_FALSE(other.resume(first.checkpoint()).ok());
}
