#include "pintle/constraints/cone_forces.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "pintle/base/random.h"
#include "pintle/base/usage_error.h"

using namespace pintle;

using Numbers = std::vector<double>;

namespace {

double margin_of(const std::vector<ForceCone>& cones, const Numbers& x) {
  double least = __builtin_inf();
  for (const ForceCone& cone : cones) {
    double square = 0.0;
    for (std::size_t i = 0; i < cone.rows; ++i) square += x[cone.first + i] * x[cone.first + i];
    least = std::min(least, cone.slope * x[cone.normal] + cone.offset - std::sqrt(square));
  }
  return least;
}

}  // namespace

TEST_CASE("cone forces: two legs share a load up to the sum of their friction, and not beyond") {
  // Unknowns: normal 1, tangential 1, normal 2, tangential 2. The normals add up to 2, the tangentials to the load.
  const Numbers G{1, 0, 1, 0, 0, 1, 0, 1};
  const double mu = 0.5;
  const std::vector<ForceCone> cones{{0, mu, 0.0, 1, 1}, {2, mu, 0.0, 3, 1}};
  for (const double part : {0.5, 0.99, 1 - 1e-6, 1 - 1e-11, 1 + 1e-11, 1 + 1e-6, 1.5}) {
    const double load = part * 2 * mu;
    Numbers x{1.9, -0.3, 0.1, load + 0.3};  // one leg carries all
    ConeWorkspace work(4);
    const ConeReport report = move_into_cones(2, 4, G.data(), cones, 1e-13, work, x.data());
    CAPTURE(part);
    CHECK(report.found == (part < 1));
    CHECK(std::abs(x[0] + x[2] - 2) <= 1e-14);
    CHECK(std::abs(x[1] + x[3] - load) <= 1e-14);
    CHECK(std::abs(report.margin - margin_of(cones, x)) <= 1e-15);
    if (part > 1) CHECK(report.margin <= (mu - load / 2) + 1e-14);
    if (part > 1) CHECK(report.margin >= (mu - load / 2) * 1.5 - 1e-11);  // the best is both alike
    CHECK(report.steps <= 120);
  }
}

TEST_CASE("cone forces: wherever there are forces within the cones, they are found, and G x stays as it is") {
  RandomStream stream(11, 0);
  int moved = 0;
  for (int k = 0; k < 400; ++k) {
    const std::size_t legs = 1 + static_cast<std::size_t>(stream.uniform(0, 8)), n = 3 * legs;
    const std::size_t rank = static_cast<std::size_t>(stream.uniform(0, 7));
    std::vector<ForceCone> cones;
    Numbers inside(n), B(n * rank), C(n * rank), G(n * n);
    const double depth = std::pow(10.0, stream.uniform(-8, -0.3));  // how far within
    for (std::size_t c = 0; c < legs; ++c) {
      const double mu = stream.uniform(0.2, 1.5), angle = stream.uniform(0, 6.28);
      cones.push_back({3 * c, mu, 0.0, 3 * c + 1, 2});
      inside[3 * c] = stream.uniform(0.1, 3.0);
      inside[3 * c + 1] = (1 - depth) * mu * inside[3 * c] * std::cos(angle);
      inside[3 * c + 2] = (1 - depth) * mu * inside[3 * c] * std::sin(angle);
    }
    for (double& number : B) number = stream.uniform(-1, 1);
    for (double& number : C) number = stream.uniform(-1, 1);
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c < n; ++c)
        for (std::size_t e = 0; e < rank; ++e) G[r * n + c] += B[r * rank + e] * C[c * rank + e];
    // Away from it along directions that G does not see: random ones without their part in the space of C.
    Numbers x = inside, way(n);
    for (double& number : way) number = stream.uniform(-1, 1);
    std::vector<Numbers> basis;
    const auto project_out = [&](Numbers& v) {
      for (int twice = 0; twice < 2; ++twice)
        for (const Numbers& e : basis) {
          double dot = 0.0;
          for (std::size_t i = 0; i < n; ++i) dot += e[i] * v[i];
          for (std::size_t i = 0; i < n; ++i) v[i] -= dot * e[i];
        }
    };
    for (std::size_t e = 0; e < rank && e < n; ++e) {
      Numbers v(n);
      for (std::size_t r = 0; r < n; ++r) v[r] = C[r * rank + e];
      project_out(v);
      double norm = 0.0;
      for (const double number : v) norm += number * number;
      for (double& number : v) number /= std::sqrt(norm);
      basis.push_back(v);
    }
    project_out(way);
    for (std::size_t i = 0; i < n; ++i) x[i] += 3 * way[i];
    const Numbers start = x;
    if (margin_of(cones, x) < 0) ++moved;
    ConeWorkspace work(n);
    const ConeReport report = move_into_cones(n, n, G.data(), cones, 1e-12, work, x.data());
    CAPTURE(k);
    CHECK(report.found);
    CHECK(margin_of(cones, x) >= -1e-12);
    double size = 0.0;
    for (const double number : x) size = std::max(size, std::abs(number));
    for (std::size_t r = 0; r < n; ++r) {
      double change = 0.0;
      for (std::size_t c = 0; c < n; ++c) change += G[r * n + c] * (x[c] - start[c]);
      CHECK(std::abs(change) <= 1e-12 * size);
    }
    CHECK(size <= 1e6);  // not far away where forces have no bound; seen: 4e4
  }
  CHECK(moved > 300);
}

TEST_CASE("cone forces: bounds are cones without tangents; a workspace that is too small is an error") {
  const Numbers G{1, 1, 0, 0};
  const std::vector<ForceCone> cones{{0, 1.0, -1.0}, {0, -1.0, 2.0}, {1, 1.0, 0.5}};  // 1 <= x <= 2, y >= -0.5
  Numbers x{5, -3};                                                                    // x + y = 2
  ConeWorkspace work(2);
  const ConeReport report = move_into_cones(2, 2, G.data(), cones, 0.0, work, x.data());
  CHECK(report.found);
  CHECK(x[0] >= 1);
  CHECK(x[0] <= 2);
  CHECK(std::abs(x[0] + x[1] - 2) <= 1e-14);
  ConeWorkspace small(1);
  CHECK_THROWS_AS((void)move_into_cones(2, 2, G.data(), cones, 0.0, small, x.data()), UsageError);
}
