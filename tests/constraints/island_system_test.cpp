#include "pintle/constraints/island_system.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/islands.h"

using namespace pintle;
using namespace pintle::islands;

namespace {

/// p random, G symmetric and positive with some rows coupled and some zero: dw = A (p - G dw) must hold.
void check_response(Island& island, IslandSystem& system) {
  const IslandProblem problem = island.problem();
  system.read(problem);
  const std::size_t n = system.rows();
  RandomStream stream(n);
  Numbers p(n), dw(n), change(n), w(n), w_0(n), none(n, 0.0);
  for (double& x : p) x = stream.uniform(-1, 1);
  for (const IslandPointView& point : system.points()) {
    double* const G = system.gain(point);
    const double normal = stream.uniform(0, 1) < 0.2 ? 0.0 : stream.uniform(0, 100);
    for (std::size_t i = 0; i < point.rows; ++i)
      for (std::size_t j = 0; j < point.rows; ++j) G[i * point.rows + j] = i == j ? normal + 1.0 : 0.0;
    G[point.rows] = 0.3 * G[0];  // friction that follows the normal impulse
  }
  for (std::size_t k = 0; k < system.bars().size(); ++k) system.gain_of_bar(k) = stream.uniform(0, 10);
  CHECK(system.factorise());
  system.respond(p.data(), dw.data());
  change = p;
  for (const IslandPointView& point : system.points())
    for (std::size_t i = 0; i < point.rows; ++i)
      for (std::size_t j = 0; j < point.rows; ++j)
        change[point.first + i] -= system.gain(point)[i * point.rows + j] * dw[point.first + j];
  for (std::size_t k = 0; k < system.bars().size(); ++k)
    change[system.bars()[k].row] -= system.gain_of_bar(k) * dw[system.bars()[k].row];
  system.find_w(none.data(), w_0.data());
  system.find_w(change.data(), w.data());
  double size = 0.0;
  for (const double x : dw) size = std::max(size, std::abs(x));
  for (std::size_t i = 0; i < n; ++i) {
    CHECK(w_0[i] == problem.b[i]);
    CHECK(std::abs(w[i] - w_0[i] - dw[i]) <= 1e-11 * size);
  }
}

}  // namespace

TEST_CASE("island system: the factor over trees solves (I + A G) dw = A p, in any order of problems") {
  IslandSystem system;
  for (const std::size_t boxes : {std::size_t{1}, std::size_t{40}, std::size_t{7}, std::size_t{100}, std::size_t{2}}) {
    CAPTURE(boxes);
    Island heap = heap_of(boxes, boxes), stack = stack_of(boxes);
    for (std::size_t k = 0; k < boxes; k += 3)
      heap.bounds.push_back({static_cast<int>(k), k % 6, k % 2 == 0 ? 1.0 : -1.0, 0.0, 1.0});
    check_response(heap, system);
    check_response(stack, system);
    check_response(heap, system);
  }
}

TEST_CASE("island system: the velocity of one contact, and pushes at it, are those of the whole") {
  Island heap = heap_of(12, 3);
  heap.bounds.push_back({2, 4, -1.0, 0.0, 1.0});
  IslandSystem system;
  const IslandProblem problem = heap.problem();
  system.read(problem);
  RandomStream stream(4);
  Numbers P(system.rows()), w(P);
  for (double& x : P) x = stream.uniform(0, 1);
  system.find_w(P.data(), w.data());
  const IslandPointView& point = system.points()[5];
  const IslandBarView& bar = system.bars()[0];
  std::array<double, 3> change{0.1, -0.2, 0.3}, own{};
  system.push(point, change.data());
  system.push(bar, 0.5);
  for (std::size_t i = 0; i < 3; ++i) P[point.first + i] += change[i];
  P[bar.row] += 0.5;
  system.find_w_of(point, own.data());
  const double own_bar = system.w_of(bar);
  system.find_w(P.data(), w.data());
  for (std::size_t i = 0; i < 3; ++i) CHECK(own[i] == doctest::Approx(w[point.first + i]).epsilon(1e-12));
  CHECK(own_bar == doctest::Approx(w[bar.row]).epsilon(1e-12));
}

TEST_CASE("island system: sizes bound the terms of w and have their units") {
  Island heap = heap_of(12, 3);
  IslandSystem system;
  system.read(heap.problem());
  RandomStream stream(4);
  Numbers P(system.rows()), w(P), size(P);
  for (double& x : P) x = stream.uniform(-1e-3, 1e-3);
  system.find_w(P.data(), w.data());
  CHECK(!system.find_sizes(P.data(), size.data()));
  for (std::size_t i = 0; i < w.size(); ++i) CHECK(std::abs(w[i]) <= size[i] * (1 + 1e-12));
  for (double& x : P) x *= 1e9;
  CHECK(system.find_sizes(P.data(), size.data()));
}
