#include "pintle/dynamics/solve/bounded_step.h"

namespace pintle {

BoundedStepWorkspace::BoundedStepWorkspace(std::size_t n) : factors(n * n), right(n), free(n), fixed(n) {}

namespace {

double entry(const BoundedQuadratic& problem, std::size_t i, std::size_t j) {
  const double h = problem.H[i * problem.gradient.size() + j];
  return i == j ? h + problem.shift * problem.weight[i] : h;
}

std::size_t list_free(const BoundedQuadratic& problem, BoundedStepWorkspace& work) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < problem.gradient.size(); ++k)
    if (work.fixed[k] == 0) work.free[count++] = k;
  return count;
}

/// L U of the matrix on the free dofs, row-major, L with unit diagonal; without row exchanges, which is safe where the
/// symmetric part is positive definite. Returns the first pivot that is not positive, or n.
std::size_t factor(const BoundedQuadratic& problem, BoundedStepWorkspace& work, std::size_t n) {
  double* const A = work.factors.data();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) A[i * n + j] = entry(problem, work.free[i], work.free[j]);
  for (std::size_t k = 0; k < n; ++k) {
    // A smaller pivot is rounding of what was subtracted.
    if (!(A[k * n + k] > 1e-15 * entry(problem, work.free[k], work.free[k]))) return k;
    for (std::size_t i = k + 1; i < n; ++i) {
      const double l = A[i * n + k] / A[k * n + k];
      A[i * n + k] = l;
      if (l == 0.0) continue;
      for (std::size_t j = k + 1; j < n; ++j) A[i * n + j] -= l * A[k * n + j];
    }
  }
  return n;
}

/// right = (L U)^-1 right
void solve(BoundedStepWorkspace& work, std::size_t n) {
  const double* const A = work.factors.data();
  std::vector<double>& x = work.right;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) x[i] -= A[i * n + k] * x[k];
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= A[i * n + k] * x[k];
    x[i] /= A[i * n + i];
  }
}

}  // namespace

bool is_blocked(const BoundedQuadratic& problem, std::size_t dof) {
  const double g = problem.gradient[dof];
  const bool at_lower = problem.below[dof] >= 0.0, at_upper = problem.above[dof] <= 0.0;
  return (at_lower && g > 0.0) || (at_upper && g < 0.0) || (at_lower && at_upper);
}

bool bounded_step(const BoundedQuadratic& problem, BoundedStepWorkspace& work, std::span<double> step) {
  const std::size_t n = problem.gradient.size();
  for (std::size_t k = 0; k < n; ++k) {
    work.fixed[k] = is_blocked(problem, k) ? 1 : 0;
    step[k] = 0.0;
  }
  for (std::size_t round = 0; round <= n; ++round) {
    const std::size_t count = list_free(problem, work);
    if (factor(problem, work, count) < count) return false;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t f = work.free[i];
      work.right[i] = -problem.gradient[f];
      for (std::size_t k = 0; k < n; ++k)
        if (work.fixed[k] != 0 && step[k] != 0.0) work.right[i] -= entry(problem, f, k) * step[k];
    }
    solve(work, count);
    bool within = true;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t f = work.free[i];
      step[f] = work.right[i];
      const double bound = step[f] < problem.below[f] ? problem.below[f] : problem.above[f];
      if (step[f] >= problem.below[f] && step[f] <= problem.above[f]) continue;
      if (!(step[f] < problem.below[f]) && !(step[f] > problem.above[f])) return false;  // NaN
      step[f] = bound;
      work.fixed[f] = 1;
      within = false;
    }
    if (within) break;
  }
  return true;
}

bool negative_curvature(const BoundedQuadratic& problem, BoundedStepWorkspace& work, std::span<double> direction) {
  for (std::size_t k = 0; k < direction.size(); ++k) {
    work.fixed[k] = is_blocked(problem, k) ? 1 : 0;
    direction[k] = 0.0;
  }
  const std::size_t count = list_free(problem, work);
  const std::size_t bad = factor(problem, work, count);
  if (bad == count) return false;
  // L' x = e on the leading block: x' A x is the pivot.
  for (std::size_t i = bad + 1; i-- > 0;) {
    double x = i == bad ? 1.0 : 0.0;
    for (std::size_t k = i + 1; k <= bad; ++k) x -= work.factors[k * count + i] * direction[work.free[k]];
    direction[work.free[i]] = x;
  }
  return true;
}

}  // namespace pintle
