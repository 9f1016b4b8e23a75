#include "pintle/simulation/elements/body_force.h"

#include "pintle/base/usage_error.h"
#include "simulation/element_bench.h"

using namespace test;

TEST_CASE("body force: fixed in the world or turning with the body, at a point") {
  ElementBench bench(one_joint(JointKind::revolute));
  bench.q[0] = 0.5 * kPi<double>;  // x of the body is y of the world
  bench.v[0] = 3.0;
  bench.t = 2.0;
  BodyForceSpec spec;
  spec.name = "push";
  spec.at.on = "body";
  spec.at.point = {2, 0, 0};  // at (0, 2, 0) of the world, moving along -x
  spec.force[0] = expression_drive("5*t").value();
  spec.torque = constant_drives({0, 0, 1});
  const ForceElementPointer in_world = make_body_force(bench.model, spec).value();
  Acted acted = bench.act(*in_world);
  CHECK(abs(acted.said.power - (-10.0 * 6.0 + 3.0)) < 1e-13);
  CHECK(norm(bench.sum(acted).force - Vec3<>{10, 0, 0}) < 1e-14);
  CHECK(norm(bench.sum(acted).torque - Vec3<>{0, 0, -20 + 1}) < 1e-13);
  spec.axes = ForceAxes::body;
  acted = bench.act(*make_body_force(bench.model, spec).value());
  CHECK(abs(acted.said.power - 3.0) < 1e-13);
  CHECK(norm(bench.sum(acted).force - Vec3<>{0, 10, 0}) < 1e-14);
  CHECK(bench.energy(*in_world) == 0.0);
}

TEST_CASE("body force: outside its table it has no value") {
  ElementBench bench(one_joint(JointKind::free));
  BodyForceSpec spec;
  spec.name = "push";
  spec.at.on = "body";
  DriveTable table;
  table.rows = {{0.0, 1.0}, {1.0, 3.0}};
  spec.force[1] = table_drive(table).value();
  const ForceElementPointer element = make_body_force(bench.model, spec).value();
  CHECK(bench.act(*element).said.ok);
  bench.t = 1.5;
  const Acted acted = bench.act(*element);
  CHECK(!acted.said.ok);
  CHECK(norm(acted.external[0].force) == 0.0);
}

TEST_CASE("body force: each problem has its code") {
  const Model model = compile(one_joint(JointKind::free)).value();
  BodyForceSpec spec;
  spec.name = "push";
  CHECK(codes(make_body_force(model, spec)) == "place-world");
  spec.at.on = "bodie";
  CHECK(codes(make_body_force(model, spec)) == "place-unknown");
  spec.at.on = "body";
  spec.at.point.z = __builtin_nan("");
  CHECK(codes(make_body_force(model, spec)) == "number-not-finite");
  CHECK_THROWS_AS((void)constant_drives({0, __builtin_nan(""), 0}), UsageError);
}
