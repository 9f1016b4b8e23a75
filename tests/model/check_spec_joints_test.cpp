#include <utility>

#include "arm_spec.h"

using namespace test;

TEST_CASE("check_spec: a matrix that is not a rotation") {
  ModelSpec spec = arm();
  spec.joints[1].X_PJ.rotation = Mat3<>{1, 0, 0, 0, 1, 0, 0, 0, -1};
  Diagnostic problem = only_problem(spec, "pose-not-a-rotation");
  CHECK(problem.what == "joint 'elbow': its pose in the parent has a matrix that is not a rotation (off by 2)");
  check_origin(problem, 21, 5);
  spec = arm();
  spec.joints[1].X_CJ.rotation.xy = 0.5;
  CHECK(contains(only_problem(spec, "pose-not-a-rotation").what, "joint 'elbow': its pose in the child"));
  spec = arm();
  spec.frames[0].X_BF.rotation = Mat3<>{1e200, 1e200, 0, -1e200, 1e200, 0, 0, 0, 1};
  problem = only_problem(spec, "pose-not-a-rotation");
  CHECK(contains(problem.what, "frame 'tool': its pose"));
  check_origin(problem, 30, 6);
  // Eight digits are enough.
  spec = arm();
  spec.joints[1].X_PJ.rotation = Mat3<>{0.70710678, -0.70710678, 0, 0.70710678, 0.70710678, 0, 0, 0, 1};
  CHECK(check_spec(spec).empty());
}

TEST_CASE("check_spec: axes need a direction, two axes must differ, and their length does not matter") {
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::screw, JointKind::cylindrical,
                               JointKind::universal, JointKind::planar}) {
    ModelSpec spec = uncoupled_arm();
    spec.joints[1].kind = kind;
    spec.joints[1].axis = {0, 0, 0};
    const Diagnostic problem = only_problem(spec, "axis-zero");
    CHECK(problem.what == "joint 'elbow': its axis is zero");
    check_origin(problem, 21, 5);
    for (const double length : {5e-324, 1e-200, 1e200}) {
      spec.joints[1].axis = {0, length, 0};
      CHECK(check_spec(spec).empty());
    }
  }
  for (const JointKind kind : {JointKind::universal, JointKind::planar}) {
    ModelSpec spec = uncoupled_arm();
    spec.joints[1].kind = kind;
    spec.joints[1].second_axis = {0, 0, 0};
    CHECK(only_problem(spec, "axis-zero").what == "joint 'elbow': its second axis is zero");
    for (const double length : {-1e200, -1.0, 1e-200, 3.0}) {
      spec.joints[1].second_axis = {0, 0, length};
      const Diagnostic problem = only_problem(spec, "axes-parallel");
      CHECK(problem.what == "joint 'elbow': its two axes are parallel");
      check_origin(problem, 21, 5);
    }
    spec.joints[1].second_axis = {1e-5, 0, 1};
    CHECK(check_spec(spec).empty());
    spec.joints[1].axis = spec.joints[1].second_axis = {0, 0, 0};
    CHECK(count(check_spec(spec), "axis-zero") == 2);
  }
  // Kinds without an axis do not ask for one.
  for (const JointKind kind : {JointKind::fixed, JointKind::spherical, JointKind::translational, JointKind::free}) {
    ModelSpec spec = uncoupled_arm();
    spec.joints[1].kind = kind;
    spec.joints[1].axis = spec.joints[1].second_axis = {0, 0, 0};
    CHECK(check_spec(spec).empty());
  }
}

TEST_CASE("check_spec: passive properties and limits come once for all or once for each dof") {
  ModelSpec spec = uncoupled_arm();
  JointSpec& elbow = spec.joints[1];
  elbow.kind = JointKind::planar;
  for (const std::size_t n : {0u, 1u, 3u}) {
    elbow.passive.resize(n);
    elbow.limits.resize(n);
    CHECK(check_spec(spec).empty());
  }
  elbow.passive.resize(2);
  Diagnostic problem = only_problem(spec, "dof-count");
  CHECK(problem.what == "joint 'elbow' has 3 dofs and 2 entries of passive properties");
  check_origin(problem, 21, 5);
  elbow.passive.clear();
  elbow.limits.resize(4);
  CHECK(only_problem(spec, "dof-count").what == "joint 'elbow' has 3 dofs and 4 entries of limits");
}

TEST_CASE("check_spec: passive properties are finite and not negative") {
  const std::pair<const char*, double JointPassive::*> fields[] = {{"armature", &JointPassive::armature},
                                                                   {"damping", &JointPassive::damping},
                                                                   {"friction", &JointPassive::friction},
                                                                   {"stiffness", &JointPassive::stiffness}};
  for (const auto& [name, field] : fields) {
    for (const auto& [value, value_text] : {std::pair{-0.5, "-0.5"}, std::pair{kInf, "inf"}, std::pair{kNan, "nan"}}) {
      ModelSpec spec = arm();
      spec.joints[1].passive.resize(1);
      spec.joints[1].passive[0].*field = value;
      const Diagnostic problem = only_problem(spec, "passive-negative");
      CHECK(problem.what == std::string("joint 'elbow': its ") + name + " is " + value_text);
      check_origin(problem, 21, 5);
    }
  }
  ModelSpec spec = arm();
  spec.joints[1].passive.resize(1);
  spec.joints[1].passive[0].rest = -2.0;
  CHECK(check_spec(spec).empty());
  spec.joints[1].passive[0].rest = kInf;
  CHECK(only_problem(spec, "rest-not-finite").what == "joint 'elbow': its rest position is not finite");
}

TEST_CASE("check_spec: limits the wrong way round, infinite on the wrong side, or negative") {
  ModelSpec spec = arm();
  spec.joints[1].limits.resize(1);
  JointLimits& limits = spec.joints[1].limits[0];
  limits.lower = 1.5;
  CHECK(check_spec(spec).empty());
  limits.upper = 1.5;
  CHECK(check_spec(spec).empty());
  limits.upper = 1.0;
  Diagnostic problem = only_problem(spec, "limits-reversed");
  CHECK(problem.what == "joint 'elbow': its lower limit is 1.5, its upper one 1");
  CHECK(problem.fix == "swap them");
  check_origin(problem, 21, 5);

  for (const auto& [lower, upper] : {std::pair{kInf, kInf}, std::pair{-kInf, -kInf}, std::pair{kInf, -kInf}}) {
    limits = JointLimits{};
    limits.lower = lower;
    limits.upper = upper;
    only_problem(spec, "limits-not-numbers");
  }

  limits = JointLimits{};
  limits.speed = -2.0;
  CHECK(only_problem(spec, "limits-negative").what == "joint 'elbow': its speed limit is -2");
  limits = JointLimits{};
  limits.effort = -3.0;
  CHECK(only_problem(spec, "limits-negative").what == "joint 'elbow': its effort limit is -3");
  limits.effort = 0.0;
  CHECK(check_spec(spec).empty());
}

TEST_CASE("check_spec: a ball or free joint has no limits of position, and may have those of speed and effort") {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    if (fact.nv == 0) continue;
    ModelSpec spec = uncoupled_arm();
    spec.joints[1].kind = fact.kind;
    spec.joints[1].limits.resize(1);
    spec.joints[1].limits[0].speed = 2.0;
    spec.joints[1].limits[0].effort = 3.0;
    CHECK(check_spec(spec).empty());
    for (double JointLimits::*side : {&JointLimits::lower, &JointLimits::upper}) {
      for (int k = -1; k < fact.nv; ++k) {  // for all, then for each alone
        spec.joints[1].limits.assign(k < 0 ? 1 : static_cast<std::size_t>(fact.nv), JointLimits{});
        spec.joints[1].limits[k < 0 ? 0 : static_cast<std::size_t>(k)].*side = 0.5;
        if (fact.nq == fact.nv) {
          CHECK(check_spec(spec).empty());
        } else {
          const Diagnostic problem = only_problem(spec, "limits-not-positions");
          CHECK(contains(problem.what, "joint 'elbow' is " + std::string(fact.name) + " and has position limits, "));
          CHECK(contains(problem.what, "0.5"));
          CHECK(contains(problem.fix, "a translational and a spherical one"));
          check_origin(problem, 21, 5);
        }
      }
    }
  }
}

TEST_CASE("check_spec: a fixed joint has nothing that acts on dofs") {
  ModelSpec spec = uncoupled_arm();
  JointSpec& elbow = spec.joints[1];
  elbow.kind = JointKind::fixed;
  elbow.passive.resize(1);
  elbow.limits.resize(1);
  CHECK(check_spec(spec).empty());
  elbow.passive[0].damping = 1.0;
  Diagnostic problem = only_problem(spec, "fixed-joint-acts");
  CHECK(problem.what == "joint 'elbow' is fixed and has passive properties");
  CHECK(problem.fix == "remove them, or choose a kind of joint that moves");
  check_origin(problem, 21, 5);
  elbow.passive.clear();
  elbow.limits[0].effort = 5.0;
  CHECK(only_problem(spec, "fixed-joint-acts").what == "joint 'elbow' is fixed and has limits");
  elbow.limits.clear();
  elbow.prescribed = true;
  CHECK(only_problem(spec, "fixed-joint-acts").what == "joint 'elbow' is fixed and has a prescribed motion");
  elbow.passive.resize(2);
  elbow.passive[1].armature = 1.0;
  CHECK(only_problem(spec, "fixed-joint-acts").what ==
        "joint 'elbow' is fixed and has passive properties and a prescribed motion");
}
