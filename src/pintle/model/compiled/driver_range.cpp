#include "pintle/model/compiled/driver_range.h"

#include <cmath>

#include "pintle/math/elementary.h"

namespace pintle {
namespace {

/// A bound of a driver, moved inwards by ulps until the joint coupled to it keeps its own limits to the last bit.
double within(const ModelCoupling& coupling, const JointLimits& own, double bound, double inwards) {
  constexpr int kMaxRoundings = 8;
  for (int i = 0; i < kMaxRoundings && std::isfinite(bound); ++i) {
    const double follower = coupling.ratio * bound + coupling.offset;
    if (own.lower <= follower && follower <= own.upper) break;
    bound = std::nextafter(bound, inwards);
  }
  return bound;
}

}  // namespace

PositionRange driver_range(const ModelCoupling& coupling, const JointLimits& follower) {
  const double a = (follower.lower - coupling.offset) / coupling.ratio;
  const double b = (follower.upper - coupling.offset) / coupling.ratio;
  const double low = min(a, b), high = max(a, b);
  if (!(low < high)) return {low, high};
  return {within(coupling, follower, low, high), within(coupling, follower, high, low)};
}

}  // namespace pintle
