// The position range of the driver of a coupling.
#pragma once

#include "pintle/model/compiled/model.h"

namespace pintle {

/// An interval of positions [rad or m]; empty when lower > upper.
struct PositionRange {
  double lower;
  double upper;
};

/// The positions of the driver that keep the joint coupled to it within its limits, to the bit; infinite where these
/// impose no bound.
PositionRange driver_range(const ModelCoupling& coupling, const JointLimits& follower);

}  // namespace pintle
