#include "pintle/constraints/limit_side.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/model/edit/model_builder.h"
#include "properties/dynamics_of.h"

using namespace test;

TEST_CASE("stops: reached by a dof and by the joints coupled to it") {
  const SpatialInertia<> lump = spatial_inertia(1.0, Vec3<>{0, 0, 0}, 0.1 * diagonal(Vec3<>{1, 1, 1}));
  ModelBuilder builder("rack");
  builder.body("free", lump).free();
  builder.body("wheel", lump).revolute({0, 0, 1}, "wheel").on("world").limits(-1.0, 1.0);
  builder.body("rack", lump).prismatic({0, 0, 1}, "rack").on("world").limits(-0.25, 5.0).coupled_to("wheel", -0.5);
  builder.body("shut", lump).prismatic({0, 0, 1}, "shut").on("world").limits(0.5, 0.5);
  const Model model = builder.compile().value();
  const SearchSpace space(model);
  using Sides = std::vector<LimitSide>;
  Sides sides(8);
  const auto reached = [&](double wheel, double shut) {
    limits_reached(model, space, Numbers{0, 0, 0, 0, 0, 0, 1, wheel, shut}, sides);
    for (std::size_t i = 0; i < 6; ++i) CHECK(sides[i] == LimitSide::none);
    return Sides(sides.begin() + 6, sides.end());
  };
  CHECK(reached(0.0, 0.5) == Sides{LimitSide::none, LimitSide::both});
  CHECK(reached(-1.0, 0.4) == Sides{LimitSide::lower, LimitSide::lower});
  CHECK(reached(0.5, 0.6) == Sides{LimitSide::upper, LimitSide::upper});  // the rack is at its lower end
  CHECK(reached(0.49, 0.5)[0] == LimitSide::none);
  CHECK_THROWS_WITH_AS(limits_reached(model, space, Numbers(3), sides), doctest::Contains("'q'"), UsageError);
  sides.pop_back();
  CHECK_THROWS_WITH_AS(limits_reached(model, space, Numbers(9), sides), doctest::Contains("'sides'"), UsageError);
}
