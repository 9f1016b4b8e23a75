// A controller that holds a joint coordinate at a target: proportional, integral and derivative, with feed-forward.
#pragma once

#include <limits>
#include <string>

#include "pintle/simulation/elements/command.h"
#include "pintle/simulation/elements/sample_hold.h"
#include "pintle/simulation/system/force_element.h"

namespace pintle {

/// With e = target - q, the effort at the motor is
///
///     kp e + ki (integral of e) + kd de/dt + feed_forward
///
/// clipped at +-effort_limit. The derivative of the target is exact; at a jump of the target it is the one-sided
/// derivative. With kd it may depend on the time and on scalar coordinates of joints alone, whose derivatives are known. The integral starts at zero and does not wind up:
/// - It stops where ki times it reaches +-integral_limit, while e pushes further.
/// - While the effort is clipped and e pushes further, a sampled controller does not integrate. A continuous one slows
///   down from full speed at the limit to zero where the wanted effort is a tenth above it, twice continuously
///   differentiable: an abrupt stop would chatter where the effort slides along its limit.
/// A sampled controller adds period times e after each sample (rectangle rule), so the first sample sees no integral.
/// [eq. pid]
struct ControllerSpec {
  std::string name{};
  std::string joint{};
  int dof = 0;                                                      ///< its index within the joint
  Command target{};                                                 ///< [rad or m] of the joint
  double kp = 0.0;                                                  ///< [N m/rad or N/m], effort at the motor
  double ki = 0.0;                                                  ///< [N m/(rad s) or N/(m s)]
  double kd = 0.0;                                                  ///< [N m s/rad or N s/m]
  Command feed_forward{};                                           ///< [N m or N] at the motor
  double integral_limit = std::numeric_limits<double>::infinity();  ///< [N m or N] of ki times the integral
  double gear = 1.0;           ///< the effort at the joint is gear times that of the motor; above 0
  double rotor_inertia = 0.0;  ///< [kg m^2 or kg] at the motor: see add_rotors
  double effort_limit = std::numeric_limits<double>::infinity();  ///< [N m or N] at the motor
  Sampling sampling{};
  Origin origin{};
};

/// The controller for a run of a model that starts at time `start` [s]; `known`: what its formulas may name.
/// [eq. actuator]
Result<ForceElementPointer> make_controller(const Model& model, const ControllerSpec& spec, double start = 0.0,
                                            const FormulaNames& known = {});

}  // namespace pintle
