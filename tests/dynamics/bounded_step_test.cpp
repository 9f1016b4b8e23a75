#include "pintle/dynamics/solve/bounded_step.h"

#include <doctest/doctest.h>

#include "pintle/base/random.h"
#include "pintle/math/elementary.h"

using namespace pintle;

namespace {

constexpr double kInf = __builtin_inf();

struct Quadratic {
  std::vector<double> H, weight, gradient, below, above;
  double shift = 0.0;

  BoundedQuadratic view() const { return {H, weight, gradient, below, above, shift}; }
  /// Row i of (H + shift W) x + g.
  double slope(const std::vector<double>& x, std::size_t i) const {
    double sum = gradient[i] + shift * weight[i] * x[i];
    for (std::size_t j = 0; j < x.size(); ++j) sum += H[i * x.size() + j] * x[j];
    return sum;
  }
};

/// H = B B' + 0.1, weights and gradients of size 1; a skew part on top on request.
Quadratic random_quadratic(RandomStream& stream, std::size_t n, double skew) {
  Quadratic problem;
  std::vector<double> B(n * n);
  for (double& b : B) b = stream.uniform(-1, 1);
  problem.H.resize(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) problem.H[i * n + j] += B[i * n + k] * B[j * n + k];
    problem.H[i * n + i] += 0.1;
    problem.weight.push_back(stream.uniform(0.5, 2.0));
    problem.gradient.push_back(stream.uniform(-1, 1));
    problem.below.push_back(-kInf);
    problem.above.push_back(kInf);
    for (std::size_t j = 0; j < i; ++j) {
      const double s = skew * stream.uniform(-1, 1);
      problem.H[i * n + j] += s;
      problem.H[j * n + i] -= s;
    }
  }
  problem.shift = 0.3;
  return problem;
}

}  // namespace

TEST_CASE("bounded step: without bounds the slope vanishes, symmetric or not") {
  RandomStream stream(88);
  for (const double skew : {0.0, 2.0}) {
    for (std::size_t n = 0; n < 12; ++n) {
      const Quadratic problem = random_quadratic(stream, n, skew);
      BoundedStepWorkspace work(n);
      std::vector<double> x(n);
      REQUIRE(bounded_step(problem.view(), work, x));
      for (std::size_t i = 0; i < n; ++i) CHECK(abs(problem.slope(x, i)) < 1e-13);
    }
  }
}

TEST_CASE("bounded step: within the bounds, level where free, and downhill as a whole") {
  RandomStream stream(89);
  for (int run = 0; run < 200; ++run) {
    const std::size_t n = 1 + static_cast<std::size_t>(run) % 10;
    Quadratic problem = random_quadratic(stream, n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      if (stream.uniform() < 0.5) problem.below[i] = stream.uniform() < 0.3 ? 0.0 : -stream.uniform(0.0, 0.5);
      if (stream.uniform() < 0.5) problem.above[i] = stream.uniform() < 0.3 ? 0.0 : stream.uniform(0.0, 0.5);
    }
    BoundedStepWorkspace work(n);
    std::vector<double> x(n);
    REQUIRE(bounded_step(problem.view(), work, x));
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(x[i] >= problem.below[i]);
      CHECK(x[i] <= problem.above[i]);
      if (is_blocked(problem.view(), i)) CHECK(x[i] == 0.0);
      if (x[i] > problem.below[i] && x[i] < problem.above[i] && !is_blocked(problem.view(), i))
        CHECK(abs(problem.slope(x, i)) < 1e-13);
    }
  }
}

TEST_CASE("bounded step: a matrix that gives way is refused, and the direction in which it does is found") {
  RandomStream stream(90);
  for (int run = 0; run < 100; ++run) {
    const std::size_t n = 2 + static_cast<std::size_t>(run) % 8;
    Quadratic problem = random_quadratic(stream, n, 0.0);
    BoundedStepWorkspace work(n);
    std::vector<double> x(n);
    CHECK_FALSE(negative_curvature(problem.view(), work, x));
    problem.shift = -100.0;
    CHECK_FALSE(bounded_step(problem.view(), work, x));
    problem.shift = -0.2 - 0.1 * static_cast<double>(run % 5);
    if (!negative_curvature(problem.view(), work, x)) continue;
    double curvature = 0.0;
    for (std::size_t i = 0; i < n; ++i) curvature += x[i] * (problem.slope(x, i) - problem.gradient[i]);
    CHECK(curvature < 1e-12);
    // A dof that is blocked does not move.
    problem.above[0] = 0.0;
    problem.gradient[0] = -1.0;
    if (negative_curvature(problem.view(), work, x)) CHECK(x[0] == 0.0);
  }
}
