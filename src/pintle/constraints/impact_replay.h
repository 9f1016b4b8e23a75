// The course of an impact at one contact point, integrated by a method other than point_impact's: for certificates.
#pragma once

#include <array>

#include "pintle/constraints/point_impact.h"

namespace pintle {

struct ImpactReplay {
  std::array<double, 3> P{};  ///< [N s]
  /// Where the slip stopped and restarted: deviation of its new direction from an invariant slip direction.
  double direction_error = 0.0;
  bool ended = true;  ///< false: the integration did not reach the end of the impact
};

/// The impulse according to a law. Where the slip direction changes, by Gragg's method with extrapolation. `slip_after`
/// is the claimed slip [m/s]: after sticking, the point starts to slide in its direction.  [eq. point-impact]
ImpactReplay replay_impact(const PointImpact& impact, ImpactLaw law, const std::array<double, 2>& slip_after);

}  // namespace pintle
