#include "pintle/constraints/island_law.h"

#include <cmath>

#include "pintle/math/scalar.h"

namespace pintle {
namespace {

double length_of(const double* x, std::size_t rows) {
  return rows == 1 ? std::abs(x[0]) : std::sqrt(fma(x[0], x[0], x[1] * x[1]));
}

double inverse_or_zero(double x) {
  return x > 0.0 ? 1.0 / x : 0.0;
}

/// The worse of two residuals: NaN counts as infinite.
double take_worse(double worst, double residual) {
  if (residual != residual) return __builtin_inf();
  return residual > worst ? residual : worst;
}

}  // namespace

IslandLaw::IslandLaw(const IslandContact& contact, const double* A) {
  const std::size_t n = contact.rows();
  r = inverse_or_zero(A[0]);
  const auto add = [&](std::size_t first, std::size_t rows, double ratio) {
    double largest = 0.0;
    for (std::size_t i = first; i < first + rows; ++i) largest = max(largest, A[i * (n + 1)]);
    friction[frictions++] = {first, rows, ratio, inverse_or_zero(largest)};
  };
  add(1, 2, contact.friction);
  if (contact.spins) add(3, 1, contact.spinning);
  if (contact.rolls) add(contact.spins ? 4 : 3, 2, contact.rolling);
}

void IslandLaw::find_natural(const double* P, const double* w, double* z) const {
  z[0] = max(fma(-r, w[0], P[0]), 0.0);
  for (std::size_t k = 0; k < frictions; ++k) {
    const IslandFriction& of = friction[k];
    double* const q = z + of.first;
    for (std::size_t i = 0; i < of.rows; ++i) q[i] = fma(-of.r, w[of.first + i], P[of.first + i]);
    const double radius = of.ratio * z[0], size = length_of(q, of.rows);
    if (size <= radius) continue;
    for (std::size_t i = 0; i < of.rows; ++i) q[i] *= radius / size;
  }
}

double IslandLaw::find_residual(const double* P, const double* w, const double* size) const {
  std::array<double, 6> z;
  find_natural(P, w, z.data());
  double all = size[0];
  for (std::size_t i = 1; i < 3; ++i) all = max(all, size[i]);
  double worst = r > 0.0 ? std::abs(P[0] - z[0]) / r : max(-w[0], 0.0);
  worst = all > 0.0 ? take_worse(0.0, worst / all) : 0.0;
  for (std::size_t k = 0; k < frictions; ++k) {
    const IslandFriction& of = friction[k];
    for (std::size_t i = of.first; i < of.first + of.rows; ++i) {
      z[i] -= P[i];
      if (k > 0) all = i == of.first ? size[i] : max(all, size[i]);
    }
    if (of.r > 0.0 && all > 0.0) worst = take_worse(worst, length_of(z.data() + of.first, of.rows) / (of.r * all));
  }
  return worst;
}

void IslandLaw::linearise(const double* P, const double* w, double damping, double* p, double* G) const {
  const std::size_t n = rows();
  for (std::size_t i = 0; i < n * n; ++i) G[i] = 0.0;
  const double q_n = fma(-r, w[0], P[0]);
  if (!(q_n > 0.0)) {
    for (std::size_t i = 0; i < n; ++i) p[i] = -P[i];
    return;
  }
  p[0] = -r * w[0] / damping;
  G[0] = r / damping;
  for (std::size_t k = 0; k < frictions; ++k) {
    const IslandFriction& of = friction[k];
    std::array<double, 2> d{};
    for (std::size_t i = 0; i < of.rows; ++i) d[i] = fma(-of.r, w[of.first + i], P[of.first + i]);
    const double radius = of.ratio * q_n, size = length_of(d.data(), of.rows);
    if (!(radius > 0.0)) {
      for (std::size_t i = of.first; i < of.first + of.rows; ++i) p[i] = -P[i];
    } else if (size <= radius) {
      for (std::size_t i = of.first; i < of.first + of.rows; ++i) {
        p[i] = -of.r * w[i] / damping;
        G[i * (n + 1)] = of.r / damping;
      }
    } else {
      // Along d friction follows the normal impulse; across d it turns.
      const double ratio = radius / size, across = 1.0 / (1.0 + damping - ratio);
      double along = 0.0;
      for (std::size_t i = 0; i < of.rows; ++i) {
        d[i] /= size;
        along = fma(d[i], P[of.first + i], along);
      }
      const double wanted = of.ratio * (p[0] + P[0]) - along;
      for (std::size_t i = 0; i < of.rows; ++i) {
        const std::size_t row = of.first + i;
        p[row] = d[i] * wanted - across * (P[row] - along * d[i]);
        G[row * n] = d[i] * of.ratio * G[0];
        for (std::size_t j = 0; j < of.rows; ++j)
          G[row * n + of.first + j] = ratio * of.r * across * ((i == j ? 1.0 : 0.0) - d[i] * d[j]);
      }
    }
  }
}

void IslandLaw::confine(double* P) const {
  P[0] = max(P[0], 0.0);
  for (std::size_t k = 0; k < frictions; ++k) {
    const IslandFriction& of = friction[k];
    const double radius = of.ratio * P[0], size = length_of(P + of.first, of.rows);
    if (size <= radius * (1.0 + 4.0 * kEpsilon<double>)) continue;  // rounding of the last time
    for (std::size_t i = of.first; i < of.first + of.rows; ++i) P[i] *= radius / size;
  }
}

void IslandLaw::project(const double* q, double* z) const {
  // z_n minimises (z_n - q_n)^2/r + sum of max(0, |q_k| - ratio_k z_n)^2/r_k, convex and piecewise quadratic: with the
  // frictions that exceed their cones it is a weighted mean; those that do are found by going down from z_n = max(q_n).
  std::array<double, 3> size{};
  std::array<bool, 3> exceeds{};
  for (std::size_t k = 0; k < frictions; ++k) size[k] = length_of(q + friction[k].first, friction[k].rows);
  double normal = max(q[0], 0.0);
  for (std::size_t pass = 0; pass <= frictions; ++pass) {
    double top = q[0], bottom = 1.0;
    bool changed = false;
    for (std::size_t k = 0; k < frictions; ++k) {
      const IslandFriction& of = friction[k];
      const bool beyond = size[k] > of.ratio * normal;
      changed = changed || beyond != exceeds[k];
      exceeds[k] = beyond;
      if (!beyond || !(of.r > 0.0)) continue;
      const double weight = r / of.r * of.ratio;
      top = fma(weight, size[k], top);
      bottom = fma(weight, of.ratio, bottom);
    }
    if (!changed) break;
    normal = max(top / bottom, 0.0);
  }
  z[0] = normal;
  for (std::size_t i = 1; i < rows(); ++i) z[i] = q[i];
  confine(z);
}

double IslandLaw::saxce(const double* u) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < frictions; ++k)
    sum = fma(friction[k].ratio, length_of(u + friction[k].first, friction[k].rows), sum);
  return sum;
}

}  // namespace pintle
