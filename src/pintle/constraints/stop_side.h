// At which of its position limits a freedom stands.
#pragma once

#include <span>

#include "pintle/dynamics/solve/search_space.h"

namespace pintle {

enum class StopSide : unsigned char {
  none,
  lower,
  upper,
  both,  ///< the limits leave one position only
};

constexpr bool at_lower_stop(StopSide side) {
  return side == StopSide::lower || side == StopSide::both;
}
constexpr bool at_upper_stop(StopSide side) {
  return side == StopSide::upper || side == StopSide::both;
}

/// Marks every independent freedom that stands at a limit or beyond it: its own, or one of a joint coupled to it, which
/// stops its driver. `space` is of the model; q has model.nq() numbers, sides model.nv(), else UsageError.
void stops_reached(const Model& model, const SearchSpace& space, std::span<const double> q, std::span<StopSide> sides);

}  // namespace pintle
