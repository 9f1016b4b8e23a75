// Energies straight from a state, for callers that need nothing else of the kinematics.
#pragma once

#include <span>

#include "pintle/dynamics/workspace.h"

namespace pintle {

/// Memory of the function below.
class EnergiesWorkspace {
 public:
  explicit EnergiesWorkspace(const Model& model);

  ModelSizes sizes;
  JointNumbers<> joints;
  AlignedMemory memory;
};

/// Energies [J] of a mechanism.
struct MechanismEnergies {
  double kinetic;  ///< of the bodies and of the rotors (armature)
  double gravity;  ///< potential, zero for a centre of mass in the world's origin; welded bodies count too
};

/// At (q, v), on a world at rest: the same as kinetic_energy and gravity_energy after `kinematics` (energy.h), without
/// accelerations and body by body only where bodies are welded to the world. Sizes must fit, else UsageError.
/// [eq. energy]
MechanismEnergies energies(const Model& model, std::span<const double> q, std::span<const double> v,
                           EnergiesWorkspace& work);

/// The part of `gravity` that no motion changes: that of the bodies that are welded to the world.
double standing_gravity_energy(const Model& model);

}  // namespace pintle
