#include "pintle/constraints/stop_side.h"

#include "pintle/base/usage_error.h"

namespace pintle {

void stops_reached(const Model& model, const SearchSpace& space, std::span<const double> q, std::span<StopSide> sides) {
  require_size("stops_reached", "q", q.size(), static_cast<std::size_t>(model.nq()));
  require_size("stops_reached", "sides", sides.size(), static_cast<std::size_t>(model.nv()));
  require_size("stops_reached", "space", space.q_number.size(), sides.size());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    sides[i] = StopSide::none;
    if (space.q_number[i] < 0) continue;
    const double position = q[static_cast<std::size_t>(space.q_number[i])];
    const bool low = position <= space.lower[i], high = position >= space.upper[i];
    sides[i] = low && high ? StopSide::both : low ? StopSide::lower : high ? StopSide::upper : StopSide::none;
  }
}

}  // namespace pintle
