#include "pintle/simulation/elements/state_feedback.h"

#include <doctest/doctest.h>

#include <cmath>

#include "simulation/moving_scenes.h"

using namespace test;

namespace {

Command formula(const std::string& text) {
  return command_expression(text, {}, CommandScope::scene).value();
}

/// Two sliders of mass 1 along x, and the feedback of both on each: u = u0 - K (x - x0), x = (a, b, va, vb).
SceneSpec sliders(const std::vector<double>& of_a, const std::vector<double>& of_b) {
  SceneSpec spec;
  spec.model.name = "sliders";
  spec.model.gravity = {0, 0, 0};
  for (const char* const name : {"a", "b"}) add_slider(spec.model, name, 1.0, {1, 0, 0});
  FeedbackSpec row;
  row.states = {formula("q.a"), formula("q.b"), formula("v.a"), formula("v.b")};
  row.reference = {Command(0.2), Command(-0.1), Command(), Command()};
  row.name = "control.a";
  row.joint = "a";
  row.gains = of_a;
  spec.feedbacks.push_back(row);
  row.name = "control.b";
  row.joint = "b";
  row.gains = of_b;
  spec.feedbacks.push_back(row);
  spec.run.duration = 1.5;
  spec.run.step = 1e-3;
  return spec;
}

/// x'' + 2 d x' + k x = 0 from x0 at rest, d^2 < k.
double damped(double x0, double k, double d, double t) {
  const double w = std::sqrt(k - d * d);
  return x0 * std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t));
}

}  // namespace

TEST_CASE("state feedback: gains that decouple sum and difference give two known oscillations") {
  const double ks = 9.0, cs = 2.0, kd = 25.0, cd = 3.0;
  const std::vector<double> of_a{(ks + kd) / 2, (ks - kd) / 2, (cs + cd) / 2, (cs - cd) / 2};
  const std::vector<double> of_b{(ks - kd) / 2, (ks + kd) / 2, (cs - cd) / 2, (cs + cd) / 2};
  SceneSpec spec = sliders(of_a, of_b);
  start(spec, "a", 0.5, 0.0);
  start(spec, "b", 0.1, 0.0);
  const auto check = [&](const SceneSpec& scene, double shift) {
    Moving moving(scene);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    const std::vector<double>& q = moving.simulation.state().q;
    const double a0 = 0.2 + shift, b0 = -0.1 + shift;  // where it comes to rest
    CHECK(q[0] + q[1] == doctest::Approx(a0 + b0 + damped(0.6 - a0 - b0, ks, cs / 2, 1.5)).epsilon(1e-9));
    CHECK(q[0] - q[1] == doctest::Approx(a0 - b0 + damped(0.4 - a0 + b0, kd, cd / 2, 1.5)).epsilon(1e-9));
    CHECK(std::abs(moving.simulation.energy_balance().energy().relative()) < 1e-9);
  };
  check(spec, 0.0);
  spec.feedbacks[0].feed_forward = spec.feedbacks[1].feed_forward = Command(0.9);  // moves the sum by 2*0.9/ks
  check(spec, 0.1);
}

TEST_CASE("state feedback: limits and samples are those of a motor") {
  SceneSpec spec = sliders({100, 0, 0, 0}, {0, 100, 0, 0});
  spec.feedbacks[0].effort_limit = 2.0;  // wanted: 20
  spec.feedbacks[1].sampling.period = 10.0;  // wanted at the start: -10, and held
  spec.run.duration = 0.1;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  CHECK(moving.simulation.state().v[0] == doctest::Approx(0.2).epsilon(1e-12));
  CHECK(moving.simulation.state().v[1] == doctest::Approx(-1.0).epsilon(1e-12));
}

TEST_CASE("state feedback: sizes, joints, gains and names are checked") {
  const auto code = [](SceneSpec spec) {
    const Diagnostics found = compile(spec).diagnostics();
    return found.size() == 1 ? found[0].code : std::to_string(found.size());
  };
  const SceneSpec good = sliders({1, 2, 3, 4}, {5, 6, 7, 8});
  CHECK(compile(good).ok());
  SceneSpec spec = good;
  spec.feedbacks[0].gains.pop_back();
  CHECK(code(spec) == "control-size");
  spec = good;
  spec.feedbacks[0].reference.pop_back();
  CHECK(code(spec) == "control-size");
  spec = good;
  spec.feedbacks[1].gains[2] = __builtin_nan("");
  CHECK(code(spec) == "number-not-finite");
  spec = good;
  spec.feedbacks[1].states[1] = formula("q.c");
  CHECK(code(spec) == "expression-unknown-name");
  spec = good;
  spec.feedbacks[1].joint = "c";
  CHECK(code(spec) == "joint-unknown");
  spec = good;
  spec.feedbacks[1].name = "control.a";
  CHECK(code(spec) == "name-twice");
}
