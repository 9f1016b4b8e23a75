// Joint limits at a mode transition: which dofs move into one, and which constraint is then active.
#pragma once

#include "pintle/constraints/limit_side.h"
#include "pintle/simulation/hybrid/dof_modes.h"

namespace pintle {

constexpr bool moves_into(LimitSide side, double v) {
  return (at_lower_limit(side) && v < 0.0) || (at_upper_limit(side) && v > 0.0);
}

constexpr ActiveConstraint hold_at(LimitSide side) {
  switch (side) {
    case LimitSide::lower:
      return ActiveConstraint::lower_limit;
    case LimitSide::upper:
      return ActiveConstraint::upper_limit;
    case LimitSide::both:
      return ActiveConstraint::both_limits;
    case LimitSide::none:
      break;
  }
  return ActiveConstraint::none;
}

}  // namespace pintle
