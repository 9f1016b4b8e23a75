#include "pintle/constraints/box_solver.h"

#include <doctest/doctest.h>

#include <cmath>

#include "base/count_allocations.h"
#include "pintle/base/random.h"
#include "pintle/base/usage_error.h"
#include "pintle/math/scalar.h"

using namespace pintle;

namespace {

using Numbers = std::vector<double>;
constexpr double kInf = __builtin_inf();

struct Problem {
  Numbers A, b, lower, upper;

  std::size_t n() const { return b.size(); }
  BoxProblem view() const { return {A, b, lower, upper}; }
};

struct Answer {
  BoxReport report;
  Numbers lambda;
  std::vector<RowState> state;
};

Answer solve(const Problem& problem) {
  BoxWorkspace work(problem.n());
  Answer answer;
  answer.lambda.resize(problem.n());
  answer.report = solve_box(problem.view(), work, answer.lambda);
  answer.state = work.state;
  return answer;
}

/// A = B B' with n rows of `rank` numbers, b in its range or anywhere, bounds of every variety.
Problem random_problem(RandomStream& stream, std::size_t n, std::size_t rank, bool b_in_range) {
  Problem problem;
  Numbers B(n * rank), x(rank);
  for (double& number : B) number = stream.uniform(-1, 1);
  for (double& number : x) number = stream.uniform(-3, 3);
  for (std::size_t i = 0; i < n; ++i) {
    const double size = std::pow(10.0, stream.uniform(-2, 2));
    for (std::size_t k = 0; k < rank; ++k) B[i * rank + k] *= size;
  }
  problem.A.resize(n * n);
  problem.b.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < rank; ++k) sum += B[i * rank + k] * B[j * rank + k];
      problem.A[i * n + j] = problem.A[j * n + i] = sum;
    }
    for (std::size_t k = 0; k < rank; ++k) problem.b[i] += B[i * rank + k] * x[k];
    if (!b_in_range) problem.b[i] = stream.uniform(-3, 3);
    const double size = 1.0 / std::sqrt(problem.A[i * n + i]);
    const std::uint64_t variety = stream.below(b_in_range ? 5 : 3);
    const double far = stream.uniform(0, 2) * size;
    problem.lower.push_back(variety == 0   ? -far
                            : variety == 1 ? far
                            : variety == 2 ? -2 * far
                            : variety == 3 ? 0.0
                                           : -kInf);
    problem.upper.push_back(variety == 0 ? far : variety == 1 ? 2 * far : variety == 2 ? -far : kInf);
  }
  return problem;
}

/// The worst violation of the law, against the sizes of the terms; bounds must be kept to the bit.
double violation(const Problem& problem, const Numbers& lambda) {
  const std::size_t n = problem.n();
  double worst = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(lambda[i] >= problem.lower[i] && lambda[i] <= problem.upper[i])) return kInf;
    long double w = problem.b[i], scale = std::abs(problem.b[i]);
    for (std::size_t j = 0; j < n; ++j) {
      w += static_cast<long double>(problem.A[i * n + j]) * lambda[j];
      scale += std::sqrt(problem.A[i * n + i] * problem.A[j * n + j]) * std::abs(lambda[j]);
    }
    if ((w > 0 && lambda[i] == problem.lower[i]) || (w < 0 && lambda[i] == problem.upper[i]) || w == 0) continue;
    worst = max(worst, static_cast<double>(std::abs(w) / scale));
  }
  return worst;
}

/// Gauss elimination of A x = r; empty when a pivot vanishes.
Numbers gauss(Numbers A, Numbers r) {
  const std::size_t n = r.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t p = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(A[i * n + k]) > std::abs(A[p * n + k])) p = i;
    double largest = 0.0;
    for (const double number : A) largest = max(largest, std::abs(number));
    if (!(std::abs(A[p * n + k]) > 1e-12 * largest)) return {};
    for (std::size_t j = 0; j < n; ++j) std::swap(A[k * n + j], A[p * n + j]);
    std::swap(r[k], r[p]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double f = A[i * n + k] / A[k * n + k];
      for (std::size_t j = k; j < n; ++j) A[i * n + j] -= f * A[k * n + j];
      r[i] -= f * r[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) r[k] -= A[k * n + j] * r[j];
    r[k] /= A[k * n + k];
  }
  return r;
}

/// Tries every choice of bounds: the answer of the least violation.
Numbers by_enumeration(const Problem& problem) {
  const std::size_t n = problem.n();
  std::size_t choices = 1;
  for (std::size_t i = 0; i < n; ++i) choices *= 3;
  Numbers best;
  double least = kInf;
  for (std::size_t choice = 0; choice < choices; ++choice) {
    Numbers lambda(n);
    std::vector<std::size_t> held;
    bool finite = true;
    for (std::size_t i = 0, c = choice; i < n; ++i, c /= 3) {
      if (c % 3 == 2)
        held.push_back(i);
      else
        lambda[i] = c % 3 == 1 ? problem.upper[i] : problem.lower[i] == -kInf ? 0.0 : problem.lower[i];
      finite = finite && std::isfinite(lambda[i]);
    }
    if (!finite) continue;
    Numbers A, r;
    for (const std::size_t i : held) {
      r.push_back(-problem.b[i]);
      for (std::size_t j = 0; j < n; ++j) r.back() -= problem.A[i * n + j] * lambda[j];
      for (const std::size_t j : held) A.push_back(problem.A[i * n + j]);
    }
    const Numbers x = gauss(A, r);
    if (x.size() != held.size()) continue;
    for (std::size_t k = 0; k < held.size(); ++k) {
      const std::size_t i = held[k];
      lambda[i] = x[k];
      // On a bound up to rounding: on it.
      const double near = 1e-12 / std::sqrt(problem.A[i * n + i]);
      if (std::abs(x[k] - problem.lower[i]) < near) lambda[i] = problem.lower[i];
      if (std::abs(x[k] - problem.upper[i]) < near) lambda[i] = problem.upper[i];
    }
    const double by = violation(problem, lambda);
    if (!(by < least)) continue;
    least = by;
    best = lambda;
  }
  REQUIRE(least < 1e-10);
  return best;
}

/// The largest |A (x - y)|, each row against sqrt(A_ii): what multipliers do is one for all answers.
double difference_in_effect(const Problem& problem, const Numbers& x, const Numbers& y) {
  double worst = 0.0;
  for (std::size_t i = 0; i < problem.n(); ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < problem.n(); ++j) sum += problem.A[i * problem.n() + j] * (x[j] - y[j]);
    worst = max(worst, std::abs(sum) / std::sqrt(problem.A[i * problem.n() + i]));
  }
  return worst;
}

double rounding(std::size_t n) {
  return 16.0 * static_cast<double>(n + 1) * kEpsilon<double>;
}

}  // namespace

TEST_CASE("box: the same answer as trying every choice of bounds, for regular A") {
  double worst = 0.0;
  for (std::uint64_t run = 0; run < 400; ++run) {
    CAPTURE(run);
    RandomStream stream(501, run);
    const std::size_t n = 1 + run % (run % 10 == 0 ? 8 : 6);
    const Problem problem = random_problem(stream, n, n + 3, run % 2 == 0);
    const Answer answer = solve(problem);
    CHECK(answer.report.converged);
    const Numbers expected = by_enumeration(problem);
    for (std::size_t i = 0; i < n; ++i)
      worst = max(worst, std::abs(answer.lambda[i] - expected[i]) * std::sqrt(problem.A[i * n + i]));
  }
  CHECK(worst < 1e-12);  // the worst seen is 3.6e-15
}

TEST_CASE("box: redundant rows have the same effect as trying every choice of bounds") {
  double worst = 0.0;
  for (std::uint64_t run = 0; run < 400; ++run) {
    CAPTURE(run);
    RandomStream stream(502, run);
    const std::size_t n = 2 + run % (run % 10 == 0 ? 7 : 5), rank = 1 + stream.below(n - 1);
    const Problem problem = random_problem(stream, n, rank, true);
    const Answer answer = solve(problem);
    CHECK(answer.report.converged);
    CHECK(violation(problem, answer.lambda) <= rounding(n));
    worst = max(worst, difference_in_effect(problem, answer.lambda, by_enumeration(problem)));
  }
  CHECK(worst < 1e-11);  // the worst seen is 4.1e-13
}

TEST_CASE("box: the law holds for up to 80 rows of any rank, in a number of steps of the order of the rows") {
  double worst = 0.0, steps = 0.0;
  for (std::uint64_t run = 0; run < 600; ++run) {
    CAPTURE(run);
    RandomStream stream(503, run);
    const std::size_t n = 1 + stream.below(80), rank = 1 + stream.below(2 * n);
    const Problem problem = random_problem(stream, n, rank, true);
    const Answer answer = solve(problem);
    CHECK(answer.report.converged);
    worst = max(worst, violation(problem, answer.lambda) / rounding(n));
    steps = max(steps, answer.report.pivots / static_cast<double>(n));
    for (std::size_t i = 0; i < n; ++i) {
      if (answer.state[i] == RowState::at_lower) CHECK(answer.lambda[i] == problem.lower[i]);
      if (answer.state[i] == RowState::at_upper) CHECK(answer.lambda[i] == problem.upper[i]);
    }
  }
  CHECK(worst <= 1.0);  // the worst seen is 0.04
  CHECK(steps <= 5.0);  // the most seen is 1.5 per row
}

TEST_CASE("box: one row holds up to its bound and not beyond") {
  for (const double b : {-1.0, -2.0, 2.0, 0.5, 0.0}) {
    const Answer answer = solve({{4.0}, {b}, {-0.5}, {0.5}});
    CHECK(answer.state[0] == RowState::held);
    CHECK(answer.lambda[0] == -b / 4.0);
    CHECK(answer.report.residual == 0.0);
  }
  CHECK(solve({{4.0}, {2.001}, {-0.5}, {0.5}}).state[0] == RowState::at_lower);
  CHECK(solve({{4.0}, {2.001}, {-0.5}, {0.5}}).lambda[0] == -0.5);
  CHECK(solve({{4.0}, {-2.001}, {-0.5}, {0.5}}).state[0] == RowState::at_upper);
  CHECK(solve({{4.0}, {-2.001}, {0.25}, {0.25}}).lambda[0] == 0.25);
  CHECK(solve({{4.0}, {-2.001}, {0.25}, {0.25}}).report.converged);
  CHECK(solve({{}, {}, {}, {}}).report.converged);
  // A row that nothing moves: held if it is at rest, else pushed to the bound.
  CHECK(solve({{0.0}, {0.0}, {-1}, {1}}).state[0] == RowState::held);
  CHECK(solve({{0.0}, {1.0}, {-1}, {1}}).lambda[0] == -1.0);
}

TEST_CASE("box: redundant rows share the load, by the squares of their own effects") {
  // One dof, four times the same row: each multiplier carries a quarter.
  const Numbers ones(16, 2.0), b(4, -8.0);
  const Answer equal = solve({ones, b, {-kInf, 0, -kInf, -5}, {kInf, kInf, kInf, 5}});
  CHECK(equal.report.converged);
  for (const double x : equal.lambda) CHECK(std::abs(x - 1.0) < 1e-14);
  // A bound on one: the others share what is left.
  const Answer bounded = solve({ones, b, {-kInf, 0, -kInf, -0.25}, {kInf, kInf, kInf, 0.25}});
  CHECK(bounded.report.converged);
  CHECK(bounded.lambda[3] == 0.25);
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(bounded.lambda[i] - 1.25) < 1e-14);
  // The same row in other units, 1, 2 and 4 times: the same share of the work for each.
  const Numbers J{1, 2, 4};
  Problem scaled{{}, {-3, -6, -12}, Numbers(3, -kInf), Numbers(3, kInf)};
  for (const double i : J)
    for (const double j : J) scaled.A.push_back(i * j);
  const Answer shared = solve(scaled);
  CHECK(shared.report.converged);
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(shared.lambda[i] * J[i] - 1.0) < 1e-14);
}

TEST_CASE("box: rows that contradict each other are reported, and the others held") {
  // Rows 0 and 1 are the same with unlike b; row 2 is on its own.
  const Answer answer = solve({{1, 1, 0, 1, 1, 0, 0, 0, 2}, {1, 2, 4}, Numbers(3, -kInf), Numbers(3, kInf)});
  CHECK_FALSE(answer.report.converged);
  CHECK(answer.report.worst_row >= 0);
  CHECK(answer.report.worst_row <= 1);
  CHECK(answer.report.residual > 0.1);
  CHECK(answer.lambda[2] == -2.0);
  const Answer nan = solve({{1, 0, 0, 1}, {__builtin_nan(""), 1}, Numbers(2, -kInf), Numbers(2, kInf)});
  CHECK_FALSE(nan.report.converged);
  CHECK(nan.report.residual != nan.report.residual);
}

TEST_CASE("box: degenerate bounds neither cycle nor stall") {
  // Every multiplier meets its bound at the same instant, and again at zero after each step.
  for (std::size_t n = 1; n <= 40; ++n) {
    CAPTURE(n);
    Problem problem{Numbers(n * n, 1.0), Numbers(n, -static_cast<double>(n)), Numbers(n, 0.0), Numbers(n, 1.0)};
    for (std::size_t i = 0; i < n; ++i) problem.A[i * n + i] += i % 2 == 0 ? 0.0 : 1e-9;
    const Answer answer = solve(problem);
    CHECK(answer.report.converged);
    CHECK(violation(problem, answer.lambda) <= rounding(n));
  }
}

TEST_CASE("box: wrong calls, and no allocation") {
  BoxWorkspace work(2);
  Numbers lambda(2);
  const Numbers A{1, 0, 0, 1}, b{1, 2}, low{-1, -1}, high{1, 1}, one{1}, inf{kInf, kInf};
  const std::size_t before = count_allocations();
  const bool converged = solve_box({A, b, low, high}, work, lambda).converged;
  CHECK(count_allocations() == before);
  CHECK(converged);
  const auto wrong = [&](const BoxProblem& problem, std::span<double> out, const char* argument) {
    CHECK_THROWS_WITH_AS((void)solve_box(problem, work, out), doctest::Contains(argument), UsageError);
  };
  wrong({b, b, low, high}, lambda, "'A'");
  wrong({A, b, one, high}, lambda, "'lower'");
  wrong({A, b, low, one}, lambda, "'upper'");
  wrong({A, b, high, low}, lambda, "'lower'");
  wrong({A, b, inf, inf}, lambda, "'lower'");
  wrong({A, b, low, high}, std::span<double>(lambda).first(1), "'lambda'");
  BoxWorkspace small(1);
  CHECK_THROWS_WITH_AS((void)solve_box({A, b, low, high}, small, lambda), doctest::Contains("'work'"), UsageError);
}
