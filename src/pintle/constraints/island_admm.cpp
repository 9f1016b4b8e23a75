// ADMM for an island: P is split into x, which obeys the dynamics, and z in the cones.
#include <cmath>

#include "pintle/constraints/island_solver.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr double kOverRelaxation = 1.6;
constexpr int kBalanceEvery = 10;

}  // namespace

/// minimise P'A P/2 + (b + s)'P with P in the cones, s_n = mu |w_t| of the last iteration (0 in the relaxation that is
/// not `exact`): with penalties rho/r per row
///   x = (A + rho/r)^-1 (rho/r z - u - b - s),  z = project(x + r u/rho),  u += rho/r (x - z).
/// (A + rho/r)^-1 = G - G J (M + J'GJ)^-1 J' G, G = r/rho. [eq. island-admm]
bool IslandSolver::admm(int iterations, bool exact) {
  start_admm(exact);
  for (int k = 1; k <= iterations; ++k) {
    iterate_admm(exact);
    ++report_.iterations;
    if (k % kBalanceEvery == 0 || k == iterations) {
      for (std::size_t i = 0; i < rows_; ++i) P_[i] = z_[i];
      confine();
      if (judge()) return true;
      balance_penalty();
    }
  }
  return false;
}

void IslandSolver::start_admm(bool exact) {
  for (std::size_t i = 0; i < rows_; ++i) {
    z_[i] = P_[i];
    u_[i] = -w_[i];
  }
  if (exact)
    for (std::size_t c = 0; c < laws_.size(); ++c) {
      const std::size_t row = system_.points()[c].first;
      u_[row] -= laws_[c].saxce(w_.data() + row);
    }
  set_penalty(0.1);
}

void IslandSolver::set_penalty(double penalty) {
  penalty_ = penalty;
  for (std::size_t c = 0; c < laws_.size(); ++c) {
    const IslandPointView& point = system_.points()[c];
    double* const G = system_.gain(point);
    const IslandLaw& law = laws_[c];
    for (std::size_t i = 0; i < point.rows * point.rows; ++i) G[i] = 0.0;
    G[0] = law.r / penalty;
    for (std::size_t k = 0; k < law.frictions; ++k)
      for (std::size_t i = law.friction[k].first; i < law.friction[k].first + law.friction[k].rows; ++i)
        G[i * (point.rows + 1)] = law.friction[k].r / penalty;
  }
  for (std::size_t k = 0; k < problem_->bounds.size(); ++k)
    system_.gain_of_bar(k) = 1.0 / (system_.local_of_bar(k) * penalty);
  const bool positive = system_.factorise();
  static_cast<void>(positive);
}

void IslandSolver::iterate_admm(bool exact) {
  // With y = G (rho/r z - u - b - s): x = y - G J (M + J'GJ)^-1 J'y. b enters through w at P = 0.
  const auto over_rows = [&](auto&& use) {
    for (std::size_t c = 0; c < laws_.size(); ++c) {
      const IslandPointView& point = system_.points()[c];
      const double* const G = system_.gain(point);
      for (std::size_t i = 0; i < point.rows; ++i) use(point.first + i, G[i * (point.rows + 1)]);
    }
    for (std::size_t k = 0; k < problem_->bounds.size(); ++k) use(system_.bars()[k].row, system_.gain_of_bar(k));
  };
  for (std::size_t i = 0; i < rows_; ++i) rhs_[i] = -u_[i] - problem_->b[i];
  if (exact)
    for (std::size_t c = 0; c < laws_.size(); ++c) {
      const std::size_t row = system_.points()[c].first;
      rhs_[row] -= laws_[c].saxce(u_.data() + row);
    }
  over_rows([&](std::size_t i, double g) { step_[i] = fma(g, rhs_[i], z_[i]); });
  system_.respond(step_.data(), response_.data());
  over_rows([&](std::size_t i, double g) { x_[i] = fma(-g, response_[i], step_[i]); });
  // Relaxed: x is taken further than it came.
  for (std::size_t i = 0; i < rows_; ++i) {
    x_[i] = fma(kOverRelaxation, x_[i] - z_[i], z_[i]);
    step_[i] = z_[i];
  }
  over_rows([&](std::size_t i, double g) { rhs_[i] = fma(g, u_[i], x_[i]); });
  for (std::size_t c = 0; c < laws_.size(); ++c) {
    const std::size_t row = system_.points()[c].first;
    laws_[c].project(rhs_.data() + row, z_.data() + row);
  }
  for (std::size_t k = 0; k < problem_->bounds.size(); ++k) {
    const std::size_t row = system_.bars()[k].row;
    z_[row] = min(max(rhs_[row], problem_->bounds[k].lower), problem_->bounds[k].upper);
  }
  primal_ = dual_ = 0.0;
  over_rows([&](std::size_t i, double g) {
    if (!(g > 0.0)) return;
    u_[i] += (x_[i] - z_[i]) / g;
    const double r = g * penalty_;
    const double apart = x_[i] - z_[i], moved = z_[i] - step_[i];
    primal_ = fma(apart / r, apart, primal_);
    dual_ = fma(moved / r, moved, dual_);
  });
}

/// Makes the steps of z and the distance of x from z alike.
void IslandSolver::balance_penalty() {
  const double primal = std::sqrt(primal_), dual = penalty_ * std::sqrt(dual_);
  if (!(primal > 0.0) || !(dual > 0.0)) return;
  const double ratio = std::sqrt(primal / dual);
  if (ratio > 3.0 || ratio < 1.0 / 3.0) set_penalty(min(max(penalty_ * min(max(ratio, 0.1), 10.0), 1e-6), 1e3));
}

}  // namespace pintle
