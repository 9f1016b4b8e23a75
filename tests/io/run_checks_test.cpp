#include "pintle/io/recording/run_checks.h"

#include <doctest/doctest.h>

#include <cmath>

#include "io/sample_run.h"
#include "pintle/io/recording/run_json.h"
#include "pintle/text/json.h"

namespace pintle {
namespace {

const RunCheck& find(const RunChecks& checks, CheckKind kind) {
  for (const RunCheck& check : checks.list)
    if (check.kind == kind) return check;
  FAIL("no such check");
  return checks.list[0];
}

/// A pendulum that begins at the horizontal.
SceneSpec pendulum(Method method, double step) {
  ModelBuilder model("pendulum");
  model.gravity({0.0, 0.0, -10.0});
  model.body("bob", spatial_inertia(1.0, Vec3<>{1.0, 0.0, 0.0}, diagonal(Vec3<>{1e-9, 1e-9, 1e-9})))
      .revolute({0, 1, 0}, "pivot");
  SceneSpec spec;
  spec.model = model.spec();
  spec.run.duration = 2.0;
  spec.run.method = method;
  spec.run.step = step;
  return spec;
}

RunChecks checks_of(const SceneSpec& spec) {
  Simulation simulation(compile(spec).value());
  class : public RecordSink {
    RecordReport begin(std::span<const Column>) override { return {}; }
    RecordReport row(std::span<const double>) override { return {}; }
    RecordReport event(const EventRecord&) override { return {}; }
  } sink;
  REQUIRE(simulation.run({.sink = &sink}).ok());
  return run_checks(simulation);
}

}  // namespace

TEST_CASE("time stepping takes over also where joints chatter between their limits and nothing can touch") {
  SceneSpec spec = pendulum(Method::rk4, 1e-3);
  spec.model.gravity = {0.0, 0.0, 0.0};
  spec.model.joints[0].limits = {{-5e-10, 5e-10}};
  spec.joint_limits.push_back({.joint = "pivot", .restitution = 1.0});
  InitialSpec initial;
  initial.joint = "pivot";
  initial.v = {1.0};
  spec.initial.push_back(initial);
  spec.run.duration = 0.01;
  Simulation simulation(compile(spec).value());
  REQUIRE(simulation.run().ok());
  CHECK(simulation.contact_record().time_stepped > 5e-4);
  CHECK(std::abs(simulation.state().v[0]) == doctest::Approx(1.0).epsilon(1e-9));
  CHECK(run_checks(simulation).verdict() == CheckVerdict::ok);
}

TEST_CASE("limits: up to the first ok, up to the second a warning, above it and without a value a failure") {
  for (const CheckFacts& limits : kCheckFacts) {
    CHECK(&facts(limits.kind) == &limits);
    CHECK(limits.warning < limits.failed);
    CHECK(verdict_of(limits.kind, 0.0) == CheckVerdict::ok);
    CHECK(verdict_of(limits.kind, limits.warning) == CheckVerdict::ok);
    CHECK(verdict_of(limits.kind, std::nextafter(limits.warning, 1.0)) == CheckVerdict::warning);
    CHECK(verdict_of(limits.kind, limits.failed) == CheckVerdict::warning);
    CHECK(verdict_of(limits.kind, std::nextafter(limits.failed, 1.0)) == CheckVerdict::failed);
    CHECK(verdict_of(limits.kind, __builtin_nan("")) == CheckVerdict::failed);
  }
}

TEST_CASE("checks of an accurate run are ok, and say what they looked at") {
  const RunChecks checks = checks_of(pendulum(Method::rk4, 1e-3));
  CHECK(checks.verdict() == CheckVerdict::ok);
  REQUIRE(checks.list.size() == 3);  // nothing can touch
  CHECK(checks.list[0].kind == CheckKind::energy);
  CHECK(checks.list[1].kind == CheckKind::momentum);
  CHECK(checks.list[2].kind == CheckKind::certificate);
  for (const RunCheck& check : checks.list) CHECK(check.value < 1e-9);
  CHECK(checks.reasons(CheckVerdict::failed).empty());
}

TEST_CASE("a coarse step of a method of order 1 loses energy: the check fails and says how much") {
  const RunChecks checks = checks_of(pendulum(Method::semi_implicit_euler, 0.05));
  CHECK(checks.verdict() == CheckVerdict::failed);
  const RunCheck& energy = find(checks, CheckKind::energy);
  CHECK(energy.verdict == CheckVerdict::failed);
  CHECK(energy.value > 0.01);
  CHECK(energy.text.find(" % of the energy is unaccounted for (limit 1 %): ") != std::string::npos);
  CHECK(checks.reasons(CheckVerdict::failed).find(energy.text) != std::string::npos);
}

TEST_CASE("the worst row counts, not the last: a residual that comes and goes") {
  Simulation simulation(compile(pendulum(Method::symplectic_midpoint, 0.1)).value());
  MemoryRecording recording;
  REQUIRE(simulation.run({.sink = &recording}).ok());
  double worst = 0.0;
  for (const double rest : recording.column("energy.residual")) worst = std::max(worst, std::abs(rest));
  const double size = simulation.energy_balance().energy().size;
  CHECK(std::abs(simulation.energy_balance().energy().rest) < 0.9 * worst);
  CHECK(simulation.worst_balance().energy.rest == worst);
  CHECK(find(run_checks(simulation), CheckKind::energy).value == doctest::Approx(worst / size).epsilon(1e-12));
}

TEST_CASE("what was not checked is a warning") {
  SceneSpec spec = pendulum(Method::rk4, 1e-3);
  spec.run.energy_balance = spec.run.certificate = false;
  const RunChecks checks = checks_of(spec);
  CHECK(checks.verdict() == CheckVerdict::warning);
  for (const RunCheck& check : checks.list) {
    CHECK(check.verdict == CheckVerdict::warning);
    CHECK(std::isnan(check.value));
    CHECK(check.text.find("not checked") != std::string::npos);
  }
}

TEST_CASE("run.json has every check with its value and limits") {
  Simulation simulation(compile(pendulum(Method::semi_implicit_euler, 0.05)).value());
  const RunReport report = simulation.run();
  const Json json = Json::parse(run_json(simulation, report)).value();
  CHECK(json["checks"]["verdict"] == "failed");
  const RunChecks checks = run_checks(simulation);
  REQUIRE(json["checks"]["list"].size() == checks.list.size());
  const Json& energy = json["checks"]["list"][0];
  CHECK(energy["name"] == "energy");
  CHECK(energy["verdict"] == "failed");
  CHECK(energy["value"].as_number() == checks.list[0].value);
  CHECK(energy["warning_limit"].as_number() == 1e-4);
  CHECK(energy["limit"].as_number() == 1e-2);
  CHECK(energy["text"] == checks.list[0].text);
}

}  // namespace pintle
