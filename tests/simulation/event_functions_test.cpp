#include "pintle/simulation/events/event_functions.h"

#include <doctest/doctest.h>

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/model/compiled/joint_state.h"
#include "pintle/simulation/integrators/stepper.h"
#include "simulation/mechanism_system.h"

using namespace test;

namespace {

/// A state, the accelerations there, and the state a little later and earlier.
struct Around {
  explicit Around(MechanismSystem& system, RandomStream& stream)
      : here(random_state(system, stream)), before(here), after(here), vdot(here.v.size()) {
    here.t = 0.3;
    Stepper stepper(system, Method::rk4);
    REQUIRE(stepper.step(here, d, after).ok());
    REQUIRE(stepper.step(here, -d, before).ok());
    REQUIRE(system.derivatives(here.t, here.q, here.v, {}, vdot, {}));
  }
  static MotionInstant instant(const MotionState& state) { return {state.t, state.q, state.v, state.auxiliary}; }

  /// The rate and the difference quotient.
  void check_rate(EventFunction& f) const {
    const double exact = f.rate(instant(here), vdot);
    const double quotient = (f.value(instant(after)) - f.value(instant(before))) / (2.0 * d);
    CHECK(std::abs(exact - quotient) <= 1e-6 * (1.0 + std::abs(exact)));
    if (f.rate_needs_accelerations()) return;
    const std::vector<double> nothing(vdot.size(), __builtin_nan(""));
    CHECK(f.rate(instant(here), nothing) == exact);
  }

  static constexpr double d = 1e-5;
  MotionState here, before, after;
  std::vector<double> vdot;
};

}  // namespace

TEST_CASE("event functions: coordinates, speeds and the time of all joints, coupled ones too, with exact rates") {
  for (std::uint64_t c = 0; c < 20; ++c) {
    RandomStream stream(411, c);
    MechanismSystem system(random_spec(stream, {.links = 8, .couplings = true, .welds = true}));
    const Model& model = system.model();
    const Around around(system, stream);
    const MotionInstant here = Around::instant(around.here);
    for (const ModelJoint& joint : model.joints()) {
      CAPTURE(joint.name);
      const JointValues q = joint_position(model, around.here.q, joint.name),
                        v = joint_velocity(model, around.here.v, joint.name);
      for (int k = 0; k < v.count; ++k) {
        const std::string number = std::to_string(k + 1);
        SpeedEvent speed(model, joint.name, 0.25, k);
        CHECK(speed.value(here) == v[static_cast<std::size_t>(k)] - 0.25);
        around.check_rate(speed);
        ExpressionEvent formula = expression_event(model, "v" + number + "." + joint.name + " - 1/4").value();
        CHECK(formula.value(here) == speed.value(here));
        CHECK(formula.rate(here, around.vdot) == speed.rate(here, around.vdot));
        if (q.count != v.count) {
          CHECK_THROWS_AS(CoordinateEvent(model, joint.name, 0.0, k), UsageError);
          CHECK(!expression_event(model, "q" + number + "." + joint.name).ok());
          continue;
        }
        CoordinateEvent place(model, joint.name, -0.5, k);
        CHECK(place.value(here) == q[static_cast<std::size_t>(k)] + 0.5);
        around.check_rate(place);
        ExpressionEvent same = expression_event(model, "q" + number + "." + joint.name + " + 0.5").value();
        CHECK(same.value(here) == place.value(here));
        CHECK(same.rate(here, {}) == place.rate(here, {}));
        CHECK(place.size(here) >= std::abs(place.value(here)));
      }
      CHECK_THROWS_AS(SpeedEvent(model, joint.name, 0.0, v.count), UsageError);
      CHECK_THROWS_AS(SpeedEvent(model, joint.name, 0.0, -1), UsageError);
      if (v.count == 1) {
        ExpressionEvent formula = expression_event(model, "t^2*sin(q." + joint.name + ")*v." + joint.name).value();
        CHECK(formula.rate_needs_accelerations());
        around.check_rate(formula);
      }
    }
    TimeEvent time(0.1);
    CHECK(time.value(here) == around.here.t - 0.1);
    around.check_rate(time);
    CHECK_THROWS_AS(CoordinateEvent(model, "nowhere", 0.0), UsageError);
  }
}

TEST_CASE("event functions: how joints are written in expressions") {
  ModelSpec spec{.name = "odd names"};
  const char* const names[] = {"left arm/elbow-1", "2nd", "a.b", "a.2.", "x y", "x-y"};
  for (const char* const name : names) {
    spec.bodies.push_back({.name = std::string("of ") + name,
                           .inertia = spatial_inertia(1.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{1, 1, 1}))});
    JointSpec joint;
    joint.name = name;
    joint.kind = JointKind::revolute;
    joint.parent = kWorld;
    joint.child = spec.bodies.back().name;
    spec.joints.push_back(joint);
  }
  const Model model = compile(spec).value();
  const std::vector<double> q{1, 2, 3, 4, 5, 6}, v{10, 20, 30, 40, 50, 60};
  const MotionInstant here{0.0, q, v, {}};
  const auto value = [&](const char* text) { return expression_event(model, text).value().value(here); };
  CHECK(value("q.left_arm_elbow_1") == 1.0);
  CHECK(value("q._2nd + v._2nd") == 22.0);
  CHECK(value("q.a.b") == 3.0);
  CHECK(value("q1.a._2._") == 4.0);

  const std::string_view text = "t +\n 2*q.x_y";
  const Result<ExpressionEvent> ambiguous = expression_event(model, text, Origin("scene.toml", 7, 3));
  REQUIRE(!ambiguous.ok());
  REQUIRE(ambiguous.diagnostics().size() == 1);
  CHECK(ambiguous.diagnostics()[0].code == "formula-joint-ambiguous");
  CHECK(ambiguous.diagnostics()[0].origin.line == 8);
  CHECK(ambiguous.diagnostics()[0].what == "'q.x_y' may be joint 'x y' or joint 'x-y'");

  const Result<ExpressionEvent> unknown = expression_event(model, "q.a.c");
  REQUIRE(!unknown.ok());
  CHECK(unknown.diagnostics()[0].code == "expression-unknown-name");
  CHECK(unknown.diagnostics()[0].fix == "did you mean 'q.a.b'?");
}

TEST_CASE("event functions: a formula of more than 64 variables is refused, one of 64 is not") {
  ModelSpec spec{.name = "many"};
  std::string sum = "0";
  for (int i = 0; i < 65; ++i) {
    const std::string name = "j" + std::to_string(i);
    spec.bodies.push_back(
        {.name = "b" + name, .inertia = spatial_inertia(1.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{1, 1, 1}))});
    JointSpec joint;
    joint.name = name;
    joint.kind = JointKind::prismatic;
    joint.parent = kWorld;
    joint.child = spec.bodies.back().name;
    spec.joints.push_back(joint);
  }
  const Model model = compile(spec).value();
  const std::vector<double> q(65, 1.0), v(65, 2.0);
  for (int i = 0; i < 64; ++i) sum += " + q.j" + std::to_string(i);
  ExpressionEvent most = expression_event(model, sum).value();
  CHECK(most.value({0.0, q, v, {}}) == 64.0);
  CHECK(most.rate({0.0, q, v, {}}, {}) == 128.0);
  CHECK(!most.rate_needs_accelerations());
  const Result<ExpressionEvent> refused = expression_event(model, sum + " + q.j64");
  REQUIRE(!refused.ok());
  CHECK(refused.diagnostics()[0].code == "event-variables");
}
