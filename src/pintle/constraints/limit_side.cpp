#include "pintle/constraints/limit_side.h"

#include "pintle/base/usage_error.h"

namespace pintle {

void limits_reached(const Model& model, const SearchSpace& space, std::span<const double> q,
                    std::span<LimitSide> sides) {
  require_size("limits_reached", "q", q.size(), static_cast<std::size_t>(model.nq()));
  require_size("limits_reached", "sides", sides.size(), static_cast<std::size_t>(model.nv()));
  require_size("limits_reached", "space", space.q_number.size(), sides.size());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    sides[i] = LimitSide::none;
    if (space.q_number[i] < 0) continue;
    const double position = q[static_cast<std::size_t>(space.q_number[i])];
    const bool low = position <= space.lower[i], high = position >= space.upper[i];
    sides[i] = low && high ? LimitSide::both : low ? LimitSide::lower : high ? LimitSide::upper : LimitSide::none;
  }
}

}  // namespace pintle
