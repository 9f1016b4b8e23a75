// The joint limit that a dof is at.
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

/// Flags every independent dof that is at a limit or beyond it: its own, or that of a joint coupled to it, which limits
/// its driver. `space` is of the model; sizes: q model.nq(), sides model.nv(), else UsageError.
void limits_reached(const Model& model, const SearchSpace& space, std::span<const double> q,
                    std::span<LimitSide> sides);

}  // namespace pintle
