// What forward and hybrid dynamics share: the accelerations of the dofs that are not given.
#pragma once

#include "pintle/dynamics/options.h"
#include "pintle/dynamics/report.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// vdot of the independent dofs without a mark in work.given, from tau of those and vdot of the others. `any_given`
/// tells whether there are marks, `try_plan` whether solve_on_plan is worth a try. Sizes are the caller's business.
DynamicsReport solve_motion(const Model& model, std::span<const double> q, std::span<const double> v,
                            std::span<const double> tau, bool any_given, ForwardDynamicsWorkspace<>& work,
                            std::span<double> vdot, const DynamicsOptions& options, bool try_plan = true);

/// vdot of all dofs under efforts tau on all of them and gravity, by the fast kernel; vdot is not tau. False where
/// it has no answer: the plain one then finds out why.
bool solve_on_plan(const Model& model, const double* q, const double* v, const double* tau,
                   ForwardDynamicsWorkspace<>& work, double* vdot);

/// Whether that is all there is to find, but for passive efforts.
inline bool is_on_plan(const Model& model, const DynamicsOptions& options) {
  return !model.has_couplings() && !options.refine && options.external.empty() && options.root_rests();
}

}  // namespace pintle
