#include "pintle/simulation/elements/controller.h"

#include <algorithm>
#include <cmath>

#include "simulation/element_system.h"

using namespace test;

namespace {

ControllerSpec pid(const char* target, double kp, double ki, double kd) {
  ControllerSpec spec;
  spec.name = "pid";
  spec.joint = "joint";
  spec.target = expression_drive(target).value();
  spec.kp = kp;
  spec.ki = ki;
  spec.kd = kd;
  return spec;
}

struct Loop {
  explicit Loop(const ControllerSpec& spec, double start = 0.0)
      : bench(one_joint(JointKind::revolute)), element(make_controller(bench.model, spec, start).value()) {}

  /// At e = target - q with the target 0, at rest, with the integral x.
  Acted at(double e, double x = 0.0) {
    bench.q[0] = -e;
    bench.states = {x};
    return bench.act(*element);
  }
  void choose(double e, double x = 0.0) {
    bench.q[0] = -e;
    bench.states = {x};
    element->choose_sides(bench.model, bench.input());
  }
  Numbers switches() {
    Numbers values(size(element->switch_count()));
    element->switches(bench.model, bench.input(), values);
    return values;
  }

  ElementBench bench;
  ForceElementPointer element;
};

}  // namespace

TEST_CASE("controller: the effort is that of its law, through the gear, with the exact rate of the target") {
  ControllerSpec spec = pid("3*t^2", 2.0, 0.5, 4.0);
  spec.feed_forward = expression_drive("10*t").value();
  spec.gear = 3.0;
  Loop loop(spec);
  loop.bench.t = 2.0;  // target 12, rate 12
  loop.bench.q[0] = 11.5;
  loop.bench.v[0] = 10.0;
  loop.bench.states = {8.0};
  const Acted acted = loop.bench.act(*loop.element);
  CHECK(acted.tau[0] == 3.0 * (2.0 * 0.5 + 0.5 * 8.0 + 4.0 * 2.0 + 20.0));
  CHECK(acted.said.power == acted.tau[0] * 10.0);
  CHECK(acted.derivatives == Numbers{0.5});
  CHECK(loop.element->state_count() == 1);
  CHECK(loop.element->switch_count() == 0);
  CHECK(Loop(pid("0", 1, 0, 1)).element->state_count() == 0);  // no integral part
}

TEST_CASE("controller: its integral slows down and stops while the effort is cut, but may always come back") {
  ControllerSpec spec = pid("0", 10.0, 1.0, 0.0);
  spec.effort_limit = 5.0;
  Loop loop(spec);
  CHECK(loop.at(0.5).derivatives[0] == 0.5);                        // at the limit
  CHECK(abs(loop.at(0.525).derivatives[0] - 0.5 * 0.525) < 1e-12);  // half way through the margin of a tenth
  CHECK(loop.at(0.56).derivatives[0] == 0.0);
  CHECK(loop.at(0.56).tau[0] == 5.0);
  CHECK(loop.at(-0.56).derivatives[0] == 0.0);
  CHECK(loop.at(-0.2, 20.0).derivatives[0] == -0.2);  // cut above, but e leads back
  CHECK(loop.at(-0.2, 20.0).tau[0] == 5.0);
  // The rate is continuous through the whole margin, and so is its slope.
  double last = 0.5, slope = 1.0;
  for (double e = 0.5; e < 0.57; e += 1e-5) {
    const double rate = loop.at(e).derivatives[0];
    CHECK(abs(rate - last) < 4e-4);
    if (e > 0.5 + 0.5e-5) {
      CHECK(abs((rate - last) / 1e-5 - slope) < 0.05);
      slope = (rate - last) / 1e-5;
    }
    last = rate;
  }
}

TEST_CASE("controller: the integral part stops at its limit") {
  ControllerSpec spec = pid("0", 1.0, 2.0, 0.0);
  spec.integral_limit = 3.0;
  Loop loop(spec);
  CHECK(loop.at(1.0, 1.4).derivatives[0] == 1.0);
  CHECK(loop.at(1.0, 1.5).derivatives[0] == 0.0);
  CHECK(loop.at(-1.0, 1.5).derivatives[0] == -1.0);
  CHECK(loop.at(-1.0, -1.5).derivatives[0] == 0.0);
  REQUIRE(loop.element->switch_count() == 3);
  loop.choose(1.0, 1.0);
  CHECK(loop.switches() == Numbers{1.0, 5.0, 1.0});
  CHECK(loop.at(1.0, 1.6).derivatives[0] == 1.0);  // on trial beyond the switch
  loop.choose(1.0, 1.5);
  CHECK(loop.switches() == Numbers{0.0, 6.0, 1.0});
  CHECK(loop.at(-0.5, 1.5).derivatives[0] == 0.0);  // until the sign of e, now a switch, is told
  CHECK(loop.switches() == Numbers{0.0, 6.0, -0.5});
  loop.choose(-0.5, 1.5);
  CHECK(loop.at(-0.5, 1.5).derivatives[0] == -0.5);
  loop.choose(1.0, 1.5);
  loop.element->reset();
  CHECK(loop.at(1.0, 1.0).derivatives[0] == 1.0);
}

TEST_CASE("controller: all its switches") {
  ControllerSpec spec = pid("0", 1.0, 2.0, 0.0);
  spec.effort_limit = 4.0;
  spec.integral_limit = 3.0;
  Loop loop(spec);
  REQUIRE(loop.element->switch_count() == 5);
  loop.choose(1.0, 0.5);
  CHECK(loop.switches() == Numbers{2.0, 6.0, 2.0, 4.0, 1.0});
  loop.choose(-7.0, 0.5);  // cut below
  CHECK(loop.switches() == Numbers{10.0, -2.0, 2.0, 4.0, -7.0});
  CHECK(loop.at(0.0).tau[0] == -4.0);
}

TEST_CASE("controller: an integral part carries a constant load without error") {
  ModelSpec model = one_joint(JointKind::prismatic, 2.0);
  for (const bool limited : {false, true}) {
    ControllerSpec spec = pid("0.3", 40.0, 30.0, 15.0);
    if (limited) spec.effort_limit = 20.5;  // 0.9 N above the weight: cut on its way
    ElementSystem system(model);
    system.add(make_controller(system.model(), spec).value());
    const MotionState end = system.run(neutral_state(system), 5e-3, 8000);
    CHECK(abs(end.q[0] - 0.3) < 1e-6);
    CHECK(abs(30.0 * end.auxiliary[0] - 2.0 * 9.81) < 1e-4);
  }
}

TEST_CASE("controller: sampled, it follows the recursion written by hand, limits of effort and integral included") {
  ControllerSpec spec = pid("sin(3*t)", 5.0, 4.0, 0.5);
  spec.effort_limit = 4.0;
  spec.integral_limit = 0.5;
  spec.sampling = {.period = 0.125, .offset = 0.0, .delay = 0.125};
  Loop loop(spec);
  CHECK(loop.element->state_count() == 0);
  CHECK(loop.element->switch_count() == 0);
  RandomStream stream(421);
  double sum = 0.0, before = 0.0;
  int cut = 0, full = 0;
  for (int k = 0; k < 200; ++k) {
    loop.bench.t = 0.125 * k;
    loop.bench.q[0] = stream.uniform(-1, 1);
    loop.bench.v[0] = stream.uniform(-1, 1);
    loop.element->sample(loop.bench.model, loop.bench.input());
    CHECK(abs(loop.bench.act(*loop.element).tau[0] - std::clamp(before, -4.0, 4.0)) < 1e-13);
    const double e = std::sin(0.375 * k) - loop.bench.q[0], de = 3.0 * std::cos(0.375 * k) - loop.bench.v[0];
    before = 5.0 * e + 4.0 * sum + 0.5 * de;
    if (abs(before) >= 4.0 && e * before > 0.0) {
      ++cut;
    } else {
      sum += 0.125 * e;
      full += abs(4.0 * sum) > 0.5;
      sum = std::clamp(sum, -0.125, 0.125);
    }
  }
  CHECK(cut > 10);
  CHECK(full > 10);
}

TEST_CASE("controller: its memory restores it to the bit, and reset makes it new") {
  ControllerSpec spec = pid("sin(3*t)", 5.0, 4.0, 0.5);
  spec.sampling = {.period = 0.1, .offset = 0.02, .delay = 0.25};
  Loop one(spec), two(spec);
  const auto run = [](Loop& loop, std::uint64_t seed, double& t, int n) {
    RandomStream stream(seed);
    Numbers efforts;
    for (int k = 0; k < n; ++k) {
      loop.bench.t = t;
      loop.bench.q[0] = stream.uniform(-1, 1);
      loop.element->sample(loop.bench.model, loop.bench.input());
      efforts.push_back(loop.bench.act(*loop.element).tau[0]);
      t = loop.element->next_sample(t);
    }
    return efforts;
  };
  double t = 0.0;
  const Numbers beginning = run(one, 1, t, 37);
  REQUIRE(one.element->memory().size() == two.element->memory().size());
  std::ranges::copy(one.element->memory(), two.element->memory().begin());
  double u = t;
  CHECK(run(one, 2, t, 50) == run(two, 2, u, 50));
  CHECK(t == u);
  one.element->reset();
  t = 0.0;
  CHECK(run(one, 1, t, 37) == beginning);
  CHECK(Loop(pid("0", 1, 1, 1)).element->memory().empty());
}

TEST_CASE("controller: each problem has its code") {
  const Model ball = compile(one_joint(JointKind::spherical)).value();
  const Model model = compile(one_joint(JointKind::revolute)).value();
  CHECK(codes(make_controller(ball, pid("0", 1, 1, 1))) == "dof-without-position");
  ControllerSpec spec = pid("0", -1, -1, -1);
  spec.integral_limit = -1.0;
  spec.gear = -2.0;
  CHECK(codes(make_controller(model, spec)) ==
        "number-negative number-negative number-negative limit-not-positive gear-reversed");
  spec = pid("0", 1, 1, 1);
  spec.joint = "elbow";
  spec.effort_limit = __builtin_nan("");
  CHECK(codes(make_controller(model, spec)) == "joint-unknown limit-not-positive");
}
