#include "pintle/simulation/elements/effort_motor.h"

#include "simulation/element_bench.h"

using namespace test;

namespace {

MotorSpec motor(const char* effort, const char* joint = "joint") {
  MotorSpec spec;
  spec.name = "lift";
  spec.joint = joint;
  spec.effort = command_expression(effort).value();
  return spec;
}

ForceElementPointer make(const ElementBench& bench, const MotorSpec& spec, double start = 0.0) {
  return make_effort_motor(bench.model, spec, start).value();
}

/// A bench with one revolute joint at t = 2, q = 0.5, qd = 0.25.
ElementBench some_bench() {
  ElementBench bench(one_joint(JointKind::revolute));
  bench.t = 2.0;
  bench.q[0] = 0.5;
  bench.v[0] = 0.25;
  return bench;
}

}  // namespace

TEST_CASE("effort motor: the joint gets gear times the effort, and the limit cuts it at the motor") {
  ElementBench bench = some_bench();
  MotorSpec spec = motor("3*q - 2*qd + t");  // 3
  spec.gear = 2.0;
  const ForceElementPointer free = make(bench, spec);
  CHECK(free->name() == "lift");
  CHECK(!free->has_limit());
  CHECK(free->switch_count() == 0);
  const Acted full = bench.act(*free);
  CHECK(full.tau[0] == 6.0);
  CHECK(full.said.power == 1.5);
  CHECK(full.said.clipped == 0.0);

  spec.effort_limit = 1.0;
  const ForceElementPointer cut = make(bench, spec);
  CHECK(cut->has_limit());
  const Acted acted = bench.act(*cut);
  CHECK(acted.tau[0] == 2.0);
  CHECK(acted.said.power == 0.5);
  CHECK(acted.said.clipped == 1.0);
  spec.gear = -2.0;
  CHECK(bench.act(*make(bench, spec)).tau[0] == -2.0);
  spec.effort = -4.0;
  CHECK(bench.act(*make(bench, spec)).tau[0] == 2.0);
  CHECK(bench.act(*make(bench, spec)).said.clipped == 2.0 * 3.0 * 0.25);
}

TEST_CASE("effort motor: within a step it stays on its side of the limit") {
  ElementBench bench = some_bench();
  MotorSpec spec = motor("t");
  spec.effort_limit = 2.0;
  const ForceElementPointer element = make(bench, spec);
  REQUIRE(element->switch_count() == 2);
  const auto effort_at = [&](double t) {
    bench.t = t;
    return bench.act(*element).tau[0];
  };
  const auto choose_at = [&](double t) {
    bench.t = t;
    element->choose_sides(bench.model, bench.input());
  };
  choose_at(1.5);
  CHECK(effort_at(3.0) == 3.0);  // on trial beyond the switch
  choose_at(2.0);                // a zero belongs to the side beyond
  CHECK(effort_at(3.0) == 2.0);
  CHECK(effort_at(1.0) == 2.0);
  choose_at(-2.5);
  CHECK(effort_at(-1.0) == -2.0);
  Numbers values(2);
  bench.t = 0.5;
  element->switches(bench.model, bench.input(), values);
  CHECK(values == Numbers{1.5, 2.5});
  element->reset();
  CHECK(effort_at(1.0) == 1.0);
  CHECK(effort_at(3.0) == 2.0);
}

TEST_CASE("effort motor: on a follower it acts on the driver through the ratio, by the follower's own q") {
  ElementBench bench(with_follower(-2.5, 0.25));
  bench.q[0] = 0.5;
  bench.v[0] = 2.0;
  const ForceElementPointer element = make(bench, motor("10*q + qd", "follower"));
  const double effort = 10.0 * (-2.5 * 0.5 + 0.25) - 5.0;
  const Acted acted = bench.act(*element);
  CHECK(acted.tau == Numbers{-2.5 * effort});
  CHECK(acted.said.power == effort * -5.0);
}

TEST_CASE("effort motor: sampled, it holds what it read") {
  ElementBench bench = some_bench();
  MotorSpec spec = motor("t + q");
  spec.sampling = {.period = 0.5, .offset = 0.25, .delay = 0.125};
  spec.effort_limit = 2.25;
  const ForceElementPointer element = make(bench, spec, 1.0);
  CHECK(element->switch_count() == 0);  // what is held has no kink
  struct Row {
    double t, effort;
  };
  // Read at 1.25, 1.75, 2.25 with q = 0.5; in effect at 1.375, 1.875, 2.375 (cut there).
  const Row rows[] = {{1.0, 0.0}, {1.25, 0.0}, {1.375, 1.75}, {1.75, 1.75}, {1.875, 2.25}, {2.25, 2.25}, {2.375, 2.25}};
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    CAPTURE(rows[i].t);
    bench.t = rows[i].t;
    element->sample(bench.model, bench.input());
    CHECK(bench.act(*element).tau[0] == rows[i].effort);
    if (i + 1 < std::size(rows)) CHECK(element->next_sample(bench.t) == rows[i + 1].t);
  }
  CHECK(bench.act(*element).said.clipped == 0.5 * 0.25);  // 2.75 was wanted
  bench.q[0] = 100.0;                                     // not seen before the next sample
  CHECK(bench.act(*element).tau[0] == 2.25);
}

TEST_CASE("effort motor: a formula that is not finite acts not at all and says so") {
  ElementBench bench = some_bench();
  const Acted acted = bench.act(*make(bench, motor("log(-q)")));
  CHECK(!acted.said.ok);
  CHECK(acted.tau[0] == 0.0);
}

TEST_CASE("effort motor: on ball and free joints by time and speed, not by position") {
  ElementBench bench(one_joint(JointKind::free));
  MotorSpec spec = motor("t - qd");
  spec.dof = 4;
  bench.t = 3.0;
  bench.v[4] = 2.0;
  CHECK(bench.act(*make(bench, spec)).tau == Numbers{0, 0, 0, 0, 1, 0});
  spec.effort = command_expression("t - q", Origin("scene.toml", 3, 11)).value();
  const Result<ForceElementPointer> refused = make_effort_motor(bench.model, spec);
  REQUIRE(codes(refused) == "dof-without-position");
  CHECK(refused.diagnostics()[0].origin.column == 15);
}

TEST_CASE("effort motor: all problems at once, each with its place and fix") {
  const Model model = compile(one_joint(JointKind::revolute)).value();
  MotorSpec spec = motor("1", "jiont");
  spec.origin = Origin("scene.toml", 7);
  const Result<ForceElementPointer> unknown = make_effort_motor(model, spec);
  REQUIRE(codes(unknown) == "joint-unknown");
  CHECK(unknown.diagnostics()[0].what == "motor 'lift' names the joint 'jiont', which does not exist");
  CHECK(unknown.diagnostics()[0].fix == "did you mean 'joint'?");
  CHECK(unknown.diagnostics()[0].origin.line == 7);

  spec = motor("1");
  spec.dof = 1;
  CHECK(codes(make_effort_motor(model, spec)) == "dof-unknown");
  spec.dof = 0;
  spec.name = "";
  spec.gear = 0.0;
  spec.rotor_inertia = -1.0;
  spec.effort_limit = 0.0;
  spec.sampling = {.period = -1.0, .offset = __builtin_inf(), .delay = -1.0};
  CHECK(codes(make_effort_motor(model, spec)) ==
        "name-missing gear-ratio number-negative limit-not-positive number-negative number-negative number-negative");
  spec = motor("1");
  spec.sampling = {.period = 0.0, .offset = 0.0, .delay = 0.5};
  CHECK(codes(make_effort_motor(model, spec)) == "sampling-period");
  spec.sampling = {.period = 1e-6, .offset = 0.0, .delay = 0.5};
  CHECK(codes(make_effort_motor(model, spec)) == "sampling-delay");

  ModelSpec fixed = one_joint(JointKind::fixed);
  CHECK(codes(make_effort_motor(compile(fixed).value(), motor("1"))) == "dof-unknown");
}
