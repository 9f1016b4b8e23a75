// What the dynamics functions take into account besides the commanded efforts.
#pragma once

#include <span>

#include "pintle/spatial/wrench.h"

namespace pintle {

/// Options of forward and inverse dynamics.
struct DynamicsOptions {
  /// Dampers, springs and Coulomb friction of sliding joints (passive_efforts.h). False: the bare mechanism.
  bool passive = true;
  /// Forward dynamics only: one round of refinement by the efforts that inverse dynamics finds unexplained. For
  /// mechanisms with extreme mass ratios; costs about as much again.
  bool refine = false;
  /// Wrenches from outside on the links, each in its link's frame: one per link of the model, or none.
  std::span<const Wrench<>> external{};
};

}  // namespace pintle
