// The chain of seed 000 as a person writes it down, and its exact accelerations.
#include <doctest/doctest.h>

#include "pintle/model/edit/model_builder.h"
#include "properties/dynamics_of.h"

using namespace test;

// At rest along x the equations are those of a tridiagonal system in rationals; the seed gives the solution.
TEST_CASE("builder: the six-link chain in five lines, with the exact accelerations") {
  const double L = 0.25, m = 0.1, I = m * L * L / 12.0;
  const SpatialInertia<> bar = spatial_inertia(m, Vec3<>{L / 2.0, 0.0, 0.0}, diagonal(Vec3<>{0.0, I, I}));
  ModelBuilder chain("chain");
  chain.gravity({0.0, -10.0, 0.0});
  for (int i = 1; i <= 6; ++i) chain.body("bar" + std::to_string(i), bar).revolute().at({i == 1 ? 0.0 : L, 0.0, 0.0});

  DynamicsOf dynamics(chain.spec());
  const Numbers vdot = dynamics.forward(Numbers(6), Numbers(6), Numbers(6));
  const double exact[] = {-68520.0, 86880.0, -23280.0, 6240.0, -1680.0, 480.0};
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i);
    CHECK(abs(vdot[i] - exact[i] / 1351.0) <= 1e-12 * abs(exact[i] / 1351.0));
  }
}
