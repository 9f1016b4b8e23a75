// What the dynamics functions take into account besides the commanded efforts.
#pragma once

#include <span>

#include "pintle/model/links/link.h"
#include "pintle/spatial/wrench.h"

namespace pintle {

/// Options of forward, inverse and hybrid dynamics, of reactions and of the certificate.
struct DynamicsOptions {
  /// Dampers, springs and Coulomb friction of sliding joints (passive_efforts.h). False: the bare mechanism.
  bool passive = true;
  /// False leaves the Coulomb friction of sliding joints out of the passive efforts: for callers who add it themselves,
  /// as an effort of known sign.
  bool friction = true;
  /// Forward and hybrid dynamics only: one round of refinement by the efforts that inverse dynamics finds residual.
  /// For mechanisms with extreme mass ratios; costs about half as much again.
  bool refine = false;
  /// Wrenches from outside on the bodies, each in its body's frame: one per body of the model (add_external fills such
  /// an array), or none.
  std::span<const Wrench<>> external{};
  /// How the frame that carries the roots moves itself; null: it rests.
  const RootMotion* root = nullptr;

  RootMotion root_motion() const { return root == nullptr ? RootMotion() : *root; }
  bool root_rests() const { return root == nullptr || is_at_rest(*root); }
};

}  // namespace pintle
