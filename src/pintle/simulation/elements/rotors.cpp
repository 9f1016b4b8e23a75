#include "pintle/simulation/elements/rotors.h"

#include <cmath>
#include <utility>

#include "pintle/math/number_text.h"
#include "pintle/model/spec/spec_place.h"
#include "pintle/simulation/elements/element_checker.h"

namespace pintle {
namespace {

template <class Spec>
void add_rotor(std::vector<JointSpec>& joints, const Spec& motor, const char* kind, Diagnostics& problems) {
  ElementChecker check(kind, motor.name, motor.origin);
  const double armature = motor.gear * motor.gear * motor.rotor_inertia;
  if (!(armature >= 0.0) || !std::isfinite(armature)) {
    check.add("rotor-inertia",
              ": its rotor of " + number_text(motor.rotor_inertia) + " behind a gear of " + number_text(motor.gear) +
                  " has the inertia " + number_text(armature) + " at the joint",
              "it must be finite and not negative",
              "give the rotor inertia in kg m^2 at the motor, and the gear ratio");
  }
  JointSpec* const joint = find_named(joints, motor.joint);
  if (joint == nullptr) {
    check.unknown("joint", motor.joint, names_of(joints));
  } else {
    check.dof(joint->name, joint->kind, motor.dof);
  }
  for (const Diagnostic& problem : check.problems()) problems.push_back(problem);
  if (!check.ok() || armature == 0.0) return;
  const std::size_t nv = static_cast<std::size_t>(facts(joint->kind).nv);
  if (joint->passive.size() <= 1) {
    const JointPassive all = joint->passive.empty() ? JointPassive{} : joint->passive.front();
    joint->passive.assign(nv, all);
  }
  if (joint->passive.size() != nv) return;  // `compile` refuses that joint
  joint->passive[static_cast<std::size_t>(motor.dof)].armature += armature;
}

template <class Spec>
Result<void> add_all(ModelSpec& spec, std::span<const Spec> motors, const char* kind) {
  std::vector<JointSpec> joints = spec.joints;
  Diagnostics problems;
  for (const Spec& motor : motors) add_rotor(joints, motor, kind, problems);
  if (!problems.empty()) return problems;
  spec.joints = std::move(joints);
  return {};
}

}  // namespace

Result<void> add_rotors(ModelSpec& spec, std::span<const MotorSpec> motors) {
  return add_all(spec, motors, "motor");
}

Result<void> add_rotors(ModelSpec& spec, std::span<const ControllerSpec> controllers) {
  return add_all(spec, controllers, "controller");
}

}  // namespace pintle
