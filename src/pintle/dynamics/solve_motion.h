// Shared by forward and hybrid dynamics: the accelerations of the dofs that are not prescribed.
#pragma once

#include "pintle/dynamics/options.h"
#include "pintle/dynamics/report.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// vdot of the independent dofs not flagged in work.given, from their tau and vdot of the others. `any_given`: some dof
/// is flagged; `try_plan`: try solve_on_plan first. The caller checks the sizes.
DynamicsReport solve_motion(const Model& model, std::span<const double> q, std::span<const double> v,
                            std::span<const double> tau, bool any_given, ForwardDynamicsWorkspace<>& work,
                            std::span<double> vdot, const DynamicsOptions& options, bool try_plan = true);

/// vdot of all dofs under efforts tau on all of them and what `options` say, except for passive efforts, by the fast
/// kernel; vdot must not alias tau. With `any_given` for the dofs not flagged in work.given: vdot of these must be zero,
/// and work.correction gets the efforts of the others. False where it finds no solution; the plain kernel then tells
/// why.
bool solve_on_plan(const Model& model, const double* q, const double* v, const double* tau,
                   const DynamicsOptions& options, bool any_given, ForwardDynamicsWorkspace<>& work, double* vdot);

/// Whether solve_on_plan applies.
inline bool is_on_plan(const Model& model, const DynamicsOptions& options) {
  return !model.has_couplings() && !options.refine && !options.keep_recursion;
}

}  // namespace pintle
