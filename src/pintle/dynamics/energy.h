// Energies of a mechanism.
#pragma once

#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/options.h"

namespace pintle {

/// The kinetic energy [J] at the state of the last `kinematics`: of the bodies and of the rotors (armature).  [eq.
/// energy]
double kinetic_energy(const Model& model, const KinematicsWorkspace& work);

/// The potential energy [J] of gravity at the configuration of the last `kinematics`, zero for a centre of mass in the
/// world's origin; a body welded to the world counts too.  [eq. energy]
double gravity_energy(const Model& model, const KinematicsWorkspace& work);

/// The energy [J] in the springs of all joints at the configuration of the last `kinematics`: stiffness (stretch -
/// rest)^2 / 2 of every dof.  [eq. passive]
double spring_energy(const Model& model, const KinematicsWorkspace& work);

/// Who works on a mechanism, and how much of it becomes motion [W]. kinetic_rate is the sum of the others.
struct Power {
  double efforts;       ///< tau v
  double passive;       ///< of springs, dampers and sliding friction
  double gravity;       ///< of the weights: minus the rate of gravity_energy
  double external;      ///< of the external wrenches
  double kinetic_rate;  ///< of the kinetic energy, as the accelerations of the last `kinematics` say
};

/// The power of all that acts while the mechanism moves as the last `kinematics` says, in a world at rest. Sizes must
/// fit, else UsageError.  [eq. power-balance]
Power power_of(const Model& model, KinematicsWorkspace& work, std::span<const double> tau,
               const DynamicsOptions& options = {});

}  // namespace pintle
