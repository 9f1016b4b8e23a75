// A motor that applies an effort: a function of time, position and speed.
#pragma once

#include <limits>
#include <string>

#include "pintle/simulation/elements/command.h"
#include "pintle/simulation/elements/sample_hold.h"
#include "pintle/simulation/system/force_element.h"

namespace pintle {

/// A motor on one dof of a joint, which may be the follower of a coupling.
struct MotorSpec {
  std::string name{};
  std::string joint{};
  int dof = 0;                 ///< its index within the joint
  Command effort{};            ///< [N m or N] at the motor; q and qd in it are its own joint's
  double gear = 1.0;           ///< the effort at the joint is gear times that of the motor; negative: it reverses
  double rotor_inertia = 0.0;  ///< [kg m^2 or kg] at the motor: see add_rotors
  double effort_limit = std::numeric_limits<double>::infinity();  ///< [N m or N] at the motor
  Sampling sampling{};
  Origin origin{};
};

/// The motor for a run of a model that starts at time `start` [s]; `known`: what its formula may name.
/// [eq. actuator]
Result<ForceElementPointer> make_effort_motor(const Model& model, const MotorSpec& spec, double start = 0.0,
                                              const FormulaNames& known = {});

}  // namespace pintle
