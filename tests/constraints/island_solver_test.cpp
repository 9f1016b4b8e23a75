#include "pintle/constraints/island_solver.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "base/count_allocations.h"
#include "pintle/base/random.h"
#include "pintle/base/usage_error.h"
#include "pintle/constraints/contact_solver.h"
#include "support/islands.h"

using namespace pintle;
using namespace pintle::islands;

namespace {

struct IslandAnswer {
  IslandReport report;
  Numbers P;
};

IslandAnswer solve_island(Island& island, Numbers guess = {}) {
  IslandSolver solver;
  const IslandProblem problem = island.problem();
  IslandAnswer answer{{}, std::move(guess)};
  answer.P.resize(problem.b.size());
  answer.report = solver.solve(problem, answer.P);
  return answer;
}

/// Solved to 1e-12, by the laws written out anew too.
IslandAnswer check_island(Island island, Numbers guess = {}) {
  IslandAnswer answer = solve_island(island, std::move(guess));
  CHECK(answer.report.converged);
  CHECK(answer.report.residual <= 1e-12);
  CHECK(!answer.report.convex);
  CHECK(worst_breach(island.problem(), answer.P) <= 3e-12);
  return answer;
}

double weight_on(const Island& island, const Numbers& P, int from) {
  double sum = 0.0;
  std::size_t row = 0;
  for (const IslandContact& contact : island.contacts) {
    if (contact.sides[0].tree == from && contact.sides[1].tree == -1) sum += P[row];
    row += contact.rows();
  }
  return sum;
}

/// A random chain or robot: M = B'B + 0.1, contacts and bounds anywhere.
Island random_tree(RandomStream& stream, std::size_t dofs, std::size_t contacts, std::size_t bounds, bool moments,
                   bool gives_M = true) {
  const std::size_t n = dofs;
  Numbers B(n * n), M(n * n), M_inverse(n * n);
  for (double& x : B) x = stream.uniform(-1, 1);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      M[i * n + j] = i == j ? 0.5 : 0.0;
      for (std::size_t k = 0; k < n; ++k) M[i * n + j] += B[k * n + i] * B[k * n + j];
    }
  // Gauss and Jordan.
  Numbers W = M;
  for (std::size_t i = 0; i < n; ++i) M_inverse[i * (n + 1)] = 1.0;
  for (std::size_t c = 0; c < n; ++c) {
    const double pivot = W[c * (n + 1)];
    for (std::size_t k = 0; k < n; ++k) {
      W[c * n + k] /= pivot;
      M_inverse[c * n + k] /= pivot;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == c) continue;
      const double l = W[i * n + c];
      for (std::size_t k = 0; k < n; ++k) {
        W[i * n + k] -= l * W[c * n + k];
        M_inverse[i * n + k] -= l * M_inverse[c * n + k];
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) M_inverse[i * n + j] = M_inverse[j * n + i];
  Island island;
  Numbers v(n);
  for (double& x : v) x = stream.uniform(-1, 1);
  island.add_tree(M_inverse, gives_M ? M : Numbers{}, v);
  for (std::size_t c = 0; c < contacts; ++c) {
    IslandContact contact;
    contact.friction = stream.uniform(0, 1) < 0.2 ? 0.0 : stream.uniform(0, 0.8);
    if (moments) {
      contact.spins = stream.uniform(0, 1) < 0.5;
      contact.rolls = stream.uniform(0, 1) < 0.5;
      contact.spinning = stream.uniform(0, 0.3);
      contact.rolling = stream.uniform(0, 0.3);
    }
    Numbers J(contact.rows() * n);
    for (double& x : J) x = stream.uniform(-1, 1);
    contact.sides[0] = {0, island.keep(J)};
    island.contacts.push_back(contact);
    for (std::size_t i = 0; i < contact.rows(); ++i) island.closing.push_back(0.0);
  }
  for (std::size_t k = 0; k < bounds; ++k) {
    const double kind = stream.uniform(0, 3), most = stream.uniform(0, 0.5);
    const double sign = stream.uniform(0, 1) < 0.5 ? 1.0 : -1.0;
    IslandBound bound{0, k, sign, -most, most};
    if (kind < 1) bound = {0, k, sign, 0.0, __builtin_inf()};
    if (kind > 2.6) bound = {0, k, sign, -__builtin_inf(), __builtin_inf()};
    island.bounds.push_back(bound);
  }
  return island;
}

}  // namespace

TEST_CASE("island solver: a box at rest is carried, each corner by a quarter of its weight") {
  Island island = stack_of(1);
  const IslandAnswer answer = check_island(island);
  for (std::size_t c = 0; c < 4; ++c) {
    CHECK(answer.P[3 * c] == doctest::Approx(kGravity * kStep / 4).epsilon(1e-9));
    CHECK(std::abs(answer.P[3 * c + 1]) <= 1e-15);
    CHECK(std::abs(answer.P[3 * c + 2]) <= 1e-15);
  }
}

TEST_CASE("island solver: an incline holds up to the limit of friction and lets slide beyond") {
  const double mu = 0.5, weight = kGravity * kStep;
  for (const double part : {0.0, 0.5, 0.9, 0.999, 1.0, 1.001, 1.1, 3.0}) {
    CAPTURE(part);
    const double slope = mu * part, size = std::sqrt(1 + slope * slope);
    Island island = incline_of(mu, slope);
    IslandSolver solver;
    const IslandProblem problem = island.problem();
    Numbers P(problem.b.size());
    CHECK(solver.solve(problem, P).converged);
    CHECK(worst_breach(problem, P) <= 3e-12);
    const double slip = part <= 1.0 ? 0.0 : weight * (slope - mu) / size;
    CHECK(solver.jump()[0] + weight * slope / size == doctest::Approx(slip).epsilon(1e-9));
    CHECK(weight_on(island, P, 0) == doctest::Approx(weight / size).epsilon(1e-9));
  }
}

TEST_CASE("island solver: stacks stand, and the lowest contacts carry all of them") {
  for (std::size_t boxes = 1; boxes <= 10; ++boxes) {
    CAPTURE(boxes);
    Island island = stack_of(boxes);
    const IslandAnswer answer = check_island(island);
    CHECK(weight_on(island, answer.P, 0) ==
          doctest::Approx(static_cast<double>(boxes) * kGravity * kStep).epsilon(1e-9));
  }
}

TEST_CASE("island solver: mass ratios of 1000 and stacks that grow heavier upwards") {
  check_island(stack_of(2, 0.5, 1000));
  check_island(stack_of(2, 0.5, 1e-3));
  check_island(stack_of(3, 0.5, 1000));
  check_island(stack_of(10, 0.5, 2));
  check_island(stack_of(2, 0.5, 1000, {0.003, 0.001, -kGravity * kStep, 0, 0, 0}));
}

TEST_CASE("island solver: contacts that open, slide, rock and spin") {
  check_island(stack_of(1, 0.5, 1.0, {0, 0, 0.1, 0, 0, 0}));
  check_island(stack_of(1, 0.5, 1.0, {0, 0, -0.01, 0, 1, 0}));
  check_island(stack_of(1, 0.5, 1.0, {0.1, 0.05, -0.01, 0, 0, 3}));
  check_island(stack_of(1, 0.0, 1.0, {0.1, 0.05, -0.01, 0, 0, 3}));
  check_island(stack_of(3, 0.3, 1.0, {0.05, 0.02, -0.00981, 0.1, 0.2, 0.3}));
}

TEST_CASE("island solver: heaps") {
  for (const std::size_t boxes : {std::size_t{5}, std::size_t{10}, std::size_t{30}})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      CAPTURE(boxes);
      CAPTURE(seed);
      check_island(heap_of(boxes, seed));
      check_island(heap_of(boxes, seed, 0.5, 0.001));
    }
}

TEST_CASE("island solver: robots with joint limits, joint friction and moments of contacts") {
  RandomStream stream(3);
  int failed = 0;
  const int count = 300;
  for (int i = 0; i < count; ++i) {
    CAPTURE(i);
    const auto dofs = static_cast<std::size_t>(stream.uniform(2, 19));
    const auto contacts = static_cast<std::size_t>(stream.uniform(0, 6));
    const auto bounds = static_cast<std::size_t>(stream.uniform(0, static_cast<double>(dofs) + 1));
    Island island = random_tree(stream, dofs, contacts, bounds, i % 2 == 0, i % 3 != 0);
    const IslandAnswer answer = solve_island(island);
    if (!answer.report.converged) {
      ++failed;
      continue;
    }
    CHECK(worst_breach(island.problem(), answer.P) <= 3e-12);
  }
  // Random contacts of a robot may wedge: some have no answer.
  CHECK(failed <= 6);
}

TEST_CASE("island solver: a robot of 18 dofs on four feet, and on eight points with more rows than dofs") {
  RandomStream stream(5);
  int failed = 0;
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    Island island = random_tree(stream, 18, i % 2 == 0 ? 4 : 8, 12, false);
    const IslandAnswer answer = solve_island(island);
    if (!answer.report.converged) {
      ++failed;
      continue;
    }
    CHECK(worst_breach(island.problem(), answer.P) <= 3e-12);
  }
  CHECK(failed <= 2);
}

TEST_CASE("island solver: a ball in a groove, and a box between walls") {
  for (const double mu : {0.0, 0.3, 0.9, 1.5}) {
    CAPTURE(mu);
    const double half = std::sqrt(0.5);
    Island ball;
    ball.add_box(1.0, {0.1, 0.1, 0.1}, {0, 0, 0}, {0.001, 0.02, -kGravity * kStep, 0.1, 0, 0.3});
    ball.add_contact(-1, 0, {-0.1 * half, 0, -0.1 * half}, {half, 0, half}, mu);
    ball.add_contact(-1, 0, {0.1 * half, 0, -0.1 * half}, {-half, 0, half}, mu);
    check_island(ball);
    Island box;
    box.add_box(1.0, {0.1, 0.1, 0.1}, {0, 0, 0}, {0.002, 0.0, -kGravity * kStep, 0, 0.05, 0});
    for (const double x : {-0.1, 0.1})
      for (const double z : {-0.1, 0.1}) box.add_contact(-1, 0, {x, 0, z}, {x < 0 ? 1.0 : -1.0, 0, 0}, mu);
    check_island(box);
  }
}

TEST_CASE("island solver: a rod that slides on its tip, also where friction presses it down (Painleve)") {
  int failed = 0;
  for (const double mu : {0.1, 0.5, 1.0, 1.5, 2.0})
    for (const double steep : {0.3, 0.8, 1.0, 1.2, 1.5})
      for (const double speed : {-1.0, -1e-3, 0.0, 1e-3, 1.0}) {
        CAPTURE(mu);
        CAPTURE(steep);
        CAPTURE(speed);
        Island rod;
        rod.add_box(1.0, {0.5, 0.01, 0.01}, {0, 0, 0}, {speed, 0, -kGravity * kStep, 0, 0, 0});
        const double size = 0.5 / std::sqrt(1.0 + steep * steep);
        rod.add_contact(-1, 0, {size, 0, -size * steep}, {0, 0, 1}, mu);
        const IslandAnswer answer = solve_island(rod);
        if (!answer.report.converged) ++failed;
        else CHECK(worst_breach(rod.problem(), answer.P) <= 3e-12);
      }
  CHECK(failed == 0);
}

TEST_CASE("island solver: where the laws are not met it says so, with impulses within their cones") {
  // Two walls that close upon a box.
  Island box;
  box.add_box(1.0, {0.1, 0.1, 0.1}, {0, 0, 0}, {0, 0, -kGravity * kStep, 0, 0, 0});
  for (const double x : {-0.1, 0.1}) box.add_contact(-1, 0, {x, 0, 0}, {x < 0 ? 1.0 : -1.0, 0, 0}, 0.5, -0.01);
  const IslandAnswer answer = solve_island(box);
  CHECK(!answer.report.converged);
  CHECK(answer.report.residual > 1e-6);  // of the impulses too, which cannot help
  CHECK(answer.report.worst >= 0);
  for (std::size_t row = 0; row < 6; row += 3) {
    CHECK(answer.P[row] >= 0.0);
    CHECK(answer.P[row] < 1e3);
    CHECK(std::hypot(answer.P[row + 1], answer.P[row + 2]) <= 0.5 * answer.P[row] * (1 + 1e-12));
  }
}

TEST_CASE("island solver: with the impulses of the last step a heap at rest takes few steps of Newton's method") {
  Island heap = heap_of(30, 1, 0.5, 0.001);
  heap.tolerance = 1e-9;
  IslandSolver solver;
  Numbers P;
  int newton = 0, failed = 0;
  for (int step = 0; step < 40; ++step) {
    const IslandProblem problem = heap.problem();
    P.resize(problem.b.size());
    const IslandReport report = solver.solve(problem, P);
    if (!report.converged) ++failed;
    if (step >= 20) newton += report.newton;
    std::size_t at = 0;
    for (Numbers& v : heap.free_velocity) {
      for (double& x : v) x += solver.jump()[at++];
      v[2] -= kGravity * kStep;
    }
  }
  CHECK(failed == 0);
  CHECK(newton <= 40);
}

TEST_CASE("island solver: spinning and rolling friction of a ball") {
  for (const double turn : {0.0, 0.01, 1.0}) {
    Island island;
    island.add_box(1.0, {0.1, 0.1, 0.1}, {0, 0, 0.1}, {0.1 * turn, 0, -kGravity * kStep, 0, turn, turn});
    island.add_contact(-1, 0, {0, 0, 0}, {0, 0, 1}, 0.5, 0.0, 0.01, 0.002);
    const IslandAnswer answer = check_island(island);
    const double P_n = answer.P[0];
    CHECK(P_n == doctest::Approx(kGravity * kStep));
    if (turn == 1.0) {
      CHECK(answer.P[3] == doctest::Approx(-0.01 * P_n));
      CHECK(std::hypot(answer.P[4], answer.P[5]) == doctest::Approx(0.002 * P_n));
    }
  }
}

TEST_CASE("island solver: agrees with the solver of contact points where the answer is unique") {
  RandomStream stream(8);
  int compared = 0;
  for (int i = 0; i < 200; ++i) {
    Island island = random_tree(stream, 12, 1 + static_cast<std::size_t>(stream.uniform(0, 3)), 0, false);
    for (IslandContact& contact : island.contacts) contact.friction *= 0.3;
    const IslandProblem problem = island.problem();
    const std::size_t n = problem.b.size(), dofs = 12;
    Numbers A(n * n);
    std::vector<ContactLaw> laws;
    std::vector<const double*> rows;
    for (const IslandContact& contact : island.contacts) {
      ContactLaw law;
      law.static_friction = law.kinetic_friction = contact.friction;
      laws.push_back(law);
      for (std::size_t k = 0; k < 3; ++k) rows.push_back(contact.sides[0].J + k * dofs);
    }
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t c = 0; c <= a; ++c) {
        double sum = 0.0;
        for (std::size_t k = 0; k < dofs; ++k)
          for (std::size_t l = 0; l < dofs; ++l)
            sum += rows[a][k] * island.trees[0].M_inverse[k * dofs + l] * rows[c][l];
        A[a * n + c] = A[c * n + a] = sum;
      }
    ContactWorkspace work(laws.size(), 0);
    Numbers f(n), P(n);
    const ContactReport other = solve_contacts({A, problem.b, laws, {}, {}}, work, f);
    IslandSolver solver;
    const IslandReport report = solver.solve(problem, P);
    if (!other.converged || !report.converged) continue;
    ++compared;
    for (std::size_t k = 0; k < n; ++k) CHECK(std::abs(P[k] - f[k]) <= 1e-8);
  }
  CHECK(compared >= 190);
}

TEST_CASE("island solver: from the answer it starts solved; the same bits whatever was solved before") {
  Island heap = heap_of(20, 7), stack = stack_of(6);
  IslandSolver solver;
  const IslandProblem problem = heap.problem();
  Numbers first(problem.b.size()), again(problem.b.size());
  CHECK(solver.solve(problem, first).converged);
  Numbers P(first);
  const IslandReport warm = solver.solve(problem, P);
  CHECK(warm.newton + warm.iterations == 0);
  CHECK(P == first);
  Numbers other(stack.problem().b.size());
  CHECK(solver.solve(stack.problem(), other).converged);
  CHECK(solver.solve(problem, again).converged);
  CHECK(again == first);
}

TEST_CASE("island solver: allocates nothing once it has seen the largest problem") {
  Island large = heap_of(20, 5), small = stack_of(3);
  IslandSolver solver;
  const IslandProblem first = large.problem(), second = small.problem();
  Numbers P(first.b.size()), Q(second.b.size());
  CHECK(solver.solve(first, P).converged);
  const std::size_t before = count_allocations();
  for (int k = 0; k < 3; ++k) {
    for (double& x : P) x = 0.0;
    for (double& x : Q) x = 0.0;
    const bool solved = solver.solve(second, Q).converged && solver.solve(first, P).converged;
    if (!solved) break;
  }
  CHECK(count_allocations() == before);
}

TEST_CASE("island solver: empty islands and wrong calls") {
  IslandSolver solver;
  const IslandReport nothing = solver.solve({}, {});
  CHECK(nothing.converged);
  CHECK(nothing.worst == -1);
  Island island = stack_of(1);
  const IslandProblem problem = island.problem();
  Numbers P(3);
  CHECK_THROWS_AS(static_cast<void>(solver.solve(problem, P)), UsageError);
  P.resize(12);
  IslandProblem wrong = problem;
  wrong.b = wrong.b.first(3);
  CHECK_THROWS_AS(static_cast<void>(solver.solve(wrong, P)), UsageError);
  island.contacts[0].sides[0].tree = 3;
  CHECK_THROWS_AS(static_cast<void>(solver.solve(problem, P)), UsageError);
}
