#include "pintle/dynamics/mass_matrix_factor.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/kernels/kernels.h"

namespace pintle {
DynamicsReport factor_mass_matrix(const Model& model, std::span<const double> M, MassMatrixFactor<>& factor) {
  const std::size_t n = size(model.nv());
  require_size("factor_mass_matrix", "M", M.size(), n * n);
  const DofBranches branches = model.dof_branches();
  require_size("factor_mass_matrix", "factor", factor.size(), n * size(branches.row));
  const int singular = dynamics_kernels_in_use().factor_mass_matrix(branches, M.data(), factor.L());
  if (singular >= 0) return {model.joint_of_dof(singular)};
  return {};
}

void cut_out_dofs(std::span<const unsigned char> given, std::span<double> M) {
  const std::size_t n = given.size();
  require_size("cut_out_dofs", "M", M.size(), n * n);
  for (std::size_t i = 0; i < n; ++i) {
    if (given[i] == 0) continue;
    for (std::size_t j = 0; j < n; ++j) M[i * n + j] = M[j * n + i] = i == j ? 1.0 : 0.0;
  }
}

void solve_mass_matrix(const Model& model, const MassMatrixFactor<>& factor, std::span<double> x) {
  const std::size_t n = size(model.nv());
  const DofBranches branches = model.dof_branches();
  require_size("solve_mass_matrix", "factor", factor.size(), n * size(branches.row));
  require_size("solve_mass_matrix", "x", x.size(), n);
  dynamics_kernels_in_use().solve_mass_matrix(branches, factor.L(), x.data());
}

}  // namespace pintle
