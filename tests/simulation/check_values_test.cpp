#include "pintle/simulation/elements/check_values.h"

#include <doctest/doctest.h>

#include "pintle/model/edit/model_builder.h"
#include "pintle/simulation/scene/scene.h"

using namespace pintle;

namespace {

Drive table(double end, OutsideTable outside = OutsideTable::refuse) {
  return table_drive({.rows = {{0.0, 0.0}, {0.5 * end, 1.0}, {end, 0.0}}, .outside = outside}).value();
}

SceneSpec bar() {
  ModelBuilder model("bar");
  model.body("bar", spatial_inertia(1.0, Vec3<>{0.1, 0.0, 0.0}, diagonal(Vec3<>{0.1, 0.1, 0.1})))
      .revolute({0, 1, 0}, "hinge");
  SceneSpec spec;
  spec.model = model.spec();
  spec.run.duration = 2.0;
  return spec;
}

std::vector<std::string> codes_of(const Result<Scene>& scene, Severity severity) {
  std::vector<std::string> codes;
  for (const Diagnostic& problem : scene.diagnostics())
    if (problem.severity == severity) codes.push_back(problem.code);
  return codes;
}

}  // namespace

TEST_CASE("a function of time has a value throughout a run, or says where it has none") {
  CHECK(check_values(table(2.0), 0.0, 2.0).empty());
  CHECK(check_values(table(1.0, OutsideTable::hold), 0.0, 2.0).empty());
  CHECK(check_values(constant_drive(3.0), 0.0, 2.0).empty());
  CHECK(check_values(Command(expression_drive("sqrt(2 - t)").value()), 0.0, 2.0).empty());
  Diagnostics problems = check_values(table(1.5), 0.0, 2.0);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == "drive-outside-table");
  CHECK(problems[0].what == "the table goes from t = 0 s to 1.5 s, the run from 0 s to 2 s");
  problems = check_values(expression_drive("sqrt(1 - t)").value(), 0.0, 2.0);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == "drive-not-finite");
  CHECK(check_values(command_expression("log(1 - t)").value(), 0.0, 2.0).size() == 1);
  CHECK(check_values(command_expression("log(1 - t) + q").value(), 0.0, 2.0).empty());  // only the run can tell
}

TEST_CASE("a scene whose controller, motor or force has no value later in the run does not compile") {
  SceneSpec spec = bar();
  spec.controllers.push_back({.name = "hold", .joint = "hinge", .target = table(1.5), .kp = 1.0});
  CHECK(codes_of(compile(spec), Severity::error) == std::vector<std::string>{"drive-outside-table"});
  spec.run.duration = 1.5;
  CHECK(compile(spec).ok());
  // A terminal event may end it before.
  spec.run.duration = 2.0;
  spec.events.push_back({.name = "end", .expression = "q.hinge - 1", .terminal = true});
  const Result<Scene> ends = compile(spec);
  CHECK(ends.ok());
  CHECK(codes_of(ends, Severity::warning) == std::vector<std::string>{"drive-outside-table"});

  spec = bar();
  MotorSpec motor;
  motor.name = "drive";
  motor.joint = "hinge";
  motor.effort = command_expression("log(1 - t)").value();
  motor.origin = Origin("scene.toml", 7, 3);
  spec.motors.push_back(motor);
  const Result<Scene> refused = compile(spec);
  REQUIRE(codes_of(refused, Severity::error) == std::vector<std::string>{"drive-not-finite"});
  CHECK(refused.diagnostics()[0].origin.line == 7);
  CHECK(refused.diagnostics()[0].what.starts_with("motor 'drive': "));

  spec = bar();
  BodyForceSpec force;
  force.name = "wind";
  force.at.on = "bar";
  force.torque[1] = table(1.0);
  spec.body_forces.push_back(force);
  CHECK(codes_of(compile(spec), Severity::error) == std::vector<std::string>{"drive-outside-table"});
}

TEST_CASE("an initial value that a motion prescribes otherwise is warned of") {
  ModelBuilder model("sleeve");
  model.body("sleeve", spatial_inertia(1.0, Vec3<>{0.0, 0.0, 0.0}, diagonal(Vec3<>{0.1, 0.1, 0.1})))
      .cylindrical({0, 0, 1}, "slide");
  SceneSpec spec;
  spec.model = model.spec();
  PrescribedMotionSpec motion;
  motion.name = "turn";
  motion.joint = "slide";
  motion.dof = 1;  // travel, angle
  motion.drive = expression_drive("0.5 + t").value();
  spec.prescribed.push_back(motion);
  spec.initial.push_back({.joint = "slide", .q = {0.1, 0.5}, .v = {0.0, 1.0}});
  CHECK(compile(spec).diagnostics().empty());
  spec.initial[0].q[1] = 0.4;
  Result<Scene> scene = compile(spec);
  REQUIRE(codes_of(scene, Severity::warning) == std::vector<std::string>{"initial-drive"});
  CHECK(scene->initial_q()[1] == 0.5);
  CHECK(scene.diagnostics()[0].what.find("is 0.4, but motion 'turn' starts at 0.5") != std::string::npos);
  spec.initial[0].v[1] = 0.0;
  CHECK(codes_of(compile(spec), Severity::warning) == std::vector<std::string>{"initial-drive", "initial-drive"});
}
