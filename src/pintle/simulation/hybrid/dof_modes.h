// DofModes: which constraint holds each dof of a mechanism, or in which direction it slides.
//
// Within a step the modes are constant, so that the motion is smooth; they change at events, in mode_change.h.
#pragma once

#include <vector>

namespace pintle {

/// The constraint that keeps a dof at rest.
enum class ActiveConstraint : unsigned char {
  none,
  friction,     ///< its Coulomb friction: it sticks
  lower_limit,  ///< it rests at its lower limit
  upper_limit,
  both_limits,  ///< its limits coincide
};

/// One entry per independent dof.
struct DofModes {
  explicit DofModes(std::size_t dofs) : hold(dofs), slide(dofs) {}

  bool operator==(const DofModes&) const = default;

  std::vector<ActiveConstraint> hold;
  std::vector<signed char> slide;  ///< the direction in which it slides against its friction: -1, 1; 0 without friction
};

}  // namespace pintle
