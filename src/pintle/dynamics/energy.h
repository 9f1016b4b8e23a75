// Energies of a mechanism.
#pragma once

#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/options.h"

namespace pintle {

/// The kinetic energy [J] at the state of the last `kinematics`: of the bodies and of the rotors (armature).  [eq.
/// energy]
double kinetic_energy(const Model& model, const KinematicsWorkspace& work);

/// The potential energy [J] of gravity at the configuration of the last `kinematics`, zero for a centre of mass at the
/// world's origin; includes bodies welded to the world.  [eq. energy]
double gravity_energy(const Model& model, const KinematicsWorkspace& work);

/// The energy [J] in the springs of all joints at the configuration of the last `kinematics`: stiffness (stretch -
/// rest)^2 / 2 of every dof.  [eq. passive]
double spring_energy(const Model& model, const KinematicsWorkspace& work);

/// Power [W] of everything that acts on a mechanism. kinetic_rate is the sum of the others.
struct Power {
  double efforts;       ///< tau v
  double passive;       ///< of springs, dampers and sliding friction
  double gravity;       ///< of the weights: -d/dt of gravity_energy
  double external;      ///< of the external wrenches
  double kinetic_rate;  ///< d/dt of the kinetic energy, at the accelerations of the last `kinematics`
};

/// The power of everything that acts at the motion of the last `kinematics`, with the world at rest. Throws UsageError
/// on a size mismatch.  [eq. power-balance]
Power power_of(const Model& model, KinematicsWorkspace& work, std::span<const double> tau,
               const DynamicsOptions& options = {});

}  // namespace pintle
