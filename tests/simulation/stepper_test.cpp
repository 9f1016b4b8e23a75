#include "pintle/simulation/integrators/stepper.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/count_allocations.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/energy.h"
#include "pintle/model/edit/model_builder.h"
#include "pintle/spatial/exp_log.h"
#include "simulation/convergence.h"

using namespace test;

namespace {

/// Chains, ball joints and free joints, with springs and dampers.
ModelSpec mechanism(RandomStream& stream, const std::vector<JointKind>& kinds) {
  ModelSpec spec = random_spec(stream, {.links = static_cast<int>(kinds.size()), .branching = 0.3, .passive = false});
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    spec.joints[i].kind = kinds[i];
    spec.joints[i].passive = {{.armature = 0.2, .damping = 0.3, .stiffness = 1.0}};
  }
  spec.gravity = 0.2 * spec.gravity;  // slow enough that a step of a tenth of a second is a small one
  return spec;
}

const std::vector<std::vector<JointKind>> kMechanisms = {
    {JointKind::revolute, JointKind::screw, JointKind::revolute},
    {JointKind::spherical, JointKind::revolute, JointKind::spherical},
    {JointKind::free, JointKind::revolute, JointKind::planar},
    {JointKind::universal, JointKind::cylindrical, JointKind::free}};

/// A coordinate that a state x of its own pulls back, with x' = v - x, and the work of that pull, w' = -x v.
class PulledBack : public MotionSystem {
 public:
  PulledBack(const Model& model, int controlled) : model_(model), controlled_(controlled) {}

  const Model& model() const override { return model_; }
  int auxiliary_count() const override { return 2; }
  int controlled_auxiliary_count() const override { return controlled_; }
  bool derivatives(double, std::span<const double>, std::span<const double> v, std::span<const double> auxiliary,
                   std::span<double> vdot, std::span<double> auxiliary_derivative) override {
    seen_works.push_back(auxiliary[1]);
    vdot[0] = -auxiliary[0];
    auxiliary_derivative[0] = v[0] - auxiliary[0];
    auxiliary_derivative[1] = -auxiliary[0] * v[0];
    return true;
  }

  std::vector<double> seen_works;  ///< w of every call

 private:
  const Model& model_;
  int controlled_;
};

}  // namespace

TEST_CASE("stepper: integrals that come along have the same bits, and in the stages the value of the start") {
  ModelBuilder builder;
  builder.body("cart", {2.0, {0.0, 0.0, 0.0}, diagonal(Vec3<>{0.1, 0.1, 0.1})}).prismatic();
  const Model model = builder.compile().value();
  for (const Method method : {Method::semi_implicit_euler, Method::explicit_euler, Method::rk4, Method::rk4_quaternion,
                              Method::dormand_prince}) {
    CAPTURE(facts(method).name);
    PulledBack all(model, 2), first(model, 1);
    MotionState start = neutral_state(all);
    start.v = {1.5};
    start.auxiliary = {0.25, 0.75};
    MotionState of_all = start, of_first = start;
    Stepper all_stepper(all, method), first_stepper(first, method);
    REQUIRE(all_stepper.step(start, 0.1, of_all).ok());
    REQUIRE(first_stepper.step(start, 0.1, of_first).ok());
    CHECK(of_all.q == of_first.q);
    CHECK(of_all.v == of_first.v);
    CHECK(of_all.auxiliary == of_first.auxiliary);
    if (method != Method::rk4) continue;
    for (const double work : first.seen_works) CHECK(work == start.auxiliary[1]);
    // y' = A y of y = (v, x): four stages are its series up to the fourth power.
    double v = start.v[0], x = start.auxiliary[0];
    for (const double part : {0.025, 0.1 / 3.0, 0.05, 0.1}) {
      const double v_rate = -x, x_rate = v - x;
      v = start.v[0] + part * v_rate;
      x = start.auxiliary[0] + part * x_rate;
    }
    CHECK(std::abs(of_first.v[0] - v) <= 1e-15);
    CHECK(std::abs(of_first.auxiliary[0] - x) <= 1e-15);
  }
}

TEST_CASE("stepper: every method has its order on chains, ball and free joints: the slope over halvings") {
  for (std::size_t m = 0; m < kMechanisms.size(); ++m) {
    for (const MethodFacts& method : kMethodFacts) {
      CAPTURE(m);
      CAPTURE(method.name);
      // Steps in the range of the asymptotic error, not so small that it is rounding (1e-14): the terms of order 5 and
      // 6 of Dormand and Prince part late, and only three halvings are above it.
      const bool high = method.method == Method::dormand_prince;
      const double duration = high ? 2.0 : 0.4;
      const int first = high ? 40 : method.order >= 4 ? 4 : 32;
      const int fine = high ? 24 : 96;
      RandomStream stream(307, m);
      MechanismSystem system(mechanism(stream, kMechanisms[m]), true);
      const MotionState start = random_state(system, stream);
      const MotionState exact = after(system, Method::dormand_prince, start, duration / (first * fine), first * fine);
      const auto order = high ? limit_of_order : measured_order;
      CHECK(std::abs(order(system, method.method, start, duration, first, exact) - method.order) <= 0.1);
    }
  }
}

TEST_CASE("stepper: within a step the interpolant is good to its order, and exact at both ends") {
  RandomStream stream(302);
  MechanismSystem system(mechanism(stream, kMechanisms[2]));
  const MotionState start = random_state(system, stream);
  MotionState end = start, between = start;
  for (const MethodFacts& method : kMethodFacts) {
    CAPTURE(method.name);
    double before = 0.0;
    for (const double h : {0.02, 0.01}) {
      Stepper stepper(system, method.method);
      REQUIRE(stepper.step(start, h, end).ok());
      REQUIRE(stepper.interpolate(start, end, 0.0, between));
      CHECK(distance(system, between, start) <= 1e-15);
      REQUIRE(stepper.interpolate(start, end, 1.0, between));
      CHECK(distance(system, between, end) <= 1e-14);
      REQUIRE(stepper.interpolate(start, end, 0.4, between));
      CHECK(between.t == doctest::Approx(0.4 * h));
      const double error = distance(system, between, after(system, Method::dormand_prince, start, 0.4 * h / 64, 64));
      const int order = method.method == Method::dormand_prince ? 4 : std::min(3, method.order);
      if (before > 0.0) CHECK(before / error >= 0.8 * std::pow(2.0, order + 1));
      before = error;
    }
  }
}

TEST_CASE("stepper: the symplectic midpoint keeps the energy over 10^6 steps, where others lose it") {
  // A double pendulum of a pin and a ball joint, without losses.
  RandomStream stream(303);
  ModelSpec spec = random_spec(stream, {.links = 2, .branching = 0.0});
  spec.joints[0].kind = JointKind::spherical;
  spec.joints[1].kind = JointKind::revolute;
  MechanismSystem system(spec);
  MotionState from = random_state(system, stream), to = from;
  KinematicsWorkspace place(system.model());
  const std::vector<double> zero(from.v.size());
  const auto energy = [&](const MotionState& state) {
    kinematics(system.model(), state.q, state.v, zero, place);
    return kinetic_energy(system.model(), place) + gravity_energy(system.model(), place);
  };
  Stepper stepper(system, Method::symplectic_midpoint);
  const double h = 2e-3, first = energy(from);
  double max_early = 0.0, most = 0.0;  // within the first tenth, and in all
#ifdef NDEBUG
  const int steps = 1000000;
#else
  const int steps = 20000;  // with assertions or under sanitizers, for time's sake
#endif
  for (int i = 0; i < steps; ++i) {
    REQUIRE(stepper.step(from, h, to).ok());
    std::swap(from, to);
    if (i % 10 != 0) continue;
    const double error = abs(energy(from) - first);
    most = max(most, error);
    if (i < steps / 10) max_early = most;
  }
  // A drift would make it ten times as large.
  CHECK(most < 1e-3);
#ifdef NDEBUG
  CHECK(most < 2.0 * max_early);
#else
  CHECK(max_early > 0.0);   // the short run has not seen all of the swing in its first tenth
#endif
}

TEST_CASE("stepper: every method keeps the path of a spinning body, wherever its centre of mass") {
  // Steps of 0.13 rad. The path r + v t + g t^2/2 of the centre is exact for every method, but for the first
  // order's g h t/2. The rest is rounding: eps of the distances (|v| t + |c|), and of w v t in each of 200 steps.
  const double h = 0.01;
  const int steps = 200;
  const Vec3<> c{0.1, 0.2, -0.15}, v_center{1.0, -0.5, 0.25}, w{3.0, 7.0, 11.0};
  const Quaternion<> r = exp_quaternion(Vec3<>{0.4, -0.3, 0.9});
  const Vec3<> linear = rotate(conjugate(r), v_center) - cross(w, c);
  const auto center = [&](const MotionState& state) {
    const Quaternion<> turned{state.q[3], state.q[4], state.q[5], state.q[6]};
    return Vec3<>{state.q[0], state.q[1], state.q[2]} + rotate(turned, c);
  };
  for (const MethodFacts& method : kMethodFacts) {
    CAPTURE(method.name);
    // rk4_quaternion rotates gravity by quaternions that are not of unit length.
    const Vec3<> gravity = method.method == Method::rk4_quaternion ? Vec3<>{} : Vec3<>{0.0, 0.5, -2.0};
    ModelBuilder builder;
    builder.gravity(gravity);
    builder.body("b", spatial_inertia(1.3, c, SymMat3<>{1.0, 0.1, 0.0, 2.0, 0.2, 2.5})).free();
    MechanismSystem system(builder.spec());
    MotionState start = neutral_state(system);
    start.q = {0.3, 0.2, 0.1, r.x, r.y, r.z, r.w};
    start.v = {linear.x, linear.y, linear.z, w.x, w.y, w.z};
    const MotionState end = after(system, method.method, start, h, steps);
    const double t = h * steps;
    const double ahead = method.method == Method::semi_implicit_euler ? 0.5 * h * t
                         : method.method == Method::explicit_euler    ? -0.5 * h * t
                                                                      : 0.0;
    const Vec3<> exact = center(start) + t * v_center + (0.5 * t * t + ahead) * gravity;
    CHECK(norm(center(end) - exact) <= steps * 0x1p-52 * (norm(w) * norm(v_center) * t + norm(exact) + norm(c)));
  }
}

TEST_CASE("stepper: an error estimate is of the size of the error, and tolerances scale it") {
  RandomStream stream(304);
  MechanismSystem system(mechanism(stream, kMechanisms[1]));
  const MotionState start = random_state(system, stream);
  MotionState end = start;
  for (const Method method : {Method::dormand_prince, Method::sdirk}) {
    const double h = 0.05;
    const double error =
        distance(system, after(system, method, start, h, 1), after(system, Method::dormand_prince, start, h / 64, 64));
    Stepper loose(system, method, {.relative = 1e-6, .absolute = 1e-6}),
        tight(system, method, {.relative = 1e-8, .absolute = 1e-8});
    const double estimate = loose.step(start, h, end).error;
    CHECK(tight.step(start, h, end).error == doctest::Approx(100.0 * estimate).epsilon(1e-9));
    // An estimate of the lower order: safe, and not absurdly so.
    CHECK(estimate * 2e-6 >= 0.1 * error);
    CHECK(estimate * 1e-6 <= 1e4 * error);
  }
}

TEST_CASE("stepper: sdirk is stable where explicit methods explode: a spring a million times too stiff for the step") {
  RandomStream stream(305);
  ModelSpec spec = mechanism(stream, {JointKind::revolute, JointKind::spherical});
  spec.joints[0].passive = {{.damping = 1e4, .stiffness = 1e8}};
  MechanismSystem system(spec);
  MotionState start = random_state(system, stream, 0.1), end = start;
  start.q[0] = 0.01;
  Stepper stiff(system, Method::sdirk), plain(system, Method::rk4);
  const double h = 0.02;
  MotionState from = start;
  for (int i = 0; i < 50; ++i) {
    REQUIRE(stiff.step(from, h, end).ok());
    std::swap(from, end);
  }
  CHECK(abs(from.q[0]) < 1e-5);  // the spring holds
  CHECK(abs(from.v[0]) < 1e-4);
  from = start;
  bool exploded = false;
  for (int i = 0; i < 50 && !exploded; ++i) {
    exploded = !plain.step(from, h, end).ok();
    std::swap(from, end);
  }
  CHECK(exploded);
}

TEST_CASE("stepper: a step back undoes a step, up to the error of the method; the midpoint's exactly") {
  RandomStream stream(306);
  ModelSpec spec = mechanism(stream, kMechanisms[2]);
  for (JointSpec& joint : spec.joints) joint.passive[0].damping = 0.0;
  MechanismSystem system(spec);
  const MotionState start = random_state(system, stream);
  MotionState there = start, back = start;
  Stepper stepper(system, Method::symplectic_midpoint);
  REQUIRE(stepper.step(start, 0.05, there).ok());
  REQUIRE(stepper.step(there, -0.05, back).ok());
  CHECK(distance(system, start, back) < 1e-5);  // another chart: symmetric to third order, not to the bit
}

TEST_CASE("stepper: where there are no accelerations the step says so; NaN is named") {
  ModelSpec spec{.name = "nothing to move"};
  spec.bodies = {{.name = "pointer"}};
  spec.joints = {{.name = "dial", .kind = JointKind::revolute, .parent = kWorld, .child = "pointer"}};
  spec.joints[0].prescribed = true;
  MechanismSystem nothing(spec);
  MotionState start = neutral_state(nothing), end = start, between = start;
  for (const MethodFacts& method : kMethodFacts) {
    CAPTURE(method.name);
    Stepper stepper(nothing, method.method);
    CHECK(stepper.step(start, 0.01, end).outcome == StepOutcome::no_derivatives);
    end.t = start.t + 0.01;
    CHECK_THROWS_AS((void)stepper.interpolate(start, end, 0.5, between), UsageError);  // there is no such step
  }
  CHECK(nothing.failed_joint() == 0);
}

TEST_CASE("stepper: no step allocates; wrong sizes and the same state twice are wrong calls") {
  RandomStream stream(307);
  MechanismSystem system(mechanism(stream, kMechanisms[3]), true);
  const MotionState start = random_state(system, stream);
  MotionState end = start, between = start, other = start, small = start;
  small.v.pop_back();
  for (const MethodFacts& method : kMethodFacts) {
    CAPTURE(method.name);
    Stepper stepper(system, method.method);
    const std::size_t before = count_allocations();
    const bool done = stepper.step(start, 0.01, end).ok() && stepper.interpolate(start, end, 0.3, between);
    CHECK(count_allocations() == before);
    CHECK(done);
    CHECK_THROWS_AS((void)stepper.step(small, 0.01, end), UsageError);
    CHECK_THROWS_AS((void)stepper.step(end, 0.01, end), UsageError);
    CHECK_THROWS_AS((void)stepper.interpolate(start, end, 0.5, small), UsageError);
    CHECK_THROWS_AS((void)stepper.interpolate(start, small, 0.5, between), UsageError);
    CHECK_THROWS_AS((void)stepper.interpolate(small, end, 0.5, between), UsageError);
    CHECK_THROWS_AS((void)stepper.interpolate(start, between, 0.5, end), UsageError);  // no end of that step
    CHECK_THROWS_AS((void)stepper.interpolate(between, end, 0.5, other), UsageError);
    CHECK_NOTHROW((void)stepper.interpolate(start, end, 0.5, other));
    CHECK_THROWS_AS((void)stepper.interpolate(start, end, 0.5, end), UsageError);
    CHECK_THROWS_AS((void)Stepper(system, method.method).interpolate(start, end, 0.5, between), UsageError);
  }
}
