#include "pintle/dynamics/solve/search_space.h"

#include <doctest/doctest.h>

#include "pintle/math/elementary.h"
#include "support/arms.h"

using namespace test;

TEST_CASE("search space: a turn weighs as much as a travel of the length, followers add theirs") {
  ModelSpec spec = bar_chain({1.0, 0.7});
  add_bar(spec, 0.7, 0.2, 1.0, {1, 0, 0}, JointKind::prismatic);
  add_bar(spec, 0.2, 0.1, 1.0, {0, 0, 1}, JointKind::screw);
  spec.joints[3].pitch_m_per_rad = 0.5;
  spec.joints[2].limits = {between(-0.1, 0.2)};
  spec.couplings.push_back({.joint = "joint1", .driver = "joint0", .ratio = -2.0, .offset = 0.1});
  const Model model = compile(spec).value();
  SearchSpace space(model);
  space.set_length(3.0);
  CHECK(space.weight == std::vector<double>{9.0 + 4.0 * 9.0, 1.0, 0.25 + 9.0});
  CHECK(space.length_of(std::vector<double>{0.0, 2.0, 0.0}) == 2.0);
  CHECK(way_from_root(model, 0) == 0.0);
  CHECK(way_from_root(model, 3) == doctest::Approx(1.9));

  std::vector<double> q = {5.0, -0.7, 9.0}, below(3), above(3);
  space.clamp(q);
  CHECK(q == std::vector<double>{5.0, -0.1, 9.0});
  space.room(q, below, above);
  CHECK(below[1] == 0.0);
  CHECK(above[1] == doctest::Approx(0.3));
  CHECK(above[2] == __builtin_inf());
  CHECK(space.side(q, 1) == -1);
  CHECK(space.side(q, 2) == 0);
  std::vector<double> moved(3);
  space.move(model, q, std::vector<double>{1.0, 1.0, 1.0}, moved);
  CHECK(moved == std::vector<double>{6.0, 0.2, 10.0});
  CHECK(space.side(moved, 1) == 1);
}
