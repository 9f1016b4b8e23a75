// Adds the rotors of motors and controllers to a mechanism before it is compiled.
#pragma once

#include <span>

#include "pintle/model/spec/model_spec.h"
#include "pintle/simulation/elements/controller.h"
#include "pintle/simulation/elements/effort_motor.h"

namespace pintle {

/// Adds gear^2 times the rotor's inertia to the armature of the dof that each motor acts on: the inertia of a geared
/// rotor as seen at the joint. Call it once, before `compile`. On failure (a joint or dof that does not exist, values
/// out of range; all are reported) the spec is unchanged.  [eq. rotor]
Result<void> add_rotors(ModelSpec& spec, std::span<const MotorSpec> motors);
Result<void> add_rotors(ModelSpec& spec, std::span<const ControllerSpec> controllers);

}  // namespace pintle
