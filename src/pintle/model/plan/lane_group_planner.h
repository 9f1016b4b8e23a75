// The part of a plan that puts similar lane groups side by side.
#pragma once

#include "pintle/model/plan/plan.h"

namespace pintle {

/// The lane groups of links side by side, or nothing where there are none, or (unless `always`) too few in a row.
/// Hinges of a pack whose others are turned hinges become turned ones, by nothing, and hinges get the numbers of their
/// lanes: `angles` are put in that order.
LaneGroupPlan plan_lane_groups(std::vector<PlanLink<double>>& links, const std::vector<bool>& base_parameters,
                               std::vector<PlanAngle<double>>& angles, bool always);

}  // namespace pintle
