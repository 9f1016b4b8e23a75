#include "arm_spec.h"

using namespace test;

TEST_CASE("check_spec: a coupling of unknown joints, of joints with more dofs, or with a wrong ratio") {
  ModelSpec spec = arm();
  spec.couplings[0].driver = "shouldr";
  Diagnostic problem = only_problem(spec, "joint-unknown");
  CHECK(problem.what == "the coupling of 'elbow' names the joint 'shouldr', which does not exist");
  CHECK(problem.fix == "did you mean 'shoulder'?");
  check_origin(problem, 40, 7);
  spec = arm();
  spec.couplings[0].joint = "Elbow";
  CHECK(only_problem(spec, "joint-unknown").fix == "did you mean 'elbow'?");
  spec.couplings[0].joint = "rudder";
  CHECK(only_problem(spec, "joint-unknown").fix == "correct the name");

  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    spec = arm();
    spec.joints[0].kind = fact.kind;
    if (fact.nv == 1) {
      CHECK(check_spec(spec).empty());
    } else {
      problem = only_problem(spec, "coupling-dofs");
      CHECK(contains(problem.what, "the coupling of 'elbow' needs joints with one dof; 'shoulder' is "));
      CHECK(contains(problem.what, std::string(fact.name)));
      check_origin(problem, 40, 7);
    }
  }

  spec = arm();
  spec.couplings[0].ratio = 0.0;
  problem = only_problem(spec, "coupling-ratio");
  CHECK(problem.what == "the coupling of 'elbow' has the ratio 0 and the offset 0");
  CHECK(contains(problem.fix, "fixed"));
  check_origin(problem, 40, 7);
}

TEST_CASE("check_spec: a joint coupled twice, couplings in a circle") {
  ModelSpec spec = arm();
  spec.couplings.push_back(coupling("elbow", "shoulder", 3.0, 41));
  Diagnostic problem = only_problem(spec, "coupling-double");
  CHECK(problem.what == "joint 'elbow' is coupled twice");
  check_origin(problem, 41, 7);

  spec = arm();
  spec.couplings = {coupling("elbow", "elbow", 1.0, 40)};
  problem = only_problem(spec, "coupling-cycle");
  CHECK(problem.what == "the couplings form a cycle: 'elbow' -> 'elbow'");
  check_origin(problem, 40, 7);

  spec = arm();
  spec.couplings.push_back(coupling("shoulder", "elbow", 1.0, 41));
  problem = only_problem(spec, "coupling-cycle");
  CHECK(problem.what == "the couplings form a cycle: 'elbow' -> 'shoulder' -> 'elbow'");
  CHECK(!problem.fix.empty());

  // A third joint that follows the circle is no circle of its own.
  spec.bodies.push_back(body("hand"));
  spec.joints.push_back(joint("a_wrist", "forearm", "hand"));
  spec.couplings.push_back(coupling("a_wrist", "elbow"));
  only_problem(spec, "coupling-cycle");
  spec.couplings[1].driver = "a_wrist";
  CHECK(only_problem(spec, "coupling-cycle").what ==
        "the couplings form a cycle: 'a_wrist' -> 'shoulder' -> 'elbow' -> 'a_wrist'");
}
