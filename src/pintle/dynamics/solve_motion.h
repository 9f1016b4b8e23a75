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

/// vdot of all dofs under efforts tau on all of them and gravity, by the fast kernel; vdot must not alias tau. False
/// where it finds no solution; the plain kernel then tells why.
bool solve_on_plan(const Model& model, const double* q, const double* v, const double* tau,
                   ForwardDynamicsWorkspace<>& work, double* vdot);

/// Whether solve_on_plan covers everything that acts, except for passive efforts.
inline bool is_on_plan(const Model& model, const DynamicsOptions& options) {
  return !model.has_couplings() && !options.refine && options.external.empty() && options.root_rests();
}

}  // namespace pintle
