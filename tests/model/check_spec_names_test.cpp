#include "arm_spec.h"

using namespace test;

TEST_CASE("check_spec: a name that is missing, double or reserved") {
  ModelSpec nameless = arm();
  nameless.frames[0].name = "";
  Diagnostic problem = only_problem(nameless, "name-missing");
  CHECK(problem.what == "frame number 1 has no name");
  CHECK(problem.fix == "give it a name");
  check_origin(problem, 30, 6);
  nameless = uncoupled_arm();
  nameless.joints[1].name = "";
  CHECK(only_problem(nameless, "name-missing").what == "joint number 2 has no name");
  nameless = arm();
  nameless.bodies.push_back(body("", 12));
  CHECK(count(check_spec(nameless), "name-missing") == 1);

  ModelSpec twice = arm();
  twice.bodies.push_back(body("forearm", 12));
  problem = only_problem(twice, "name-double");
  CHECK(problem.what == "two body elements are called 'forearm'");
  check_origin(problem, 12, 3);
  twice = arm();
  twice.frames.push_back(twice.frames[0]);
  CHECK(only_problem(twice, "name-double").what == "two frame elements are called 'tool'");
  twice = arm();
  twice.bodies.push_back(body("hand", 12));
  twice.joints.push_back(joint("elbow", "forearm", "hand", JointKind::fixed, 22));
  problem = only_problem(twice, "name-double");
  CHECK(problem.what == "two joint elements are called 'elbow'");
  check_origin(problem, 22, 5);

  ModelSpec same_name_of_another_kind = arm();
  same_name_of_another_kind.frames[0].name = "elbow";
  CHECK(check_spec(same_name_of_another_kind).empty());

  ModelSpec reserved = arm();
  reserved.bodies.push_back(body("world", 12));
  reserved.joints.push_back(joint("anchor", "forearm", "world"));
  problem = only_problem(reserved, "name-reserved");
  CHECK(problem.what == "a body is called 'world'");
  check_origin(problem, 12, 3);
  reserved = arm();
  reserved.frames[0].name = "world";
  problem = only_problem(reserved, "name-reserved");
  CHECK(problem.what == "a frame is called 'world'");
  check_origin(problem, 30, 6);
}

TEST_CASE("check_spec: an unknown body is named with its user and the nearest name there is") {
  ModelSpec spec = arm();
  spec.joints[1].parent = "uper_arm";
  Diagnostic problem = only_problem(spec, "body-unknown");
  CHECK(problem.what == "joint 'elbow' (its parent) names the body 'uper_arm', which does not exist");
  CHECK(problem.fix == "did you mean 'upper_arm'?");
  check_origin(problem, 21, 5);

  spec = arm();
  spec.joints[0].parent = "wolrd";
  CHECK(only_problem(spec, "body-unknown").fix == "did you mean 'world'?");

  spec = arm();
  spec.frames[0].body = "fore_arm";
  problem = only_problem(spec, "body-unknown");
  CHECK(problem.what == "frame 'tool' names the body 'fore_arm', which does not exist");
  CHECK(problem.fix == "did you mean 'forearm'?");
  check_origin(problem, 30, 6);

  spec = arm();
  spec.frames[0].body = "propeller";
  CHECK(only_problem(spec, "body-unknown").fix == "correct the name");

  spec = arm();
  spec.joints.push_back(joint("wrist", "forearm", "hand", JointKind::revolute, 22));
  problem = only_problem(spec, "body-unknown");
  CHECK(problem.what == "joint 'wrist' (its child) names the body 'hand', which does not exist");
  check_origin(problem, 22, 5);

  spec = arm();
  spec.frames[0].body = "world";
  CHECK(check_spec(spec).empty());
}

TEST_CASE("check_spec: the world is nobody's child") {
  ModelSpec spec = arm();
  spec.joints.push_back(joint("anchor", "forearm", "world", JointKind::fixed, 22));
  const Diagnostic problem = only_problem(spec, "child-world");
  CHECK(problem.what == "joint 'anchor' has 'world' as its child");
  CHECK(problem.fix == "swap parent and child");
  check_origin(problem, 22, 5);
}
