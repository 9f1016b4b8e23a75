// Joint limits at a change of modes: who moves into one, and what then holds it.
#pragma once

#include "pintle/constraints/stop_side.h"
#include "pintle/simulation/hybrid/freedom_modes.h"

namespace pintle {

constexpr bool moves_into(StopSide side, double v) {
  return (at_lower_stop(side) && v < 0.0) || (at_upper_stop(side) && v > 0.0);
}

constexpr Hold hold_at(StopSide side) {
  switch (side) {
    case StopSide::lower:
      return Hold::lower_stop;
    case StopSide::upper:
      return Hold::upper_stop;
    case StopSide::both:
      return Hold::both_stops;
    case StopSide::none:
      break;
  }
  return Hold::none;
}

}  // namespace pintle
