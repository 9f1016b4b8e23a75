// At which of its position limits a dof stands.
#pragma once

#include <span>

#include "pintle/dynamics/solve/search_space.h"

namespace pintle {

enum class LimitSide : unsigned char {
  none,
  lower,
  upper,
  both,  ///< the limits leave one position only
};

constexpr bool at_lower_limit(LimitSide side) {
  return side == LimitSide::lower || side == LimitSide::both;
}
constexpr bool at_upper_limit(LimitSide side) {
  return side == LimitSide::upper || side == LimitSide::both;
}

/// Marks every independent dof that stands at a limit or beyond it: its own, or one of a joint coupled to it, which
/// stops its driver. `space` is of the model; q has model.nq() numbers, sides model.nv(), else UsageError.
void limits_reached(const Model& model, const SearchSpace& space, std::span<const double> q,
                    std::span<LimitSide> sides);

}  // namespace pintle
