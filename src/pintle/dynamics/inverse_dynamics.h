// Inverse dynamics: the efforts that a motion needs (recursive Newton-Euler).
#pragma once

#include "pintle/dynamics/options.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// tau = M(q) vdot + h(q, v) - passive efforts - J' times the external wrenches: the efforts at the independent dofs
/// that make the mechanism accelerate with vdot. Sizes: q model.nq(), the others model.nv(), else UsageError.
/// [eq. rnea]
void inverse_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                      std::span<const double> vdot, InverseDynamicsWorkspace<>& work, std::span<double> tau,
                      const DynamicsOptions& options = {});

/// The effort by which each coupling drives its joint [N m, N], one per coupling of the model, after inverse_dynamics:
/// the driver carries ratio times that effort. Throws UsageError on a size mismatch.  [eq. coupling]
void transmission_efforts(const Model& model, const InverseDynamicsWorkspace<>& work, std::span<double> efforts);

/// h(q, v) = C(q, v) v + g(q): the efforts that keep vdot at zero without passive efforts.
void bias_efforts(const Model& model, std::span<const double> q, std::span<const double> v,
                  InverseDynamicsWorkspace<>& work, std::span<double> h);

/// g(q): the efforts that hold the mechanism at rest against gravity, without passive efforts.
void gravity_efforts(const Model& model, std::span<const double> q, InverseDynamicsWorkspace<>& work,
                     std::span<double> g);

}  // namespace pintle
