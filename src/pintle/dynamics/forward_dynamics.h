// Forward dynamics: how a mechanism accelerates under given efforts (articulated bodies).
#pragma once

#include "pintle/dynamics/options.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// Whether forward dynamics had an answer.
struct [[nodiscard]] ForwardDynamicsReport {
  /// A joint (Model::joints) that has no inertia to move in this configuration, -1 when all have. vdot is then not
  /// usable.
  int singular_joint = -1;

  bool ok() const { return singular_joint < 0; }
};

/// vdot = M(q)^-1 (tau + passive efforts - h(q, v) + what the external wrenches give), in time linear in the number of
/// links where nothing is coupled. Sizes: q model.nq(), the others model.nv(), else UsageError.  [eq. aba]
ForwardDynamicsReport forward_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                                       std::span<const double> tau, ForwardDynamicsWorkspace<>& work,
                                       std::span<double> vdot, const DynamicsOptions& options = {});

}  // namespace pintle
