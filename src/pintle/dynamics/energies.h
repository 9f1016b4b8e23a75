// Energies directly from a state, without a call of `kinematics`.
#pragma once

#include <span>

#include "pintle/dynamics/workspace.h"

namespace pintle {

/// Memory of the function below.
class EnergiesWorkspace {
 public:
  explicit EnergiesWorkspace(const Model& model);

  ModelSizes sizes;
  JointArrays<> joints;
  AlignedMemory memory;
};

/// Energies [J] of a mechanism.
struct MechanismEnergies {
  double kinetic;  ///< of the bodies and of the rotors (armature)
  double gravity;  ///< potential, zero for a centre of mass at the world's origin; includes bodies welded to the world
};

/// Energies at (q, v), with the world at rest: the same as kinetic_energy and gravity_energy after `kinematics`
/// (energy.h), but without accelerations, and body by body only for bodies welded to the world. Throws UsageError on a
/// size mismatch.  [eq. energy]
MechanismEnergies energies(const Model& model, std::span<const double> q, std::span<const double> v,
                           EnergiesWorkspace& work);

/// The constant part of `gravity`: that of the bodies welded to the world.
double standing_gravity_energy(const Model& model);

}  // namespace pintle
