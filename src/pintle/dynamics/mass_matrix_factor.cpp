#include "pintle/dynamics/mass_matrix_factor.h"

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/kernels.h"

namespace pintle {
namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

}  // namespace

DynamicsReport factor_mass_matrix(const Model& model, std::span<const double> M, MassMatrixFactor<>& factor) {
  const std::size_t n = size(model.nv());
  require_size("factor_mass_matrix", "M", M.size(), n * n);
  require_size("factor_mass_matrix", "factor", factor.L.size(), n * n);
  const std::span<const int> parent = model.freedom_parents();
  const int singular =
      dynamics_kernels_in_use().factor_mass_matrix(model.nv(), parent.data(), M.data(), factor.L.data());
  if (singular >= 0) return {model.joint_of_freedom(singular)};
  return {};
}

void cut_out_freedoms(std::span<const unsigned char> given, std::span<double> M) {
  const std::size_t n = given.size();
  require_size("cut_out_freedoms", "M", M.size(), n * n);
  for (std::size_t i = 0; i < n; ++i) {
    if (given[i] == 0) continue;
    for (std::size_t j = 0; j < n; ++j) M[i * n + j] = M[j * n + i] = i == j ? 1.0 : 0.0;
  }
}

void solve_mass_matrix(const Model& model, const MassMatrixFactor<>& factor, std::span<double> x) {
  const std::size_t n = size(model.nv());
  require_size("solve_mass_matrix", "factor", factor.L.size(), n * n);
  require_size("solve_mass_matrix", "x", x.size(), n);
  const std::span<const int> parent = model.freedom_parents();
  dynamics_kernels_in_use().solve_mass_matrix(model.nv(), parent.data(), factor.L.data(), x.data());
}

}  // namespace pintle
