// The mass matrix factored and solved along the branches of the tree.
#pragma once

#include <span>

#include "pintle/dynamics/report.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// M = L'D L of the independent dofs (nv rows of nv numbers, from `mass_matrix`). L has entries only where M has
/// them: on branches, joints that a coupling ties together being on each other's. Costs the sum of the squares of the
/// depths instead of n^3/3. Sizes must fit, else UsageError.  [eq. branch-factor]
DynamicsReport factor_mass_matrix(const Model& model, std::span<const double> M, MassMatrixFactor<>& factor);

/// Cuts the dofs with a mark in `given` (nv marks) out of M: their rows and columns become those of the identity.
/// What is left is the mass matrix of the others, as if those stood still.
void cut_out_dofs(std::span<const unsigned char> given, std::span<double> M);

/// x becomes M^-1 x.  [eq. branch-factor]
void solve_mass_matrix(const Model& model, const MassMatrixFactor<>& factor, std::span<double> x);

}  // namespace pintle
