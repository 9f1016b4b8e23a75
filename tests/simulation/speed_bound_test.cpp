#include "pintle/simulation/run/speed_bound.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/free_body.h"

using namespace pintle;

TEST_CASE("speed bound: eight times what accelerations at the start or gravity would do, and rounding") {
  SceneSpec spec;
  test::add_free_body(spec, "ball", {2.0, {0, 0, 0}, {0.1, 0, 0, 0.1, 0, 0.1}});
  const Scene scene = compile(spec).value();
  SceneMotion motion(scene, {}, false);
  motion.reset();
  SpeedBound bound(motion);
  const double h = 1e-3, g = norm(scene.model().gravity());
  const auto allows = [&](double speed, double angular_speed) {
    MotionState end = motion.state;
    end.t += h;
    end.v[0] += speed;
    end.v[4] += angular_speed;
    return bound.allows(end);
  };
  std::vector<double> vdot(6);
  bound.begin(vdot);
  CHECK(allows(0.0, 0.0));
  CHECK(allows(7.99 * h * g, 0.0));
  CHECK_FALSE(allows(8.01 * h * g, 0.0));
  CHECK(allows(0.0, 7.99 * h * g * std::sqrt(20.0)));  // the same kinetic energy: I w^2 = m v^2
  CHECK_FALSE(allows(0.0, 8.01 * h * g * std::sqrt(20.0)));
  vdot[2] = 100.0;
  bound.begin(vdot);
  CHECK(allows(7.99 * h * (100.0 + g), 0.0));
  CHECK_FALSE(allows(8.01 * h * (100.0 + g), 0.0));
  motion.state.v[1] = 1e5;
  bound.begin(vdot);
  CHECK(allows(8.0 * h * (100.0 + g) + 0.099, 0.0));
  CHECK_FALSE(allows(8.0 * h * (100.0 + g) + 0.101, 0.0));
}
