#include "pintle/constraints/impact_solver.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "pintle/base/random.h"
#include "pintle/math/scalar.h"

using namespace pintle;

namespace {

using Numbers = std::vector<double>;

/// Rows J of a mechanism of `dofs` unit masses: A = J J', and u = J v of a random motion.
struct Rows {
  Numbers A, u, e, mu;
  std::size_t contacts;
};

Rows random_rows(RandomStream& stream, std::size_t contacts, std::size_t limits, std::size_t dofs) {
  const std::size_t n = 3 * contacts + limits;
  Numbers J(n * dofs), v(dofs);
  for (double& x : J) x = stream.uniform(-1, 1);
  for (double& x : v) x = stream.uniform(-2, 2);
  Rows rows{Numbers(n * n), Numbers(n), {}, {}, contacts};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < dofs; ++k) sum += J[i * dofs + k] * J[j * dofs + k];
      rows.A[i * n + j] = rows.A[j * n + i] = sum;
    }
    for (std::size_t k = 0; k < dofs; ++k) rows.u[i] += J[i * dofs + k] * v[k];
  }
  for (std::size_t i = 0; i < contacts + limits; ++i) rows.e.push_back(stream.uniform(0, 1));
  for (std::size_t i = 0; i < contacts; ++i) rows.mu.push_back(stream.uniform(0, 1.5));
  return rows;
}

}  // namespace

TEST_CASE("several impacts: they tell their work, which grows with the contacts") {
  RandomStream stream(22, 0);
  double before = 0.0;
  for (const std::size_t contacts : {1u, 3u, 9u}) {
    const Rows rows = random_rows(stream, contacts, 0, 3 * contacts + 2);
    for (const SeveralImpacts several : {SeveralImpacts::simultaneous, SeveralImpacts::sequential}) {
      ImpactWorkspace work(contacts, 0);
      Numbers P(3 * contacts);
      const ImpactReport report =
          solve_impact({rows.A, rows.u, rows.e, rows.mu, ImpactLaw::stronge, several}, work, P);
      REQUIRE(report.ok);
      CHECK(report.work > 0.0);
      if (several == SeveralImpacts::sequential || contacts == 1) continue;
      CHECK(report.work > 2.0 * before);
      before = report.work;
    }
  }
}

TEST_CASE("several impacts: no random impact gains energy, none leaves an approach") {
  RandomStream stream(21, 0);
  for (const SeveralImpacts several : {SeveralImpacts::simultaneous, SeveralImpacts::sequential}) {
    int fell_back = 0, cut_short = 0, failed = 0, scaled = 0, count = 0;
    double gain = 0.0, approach = 0.0, cone = 0.0;
    for (int i = 0; i < 2000; ++i) {
      const std::size_t contacts = 1 + static_cast<std::size_t>(stream.uniform(0, 4));
      const std::size_t limits = static_cast<std::size_t>(stream.uniform(0, 2));
      const std::size_t dofs = 3 + static_cast<std::size_t>(stream.uniform(0, 12));
      const Rows rows = random_rows(stream, contacts, limits, dofs);
      ImpactWorkspace work(contacts, limits);
      Numbers P(rows.u.size());
      const ImpactReport report = solve_impact({rows.A, rows.u, rows.e, rows.mu, ImpactLaw::stronge, several}, work, P);
      ++count;
      failed += !report.ok;
      fell_back += report.fell_back;
      cut_short += report.cut_short;
      scaled += report.scale < 1.0;
      double size = 0.0;
      double speed = 0.0, impulse = 0.0;
      for (std::size_t k = 0; k < P.size(); ++k) {
        size += std::abs(P[k] * rows.u[k]);
        speed += std::abs(rows.u[k]);
        impulse += std::abs(P[k]);
        for (std::size_t j = 0; j < P.size(); ++j) speed += std::abs(rows.A[k * P.size() + j] * P[j]);
      }
      if (size > 0.0) gain = std::max(gain, report.energy_change / size);
      for (std::size_t c = 0; c < contacts; ++c) {
        approach = std::max(approach, -work.after[3 * c] / speed);
        cone = std::max(cone, (std::hypot(P[3 * c + 1], P[3 * c + 2]) - rows.mu[c] * P[3 * c]) / (impulse + 1e-300));
      }
    }
    CHECK(failed == 0);
    CHECK(fell_back <= count / 200);  // seen: 3 of 2000
    CHECK(cut_short <= count / 200);  // seen: 1
    if (several == SeveralImpacts::simultaneous) CHECK(scaled > 0);
    CHECK(gain <= 1e-14);
    CHECK(approach <= 1e-10);  // the solver's own bound
    CHECK(cone <= 1e-9);
  }
}
