// The part of a plan that puts the links of a chain side by side.
#pragma once

#include "pintle/model/plan/plan.h"

namespace pintle {

/// The packs of a chain; nothing unless the links carry each other one by one and all are slender hinges, of which
/// there are more than a pack has, and (unless `always`) enough for it to pay.
std::vector<ChainNumbers<LaneNumbers>> plan_chain(const std::vector<PlanLink<double>>& links,
                                                  const std::vector<bool>& base_parameters,
                                                  const std::vector<PlanAngle<double>>& angles, bool always);

/// Whether the mass matrix of a chain is well enough conditioned for accelerations to be found by its factors: not of
/// many links, and few hinges in a row with almost parallel axes.
bool can_be_factored(const std::vector<PlanLink<double>>& links);

}  // namespace pintle
