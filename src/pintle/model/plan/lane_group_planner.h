// The part of a plan that puts similar limbs in SIMD lanes.
#pragma once

#include "pintle/model/plan/plan.h"

namespace pintle {

/// Returns the lane groups; empty when there are none, or (unless `always`) too few links per row. In a pack with
/// turned links, straight ones become turned with gamma = b = 0. Revolute joints are renumbered by lane, and
/// `angles` is put in that order.
LaneGroupPlan plan_lane_groups(std::vector<PlanLink<double>>& links, const std::vector<bool>& base_parameters,
                               std::vector<PlanAngle<double>>& angles, bool always);

}  // namespace pintle
