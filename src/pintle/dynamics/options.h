// What the dynamics functions take into account besides the commanded efforts.
#pragma once

#include <span>

#include "pintle/spatial/wrench.h"

namespace pintle {

/// Options of forward and inverse dynamics.
struct DynamicsOptions {
  /// Dampers, springs and Coulomb friction of sliding joints (passive_efforts.h). False: the bare mechanism.
  bool passive = true;
  /// Wrenches from outside on the links, each in its link's frame: one per link of the model, or none.
  std::span<const Wrench<>> external{};
};

}  // namespace pintle
