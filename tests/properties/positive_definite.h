// Dense symmetric positive definite matrices, by rows, the plain way: the yard-stick of forward dynamics.
#pragma once

#include <cmath>
#include <vector>

#include "pintle/math/scalar.h"

namespace test {

/// L of M = L L', of a symmetric matrix by rows; empty when it is not positive definite.
inline std::vector<double> cholesky(const std::vector<double>& M, std::size_t n) {
  std::vector<double> L(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = M[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k];
      if (i == j && !(sum > 0.0)) return {};
      L[i * n + j] = i == j ? std::sqrt(sum) : sum / L[j * n + j];
    }
  }
  return L;
}

/// M^-1 b
inline std::vector<double> solve(const std::vector<double>& L, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= L[i * n + k] * b[k];
    b[i] /= L[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= L[k * n + i] * b[k];
    b[i] /= L[i * n + i];
  }
  return b;
}

/// How far accelerations may lie apart when the efforts they need differ by `scale` each: |M^-1| scale, with M scaled
/// to a unit diagonal (Jacobi) so that units do not matter. Per dof; L is of M.
inline std::vector<double> acceleration_scale(const std::vector<double>& M, const std::vector<double>& L,
                                              const std::vector<double>& scale) {
  const std::size_t n = scale.size();
  double norm_of_inverse = 0.0, largest = 0.0;
  std::vector<double> row_sums(n);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> unit(n);
    unit[j] = 1.0;
    const std::vector<double> column = solve(L, unit);
    for (std::size_t i = 0; i < n; ++i)
      row_sums[i] += std::abs(column[i]) * std::sqrt(M[i * n + i]) * std::sqrt(M[j * n + j]);
    largest = pintle::max(largest, scale[j] / std::sqrt(M[j * n + j]));
  }
  for (const double sum : row_sums) norm_of_inverse = pintle::max(norm_of_inverse, sum);
  std::vector<double> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = norm_of_inverse * largest / std::sqrt(M[i * n + i]);
  return result;
}

}  // namespace test
