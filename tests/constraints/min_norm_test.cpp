#include "pintle/constraints/min_norm.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "pintle/base/random.h"
#include "pintle/base/usage_error.h"

using namespace pintle;

using Numbers = std::vector<double>;

TEST_CASE("min norm: the answer solves as well as can be, and none that does is shorter") {
  RandomStream stream(7, 0);
  double worst_fit = 0.0, worst_length = 0.0;
  for (int i = 0; i < 2000; ++i) {
    const std::size_t n = 1 + static_cast<std::size_t>(stream.uniform(0, 9));
    const std::size_t rank = static_cast<std::size_t>(stream.uniform(0, static_cast<double>(n) + 1));
    Numbers B(n * rank), C(n * rank), A(n * n), b(n), x(n);
    for (double& number : B) number = stream.uniform(-1, 1);
    for (double& number : C) number = stream.uniform(-1, 1);
    for (double& number : b) number = stream.uniform(-1, 1);
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c < n; ++c)
        for (std::size_t k = 0; k < rank; ++k) A[r * n + c] += B[r * rank + k] * C[c * rank + k];
    Numbers used = A, right = b;
    MinNormWorkspace work(n);
    CHECK(solve_min_norm(n, used.data(), right.data(), work, x.data()) == rank);
    // A'(A x - b) = 0, and x is orthogonal to all y with C'y = 0: it is a sum of columns of C.
    Numbers rest(n);
    for (std::size_t r = 0; r < n; ++r) {
      rest[r] = -b[r];
      for (std::size_t c = 0; c < n; ++c) rest[r] += A[r * n + c] * x[c];
    }
    double size = 0.0;
    for (const double number : x) size += std::abs(number);
    for (std::size_t c = 0; c < n; ++c) {
      double sum = 0.0;
      for (std::size_t r = 0; r < n; ++r) sum += A[r * n + c] * rest[r];
      worst_fit = std::max(worst_fit, std::abs(sum) / (1.0 + size));
    }
    Numbers y(n), image(rank);
    for (double& number : y) number = stream.uniform(-1, 1);
    // y without its part in the space of C, by Gram and Schmidt.
    std::vector<Numbers> basis;
    for (std::size_t k = 0; k < rank; ++k) {
      Numbers v(n);
      for (std::size_t r = 0; r < n; ++r) v[r] = C[r * rank + k];
      for (int twice = 0; twice < 2; ++twice)
        for (const Numbers& e : basis) {
          double dot = 0.0;
          for (std::size_t r = 0; r < n; ++r) dot += e[r] * v[r];
          for (std::size_t r = 0; r < n; ++r) v[r] -= dot * e[r];
        }
      double norm = 0.0;
      for (const double number : v) norm += number * number;
      for (double& number : v) number /= std::sqrt(norm);
      basis.push_back(v);
    }
    for (int twice = 0; twice < 2; ++twice)
      for (const Numbers& e : basis) {
        double dot = 0.0;
        for (std::size_t r = 0; r < n; ++r) dot += e[r] * y[r];
        for (std::size_t r = 0; r < n; ++r) y[r] -= dot * e[r];
      }
    double along = 0.0;
    for (std::size_t r = 0; r < n; ++r) along += x[r] * y[r];
    worst_length = std::max(worst_length, std::abs(along) / (1.0 + size));
  }
  CHECK(worst_fit <= 1e-9);  // random matrices of condition up to 1e4
  CHECK(worst_length <= 1e-9);
}

TEST_CASE("min norm: a workspace that is too small is told") {
  MinNormWorkspace work(1);
  double A[4] = {1, 0, 0, 1}, b[2] = {1, 1}, x[2];
  CHECK_THROWS_AS(solve_min_norm(2, A, b, work, x), UsageError);
}
