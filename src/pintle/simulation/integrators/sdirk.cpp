#include "pintle/simulation/integrators/sdirk.h"

#include <utility>

namespace pintle {
namespace {

// Hairer, Wanner 1996, table IV.6.5.
constexpr double kGamma = 1.0 / 4;
constexpr double kSdirkC[5] = {1.0 / 4, 3.0 / 4, 11.0 / 20, 1.0 / 2, 1.0};
constexpr double kSdirkA[5][5] = {{kGamma},
                                  {1.0 / 2, kGamma},
                                  {17.0 / 50, -1.0 / 25, kGamma},
                                  {371.0 / 1360, -137.0 / 2720, 15.0 / 544, kGamma},
                                  {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, kGamma}};
constexpr double kLower[5] = {59.0 / 48, -17.0 / 96, 225.0 / 32, -85.0 / 12, 0.0};  // the embedded one, of order 3
constexpr int kMaxNewtonIterations = 20;

}  // namespace

Sdirk::Sdirk(std::size_t numbers, std::size_t depended_on)
    : base_(numbers),
      stage_(numbers),
      rate_(numbers),
      beside_(numbers),
      change_(numbers),
      jacobian_(depended_on * depended_on),
      matrix_(depended_on * depended_on),
      pivot_(depended_on) {
  for (std::vector<double>& k : k_) k.resize(numbers);
}

/// By differences: it only drives the iteration, the result does not depend on its last digits.
bool Sdirk::differentiate(ChartField& field, double t, std::span<const double> z, std::span<const double> sizes) {
  const std::size_t n = pivot_.size();
  if (!field(t, z, rate_)) return false;
  for (std::size_t i = 0; i < z.size(); ++i) beside_[i] = z[i];
  for (std::size_t j = 0; j < n; ++j) {
    const double step = 1e-8 * sizes[j];
    beside_[j] = z[j] + step;
    if (!field(t, beside_, change_)) return false;
    beside_[j] = z[j];
    for (std::size_t i = 0; i < n; ++i) jacobian_[i * n + j] = (change_[i] - rate_[i]) / step;
  }
  return true;
}

/// The LU factors of 1 - h gamma J, with row exchanges.
bool Sdirk::factor(double h) {
  const std::size_t n = pivot_.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) matrix_[i * n + j] = (i == j ? 1.0 : 0.0) - h * kGamma * jacobian_[i * n + j];
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(matrix_[i * n + k]) > std::abs(matrix_[best * n + k])) best = i;
    pivot_[k] = best;
    if (!(std::abs(matrix_[best * n + k]) > 0.0)) return false;
    if (best != k)
      for (std::size_t j = 0; j < n; ++j) std::swap(matrix_[k * n + j], matrix_[best * n + j]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double ratio = matrix_[i * n + k] /= matrix_[k * n + k];
      if (ratio == 0.0) continue;
      for (std::size_t j = k + 1; j < n; ++j) matrix_[i * n + j] -= ratio * matrix_[k * n + j];
    }
  }
  return true;
}

/// Of the components that the motion depends on; the others are unchanged.
void Sdirk::solve(std::span<double> x) const {
  const std::size_t n = pivot_.size();
  for (std::size_t k = 0; k < n; ++k) std::swap(x[k], x[pivot_[k]]);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) x[i] -= matrix_[i * n + j] * x[j];
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) x[i] -= matrix_[i * n + j] * x[j];
    x[i] /= matrix_[i * n + i];
  }
}

StepOutcome Sdirk::step(ChartField& field, double h, std::span<const double> z0, std::span<const double> sizes,
                        std::span<double> z1, std::span<double> error) {
  const double t = field.start().t;
  const std::size_t n = z0.size(), implicit = pivot_.size();
  if (!differentiate(field, t, z0, sizes)) return StepOutcome::no_derivatives;
  if (!factor(h)) return StepOutcome::not_converged;
  for (std::size_t s = 0; s < 5; ++s) {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (std::size_t j = 0; j < s; ++j) sum += kSdirkA[s][j] * k_[j][i];
      base_[i] = z0[i] + h * sum;
      stage_[i] = s == 0 ? z0[i] : base_[i] + h * kGamma * k_[s - 1][i];
    }
    // stage = base + h gamma f(stage), to the rounding of its components.
    double before = __builtin_inf();
    bool found = false;
    for (int iteration = 0; iteration < kMaxNewtonIterations && !found; ++iteration) {
      if (!field(t + kSdirkC[s] * h, stage_, k_[s])) return StepOutcome::no_derivatives;
      for (std::size_t i = 0; i < n; ++i) change_[i] = base_[i] + h * kGamma * k_[s][i] - stage_[i];
      solve(change_);
      double largest = 0.0;
      for (std::size_t i = 0; i < n; ++i) stage_[i] += change_[i];
      for (std::size_t i = 0; i < implicit; ++i) {
        const double relative = std::abs(change_[i]) / sizes[i];
        if (!(relative <= largest)) largest = relative;
      }
      if (!std::isfinite(largest)) return StepOutcome::not_converged;
      found = largest <= 1e-14 || (largest <= 1e-11 && largest >= 0.5 * before);  // no better than rounding
      if (!found && largest > 0.2 * before) {  // the matrix is too far from that of this state
        if (!differentiate(field, t + kSdirkC[s] * h, stage_, sizes)) return StepOutcome::no_derivatives;
        if (!factor(h)) return StepOutcome::not_converged;
      }
      before = largest;
    }
    if (!found) return StepOutcome::not_converged;
    for (std::size_t i = 0; i < implicit; ++i) k_[s][i] = (stage_[i] - base_[i]) / (h * kGamma);
  }
  for (std::size_t i = 0; i < n; ++i) {
    z1[i] = stage_[i];  // the last stage is the end: L-stable
    double sum = 0.0;
    for (std::size_t s = 0; s < 5; ++s) sum += (kSdirkA[4][s] - kLower[s]) * k_[s][i];
    error[i] = h * sum;
  }
  // Filtered by the matrix, so that stiff components that decay at once do not count.
  solve(error);
  return StepOutcome::done;
}

}  // namespace pintle
