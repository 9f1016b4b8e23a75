// Energies of a mechanism.
#pragma once

#include "pintle/dynamics/kinematics.h"

namespace pintle {

/// The kinetic energy [J] at the state of the last `kinematics`: of the bodies and of the rotors (armature).  [eq.
/// energy]
double kinetic_energy(const Model& model, KinematicsWorkspace& work);

/// The potential energy [J] of gravity at the configuration of the last `kinematics`, zero for a centre of mass in the
/// world's origin; a body welded to the world counts too.  [eq. energy]
double gravity_energy(const Model& model, const KinematicsWorkspace& work);

}  // namespace pintle
