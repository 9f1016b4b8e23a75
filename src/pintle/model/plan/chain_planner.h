// The part of a plan that puts the links of a chain in SIMD lanes.
#pragma once

#include "pintle/model/plan/plan.h"

namespace pintle {

/// Returns the packs of a chain. Empty unless the links form a single chain of revolute joints with base parameters,
/// longer than a pack and (unless `always`) long enough to pay off.
std::vector<ChainParameters<LaneValues>> plan_chain(const std::vector<PlanLink<double>>& links,
                                                    const std::vector<bool>& base_parameters,
                                                    const std::vector<PlanAngle<double>>& angles, bool always);

/// Whether the mass matrix of a chain is well enough conditioned to compute accelerations from its factors: the chain
/// is not long and has few consecutive revolute joints with almost parallel axes.
bool can_be_factored(const std::vector<PlanLink<double>>& links);

}  // namespace pintle
