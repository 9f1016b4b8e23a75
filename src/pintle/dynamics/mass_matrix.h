// The mass matrix M(q) (composite-rigid-body algorithm).
#pragma once

#include <span>

#include "pintle/dynamics/workspace.h"

namespace pintle {

/// M(q) of the independent dofs, armature included: nv x nv, row-major, symmetric and positive definite.  [eq. crba]
void mass_matrix(const Model& model, std::span<const double> q, MassMatrixWorkspace<>& work, std::span<double> M);

}  // namespace pintle
