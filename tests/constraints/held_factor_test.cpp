#include "pintle/constraints/held_factor.h"

#include <doctest/doctest.h>

#include <cmath>

#include "properties/dynamics_of.h"

using namespace test;

TEST_CASE("held factor: L L' = A of the rows that have joined and not left, in any order") {
  double most = 0.0;
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    RandomStream stream(541, run);
    const std::size_t n = 1 + stream.below(12);
    Numbers B(n * (n + 2)), A(n * n), L(n * n), column(n);
    for (double& x : B) x = stream.uniform(-1, 1);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n + 2; ++k) A[i * n + j] += B[i * (n + 2) + k] * B[j * (n + 2) + k];
    std::vector<std::size_t> order(n);
    std::vector<bool> in(n);
    HeldFactor factor{L.data(), order.data(), 0, n};
    for (int change = 0; change < 40; ++change) {
      const std::size_t row = stream.below(n);
      if (in[row]) {
        factor.remove(row);
      } else {
        for (std::size_t r = 0; r < factor.count; ++r) column[r] = A[order[r] * n + row];
        const double explained = factor.divide(column.data());
        factor.append(row, column.data(), A[row * n + row] - explained);
      }
      in[row] = !in[row];
      for (std::size_t r = 0; r < factor.count; ++r) {
        CHECK(in[order[r]]);
        for (std::size_t s = 0; s <= r; ++s) {
          double product = 0.0;
          for (std::size_t c = 0; c <= s; ++c) product += L[r * n + c] * L[s * n + c];
          const double scale = std::sqrt(A[order[r] * n + order[r]] * A[order[s] * n + order[s]]);
          most = max(most, abs(product - A[order[r] * n + order[s]]) / (kEpsilon<double> * scale));
        }
      }
    }
    // (L L')^-1 of A e is e again.
    Numbers e(n), image(n);
    for (std::size_t r = 0; r < factor.count; ++r)
      for (std::size_t s = 0; s < factor.count; ++s)
        image[r] += A[order[r] * n + order[s]] * static_cast<double>(s + 1);
    (void)factor.divide(image.data());
    factor.divide_transposed(image.data(), e.data());
    for (std::size_t r = 0; r < factor.count; ++r) CHECK(abs(e[r] - static_cast<double>(r + 1)) < 1e-8);
  }
  CHECK(most <= 20.0);  // in eps, after 40 changes; the worst seen is 4.8
}
