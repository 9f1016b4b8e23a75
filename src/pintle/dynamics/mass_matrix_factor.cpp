#include "pintle/dynamics/mass_matrix_factor.h"

#include "pintle/base/usage_error.h"

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
  double* const L = factor.L.data();
  for (std::size_t k = 0; k < n; ++k) {
    L[k * n + k] = M[k * n + k];
    for (int i = parent[k]; i >= 0; i = parent[size(i)]) L[k * n + size(i)] = M[k * n + size(i)];
  }
  for (std::size_t k = n; k-- > 0;) {
    const double pivot = L[k * n + k];
    // Below this the pivot is rounding of what was subtracted from it.
    if (!(pivot > 16.0 * kEpsilon<double> * M[k * n + k])) return {model.joint_of_freedom(static_cast<int>(k))};
    for (int i = parent[k]; i >= 0; i = parent[size(i)]) {
      const double ratio = L[k * n + size(i)] / pivot;
      for (int j = i; j >= 0; j = parent[size(j)]) L[size(i) * n + size(j)] -= ratio * L[k * n + size(j)];
      L[k * n + size(i)] = ratio;
    }
  }
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
  const double* const L = factor.L.data();
  for (std::size_t k = n; k-- > 0;) {  // L'
    for (int i = parent[k]; i >= 0; i = parent[size(i)]) x[size(i)] -= L[k * n + size(i)] * x[k];
  }
  for (std::size_t k = 0; k < n; ++k) {  // D, then L
    x[k] /= L[k * n + k];
    for (int i = parent[k]; i >= 0; i = parent[size(i)]) x[k] -= L[k * n + size(i)] * x[size(i)];
  }
}

}  // namespace pintle
