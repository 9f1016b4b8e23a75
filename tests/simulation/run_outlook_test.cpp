#include "pintle/simulation/run/run_outlook.h"

#include <doctest/doctest.h>

#include <cmath>

#include "pintle/model/edit/model_builder.h"
#include "pintle/simulation/run/simulation.h"

using namespace pintle;

namespace {

/// A slider of 1 kg on a spring with a natural frequency [rad/s], 1 mm away from its rest.
SceneSpec oscillator(double frequency, Method method, double step, double duration = 1.0) {
  ModelBuilder model("oscillator");
  model.body("mass", spatial_inertia(1.0, Vec3<>{0.0, 0.0, 0.0}, diagonal(Vec3<>{0.1, 0.1, 0.1})))
      .prismatic({1, 0, 0}, "slide")
      .spring(frequency * frequency);
  SceneSpec spec;
  spec.model = model.spec();
  spec.initial.push_back({.joint = "slide", .q = {1e-3}});
  spec.run.method = method;
  spec.run.step = step;
  spec.run.duration = duration;
  return spec;
}

std::vector<std::string> warnings_of(const SceneSpec& spec) {
  const Scene scene = compile(spec).value();
  std::vector<std::string> codes;
  for (const Diagnostic& problem : check_outlook(scene, run_outlook(scene))) codes.push_back(problem.code);
  return codes;
}

/// The largest position of a run, in the initial one.
double growth(const SceneSpec& spec) {
  Simulation simulation(compile(spec).value());
  MemoryRecording recording;
  (void)simulation.run({.sink = &recording});
  double largest = 0.0;
  for (const double q : recording.column("q.slide")) largest = std::max(largest, std::abs(q));
  return largest / 1e-3;
}

}  // namespace

TEST_CASE("an explicit method that is unstable at its step is warned of, and those that are not are not") {
  const double w = 1000.0;
  const struct {
    Method method;
    double below, above;  // w h
  } cases[] = {{Method::semi_implicit_euler, 1.9, 2.1}, {Method::rk4, 2.6, 3.0}, {Method::rk4_quaternion, 2.6, 3.0}};
  for (const auto& one : cases) {
    const Method method = one.method;
    const double below = one.below, above = one.above;
    CAPTURE(std::string(facts(method).name));
    SceneSpec spec = oscillator(w, method, below / w, 0.2);
    spec.run.row_every = 1;
    CHECK(warnings_of(spec).empty());
    CHECK(growth(spec) < 10.0);
    spec.run.step = above / w;
    CHECK(warnings_of(spec) == std::vector<std::string>{"run-unstable"});
    CHECK(growth(spec) > 100.0);
  }
  CHECK(warnings_of(oscillator(w, Method::sdirk, 1.0)).empty());
  CHECK(warnings_of(oscillator(w, Method::symplectic_midpoint, 0.01)).empty());
  CHECK(warnings_of(oscillator(w, Method::dormand_prince, 0.01)).empty());  // error control shortens its steps
}

TEST_CASE("explicit Euler makes oscillations grow as its formula says, and is warned of where that shows") {
  SceneSpec spec = oscillator(10.0, Method::explicit_euler, 1e-3, 5.0);
  spec.run.row_every = 1;
  CHECK(oscillation_growth(Method::explicit_euler, 10.0, 1e-3, 5.0) == doctest::Approx(std::pow(1.0001, 2500)));
  // Its largest position is within the last period, of 0.63 s: less than 3.2 % before the end.
  CHECK(growth(spec) > 0.968 * std::pow(1.0001, 2500));
  CHECK(growth(spec) < 1.0001 * std::pow(1.0001, 2500));
  CHECK(warnings_of(spec) == std::vector<std::string>{"run-unstable"});
  spec.run.method = Method::semi_implicit_euler;
  CHECK(growth(spec) < 1.01);
  CHECK(warnings_of(spec).empty());
  CHECK(oscillation_growth(Method::semi_implicit_euler, 10.0, 1e-3, 5.0) == 1.0);
  CHECK(warnings_of(oscillator(10.0, Method::explicit_euler, 1e-4)).empty());
}

TEST_CASE("a stiff scene says what it costs and which integrator fits") {
  const Scene soft = compile(oscillator(10.0, Method::rk4, 0.0)).value();
  RunOutlook outlook = run_outlook(soft);
  CHECK(outlook.rates.frequency == doctest::Approx(10.0).epsilon(0.1));
  CHECK(outlook.fitting == Method::rk4);
  CHECK(outlook.steps == doctest::Approx(1.0 / Simulation(soft).step_length()));
  CHECK(check_outlook(soft, outlook).empty());

  const Scene stiff = compile(oscillator(1e5, Method::rk4, 0.0)).value();
  outlook = run_outlook(stiff);
  CHECK(outlook.rates.frequency == doctest::Approx(1e5).epsilon(0.1));
  CHECK(outlook.fitting == Method::dormand_prince);
  CHECK(outlook.steps == doctest::Approx(1.0 / Simulation(stiff).step_length()));
  CHECK(outlook.fitting_steps == doctest::Approx(1e5 / 3.3).epsilon(0.1));
  const Diagnostics problems = check_outlook(stiff, outlook);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == "run-stiff");
  CHECK(problems[0].what.find("million steps of rk4; dormand-prince needs about 30000") != std::string::npos);
  CHECK(fitting_method_note(stiff, outlook).severity == Severity::note);
}

TEST_CASE("nothing is concluded from the rates of contact forces") {
  ModelBuilder model("ball");
  model.gravity({0.0, 0.0, -9.81});
  model.body("ball", spatial_inertia(1.0, Vec3<>{0.0, 0.0, 0.0}, diagonal(Vec3<>{4e-3, 4e-3, 4e-3})))
      .free("ball")
      .at({0.0, 0.0, 0.1});
  SceneSpec spec;
  spec.model = model.spec();
  spec.contact.surfaces.push_back({.material = "rubber", .surface = {.friction = 0.5, .static_friction = 0.5}});
  spec.contact.shapes.push_back({.body = kWorld, .shape = HalfSpace{}, .material = "rubber"});
  spec.contact.shapes.push_back({.body = "ball", .shape = Sphere{0.1}, .material = "rubber"});
  spec.initial.push_back({.joint = "ball", .v = {1e-6, 0.0, 0.0, 0.0, 0.0, 0.0}});  // slips
  spec.run.step = 1e-2;
  const Scene scene = compile(spec).value();
  const RunOutlook outlook = run_outlook(scene);
  CHECK_FALSE(outlook.smooth);
  CHECK(outlook.fitting == Method::rk4);
  CHECK(check_outlook(scene, outlook).empty());
}
