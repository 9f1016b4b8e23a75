// The way of an impact at one point of contact, gone once more by another method than point_impact's: for certificates.
#pragma once

#include <array>

#include "pintle/constraints/point_impact.h"

namespace pintle {

struct ImpactReplay {
  std::array<double, 3> P{};  ///< [N s]
  /// Where the slip ended and began again: how far the direction in which it did so is from one that it can keep.
  double turning = 0.0;
  bool ended = true;  ///< false: the way did not come to an end
};

/// The impulse that a law asks for. Where the slip turns, by Gragg's method with extrapolation. `slip_after` is the
/// slip that is claimed [m/s]: after a rest the point slides off in its direction.  [eq. point-impact]
ImpactReplay replay_impact(const PointImpact& impact, ImpactLaw law, const std::array<double, 2>& slip_after);

}  // namespace pintle
