// Hybrid dynamics: some joints, or single dofs of them, move as given, the others as they must.
#pragma once

#include "pintle/dynamics/options.h"
#include "pintle/dynamics/report.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// Of the joints in `given` (numbers of Model::joints) vdot is read and tau found, the effort that the given motion
/// needs; of all others tau is read and vdot found. A given joint may carry no inertia at all. Sizes as in
/// forward_dynamics; a fixed joint or one that follows another by a coupling cannot be given: UsageError.
/// [eq. hybrid]
DynamicsReport hybrid_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                               std::span<const int> given, ForwardDynamicsWorkspace<>& work, std::span<double> tau,
                               std::span<double> vdot, const DynamicsOptions& options = {});

/// The same by dofs: `given` has one mark per independent dof (model.nv()), not zero where vdot is read and tau
/// found. Of a joint with several dofs any may be given. Costs as much as forward dynamics: the efforts found are
/// S'(I_A A + p_A) + armature vdot - passive of the articulated bodies; for models with couplings and with
/// options.refine they are those of inverse dynamics. Sizes must fit, else UsageError.  [eq. hybrid]
DynamicsReport hybrid_dynamics_of(const Model& model, std::span<const double> q, std::span<const double> v,
                                  std::span<const unsigned char> given, ForwardDynamicsWorkspace<>& work,
                                  std::span<double> tau, std::span<double> vdot, const DynamicsOptions& options = {});

}  // namespace pintle
