#include "pintle/constraints/island_law.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "pintle/base/random.h"

using namespace pintle;

namespace {

using Six = std::array<double, 6>;

/// The law of a contact that spins and rolls, with A = diagonal.
IslandLaw random_law(RandomStream& stream) {
  IslandContact contact;
  contact.spins = contact.rolls = true;
  contact.friction = stream.uniform(0.1, 1.5);
  contact.spinning = stream.uniform(0.1, 1.5);
  contact.rolling = stream.uniform(0.1, 1.5);
  std::array<double, 36> A{};
  for (std::size_t i = 0; i < 6; ++i) A[7 * i] = stream.uniform(0.1, 3.0);
  A[14] = A[7];
  A[35] = A[28];
  return IslandLaw(contact, A.data());
}

Six random_six(RandomStream& stream) {
  Six x;
  for (double& number : x) number = stream.uniform(-1, 1);
  return x;
}

double r_of(const IslandLaw& law, std::size_t row) {
  for (std::size_t k = 0; k < law.frictions; ++k)
    if (row >= law.friction[k].first && row < law.friction[k].first + law.friction[k].rows) return law.friction[k].r;
  return law.r;
}

}  // namespace

TEST_CASE("island law: no point of the cone is nearer to q than its projection") {
  RandomStream stream(1);
  int inside = 0, apex = 0;
  for (int i = 0; i < 2000; ++i) {
    const IslandLaw law = random_law(stream);
    const Six q = random_six(stream);
    Six z;
    law.project(q.data(), z.data());
    Six again = z;
    law.confine(again.data());
    CHECK(again == z);
    inside += z == q;
    apex += z[0] == 0.0;
    // (q - z)'R^-1 (y - z) <= 0 for every y of the cone.
    for (int k = 0; k < 20; ++k) {
      Six y = random_six(stream);
      law.confine(y.data());
      double sum = 0.0;
      for (std::size_t row = 0; row < 6; ++row) sum += (q[row] - z[row]) * (y[row] - z[row]) / r_of(law, row);
      CHECK(sum <= 1e-13);
    }
  }
  CHECK(inside > 10);
  CHECK(apex > 100);
}

TEST_CASE("island law: the natural map leaves P where the law holds, and there alone") {
  RandomStream stream(2);
  const Six size{1, 1, 1, 1, 1, 1};
  for (int i = 0; i < 500; ++i) {
    const IslandLaw law = random_law(stream);
    Six P = random_six(stream), w{}, z;
    P[0] = std::abs(P[0]) + 0.1;
    // Every friction slides: against its velocity, at its limit.
    for (std::size_t k = 0; k < law.frictions; ++k) {
      const IslandFriction& of = law.friction[k];
      double length = 0.0;
      for (std::size_t row = of.first; row < of.first + of.rows; ++row) {
        w[row] = stream.uniform(-1, 1);
        length = std::hypot(length, w[row]);
      }
      for (std::size_t row = of.first; row < of.first + of.rows; ++row) P[row] = -of.ratio * P[0] * w[row] / length;
    }
    law.find_natural(P.data(), w.data(), z.data());
    for (std::size_t row = 0; row < 6; ++row) CHECK(std::abs(z[row] - P[row]) <= 1e-14);
    CHECK(law.find_residual(P.data(), w.data(), size.data()) <= 1e-13);
    w[0] = 0.01;  // opens under load
    CHECK(law.find_residual(P.data(), w.data(), size.data()) >= 0.009);
    w[0] = -0.01;  // closes
    CHECK(law.find_residual(P.data(), w.data(), size.data()) >= 0.009);
    const Six none{};
    w = {0.5, 1, 1, 1, 1, 1};  // is open
    CHECK(law.find_residual(none.data(), w.data(), size.data()) == 0.0);
  }
}

TEST_CASE("island law: a step of Newton's method keeps what it is linear in") {
  RandomStream stream(3);
  for (int i = 0; i < 500; ++i) {
    const IslandLaw law = random_law(stream);
    Six P = random_six(stream), w = random_six(stream), p;
    std::array<double, 36> G;
    P[0] = std::abs(P[0]);
    law.confine(P.data());
    const double damping = 1e-6;
    law.linearise(P.data(), w.data(), damping, p.data(), G.data());
    const Six dw = random_six(stream);
    Six after = P;
    for (std::size_t row = 0; row < 6; ++row) {
      after[row] += p[row];
      for (std::size_t k = 0; k < 6; ++k) after[row] -= G[6 * row + k] * dw[k];
    }
    if (P[0] - law.r * w[0] <= 0.0) {
      for (const double x : after) CHECK(x == 0.0);
      continue;
    }
    // e dP_n + r dw_n = -r w_n; the sliding friction along q is ratio P_n, the sticking one as the normal row.
    CHECK(damping * (after[0] - P[0]) + law.r * dw[0] == doctest::Approx(-law.r * w[0]));
    for (std::size_t k = 0; k < law.frictions; ++k) {
      const IslandFriction& of = law.friction[k];
      double length = 0.0, along = 0.0;
      Six q{};
      for (std::size_t row = of.first; row < of.first + of.rows; ++row) {
        q[row] = P[row] - of.r * w[row];
        length = std::hypot(length, q[row]);
      }
      for (std::size_t row = of.first; row < of.first + of.rows; ++row) along += after[row] * q[row] / length;
      if (length > of.ratio * (P[0] - law.r * w[0])) {
        CHECK(along == doctest::Approx(of.ratio * after[0]));
      } else {
        CHECK(damping * (after[of.first] - P[of.first]) + of.r * dw[of.first] ==
              doctest::Approx(-of.r * w[of.first]));
      }
    }
  }
}
