// Forward dynamics: how a mechanism accelerates under given efforts (articulated bodies).
#pragma once

#include "pintle/dynamics/options.h"
#include "pintle/dynamics/report.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// vdot = M(q)^-1 (tau + passive efforts - h(q, v) + what the external wrenches give), in time linear in the number of
/// links where nothing is coupled. Sizes: q model.nq(), the others model.nv(), else UsageError.  [eq. aba]
DynamicsReport forward_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                                std::span<const double> tau, ForwardDynamicsWorkspace<>& work, std::span<double> vdot,
                                const DynamicsOptions& options = {});

}  // namespace pintle
