// DofModes: what holds each dof of a mechanism, or which way it slides.
//
// Within a step the modes are constant, so that what is integrated is smooth; they change at events, in mode_change.h.
#pragma once

#include <vector>

namespace pintle {

/// What keeps a dof at rest.
enum class ActiveConstraint : unsigned char {
  none,
  friction,     ///< its Coulomb friction: it sticks
  lower_limit,  ///< it rests at its lower limit
  upper_limit,
  both_limits,  ///< its limits leave one position only
};

/// One entry per independent dof.
struct DofModes {
  explicit DofModes(std::size_t dofs) : hold(dofs), slide(dofs) {}

  bool operator==(const DofModes&) const = default;

  std::vector<ActiveConstraint> hold;
  std::vector<signed char> slide;  ///< the direction in which it slides against its friction: -1, 1; 0 without friction
};

}  // namespace pintle
