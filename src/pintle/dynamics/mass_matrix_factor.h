// Branch-sparse factorisation of the mass matrix, and solves with it.
#pragma once

#include <span>

#include "pintle/dynamics/report.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// M = L'D L of the independent dofs (nv x nv, row-major, from `mass_matrix`). L has the sparsity of M: entries on
/// branches only, where coupled joints count as being on each other's branch. Costs the sum of the squares of the
/// depths instead of n^3/3. Throws UsageError on a size mismatch.  [eq. branch-factor]
DynamicsReport factor_mass_matrix(const Model& model, std::span<const double> M, MassMatrixFactor<>& factor);

/// Locks the dofs flagged in `given` (nv flags): their rows and columns of M become those of the identity. What is left
/// is the mass matrix of the others.
void cut_out_dofs(std::span<const unsigned char> given, std::span<double> M);

/// x = M^-1 x.  [eq. branch-factor]
void solve_mass_matrix(const Model& model, const MassMatrixFactor<>& factor, std::span<double> x);

}  // namespace pintle
