#include "pintle/simulation/elements/line_spring.h"

#include "simulation/element_system.h"

using namespace test;

namespace {

/// From the world's origin to the body.
LineSpringSpec spring() {
  LineSpringSpec spec;
  spec.name = "rope";
  spec.second.on = "body";
  spec.stiffness = 10.0;
  spec.rest_length = 2.0;
  return spec;
}

}  // namespace

TEST_CASE("line spring: tension by length and its rate, along the line") {
  ElementBench bench(one_joint(JointKind::translational));
  bench.q = {0.0, 3.0, 4.0};
  bench.v = {7.0, 0.0, 1.0};  // the length grows by 0.8 m/s
  LineSpringSpec spec = spring();
  spec.damping = 5.0;
  spec.preload = 2.0;
  const ForceElementPointer element = make_line_spring(bench.model, spec).value();
  const Acted acted = bench.act(*element);
  const double tension = 2.0 + 10.0 * 3.0 + 5.0 * 0.8;
  const Vec3<> f = acted.external[0].force;
  CHECK(abs(f.x) < 1e-14);
  CHECK(abs(f.y + 0.6 * tension) < 1e-13);
  CHECK(abs(f.z + 0.8 * tension) < 1e-13);
  CHECK(abs(acted.said.power + 5.0 * 0.64) < 1e-14);
  CHECK(abs(bench.energy(*element) - (0.5 * 10.0 * 9.0 + 2.0 * 3.0)) < 1e-13);
  CHECK(element->switch_count() == 0);
}

TEST_CASE("line spring: far from the world's origin it is as exact as near it") {
  // Two free bodies 1 m apart, 1e6 m away: seen from the world the distance would have lost ten digits.
  ModelSpec model = one_joint(JointKind::revolute);
  model.joints[0].X_PJ.translation = {1e6, 2e6, -3e6};
  BodySpec second = model.bodies[0];
  second.name = "second";
  model.bodies.push_back(second);
  JointSpec joint = model.joints[0];
  joint.name = "slide";
  joint.kind = JointKind::prismatic;
  joint.axis = {1, 0, 0};
  joint.parent = "body";
  joint.child = "second";
  joint.X_PJ = identity_pose<double>();
  model.joints.push_back(joint);
  ElementBench bench(model);
  bench.q = {0.3, 1.1};
  LineSpringSpec spec = spring();
  spec.first.on = "body";
  spec.second.on = "second";
  spec.rest_length = 1.0;
  const Acted acted = bench.act(*make_line_spring(bench.model, spec).value());
  CHECK(abs(norm(acted.external[1].force) - 1.0) < 1e-14);
}

TEST_CASE("line spring: a rope pulls only when it is stretched and would pull; its energy ends where it is slack") {
  ElementBench bench(one_joint(JointKind::prismatic));
  LineSpringSpec spec = spring();
  spec.damping = 5.0;
  spec.preload = -1.0;  // slack below 2.1 m
  spec.tension_only = true;
  const ForceElementPointer rope = make_line_spring(bench.model, spec).value();
  const auto force_at = [&](double z, double zdot) {
    bench.q[0] = z;
    bench.v[0] = zdot;
    const Acted acted = bench.act(*rope);
    CHECK(abs(acted.total - (acted.said.power - bench.energy_rate(*rope))) < 1e-9);
    CHECK(acted.said.power <= 0.0);
    return acted.external[0].force.z;
  };
  CHECK(abs(force_at(3.0, 0.5) + 9.0 + 2.5) < 1e-13);
  CHECK(force_at(3.0, -2.0) == 0.0);  // its ends come together faster than it can
  CHECK(force_at(2.0, 5.0) == 0.0);   // not stretched yet
  const double least = bench.energy(*rope);
  bench.q[0] = 1.0;
  CHECK(bench.energy(*rope) == least);
  CHECK(abs(least + 1.0 / 20.0) < 1e-15);
  bench.q[0] = 0.0;
  CHECK(bench.act(*rope).said.ok);  // slack needs no direction

  REQUIRE(rope->switch_count() == 2);
  bench.q[0] = 3.0;
  bench.v[0] = 0.5;
  Numbers values(2);
  rope->switches(bench.model, bench.input(), values);
  CHECK(abs(values[0] - 9.0) < 1e-14);
  CHECK(abs(values[1] - 11.5) < 1e-14);
  rope->choose_sides(bench.model, bench.input());
  bench.q[0] = 1.0;
  CHECK(bench.act(*rope).external[0].force.z > 0.0);  // on trial beyond the switch
  rope->choose_sides(bench.model, bench.input());
  bench.q[0] = 3.0;
  CHECK(bench.act(*rope).external[0].force.z == 0.0);
  rope->reset();
  CHECK(bench.act(*rope).external[0].force.z < 0.0);
}

TEST_CASE("line spring: without length it has no direction and says so") {
  ElementBench bench(one_joint(JointKind::prismatic));
  const Acted acted = bench.act(*make_line_spring(bench.model, spring()).value());
  CHECK(!acted.said.ok);
  CHECK(norm(acted.external[0].force) == 0.0);
}

TEST_CASE("line spring: each problem has its code") {
  ModelSpec spec = one_joint(JointKind::prismatic);
  FrameSpec frame;
  frame.name = "body";
  frame.body = "body";
  const Model model = compile(spec).value();
  spec.frames.push_back(frame);
  const Model twice = compile(spec).value();
  LineSpringSpec line = spring();
  CHECK(codes(make_line_spring(twice, line)) == "place-ambiguous");
  line.second.on = "bdy";
  const Result<ForceElementPointer> unknown = make_line_spring(model, line);
  REQUIRE(codes(unknown) == "place-unknown");
  CHECK(unknown.diagnostics()[0].what == "line spring 'rope' names 'bdy', which is neither a body nor a frame");
  CHECK(unknown.diagnostics()[0].fix == "did you mean 'body'?");
  line.second.on = kWorld;
  CHECK(codes(make_line_spring(model, line)) == "ends-together");
  line = spring();
  line.tension_only = true;
  line.stiffness = 0.0;
  CHECK(codes(make_line_spring(model, line)) == "rope-slack");
  line = spring();
  line.stiffness = line.damping = line.rest_length = -1.0;
  line.preload = line.first.point.x = __builtin_nan("");
  CHECK(codes(make_line_spring(model, line)) ==
        "number-not-finite number-negative number-negative number-negative number-not-finite");
}
