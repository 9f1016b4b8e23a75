#include "arm_spec.h"

using namespace test;

TEST_CASE("check_spec: a good spec has no problem, and neither has an empty one") {
  CHECK(check_spec(arm()).empty());
  CHECK(check_spec(uncoupled_arm()).empty());
  CHECK(check_spec(ModelSpec{}).empty());
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    ModelSpec spec = uncoupled_arm();
    spec.joints[1].kind = fact.kind;
    CHECK(check_spec(spec).empty());
  }
}

TEST_CASE("check_spec: several mistakes are all reported, and compile passes them on") {
  ModelSpec spec = arm();
  spec.gravity.z = kNan;
  spec.bodies[0].inertia.mass = -1.0;
  spec.bodies.push_back(body("hand", 12));
  spec.joints[0].axis = {0, 0, 0};
  spec.joints[1].parent = "uper_arm";
  spec.joints[1].limits.resize(1);
  spec.joints[1].limits[0].speed = -1.0;
  spec.frames[0].body = "forarm";
  spec.couplings[0].driver = "sholder";
  const Diagnostics problems = check_spec(spec);
  INFO(text_of(problems));
  CHECK(problems.size() == 8);
  for (const char* code :
       {"gravity-not-finite", "inertia-mass", "body-without-joint", "axis-zero", "limits-negative", "joint-unknown"}) {
    CHECK(count(problems, code) == 1);
  }
  CHECK(count(problems, "body-unknown") == 2);
  const Result<Model> model = compile(spec);
  CHECK(!model.ok());
  CHECK(text_of(model.diagnostics()) == text_of(problems));
}

TEST_CASE("compile: joints are judged although bodies are wrong, and not for those bodies") {
  ModelSpec spec = uncoupled_arm();
  spec.bodies[0].inertia.mass = -1.0;
  spec.bodies.push_back(body("pointer", 12));
  spec.bodies[2].inertia = zero_inertia<double>();
  spec.joints.push_back(joint("pin", "world", "pointer", JointKind::revolute, 22));
  const Diagnostics problems = compile(spec).diagnostics();
  INFO(text_of(problems));
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].code == "inertia-mass");
  CHECK(problems[1].code == "joint-without-inertia");
  check_origin(problems[1], 22, 5);
  // Nothing else on these joints: the bodies alone are to blame, whatever is wrong with them.
  for (const SpatialInertia<>& wrong :
       {about_center(-1.0, {1, 1, 1}), about_center(kNan, {1, 1, 1}), about_center(1.0, {-1, -1, -1}),
        about_center(1.0, {1, 1, 5}), about_center(0.0, {0, 0, -1})}) {
    for (const JointFacts& fact : kJointFacts) {
      spec = uncoupled_arm();
      spec.joints[1].kind = fact.kind;
      spec.bodies[1].inertia = wrong;
      const Diagnostics of_body = compile(spec).diagnostics();
      INFO(text_of(of_body));
      CHECK(text_of(of_body) == text_of(check_spec(spec)));
      CHECK_FALSE(of_body.empty());
    }
  }
  // Limits and couplings as well.
  spec = arm();
  spec.bodies[0].inertia.mass = -1.0;
  for (JointSpec& each : spec.joints) {
    each.limits.resize(1);
    each.limits[0].lower = 1.0;
  }
  const Diagnostics all = compile(spec).diagnostics();
  CHECK(all.size() == 2);
  CHECK(count(all, "limits-leave-nothing") == 1);
}

TEST_CASE("check_spec: the text a person sees") {
  ModelSpec spec = arm();
  spec.joints[1].parent = "uper_arm";
  CHECK(format(check_spec(spec)[0]) ==
        "arm.model:21:5: error[body-unknown]: joint 'elbow' (its parent) names the body 'uper_arm', which does not "
        "exist\n"
        "  fix: did you mean 'upper_arm'?");
}

TEST_CASE("pitch_from_lead: a turn is 2 pi radians") {
  CHECK(pitch_from_lead(2.0 * kPi<double>) == 1.0);
  CHECK(pitch_from_lead(0.0) == 0.0);
}
