// What is driven or flies far between events: nothing may be missed, by any method.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "pintle/io/scene/compile_scene.h"
#include "pintle/math/scalar.h"
#include "pintle/simulation/run/simulation.h"

using namespace pintle;

namespace {

struct Driven {
  std::vector<double> events, impacts;  // [s]
  std::vector<double> q, v;
  double work = 0.0;  // [J] of the first account
  std::int64_t steps = 0;
};

SceneSpec scene_of(const char* text, Method method) {
  const Result<Scene> scene = compile_scene_text(text, "scene.toml");
  REQUIRE(scene.ok());
  SceneSpec spec = scene->spec();
  spec.run.method = method;
  return spec;
}

Driven run(const SceneSpec& spec) {
  const Result<Scene> scene = compile(spec);
  REQUIRE(scene.ok());
  Simulation simulation(*scene);
  MemoryRecording recording;
  const RunReport report = simulation.run({.sink = &recording});
  REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
  Driven result;
  for (const RecordedEvent& event : recording.events())
    if (event.event.kind == EventKind::user) result.events.push_back(event.event.t);
  for (const ImpactRecord& impact : recording.impacts()) result.impacts.push_back(impact.t);
  result.q = simulation.state().q;
  result.v = simulation.state().v;
  if (!simulation.energy_balance().work().empty()) result.work = simulation.energy_balance().work()[0];
  result.steps = simulation.steps();
  return result;
}

constexpr Method kAll[] = {Method::semi_implicit_euler, Method::rk4,   Method::rk4_quaternion,
                           Method::dormand_prince,      Method::sdirk, Method::symplectic_midpoint};
/// Those that run prescribed motions.
constexpr Method kDriving[] = {Method::semi_implicit_euler, Method::rk4, Method::rk4_quaternion, Method::dormand_prince,
                               Method::sdirk};

constexpr const char* kCam = R"toml(
[[body]]
name = "cam"
mass = 1
inertia = [1, 1, 1]
joint = { type = "revolute", axis = [0, 0, 1] }
[[motor]]
joint = "cam"
position = "0.5*sin(2*pi*3*t)"
[[event]]
name = "rises"
zero_of = "q.cam"
direction = "rising"
[run]
duration = 20
)toml";

constexpr const char* kShaker = R"toml(
[material.m]
restitution = 0.5
[contact]
[[body]]
name = "table"
mass = 1
inertia = [1, 1, 1]
material = "m"
shape = { box = { size = [1, 1, 0.1] }, at = [0, 0, -0.05] }
joint = { type = "prismatic", axis = [0, 0, 1] }
[[motor]]
joint = "table"
position = "0.02*sin(2*pi*3*t)"
[[body]]
name = "ball"
mass = 1
material = "m"
shape = { sphere = { radius = 0.05 } }
joint = { type = "free", at = [0, 0, 0.3] }
[run]
duration = 20
)toml";

constexpr const char* kBullet = R"toml(
[world]
gravity = [0, 0, 0]
[material.m]
restitution = 1
[[ground]]
shape = { sphere = { radius = 0.02 }, at = [50, 0, 0] }
material = "m"
[[body]]
name = "ball"
mass = 1
material = "m"
shape = { sphere = { radius = 0.01 } }
joint = { type = "free" }
initial = { v = [1, 0, 0, 0, 0, 0] }
[run]
duration = 150
)toml";

/// The impacts of a ball that falls from z = 0.25 at rest on a surface at 0.02 sin(6 pi t), with e = 0.5: a parabola
/// meets a sine, found by samples and bisection.
std::vector<double> impacts_on_shaker(std::size_t count) {
  const double omega = 6.0 * kPi<double>;
  double t0 = 0.0, z0 = 0.25, v0 = 0.0;
  std::vector<double> times;
  while (times.size() < count) {
    const auto gap = [&](double s) {
      return z0 + v0 * s - 0.5 * 9.81 * s * s - 0.02 * std::sin(omega * (t0 + s));
    };
    double low = 1e-7, high = low;
    while (gap(high) > 0.0) high += 1e-6;
    low = high - 1e-6;
    for (int k = 0; k < 60; ++k) (gap(0.5 * (low + high)) > 0.0 ? low : high) = 0.5 * (low + high);
    const double u = 0.02 * omega * std::cos(omega * (t0 + high));
    v0 = u - 0.5 * (v0 - 9.81 * high - u);
    t0 += high;
    z0 = 0.02 * std::sin(omega * t0);
    times.push_back(t0);
  }
  return times;
}

}  // namespace

TEST_CASE("driven: a cam of 3 Hz passes zero in every period, and its motor does no work over whole periods") {
  for (const Method method : kDriving) {
    CAPTURE(facts(method).name);
    const Driven cam = run(scene_of(kCam, method));
    REQUIRE(cam.events.size() >= 59);  // and the 60th at the end of the run, to within rounding
    REQUIRE(cam.events.size() <= 60);
    for (std::size_t k = 0; k < cam.events.size(); ++k)
      CHECK(std::abs(cam.events[k] - static_cast<double>(k + 1) / 3.0) < 2e-12);
    const double turnover = 10660.0;  // [J] 4 x 60 x I (0.5 omega)^2/2
    CHECK(std::abs(cam.work) < (method == Method::semi_implicit_euler ? 1e-6 : 1e-8) * turnover);
  }
}

TEST_CASE("driven: a ball comes to rest on a table that shakes, after the impacts of a parabola with a sine") {
  const std::vector<double> exact = impacts_on_shaker(12);
  for (const Method method : kDriving) {
    CAPTURE(facts(method).name);
    const Driven ball = run(scene_of(kShaker, method));
    // Euler's parabola is off by g h t/2, and its last rebounds are lower than that.
    const bool euler = method == Method::semi_implicit_euler;
    REQUIRE(ball.impacts.size() >= exact.size());
    CHECK((euler || ball.impacts.size() == 18));
    for (std::size_t k = 0; k < exact.size(); ++k)
      CHECK(std::abs(ball.impacts[k] - exact[k]) < (euler ? 5e-3 : 1e-9));
    CHECK(std::abs(ball.q[3] + 0.25) < 1e-9);  // on the table, whose acceleration stays below g
  }
}

TEST_CASE("driven: a ball rebounds from a sphere that it meets head-on, however long the steps are") {
  for (const Method method : kAll) {
    CAPTURE(facts(method).name);
    const Driven ball = run(scene_of(kBullet, method));
    REQUIRE(ball.impacts.size() == 1);
    CHECK(std::abs(ball.impacts[0] - 49.97) < 1e-12);
    CHECK(std::abs(ball.q[0] + 50.06) < 1e-9);
    CHECK(std::abs(ball.v[0] + 1.0) < 1e-12);
  }
}

namespace {

constexpr const char* kBlade = R"toml(
[world]
gravity = [0, 0, 0]
[material.m]
restitution = 0.8
friction = 0
[contact]
[[body]]
name = "blade"
mass = 1
inertia = [1, 1, 1]
material = "m"
shape = { box = { size = [1, 0.002, 0.02] } }
joint = { type = "revolute", axis = [0, 0, 1] }
[[motor]]
joint = "blade"
position = "40*pi*t"
[[body]]
name = "ball"
mass = 1
material = "m"
shape = { sphere = { radius = 0.005 } }
joint = { type = "free", at = [0, 0.4, 0] }
[run]
duration = 1
)toml";

constexpr const char* kCart = R"toml(
[[body]]
name = "cart"
mass = 2
inertia = [1, 1, 1]
joint = { type = "prismatic", axis = [1, 0, 0] }
[[motor]]
joint = "cart"
effort = "200*(step(t - 7) - step(t - 7.01))"
[[event]]
name = "peak"
zero_of = "sin(40*t) - 0.99999"
[run]
duration = 10
)toml";

constexpr const char* kFreeCart = R"toml(
[[body]]
name = "cart"
mass = 1
inertia = [1, 1, 1]
joint = { type = "prismatic", axis = [1, 0, 0] }
[run]
duration = 0.5
step = 0.004
)toml";

constexpr const char* kOnFloor = R"toml(
[[ground]]
shape = { plane = {} }
[[body]]
name = "ball"
mass = 1
shape = { sphere = { radius = 0.05 } }
joint = { type = "free", at = [0, 0, 0.05] }
)toml";

}  // namespace

TEST_CASE("driven: a thin blade of 20 turns a second meets a small ball in its path") {
  const double omega = 40.0 * kPi<double>, sine = 0.006 / 0.4;  // half its thickness and the radius, over the distance
  const double meets = (0.5 * kPi<double> - std::asin(sine)) / omega;
  const double speed = 1.8 * omega * 0.4 * std::sqrt(1.0 - sine * sine);
  for (const Method method : kDriving) {
    for (const double step : {0.0, 0.05}) {
      CAPTURE(facts(method).name);
      CAPTURE(step);
      SceneSpec spec = scene_of(kBlade, method);
      spec.run.step = step;
      const Driven ball = run(spec);
      REQUIRE(ball.impacts.size() == 1);
      CHECK(std::abs(ball.impacts[0] - meets) < 1e-12);
      CHECK(std::hypot(ball.v[1], ball.v[2]) == doctest::Approx(speed).epsilon(1e-12));
    }
  }
}

TEST_CASE("driven: an effort of 10 ms within a long rest acts in full, and events of a fast formula are all found") {
  for (const Method method : kAll) {
    CAPTURE(facts(method).name);
    const Driven cart = run(scene_of(kCart, method));
    CHECK(std::abs(cart.v[0] - 1.0) < 1e-12);
    const double behind = method == Method::semi_implicit_euler ? 0.005 + 1e-12 : 1e-12;  // it has v at the end
    CHECK(std::abs(cart.q[0] - 2.995) < behind);
    std::vector<double> exact;
    const double rise = std::asin(0.99999), turn = 2.0 * kPi<double>;
    for (int k = 0; k < 64; ++k)
      for (const double phase : {rise, kPi<double> - rise}) exact.push_back((phase + turn * k) / 40.0);
    REQUIRE(cart.events.size() == exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) CHECK(std::abs(cart.events[i] - exact[i]) < 2e-12);
  }
}

TEST_CASE("driven: a smooth pulse within a long rest acts in full under error control") {
  for (const Method method : {Method::dormand_prince, Method::sdirk}) {
    SceneSpec spec = scene_of(kCart, method);
    spec.motors[0].effort = Command(expression_drive("200*exp(-((t - 7)/0.01)^2)").value());
    CHECK(run(spec).v[0] == doctest::Approx(std::sqrt(kPi<double>)).epsilon(1e-8));
  }
}

TEST_CASE("driven: at a kink or a jump on a binary fraction every method continues on the side after it") {
  for (const Method method : kAll) {
    CAPTURE(facts(method).name);
    // The rate of the target jumps by 1.6 m/s at t = 1/4: from then on the effort is at its limit, until v = 0.6 m/s.
    SceneSpec ramp = scene_of(kFreeCart, method);
    ControllerSpec controller;
    controller.name = "ramp";
    controller.joint = "cart";
    controller.target = expression_drive("0.4*clamp(4*t - 1, 0, 1)").value();
    controller.kd = 0.5;
    controller.effort_limit = 0.5;
    ramp.controllers.push_back(controller);
    CHECK(std::abs(run(ramp).v[0] - 0.5 * 0.25) < 1e-13);
    // sign(0) is neither side.
    for (const char* const effort : {"sign(t - 0.25)", "sign(0.25 - t)", "2*step(t - 0.25) - 1"}) {
      CAPTURE(effort);
      SceneSpec reversed = scene_of(kFreeCart, method);
      MotorSpec motor;
      motor.name = "motor";
      motor.joint = "cart";
      motor.effort = Command(expression_drive(effort).value());
      reversed.motors.push_back(motor);
      CHECK(std::abs(run(reversed).v[0]) < 1e-13);
    }
  }
}

TEST_CASE("driven: a run that was saved between breaks and bounds goes on with the same bits") {
  for (const char* const text : {kCart, kBlade, kShaker}) {
    for (const Method method : {Method::rk4, Method::dormand_prince}) {
      SceneSpec spec = scene_of(text, method);
      spec.run.duration = text == kShaker ? 2.0 : spec.run.duration;
      const Scene scene = compile(spec).value();
      Simulation whole(scene), again(scene);
      const double end = spec.run.duration;
      REQUIRE(whole.run({.until = 0.45 * end}).outcome == RunOutcome::reached);
      REQUIRE(again.resume(whole.checkpoint()).ok());
      REQUIRE(whole.run({.until = end}).outcome == RunOutcome::reached);
      REQUIRE(again.run({.until = end}).outcome == RunOutcome::reached);
      CHECK(whole.state_hash() == again.state_hash());
      CHECK(whole.steps() == again.steps());
    }
  }
}

TEST_CASE("driven: an overlap at the start is reported with its depth") {
  const auto codes_at = [](double height) {
    std::string text = kOnFloor;
    text.replace(text.find("0, 0, 0.05]"), 11, "0, 0, " + std::to_string(height) + "]");
    const Result<Scene> scene = compile_scene_text(text, "scene.toml");
    std::string codes;
    for (const Diagnostic& problem : scene.diagnostics()) codes += problem.code + ": " + problem.what + ";";
    CHECK(scene.ok());
    return codes;
  };
  CHECK(codes_at(0.05) == "");
  CHECK(codes_at(0.3) == "");
  CHECK(codes_at(0.049) == "contact-overlap: the ground and 'ball' overlap by 0.001 m at the start;");
  CHECK(codes_at(0.03) == "contact-overlap: the ground and 'ball' overlap by 0.02 m at the start;");
  CHECK(codes_at(-2.0) == "contact-overlap: the ground and 'ball' overlap by 2.05 m at the start;");
}
