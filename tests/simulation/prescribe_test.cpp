// Joints whose motion is given by the time, in every integrator.
#include <doctest/doctest.h>

#include <string>

#include "base/count_allocations.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/hybrid_dynamics.h"
#include "simulation/convergence.h"
#include "support/arms.h"

using namespace test;

namespace {

constexpr unsigned char kVelocity = 1, kPosition = 2;  // what is imposed

/// What the cart does.
struct Motion {
  double q, v, vdot;
};
Motion motion_of_cart(double t) {
  const SinCos<double> f = pintle::sincos(3.0 * t);
  return {0.3 * f.sin, 0.9 * f.cos, -2.7 * f.sin};
}

ModelSpec cart_with_pendulum(JointKind hanging) {
  ModelSpec spec{.name = "cart"};
  add_bar(spec, 0.0, 0.1, 2.0, {1, 0, 0}, JointKind::prismatic);
  add_bar(spec, 0.0, 0.7, 1.0, {0, 1, 0}, hanging);
  add_bar(spec, 0.7, 0.4, 1.0, {0, 1, 0});
  for (std::size_t i = 1; i < 3; ++i) spec.joints[i].passive = {{.armature = 0.2, .damping = 0.3, .stiffness = 1.0}};
  spec.gravity = 0.2 * spec.gravity;  // slow enough that a step of a tenth of a second is a small one
  return spec;
}

/// A cart that moves as given, with pendulums on it; one further number, the work of its drive.
class DrivenCart : public MotionSystem {
 public:
  DrivenCart(JointKind hanging, unsigned char level)
      : model_(compile(cart_with_pendulum(hanging)).value()),
        imposed_levels_(static_cast<std::size_t>(model_.nv())),
        tau_(imposed_levels_.size()),
        work_(model_) {
    imposed_levels_[0] = level;
  }

  const Model& model() const override { return model_; }
  int auxiliary_count() const override { return 1; }
  bool derivatives(double t, std::span<const double> q, std::span<const double> v, std::span<const double>,
                   std::span<double> vdot, std::span<double> auxiliary_derivative) override {
    consistent =
        consistent && v[0] == motion_of_cart(t).v && (imposed_levels_[0] < kPosition || q[0] == motion_of_cart(t).q);
    for (double& x : tau_) x = 0.0;
    vdot[0] = motion_of_cart(t).vdot;
    const int cart[] = {0};
    const bool ok = hybrid_dynamics(model_, q, v, cart, work_, tau_, vdot).ok();
    auxiliary_derivative[0] = tau_[0] * v[0];
    return ok;
  }
  void prescribe(double t, std::span<double> q, std::span<double> v, std::span<const double>) override {
    const Motion given = motion_of_cart(t);
    if (imposed_levels_[0] == kPosition) q[0] = given.q;
    v[0] = given.v;
  }
  std::span<const unsigned char> imposed() const override { return imposed_levels_; }

  bool consistent = true;  ///< whether every stage had what is imposed

 private:
  Model model_;
  std::vector<unsigned char> imposed_levels_;
  std::vector<double> tau_;
  ForwardDynamicsWorkspace<> work_;
};

/// The cart without anything on it.
class LoneCart : public MotionSystem {
 public:
  explicit LoneCart(unsigned char level) : model_(compile(spec()).value()), imposed_levels_{level} {}

  const Model& model() const override { return model_; }
  bool derivatives(double t, std::span<const double>, std::span<const double>, std::span<const double>,
                   std::span<double> vdot, std::span<double>) override {
    vdot[0] = motion_of_cart(t).vdot;
    return true;
  }
  void prescribe(double t, std::span<double> q, std::span<double> v, std::span<const double>) override {
    if (imposed_levels_[0] == kPosition) q[0] = motion_of_cart(t).q;
    v[0] = motion_of_cart(t).v;
  }
  std::span<const unsigned char> imposed() const override { return imposed_levels_; }

 private:
  static ModelSpec spec() {
    ModelSpec cart{.name = "cart"};
    add_bar(cart, 0.0, 0.1, 2.0, {1, 0, 0}, JointKind::prismatic);
    return cart;
  }

  Model model_;
  std::vector<unsigned char> imposed_levels_;
};

MotionState start_of(DrivenCart& system) {
  MotionState start = neutral_state(system);
  RandomStream stream(311);
  random_configuration(system.model(), stream, start.q);
  for (double& x : start.v) x = stream.uniform(-0.5, 0.5);
  start.t = 0.25;
  start.q[0] = motion_of_cart(start.t).q;
  start.v[0] = motion_of_cart(start.t).v;
  return start;
}

}  // namespace

TEST_CASE("prescribe: every method keeps its order, with a position given or a velocity") {
  for (const JointKind hanging : {JointKind::revolute, JointKind::spherical}) {
    for (const unsigned char level : {kVelocity, kPosition}) {
      DrivenCart system(hanging, level);
      const MotionState start = start_of(system);
      for (const MethodFacts& method : kMethodFacts) {
        if (method.method == Method::symplectic_midpoint) continue;
        CAPTURE(hanging);
        CAPTURE(level);
        CAPTURE(method.name);
        const bool high = method.method == Method::dormand_prince;
        const double duration = high ? 3.0 : 0.4;
        const int first = high ? 40 : method.order >= 4 ? 8 : 128;
        const MotionState exact = after(system, Method::dormand_prince, start, duration / (first * 96), first * 96);
        CHECK(std::abs(measured_order(system, method.method, start, duration, first, exact) - method.order) <= 0.1);
      }
      CHECK(system.consistent);
    }
  }
}

TEST_CASE("prescribe: a given position is that of the function to the bit, at the end of steps and within them") {
  DrivenCart system(JointKind::spherical, kPosition);
  for (const MethodFacts& method : kMethodFacts) {
    if (method.method == Method::symplectic_midpoint) continue;
    CAPTURE(method.name);
    Stepper stepper(system, method.method);
    MotionState from = start_of(system), to = from, between = from;
    for (int i = 0; i < 50; ++i) {
      const std::size_t before = count_allocations();
      const bool done = stepper.step(from, 0.013, to).ok() && stepper.interpolate(from, to, 0.37, between);
      CHECK(count_allocations() == before);
      REQUIRE(done);
      for (const MotionState* state : {&to, &between}) {
        CHECK(state->q[0] == motion_of_cart(state->t).q);
        CHECK(state->v[0] == motion_of_cart(state->t).v);
      }
      std::swap(from, to);
    }
  }
  CHECK(system.consistent);
}

TEST_CASE("prescribe: the error shows whether a step resolves what is imposed") {
  for (const Method method : {Method::dormand_prince, Method::sdirk}) {
    LoneCart by_position(kPosition), by_velocity(kVelocity);
    MotionState start = neutral_state(by_position), end = start;
    start.v[0] = motion_of_cart(0.0).v;
    Stepper position_given(by_position, method), position_left(by_velocity, method);
    CHECK(position_given.step(start, 1e-4, end).error < 1.0);
    CHECK(position_given.step(start, 0.2, end).error > 1.0);
    CHECK(end.q[0] == motion_of_cart(end.t).q);
    CHECK(position_left.step(start, 0.2, end).error > 1.0);
    CHECK(end.q[0] == doctest::Approx(motion_of_cart(end.t).q).epsilon(1e-3));
  }
}

TEST_CASE("prescribe: the symplectic midpoint refuses given velocities, in words") {
  DrivenCart system(JointKind::revolute, kPosition);
  try {
    Stepper stepper(system, Method::symplectic_midpoint);
    FAIL("accepted");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()).find("symplectic-midpoint cannot run prescribed motions") != std::string::npos);
  }
}
