// Gauss-Seidel relaxation of an island: contact after contact, each solved exactly.
#include <cmath>

#include "pintle/constraints/coulomb_point.h"
#include "pintle/constraints/island_solver.h"
#include "pintle/math/scalar.h"

namespace pintle {

bool IslandSolver::relax(int sweeps) {
  for (int k = 0; k < sweeps; ++k) sweep();
  report_.iterations += sweeps;
  return judge();
}

/// Needs the jump that belongs to P_, and leaves it so.
void IslandSolver::sweep() {
  for (std::size_t c = 0; c < laws_.size(); ++c) relax_contact(c);
  for (std::size_t k = 0; k < problem_->bounds.size(); ++k) {
    const IslandBarView& bar = system_.bars()[k];
    const IslandBound& bound = problem_->bounds[k];
    const double old = P_[bar.row], a = system_.local_of_bar(k);
    P_[bar.row] = min(max(old - system_.w_of(bar) / a, bound.lower), bound.upper);
    system_.push(bar, P_[bar.row] - old);
  }
}

void IslandSolver::relax_contact(std::size_t contact) {
  const IslandPointView& point = system_.points()[contact];
  const IslandLaw& law = laws_[contact];
  const double* const A = system_.local(point);
  const std::size_t n = point.rows;
  if (!(law.r > 0.0)) return;
  double* const P = P_.data() + point.first;
  std::array<double, 6> w, change{};
  system_.find_w_of(point, w.data());
  const auto set = [&](std::size_t i, double value) {
    change[i] = value - P[i];
    P[i] = value;
  };
  const auto find_rest = [&](std::size_t i, std::size_t first, std::size_t rows) {
    double rest = w[i];
    for (std::size_t j = first; j < first + rows; ++j) rest = fma(-A[i * n + j], P[j], rest);
    return rest;
  };
  {
    const CoulombPoint at{A[0], {A[1], A[2]}, {A[n + 1], A[n + 2], A[2 * n + 2]},
                          {find_rest(0, 0, 3), find_rest(1, 0, 3), find_rest(2, 0, 3)}};
    const double mu = law.friction[0].ratio;
    const CoulombSolution solution = solve_point(at, {.static_friction = mu, .kinetic_friction = mu});
    for (std::size_t i = 0; i < 3; ++i) set(i, solution.f[i]);
  }
  std::size_t done = 0;
  for (std::size_t k = 1; k < law.frictions; ++k) {
    const IslandFriction& of = law.friction[k];
    for (std::size_t i = of.first; i < n; ++i)
      for (std::size_t j = done; j < of.first; ++j) w[i] = fma(A[i * n + j], change[j], w[i]);
    done = of.first;
    const std::size_t i = of.first;
    const double radius = of.ratio * P[0];
    if (!(A[i * (n + 1)] > 0.0)) continue;
    if (of.rows == 1) {
      set(i, min(max(P[i] - w[i] / A[i * (n + 1)], -radius), radius));
    } else {
      const std::array<double, 3> tt{A[i * (n + 1)], A[i * n + i + 1], A[(i + 1) * (n + 1)]};
      const TangentSolution solution = solve_tangents(tt, {find_rest(i, i, 2), find_rest(i + 1, i, 2)}, radius, radius);
      set(i, solution.f[0]);
      set(i + 1, solution.f[1]);
    }
  }
  system_.push(point, change.data());
}

}  // namespace pintle
