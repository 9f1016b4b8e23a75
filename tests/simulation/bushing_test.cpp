#include "pintle/simulation/elements/bushing.h"

#include "pintle/dynamics/energy.h"
#include "simulation/element_system.h"

using namespace test;

namespace {

BushingSpec bushing() {
  BushingSpec spec;
  spec.name = "bushing";
  spec.first = kWorld;
  spec.second = "body";
  spec.stiffness = {30, 20, 10};
  spec.rotational_stiffness = {3, 2, 1};
  spec.preload = {0.5, 0, -0.5};
  spec.rotational_preload = {0, 0.25, 0};
  return spec;
}

}  // namespace

TEST_CASE("bushing: small displacements meet each stiffness, in the axes of the first frame") {
  ElementBench bench(one_joint(JointKind::free));
  const ForceElementPointer element = make_bushing(bench.model, bushing()).value();
  Acted acted = bench.act(*element);
  CHECK(norm(acted.external[0].force - Vec3<>{0.5, 0, -0.5}) < 1e-15);
  CHECK(norm(acted.external[0].torque - Vec3<>{0, 0.25, 0}) < 1e-15);
  const double s = pintle::sin(0.05), c = pintle::cos(0.05);  // 0.1 rad about z
  bench.q = {0.01, 0.02, 0.03, 0, 0, s, c};
  acted = bench.act(*element);
  const Wrench<> in_world = bench.sum(acted);
  const Vec3<> f{0.5 - 0.3, -0.4, -0.5 - 0.3};
  CHECK(norm(in_world.force - f) < 1e-15);
  const Vec3<> about_body = in_world.torque - cross(Vec3<>{0.01, 0.02, 0.03}, f);
  CHECK(abs(about_body.z + 0.1) < 1e-15);
}

TEST_CASE("bushing: without dampers energy stays, on a free body that tumbles") {
  ModelSpec model = one_joint(JointKind::free, 0.5);
  model.bodies[0].inertia = spatial_inertia(0.5, Vec3<>{0.1, -0.05, 0.2}, diagonal(Vec3<>{0.02, 0.03, 0.04}));
  ElementSystem system(model);
  system.add(make_bushing(system.model(), bushing()).value());
  MotionState start = neutral_state(system);
  start.v = {0.5, -0.2, 0.3, 4.0, -3.0, 5.0};
  const auto total = [&](const MotionState& at) {
    const ForceInput in = system.input(at.t, at.q, at.v);
    return system.element(0).energy(system.model(), in) + kinetic_energy(system.model(), *in.kinematics) +
           gravity_energy(system.model(), *in.kinematics);
  };
  double before = 0.0;
  for (const double h : {1e-3, 5e-4}) {
    const MotionState end = system.run(start, h, static_cast<int>(2.0 / h));
    const double drift = abs(total(end) - total(start));
    CHECK(drift < 1e-8);
    if (before > 0.0) CHECK(drift < before / 8.0);  // all of it is the integrator's, of order 4
    before = drift;
  }
}

TEST_CASE("bushing: turned by nearly half a turn it has no value") {
  ElementBench bench(one_joint(JointKind::revolute));
  const ForceElementPointer element = make_bushing(bench.model, bushing()).value();
  bench.q[0] = 3.0;
  CHECK(bench.act(*element).said.ok);
  bench.q[0] = 3.11;
  CHECK(!bench.act(*element).said.ok);
  BushingSpec straight = bushing();
  straight.rotational_stiffness = straight.rotational_preload = {0, 0, 0};
  CHECK(bench.act(*make_bushing(bench.model, straight).value()).said.ok);
}

TEST_CASE("bushing: each problem has its code") {
  const Model model = compile(one_joint(JointKind::free)).value();
  BushingSpec spec = bushing();
  spec.second = "boddy";
  CHECK(codes(make_bushing(model, spec)) == "place-unknown");
  spec = bushing();
  spec.second = kWorld;
  CHECK(codes(make_bushing(model, spec)) == "ends-together");
  spec = bushing();
  spec.stiffness.y = spec.damping.x = spec.rotational_stiffness.z = spec.rotational_damping.x = -1.0;
  spec.preload.x = spec.rotational_preload.z = __builtin_inf();
  CHECK(codes(make_bushing(model, spec)) ==
        "number-negative number-negative number-not-finite number-negative number-negative number-not-finite");
}
