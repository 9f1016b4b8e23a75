#include "pintle/simulation/elements/drag.h"

#include <cmath>

#include "simulation/element_system.h"

using namespace test;

TEST_CASE("drag: a falling body at its terminal velocity does not accelerate, in wind either") {
  DragSpec spec;
  spec.name = "air";
  spec.at.on = "body";
  spec.linear = 0.4;
  spec.quadratic = 0.3;
  spec.wind = {3.0, -1.0, 0.5};
  const double mass = 2.0, weight = mass * 9.81;
  // quadratic u^2 + linear u = weight, downwards, against the wind
  const double u = (-0.4 + std::sqrt(0.16 + 4.0 * 0.3 * weight)) / 0.6;
  ElementSystem system(one_joint(JointKind::translational, mass));
  system.add(make_drag(system.model(), spec).value());
  const Numbers q{1, 2, 3}, v{3.0, -1.0, 0.5 - u};
  Numbers vdot(3);
  REQUIRE(system.derivatives(0.0, q, v, {}, vdot, {}));
  for (const double x : vdot) CHECK(abs(x) < 20 * kEpsilon<double> * weight);
}

TEST_CASE("drag: turning") {
  ElementBench bench(one_joint(JointKind::revolute));
  DragSpec spec;
  spec.name = "oil";
  spec.at.on = "body";
  spec.rotational_linear = 0.5;
  spec.rotational_quadratic = 0.25;
  bench.v[0] = -2.0;
  const Acted acted = bench.act(*make_drag(bench.model, spec).value());
  CHECK(acted.external[0].torque.z == (0.5 + 0.25 * 2.0) * 2.0);
  CHECK(acted.said.power == -4.0);
  bench.v[0] = 0.0;
  CHECK(bench.act(*make_drag(bench.model, spec).value()).said.ok);
}

TEST_CASE("drag: each problem has its code") {
  const Model model = compile(one_joint(JointKind::free)).value();
  DragSpec spec;
  spec.name = "air";
  CHECK(codes(make_drag(model, spec)) == "place-world");
  spec.at.on = "body";
  spec.linear = spec.quadratic = spec.rotational_linear = spec.rotational_quadratic = -1.0;
  spec.wind.x = __builtin_inf();
  CHECK(codes(make_drag(model, spec)) ==
        "number-negative number-negative number-negative number-negative number-not-finite");
}
