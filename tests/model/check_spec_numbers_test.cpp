#include <functional>

#include "arm_spec.h"

using namespace test;

TEST_CASE("check_spec: inertias no body can have are reported for the body; a thin rod and a point mass pass") {
  ModelSpec spec = arm();
  spec.bodies[1].inertia = about_center(2.0, {0, 1, 1});
  CHECK(check_spec(spec).empty());
  spec.bodies[1].inertia = about_center(2.0, {0, 0, 0});
  CHECK(check_spec(spec).empty());

  spec.bodies[1].inertia = about_center(1.0, {1, 1, 2.5});
  Diagnostic problem = only_problem(spec, "inertia-triangle");
  CHECK(contains(problem.what, "body 'forearm': "));
  CHECK(!problem.fix.empty());
  check_origin(problem, 11, 3);
  spec.bodies[1].inertia = about_center(-1.0, {1, 1, 1});
  CHECK(only_problem(spec, "inertia-mass").what == "body 'forearm': the mass is -1 kg");
  spec.bodies[1].inertia = about_center(1.0, {-1, 1, 1});
  only_problem(spec, "inertia-negative");
  spec.bodies[1].inertia = {0.0, {1, 0, 0}, {1, 0, 0, 1, 0, 1}};
  only_problem(spec, "inertia-first-moment");
}

TEST_CASE("check_spec: of what is welded together only all of it must be a body's") {
  ModelSpec spec = uncoupled_arm();
  spec.joints[1].kind = JointKind::fixed;
  spec.bodies[1].inertia = about_center(0.1, {1e-3, 1e-3, 3e-3});
  const Diagnostics problems = check_spec(spec);
  INFO(text_of(problems));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == "inertia-alone");
  CHECK(problems[0].severity == Severity::warning);
  CHECK(contains(problems[0].what, "body 'forearm': "));
  check_origin(problems[0], 11, 3);
  const Result<Model> model = compile(spec);
  REQUIRE(model.ok());
  REQUIRE(model.diagnostics().size() == 1);
  CHECK(model.diagnostics()[0].code == "inertia-alone");

  CHECK(check_spec(spec, true)[0].code == "inertia-triangle");  // what the rest weighs is not known

  spec.bodies[1].inertia = about_center(0.1, {1, 1, 5});
  only_problem(spec, "inertia-triangle");  // 2, 2 and 6 together
  spec.bodies[1].inertia = about_center(0.1, {1e-3, 1e-3, 3e-3});
  spec.joints[1].kind = JointKind::prismatic;
  only_problem(spec, "inertia-triangle");  // it moves by itself
}

TEST_CASE("check_spec: no number that is not one gets through") {
  struct Field {
    const char* name;
    std::function<double&(ModelSpec&)> number;
    const char* code;
    bool infinity_is_wrong_too = true;
  };
  const Field fields[] = {
      {"gravity.x", [](ModelSpec& s) -> double& { return s.gravity.x; }, "gravity-not-finite"},
      {"gravity.y", [](ModelSpec& s) -> double& { return s.gravity.y; }, "gravity-not-finite"},
      {"gravity.z", [](ModelSpec& s) -> double& { return s.gravity.z; }, "gravity-not-finite"},
      {"mass", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.mass; }, "inertia-not-finite"},
      {"h.x", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.first_moment.x; }, "inertia-not-finite"},
      {"h.y", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.first_moment.y; }, "inertia-not-finite"},
      {"h.z", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.first_moment.z; }, "inertia-not-finite"},
      {"Ixx", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.inertia.xx; }, "inertia-not-finite"},
      {"Ixy", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.inertia.xy; }, "inertia-not-finite"},
      {"Ixz", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.inertia.xz; }, "inertia-not-finite"},
      {"Iyy", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.inertia.yy; }, "inertia-not-finite"},
      {"Iyz", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.inertia.yz; }, "inertia-not-finite"},
      {"Izz", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.inertia.zz; }, "inertia-not-finite"},
      {"axis.x", [](ModelSpec& s) -> double& { return s.joints[1].axis.x; }, "axis-not-finite"},
      {"axis.y", [](ModelSpec& s) -> double& { return s.joints[1].axis.y; }, "axis-not-finite"},
      {"axis.z", [](ModelSpec& s) -> double& { return s.joints[1].axis.z; }, "axis-not-finite"},
      {"second_axis.x", [](ModelSpec& s) -> double& { return s.joints[1].second_axis.x; }, "axis-not-finite"},
      {"second_axis.y", [](ModelSpec& s) -> double& { return s.joints[1].second_axis.y; }, "axis-not-finite"},
      {"second_axis.z", [](ModelSpec& s) -> double& { return s.joints[1].second_axis.z; }, "axis-not-finite"},
      {"pitch", [](ModelSpec& s) -> double& { return s.joints[1].pitch_m_per_rad; }, "pitch-not-finite"},
      {"armature", [](ModelSpec& s) -> double& { return s.joints[1].passive[0].armature; }, "passive-negative"},
      {"damping", [](ModelSpec& s) -> double& { return s.joints[1].passive[0].damping; }, "passive-negative"},
      {"friction", [](ModelSpec& s) -> double& { return s.joints[1].passive[0].friction; }, "passive-negative"},
      {"stiffness", [](ModelSpec& s) -> double& { return s.joints[1].passive[0].stiffness; }, "passive-negative"},
      {"rest", [](ModelSpec& s) -> double& { return s.joints[1].passive[0].rest; }, "rest-not-finite"},
      {"lower", [](ModelSpec& s) -> double& { return s.joints[1].limits[0].lower; }, "limits-not-numbers"},
      {"upper", [](ModelSpec& s) -> double& { return s.joints[1].limits[0].upper; }, "limits-not-numbers", false},
      {"speed", [](ModelSpec& s) -> double& { return s.joints[1].limits[0].speed; }, "limits-negative", false},
      {"effort", [](ModelSpec& s) -> double& { return s.joints[1].limits[0].effort; }, "limits-negative", false},
      {"ratio", [](ModelSpec& s) -> double& { return s.couplings[0].ratio; }, "coupling-ratio"},
      {"offset", [](ModelSpec& s) -> double& { return s.couplings[0].offset; }, "coupling-ratio"},
  };
  for (const Field& field : fields) {
    CAPTURE(field.name);
    for (const double value : {kNan, kInf}) {
      CAPTURE(value);
      ModelSpec spec = arm();
      spec.joints[1].passive.resize(1);
      spec.joints[1].limits.resize(1);
      field.number(spec) = value;
      if (value == kInf && !field.infinity_is_wrong_too) {
        CHECK(check_spec(spec).empty());
      } else {
        only_problem(spec, field.code);
      }
    }
  }
  // Poses: each of their twelve numbers, in each of the three places.
  const std::function<Pose<>&(ModelSpec&)> poses[] = {
      [](ModelSpec& s) -> Pose<>& { return s.joints[1].X_PJ; },
      [](ModelSpec& s) -> Pose<>& { return s.joints[1].X_CJ; },
      [](ModelSpec& s) -> Pose<>& { return s.frames[0].X_BF; },
  };
  for (const auto& pose_of : poses) {
    for (std::size_t i = 0; i < 12; ++i) {
      ModelSpec spec = arm();
      Pose<>& X = pose_of(spec);
      double* const p[] = {&X.translation.x, &X.translation.y, &X.translation.z};
      if (i < 3) {
        *p[i] = kNan;
      } else {
        auto entries = to_array(X.rotation);
        entries[i - 3] = kNan;
        X.rotation = mat3_from_array(entries);
      }
      const Diagnostic problem = only_problem(spec, "pose-not-finite");
      CHECK(contains(problem.what, "is not finite"));
    }
  }
}

TEST_CASE("check_spec: what is not finite is found on joints of every kind") {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    ModelSpec spec = uncoupled_arm();
    spec.joints[1].kind = fact.kind;
    spec.joints[1].axis.y = kNan;
    const Diagnostic problem = only_problem(spec, "axis-not-finite");
    CHECK(problem.what == "joint 'elbow': its axis is not finite");
    check_origin(problem, 21, 5);
    spec.joints[1].axis = {0, 0, 1};
    spec.joints[1].second_axis.x = kInf;
    CHECK(only_problem(spec, "axis-not-finite").what == "joint 'elbow': its second axis is not finite");
    spec.joints[1].second_axis = {1, 0, 0};
    spec.joints[1].pitch_m_per_rad = kInf;
    CHECK(contains(only_problem(spec, "pitch-not-finite").fix, "prismatic"));
  }
}
