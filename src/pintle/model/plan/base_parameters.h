// Inertias that move alike on a link and on its parent go to the parent: the links of a plan have fewer numbers then.
#pragma once

#include <span>
#include <vector>

#include "pintle/model/plan/plan.h"

namespace pintle {

/// Regroups the links of a plan of a tree, from the tips inwards, and finds what their joints could move at most. Gives
/// for every link whether it is slender (PlanRun); `most` says of which hinges nothing is to be taken.
/// [eq. base-parameters]
std::vector<bool> to_base_parameters(const LinkTree& tree, std::span<const LinkTraits> most,
                                     std::vector<PlanLink<double>>& links);

}  // namespace pintle
