// The part of a plan that puts the links of a chain side by side.
#pragma once

#include "pintle/model/plan.h"

namespace pintle {

/// The packs of a chain; nothing unless the links carry each other one by one and all are slender hinges, of which
/// there are more than a pack has, and (unless `always`) enough for it to pay.
std::vector<ChainNumbers<LaneNumbers>> plan_chain(const std::vector<PlanLink<double>>& links,
                                                  const std::vector<bool>& slender,
                                                  const std::vector<PlanAngle<double>>& angles, bool always);

}  // namespace pintle
