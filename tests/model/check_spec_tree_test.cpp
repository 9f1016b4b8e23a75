#include "arm_spec.h"

using namespace test;

TEST_CASE("check_spec: a body with no joint is offered one; a body with two must lose one") {
  ModelSpec spec = arm();
  spec.bodies.push_back(body("hand", 12));
  Diagnostic problem = only_problem(spec, "body-without-joint");
  CHECK(problem.what == "body 'hand' is not the child of any joint");
  CHECK(problem.fix == "add a joint of kind 'free' or 'fixed' from 'world' to 'hand'");
  check_origin(problem, 12, 3);
  for (const JointKind kind : {JointKind::free, JointKind::fixed}) {
    ModelSpec repaired = spec;
    repaired.joints.push_back(joint("added", "world", "hand", kind));
    CHECK(check_spec(repaired).empty());
  }

  spec = arm();
  spec.joints.push_back(joint("second_elbow", "world", "forearm", JointKind::revolute, 22));
  problem = only_problem(spec, "body-two-joints");
  CHECK(problem.what == "body 'forearm' is the child of two joints, 'elbow' and 'second_elbow'");
  CHECK(problem.fix == "remove one; closed loops are not supported");
  check_origin(problem, 22, 5);
}

TEST_CASE("check_spec: cycles of bodies are named in order, each once") {
  for (const int length : {1, 2, 3}) {
    CAPTURE(length);
    ModelSpec spec = arm();
    const char* const names[] = {"a", "b", "c"};
    for (int i = 0; i < length; ++i) {
      spec.bodies.push_back(body(names[i], 50 + i));
      spec.joints.push_back(joint("to_" + std::string(names[i]), names[(i + length - 1) % length], names[i]));
    }
    const Diagnostic problem = only_problem(spec, "cycle");
    const char* const expected[] = {"'a' -> 'a'", "'a' -> 'b' -> 'a'", "'a' -> 'b' -> 'c' -> 'a'"};
    CHECK(problem.what == std::string("the joints form a cycle: ") + expected[length - 1]);
    CHECK(contains(problem.fix, "'world'"));
    check_origin(problem, 50, 3);
  }
}

TEST_CASE("check_spec: a branch that hangs on a cycle adds no second report, two cycles are two reports") {
  ModelSpec spec = arm();
  // The branch comes first, so that the walk runs into the cycle from outside.
  spec.bodies.insert(spec.bodies.begin(), {body("leaf"), body("twig")});
  for (const char* name : {"a", "b"}) spec.bodies.push_back(body(name));
  spec.joints.push_back(joint("to_leaf", "twig", "leaf"));
  spec.joints.push_back(joint("to_twig", "a", "twig"));
  spec.joints.push_back(joint("to_a", "b", "a"));
  spec.joints.push_back(joint("to_b", "a", "b"));
  CHECK(only_problem(spec, "cycle").what == "the joints form a cycle: 'a' -> 'b' -> 'a'");
  spec.bodies.push_back(body("c"));
  spec.joints.push_back(joint("to_c", "c", "c"));
  CHECK(count(check_spec(spec), "cycle") == 2);
}

TEST_CASE("check_spec: a circle of names that are no bodies is a matter of the names alone") {
  ModelSpec spec = arm();
  spec.joints[0].parent = "ghost";
  spec.joints.push_back(joint("spook", "ghost", "ghost"));
  const Diagnostics problems = check_spec(spec);
  CHECK(problems.size() == 3);
  CHECK(count(problems, "body-unknown") == 3);
  ModelSpec nameless;
  nameless.bodies = {body("")};
  nameless.joints = {joint("j", "", "")};
  CHECK(count(check_spec(nameless), "name-missing") == 1);
}
