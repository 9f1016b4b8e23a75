#include "pintle/simulation/elements/joint_spring.h"

#include <cmath>

#include "simulation/element_system.h"

using namespace test;

namespace {

JointSpringSpec spring() {
  JointSpringSpec spec;
  spec.name = "spring";
  spec.joint = "joint";
  return spec;
}

}  // namespace

TEST_CASE("joint spring: an oscillator with preload swings about its new rest, damped or not") {
  for (const double damping : {0.0, 0.8}) {
    ModelSpec model = one_joint(JointKind::prismatic, 2.0);
    model.gravity = {0, 0, -1.5};
    JointSpringSpec spec = spring();
    spec.stiffness = 8.0;
    spec.damping = damping;
    spec.rest = 0.25;
    spec.preload = 1.0;
    ElementSystem system(model);
    system.add(make_joint_spring(system.model(), spec).value());
    MotionState start = neutral_state(system);
    start.q[0] = 1.0;
    const double middle = 0.25 + (1.0 - 2.0 * 1.5) / 8.0;
    const double a = damping / 4.0, w = std::sqrt(8.0 / 2.0 - a * a), t = 3.0;
    const double swing = std::exp(-a * t) * (std::cos(w * t) + a / w * std::sin(w * t));
    const MotionState end = system.run(start, 1e-3, 3000);
    CHECK(abs(end.q[0] - (middle + (1.0 - middle) * swing)) < 1e-11);  // RK4: (w h)^4 t = 5e-11
  }
}

TEST_CASE("joint spring: on a follower it acts on the driver") {
  ElementBench bench(with_follower(-2.0, 0.5));
  JointSpringSpec spec = spring();
  spec.joint = "follower";
  spec.stiffness = 3.0;
  spec.damping = 0.5;
  bench.q[0] = 1.0;
  bench.v[0] = 4.0;
  const ForceElementPointer element = make_joint_spring(bench.model, spec).value();
  const Acted acted = bench.act(*element);
  CHECK(acted.tau[0] == -2.0 * (-3.0 * -1.5 - 0.5 * -8.0));
  CHECK(acted.said.power == -0.5 * 64.0);
  CHECK(bench.energy(*element) == 0.5 * 3.0 * 2.25);
}

TEST_CASE("joint spring: each problem has its code") {
  const Model model = compile(one_joint(JointKind::spherical)).value();
  JointSpringSpec spec = spring();
  CHECK(codes(make_joint_spring(model, spec)) == "dof-without-position");
  spec.joint = "joimt";
  spec.stiffness = -1.0;
  spec.damping = __builtin_nan("");
  spec.rest = spec.preload = __builtin_inf();
  CHECK(codes(make_joint_spring(model, spec)) ==
        "joint-unknown number-negative number-negative number-not-finite number-not-finite");
}
