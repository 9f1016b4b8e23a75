// What forward and hybrid dynamics share: the accelerations of the freedoms that are not given.
#pragma once

#include "pintle/dynamics/options.h"
#include "pintle/dynamics/report.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// vdot of the independent freedoms without a mark in work.given, from tau of those and vdot of the others. `any_given`
/// tells whether there are marks. Sizes are the caller's business.
DynamicsReport solve_motion(const Model& model, std::span<const double> q, std::span<const double> v,
                            std::span<const double> tau, bool any_given, ForwardDynamicsWorkspace<>& work,
                            std::span<double> vdot, const DynamicsOptions& options);

}  // namespace pintle
