#include "pintle/constraints/contact_solver.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "base/count_allocations.h"
#include "pintle/base/random.h"
#include "pintle/base/usage_error.h"
#include "pintle/math/scalar.h"

using namespace pintle;

namespace {

using Numbers = std::vector<double>;

struct Problem {
  Numbers A, b, lower, upper;
  std::vector<ContactLaw> contacts;
  std::vector<MomentLaw> moments;

  std::size_t n() const { return b.size(); }
  std::size_t limit_rows() const { return n() - lower.size(); }
  ContactProblem view() const { return {A, b, contacts, lower, upper, moments}; }
};

struct Answer {
  ContactReport report;
  Numbers f, w;
  std::vector<ContactState> state;
};

Answer solve(const Problem& problem) {
  ContactWorkspace work(problem.contacts.size(), problem.lower.size(), problem.moments.size());
  Answer answer;
  answer.f.resize(problem.n());
  answer.report = solve_contacts(problem.view(), work, answer.f);
  answer.w.assign(work.w.begin(), work.w.end());
  answer.state.assign(work.state.begin(), work.state.end());
  return answer;
}

/// A = B B' with n rows of `rank` numbers; b of an approach, w = B (x).
Problem random_problem(RandomStream& stream, std::size_t contacts, std::size_t limit_rows, std::size_t rank,
                       std::vector<MomentLaw> moments = {}) {
  Problem problem;
  std::size_t n = 3 * contacts + limit_rows;
  for (const MomentLaw& law : moments) n += law.rows;
  problem.moments = std::move(moments);
  Numbers B(n * rank), x(rank);
  for (double& number : B) number = stream.uniform(-1, 1);
  for (double& number : x) number = stream.uniform(-3, 3);
  problem.A.resize(n * n);
  problem.b.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < rank; ++k) sum += B[i * rank + k] * B[j * rank + k];
      problem.A[i * n + j] = problem.A[j * n + i] = sum;
    }
    for (std::size_t k = 0; k < rank; ++k) problem.b[i] += B[i * rank + k] * x[k];
  }
  for (std::size_t c = 0; c < contacts; ++c) {
    ContactLaw law;
    law.kinetic_friction = stream.uniform(0, 1) < 0.2 ? 0.0 : stream.uniform(0, 1.5);
    law.static_friction = law.kinetic_friction;
    problem.contacts.push_back(law);
  }
  for (std::size_t i = 0; i < limit_rows; ++i) {
    const bool limit = stream.uniform(0, 1) < 0.5;
    problem.lower.push_back(limit ? 0.0 : -stream.uniform(0, 1));
    problem.upper.push_back(limit ? __builtin_inf() : stream.uniform(0, 1));
  }
  return problem;
}

/// The worst breach of the laws of the header, written out anew.
double worst_breach(const Problem& problem, const Numbers& f) {
  double worst = 0.0;
  const std::size_t n = problem.n();
  Numbers w = problem.b, size(n);
  for (std::size_t i = 0; i < n; ++i) {
    size[i] = std::abs(problem.b[i]);
    for (std::size_t j = 0; j < n; ++j) {
      w[i] += problem.A[i * n + j] * f[j];
      size[i] += std::abs(problem.A[i * n + j] * f[j]);
    }
  }
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const std::size_t i = 3 * c;
    const double mu = problem.contacts[c].kinetic_friction;
    const double scale = size[i] + size[i + 1] + size[i + 2];
    const double hold = std::hypot(f[i + 1], f[i + 2]), slip = std::hypot(w[i + 1], w[i + 2]);
    CHECK(f[i] >= 0.0);
    CHECK(hold <= mu * f[i] * (1 + 1e-9));
    worst = std::max(worst, std::max(-w[i], f[i] > 0.0 ? std::abs(w[i]) : 0.0) / scale);
    // Maximal dissipation: f_t.w_t = -mu f_n |w_t|.
    const double power = f[i + 1] * w[i + 1] + f[i + 2] * w[i + 2];
    if (f[i] > 0.0 && mu > 0.0) worst = std::max(worst, (power + mu * f[i] * slip) / (mu * f[i] * scale));
  }
  std::size_t row = 3 * problem.contacts.size();
  for (const MomentLaw& law : problem.moments) {
    const double fn = f[3 * law.contact], most = law.friction * fn;
    double hold = 0.0, turn = 0.0, power = 0.0, scale = 0.0;
    for (std::size_t k = 0; k < law.rows; ++k, ++row) {
      if (law.direction[0] != 0.0)
        worst = std::max(worst, std::abs(f[row] + most * law.direction[k]) / std::max(most, 1e-30));
      hold = std::hypot(hold, f[row]);
      turn = std::hypot(turn, w[row]);
      power += f[row] * w[row];
      scale += size[row];
    }
    CHECK(hold <= most * (1 + 1e-9));
    if (law.direction[0] == 0.0 && most > 0.0) worst = std::max(worst, (power + most * turn) / (most * scale));
  }
  for (std::size_t k = 0; k < problem.lower.size(); ++k) {
    const std::size_t i = problem.limit_rows() + k;
    CHECK(f[i] >= problem.lower[k]);
    CHECK(f[i] <= problem.upper[k]);
    if (f[i] > problem.lower[k]) worst = std::max(worst, w[i] / size[i]);
    if (f[i] < problem.upper[k]) worst = std::max(worst, -w[i] / size[i]);
  }
  return worst;
}

}  // namespace

TEST_CASE("contact solver: every law holds for random points and bars") {
  RandomStream stream(11, 0);
  double worst = 0.0;
  int failed = 0, max_sweeps = 0, count = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::size_t contacts = 1 + static_cast<std::size_t>(stream.uniform(0, 5));
    const std::size_t limit_rows = static_cast<std::size_t>(stream.uniform(0, 3));
    const std::size_t n = 3 * contacts + limit_rows;
    const std::size_t rank = 1 + static_cast<std::size_t>(stream.uniform(0, static_cast<double>(n) + 2));
    const Problem problem = random_problem(stream, contacts, limit_rows, rank);
    const Answer answer = solve(problem);
    ++count;
    max_sweeps = std::max(max_sweeps, answer.report.sweeps);
    if (!answer.report.converged) {
      ++failed;
      continue;
    }
    worst = std::max(worst, worst_breach(problem, answer.f));
  }
  // Points that wedge each other (friction up to 1.5 in random directions, ranks down to 1) may have no answer, or none
  // that is found: 7 of 4000. The others are exact; the worst breach seen is 3e-13.
  CHECK(failed <= count / 400);
  CHECK(max_sweeps > 0);
  CHECK(worst <= 1e-11);
}

TEST_CASE("contact solver: moments against rolling and spinning obey the law of friction too") {
  RandomStream stream(12, 0);
  double worst = 0.0;
  int failed = 0, holding = 0, yielding = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::size_t contacts = 1 + static_cast<std::size_t>(stream.uniform(0, 4));
    std::vector<MomentLaw> moments;
    std::size_t n = 3 * contacts + 1;
    for (std::size_t c = 0; c < contacts; ++c) {
      for (const std::size_t rows : {std::size_t{1}, std::size_t{2}}) {
        if (stream.uniform(0, 1) < 0.4) continue;
        MomentLaw law{c, rows, stream.uniform(0, 3), {}};
        const double angle = stream.uniform(0, 6);
        if (stream.uniform(0, 1) < 0.3)
          law.direction = {rows == 1 ? 1.0 : std::cos(angle), rows == 1 ? 0.0 : std::sin(angle)};
        moments.push_back(law);
        n += rows;
      }
    }
    const Problem problem = random_problem(stream, contacts, 1, n + 1, moments);
    const Answer answer = solve(problem);
    if (!answer.report.converged) {
      ++failed;
      continue;
    }
    worst = std::max(worst, worst_breach(problem, answer.f));
    ContactWorkspace work(contacts, 1, moments.size());
    Numbers f(problem.n());
    CHECK(solve_contacts(problem.view(), work, f).converged);
    for (std::size_t k = 0; k < moments.size(); ++k) (work.holds[contacts + k] != 0 ? holding : yielding) += 1;
  }
  CHECK(failed <=
        40);  // what moments already may press its own point together: 26 of 2000 have no answer, or none found
  CHECK(holding > 300);
  CHECK(yielding > 300);
  CHECK(worst <= 1e-11);  // seen: 2e-13
}
