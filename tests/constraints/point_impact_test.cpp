#include "pintle/constraints/point_impact.h"

#include <doctest/doctest.h>

#include <cmath>

#include "pintle/base/random.h"
#include "pintle/base/usage_error.h"
#include "pintle/math/scalar.h"

using namespace pintle;

namespace {

/// A point of a free body of mass m with the inverse inertia of a random rotor: B = 1/m + a positive part.
CoulombPoint random_point(RandomStream& stream) {
  double L[3][3] = {};
  for (auto& row : L)
    for (double& x : row) x = stream.uniform(-1, 1);
  double B[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      B[i][j] = i == j ? 0.2 : 0.0;
      for (int k = 0; k < 3; ++k) B[i][j] += L[i][k] * L[j][k];
    }
  return {B[0][0],
          {B[0][1], B[0][2]},
          {B[1][1], B[1][2], B[2][2]},
          {-stream.uniform(0.01, 3), stream.uniform(-3, 3), stream.uniform(-3, 3)}};
}

/// B P + c, written out.
std::array<double, 3> velocity(const CoulombPoint& p, const std::array<double, 3>& P) {
  return {p.c[0] + p.nn * P[0] + p.nt[0] * P[1] + p.nt[1] * P[2],
          p.c[1] + p.nt[0] * P[0] + p.tt[0] * P[1] + p.tt[1] * P[2],
          p.c[2] + p.nt[1] * P[0] + p.tt[1] * P[1] + p.tt[2] * P[2]};
}

double size(const CoulombPoint& p) {
  return std::abs(p.c[0]) + std::abs(p.c[1]) + std::abs(p.c[2]);
}

}  // namespace

TEST_CASE("point impact: a ball bounces as the closed forms say") {
  // A solid ball: 1/m and, at the tangents, 1/m + r^2/I = 7/(2 m). [table D of the reference cases]
  const double m = 0.7;
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::stronge})
    for (const double e : {0.0, 0.3, 0.87, 1.0})
      for (const double mu : {0.0, 0.1, 0.5, 2.0}) {
        const CoulombPoint ball{1 / m, {0, 0}, {3.5 / m, 0, 3.5 / m}, {-2, 0.6, -0.8}};
        const PointImpactSolution answer = point_impact({ball, e, mu}, law);
        const double Jn = m * (1 + e) * 2, Jt = std::min(mu * Jn, 2.0 / 7 * m * 1.0);
        CHECK(std::abs(answer.P[0] - Jn) <= 4 * kEpsilon<double> * Jn);
        CHECK(std::abs(std::hypot(answer.P[1], answer.P[2]) - Jt) <= 4 * kEpsilon<double> * Jn);
        CHECK(std::abs(answer.P[1] * 0.8 + answer.P[2] * 0.6) <= 4 * kEpsilon<double> * Jn);  // along the slip
        if (mu * Jn > 2.0 / 7 * m) {
          CHECK(answer.slip == SlipProcess::sticks);
          CHECK(answer.after[1] == 0.0);
          CHECK(answer.after[2] == 0.0);
        }
      }
}

TEST_CASE("point impact: momentum, cone, works and restitution of random eccentric impacts") {
  RandomStream stream(5, 0);
  double worst_balance = 0.0, worst_law = 0.0, worst_energy = 0.0, gain = 0.0;
  int newton_gains = 0, time_histories[4] = {};
  for (int i = 0; i < 3000; ++i) {
    const CoulombPoint point = random_point(stream);
    const double e = stream.uniform(0, 1), mu = stream.uniform(0, 2);
    for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::stronge}) {
      const PointImpactSolution answer = point_impact({point, e, mu}, law);
      REQUIRE(answer.ok);
      const auto u = velocity(point, answer.P);
      for (std::size_t k = 0; k < 3; ++k)
        worst_balance = std::max(worst_balance, std::abs(u[k] - answer.after[k]) / size(point));
      CHECK(std::hypot(answer.P[1], answer.P[2]) <= mu * answer.P[0] * (1 + 1e-9));
      CHECK(answer.tangential_work <= 1e-15);
      double energy = 0.0;
      for (std::size_t k = 0; k < 3; ++k) energy += 0.5 * answer.P[k] * (point.c[k] + u[k]);
      worst_energy = std::max(worst_energy, std::abs(energy - answer.energy_change()) / (size(point) * answer.P[0]));
      if (law == ImpactLaw::newton) {
        worst_law = std::max(worst_law, std::abs(answer.after[0] + e * point.c[0]) / std::abs(point.c[0]));
        newton_gains += answer.energy_change() > 1e-12 * size(point) * answer.P[0];
      } else if (law == ImpactLaw::poisson) {
        worst_law = std::max(worst_law, std::abs(answer.P[0] - (1 + e) * answer.compression) / answer.P[0]);
      } else {
        gain = std::max(gain, answer.energy_change() / (size(point) * answer.P[0]));
        ++time_histories[static_cast<int>(answer.slip)];
      }
    }
  }
  CHECK(time_histories[1] > 0);
  CHECK(time_histories[2] > 0);
  CHECK(time_histories[3] > 0);
  CHECK(worst_balance <= 1e-12);
  CHECK(worst_law <= 1e-10);
  CHECK(worst_energy <= 1e-11);
  CHECK(gain <= 0.0);
  CHECK(newton_gains > 0);  // Kane's paradox is real
}
