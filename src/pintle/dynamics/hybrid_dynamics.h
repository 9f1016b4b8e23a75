// Hybrid dynamics: some joints or dofs have prescribed accelerations, the others have known efforts.
#pragma once

#include "pintle/dynamics/options.h"
#include "pintle/dynamics/report.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// For the joints in `given` (indices into Model::joints) vdot is an input and tau, the effort that the prescribed
/// motion needs, an output; for all others tau is an input and vdot an output. A prescribed joint may carry no inertia
/// at all. Sizes as in forward_dynamics. Throws UsageError if a fixed joint or the follower of a coupling is
/// prescribed.  [eq. hybrid]
DynamicsReport hybrid_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                               std::span<const int> given, ForwardDynamicsWorkspace<>& work, std::span<double> tau,
                               std::span<double> vdot, const DynamicsOptions& options = {});

/// The same by dofs: `given` has one flag per independent dof (model.nv()), nonzero where vdot is the input and tau the
/// output. Any subset of a joint's dofs may be prescribed. Costs as much as forward dynamics: the efforts are S'(I_A A
/// + p_A) + armature vdot - passive of the articulated bodies; for models with couplings and with options.refine they
/// are those of inverse dynamics. Throws UsageError on a size mismatch.  [eq. hybrid]
DynamicsReport hybrid_dynamics_of(const Model& model, std::span<const double> q, std::span<const double> v,
                                  std::span<const unsigned char> given, ForwardDynamicsWorkspace<>& work,
                                  std::span<double> tau, std::span<double> vdot, const DynamicsOptions& options = {});

}  // namespace pintle
