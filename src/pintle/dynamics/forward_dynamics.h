// Forward dynamics: the accelerations of a mechanism under given efforts (articulated-body algorithm).
#pragma once

#include "pintle/dynamics/options.h"
#include "pintle/dynamics/report.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// vdot = M(q)^-1 (tau + passive efforts - h(q, v) + J' times the external wrenches), in time linear in the number of
/// links for models without couplings. Sizes: q model.nq(), the others model.nv(), else UsageError.  [eq. aba]
DynamicsReport forward_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                                std::span<const double> tau, ForwardDynamicsWorkspace<>& work, std::span<double> vdot,
                                const DynamicsOptions& options = {});

}  // namespace pintle
