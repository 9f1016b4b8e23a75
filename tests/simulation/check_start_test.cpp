#include "pintle/simulation/run/check_start.h"

#include <doctest/doctest.h>

#include "pintle/simulation/run/simulation.h"
#include "support/scenes.h"

using namespace test;

namespace {

/// One bar on a hinge, everything with an origin.
SceneSpec bar() {
  SceneSpec scene;
  add_bar(scene.model, 0.0, 0.5);
  scene.model.joints[0].origin = Origin("scene.toml", 1);
  scene.model.bodies[0].origin = Origin("scene.toml", 2);
  scene.run.origin = Origin("scene.toml", 3);
  return scene;
}

SceneSpec with_motor(const char* formula) {
  SceneSpec scene = bar();
  MotorSpec motor;
  motor.name = "drive";
  motor.joint = "joint0";
  motor.effort = *command_expression(formula);
  motor.origin = Origin("scene.toml", 10);
  scene.motors.push_back(motor);
  return scene;
}

Diagnostic only_problem(const SceneSpec& spec) {
  const Result<Scene> scene = compile(spec);
  for (const Diagnostic& problem : scene.diagnostics()) FAIL_CHECK(format(problem));
  REQUIRE(scene.ok());
  const Diagnostics problems = check_start(*scene);
  REQUIRE(problems.size() == 1);
  CHECK(!problems[0].why.empty());
  CHECK(!problems[0].fix.empty());
  return problems[0];
}

TEST_CASE("a scene that can begin has no problem") {
  CHECK(check_start(*compile(bar())).empty());
  CHECK(check_start(*compile(with_motor("1 + t"))).empty());
  CHECK(check_start(*compile(SceneSpec())).empty());
}

TEST_CASE("what acts without a value at the start is named, where it stands") {
  for (const char* const formula : {"log(q - 1)", "1/q"}) {
    const Diagnostic problem = only_problem(with_motor(formula));
    CHECK(problem.code.starts_with("start-"));
    CHECK(problem.origin.line == 10);
    CHECK(problem.what.find("'drive'") != std::string::npos);
  }
}

TEST_CASE("the first row is held against the limit of certificates") {
  SceneSpec scene = bar();
  scene.initial.push_back({"joint0", {0.3}, {2.0}, {}});
  scene.run.certificate_limit = 1e-300;
  const Diagnostic problem = only_problem(scene);
  CHECK(problem.code == "start-over-certificate");
  CHECK(problem.origin.line == 3);
}

TEST_CASE("a report names the element behind a failure until the next start") {
  const Scene scene = *compile(with_motor("log(1 - t) + 0*q"));
  Simulation simulation(scene);
  RunReport report = simulation.run({.until = 2.0});
  CHECK(!report.ok());
  CHECK(report.element == "drive");
  simulation.reset();
  report = simulation.run({.until = 0.1});
  CHECK(report.ok());
  CHECK(report.element.empty());
}

}  // namespace
