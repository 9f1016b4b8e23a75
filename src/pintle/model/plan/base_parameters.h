// Moves to the parent the inertial parameters that act alike on a link and on its parent, so that the links of a plan
// have fewer.
#pragma once

#include <span>
#include <vector>

#include "pintle/model/plan/plan.h"

namespace pintle {

/// Reduces the links of a plan of a tree to base parameters, from the tips inwards, and computes an upper bound of the
/// inertia that their joints can move. Adds what moves from the roots to `ground`, in the world's frame. Returns for
/// every link whether it has base parameters only (PlanRun); `allowed` says which revolute joints keep all their
/// parameters. [eq. base-parameters]
std::vector<bool> to_base_parameters(const LinkTree& tree, std::span<const LinkTraits> allowed,
                                     std::vector<PlanLink<double>>& links, SpatialInertia<>& ground);

}  // namespace pintle
