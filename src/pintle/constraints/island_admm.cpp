// ADMM for an island: P is split into x, which obeys the dynamics, and z in the cones.
#include <cmath>

#include "pintle/constraints/island_solver.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr double kOverRelaxation = 1.6;
constexpr double kVanished = 1e-140;  // below: zero, before squares make arithmetic slow

}  // namespace

/// minimise P'A P/2 + (b + s)'P with P in the cones, s_n = sum mu |w_t| of the last iteration (0 in the relaxation,
/// which is not `exact`). With penalties 1/G per row, G = r/penalty:
///   x = (A + 1/G)^-1 (z/G - u - b - s) = y - G J (M + J'GJ)^-1 J'y,  y = z - G (u + b + s),
///   z = project(x + G u),  u += (x - z)/G.
/// z, u and so the search go on where the last call left them. True: solved.  [eq. island-admm]
bool IslandSolver::admm(int iterations, bool exact) {
  for (int k = 0; k < iterations; ++k) iterate_admm(exact);
  report_.iterations += iterations;
  for (std::size_t i = 0; i < rows_; ++i) P_[i] = z_[i];
  confine();
  return judge();
}

/// From P_ and its w_.
void IslandSolver::start_admm(bool exact) {
  for (std::size_t i = 0; i < rows_; ++i) {
    z_[i] = P_[i];
    u_[i] = -w_[i];
  }
  if (!exact) return;
  for (std::size_t c = 0; c < laws_.size(); ++c) {
    const std::size_t row = system_.points()[c].first;
    u_[row] -= laws_[c].saxce(w_.data() + row);
  }
}

void IslandSolver::set_penalty(double penalty) {
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
  const bool positive = system_.factorise();  // M + J'GJ always is
  static_cast<void>(positive);
}

void IslandSolver::iterate_admm(bool exact) {
  const auto over_rows = [&](auto&& use) {
    for (std::size_t c = 0; c < laws_.size(); ++c) {
      const IslandPointView& point = system_.points()[c];
      const double* const G = system_.gain(point);
      for (std::size_t i = 0; i < point.rows; ++i) use(point.first + i, G[i * (point.rows + 1)]);
    }
    for (std::size_t k = 0; k < problem_->bounds.size(); ++k) use(system_.bars()[k].row, system_.gain_of_bar(k));
  };
  for (std::size_t i = 0; i < rows_; ++i) step_[i] = -u_[i] - problem_->b[i];
  if (exact)
    for (std::size_t c = 0; c < laws_.size(); ++c) {
      const std::size_t row = system_.points()[c].first;
      step_[row] -= laws_[c].saxce(u_.data() + row);
    }
  over_rows([&](std::size_t i, double g) { step_[i] = fma(g, step_[i], z_[i]); });
  system_.respond(step_.data(), response_.data());
  // q = x + G u, with x taken further than it came; then z beside q, and u = (q - z)/G.
  std::vector<double>& q = step_;
  over_rows([&](std::size_t i, double g) {
    const double x = fma(-g, response_[i], step_[i]);
    q[i] = fma(g, u_[i], fma(kOverRelaxation, x - z_[i], z_[i]));
  });
  for (std::size_t c = 0; c < laws_.size(); ++c) {
    const std::size_t row = system_.points()[c].first;
    laws_[c].project(q.data() + row, z_.data() + row);
  }
  for (std::size_t k = 0; k < problem_->bounds.size(); ++k) {
    const std::size_t row = system_.bars()[k].row;
    z_[row] = min(max(q[row], problem_->bounds[k].lower), problem_->bounds[k].upper);
  }
  over_rows([&](std::size_t i, double g) {
    const double u = g > 0.0 ? (q[i] - z_[i]) / g : u_[i];
    u_[i] = std::abs(u) > kVanished ? u : 0.0;
    z_[i] = std::abs(z_[i]) > kVanished ? z_[i] : 0.0;
  });
}

}  // namespace pintle
