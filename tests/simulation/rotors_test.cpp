#include "pintle/simulation/elements/rotors.h"

#include "simulation/element_bench.h"

using namespace test;

namespace {

MotorSpec motor(const char* joint, double gear, double inertia) {
  MotorSpec spec;
  spec.name = "motor";
  spec.joint = joint;
  spec.gear = gear;
  spec.rotor_inertia = inertia;
  return spec;
}

}  // namespace

TEST_CASE("rotors: a rotor adds gear squared times its inertia to its dof, behind a coupling too") {
  ModelSpec spec = with_follower(-3.0, 0.1);  // two bodies of 1 kg and 1 kg m^2
  spec.joints[0].passive = {{.armature = 0.5}};
  const std::vector<MotorSpec> motors = {motor("joint", -10.0, 0.02), motor("follower", 2.0, 0.25),
                                         motor("joint", 1.0, 0.25)};
  REQUIRE(add_rotors(spec, motors).ok());
  DynamicsOf dynamics(spec);
  const double expected = 1.0 + 0.5 + 100.0 * 0.02 + 0.25 + 9.0 * (1.0 + 4.0 * 0.25);
  CHECK(abs(dynamics.mass({0.3})[0] - expected) < 1e-14 * expected);
}

TEST_CASE("rotors: of a joint with several dofs only its own gets it") {
  ModelSpec spec = one_joint(JointKind::planar);
  spec.joints[0].passive = {{.armature = 0.5}};
  ControllerSpec controller;
  controller.name = "turn";
  controller.joint = "joint";
  controller.dof = 2;
  controller.gear = 3.0;
  controller.rotor_inertia = 1.0;
  REQUIRE(add_rotors(spec, std::vector<ControllerSpec>{controller}).ok());
  REQUIRE(spec.joints[0].passive.size() == 3);
  CHECK(spec.joints[0].passive[0].armature == 0.5);
  CHECK(spec.joints[0].passive[1].armature == 0.5);
  CHECK(spec.joints[0].passive[2].armature == 9.5);
}

TEST_CASE("rotors: on failure the spec stays as it was, and all problems are told") {
  ModelSpec spec = one_joint(JointKind::revolute);
  MotorSpec wrong = motor("joint", 1.0, 1.0);
  wrong.dof = 1;
  const std::vector<MotorSpec> motors = {motor("joint", 1.0, 1.0), motor("joit", 1.0, 1.0), wrong,
                                         motor("joint", 1.0, -1.0)};
  CHECK(codes(add_rotors(spec, motors)) == "joint-unknown dof-unknown rotor-inertia");
  CHECK(spec.joints[0].passive.empty());
}
