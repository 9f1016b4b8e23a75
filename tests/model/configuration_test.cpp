#include "pintle/model/compiled/configuration.h"

#include "configuration_models.h"
#include "pintle/base/usage_error.h"

using namespace test;

TEST_CASE("neutral: every joint at zero") {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    RandomStream stream(62);
    const Model model = one_joint(fact.kind, stream);
    std::vector<double> q(size(model.nq()), 7.0);
    neutral(model, q);
    CHECK(q.size() == size(fact.nq));
    if (fact.kind == JointKind::fixed) continue;
    Twist<> S[kMaxDofs];
    const Link& link = model.links()[0];
    // The universal joint's two frames differ by the turn between its axes.
    Pose<> expected = identity_pose<double>();
    if (fact.kind == JointKind::universal) expected.rotation = link.axis_rotation;
    CHECK(distance(joint_motion(link, q.data(), S), expected) == 0);
  }
}

TEST_CASE("normalize: makes quaternions of unit length and touches nothing else") {
  for_random_models([](const Model& model, const RandomState& state, RandomStream&) {
    for (const double factor : {3.0, 0.01, 1e-200, 1e200}) {
      std::vector<double> q = state.q;
      for (const IndependentJoint& joint : model.independent_joints()) {
        const int place = quaternion_place(joint.kind);
        for (int i = 0; place >= 0 && i < 4; ++i) q[size(joint.q + place + i)] *= factor;
      }
      normalize(model, q);
      CHECK(worst_length_error(model, q) <= 3 * kEps);
      CHECK(apart(q, state.q) <= 3 * kEps);
      for (const IndependentJoint& joint : model.independent_joints()) {
        const int place = quaternion_place(joint.kind);
        const int plain = place < 0 ? facts(joint.kind).nq : place;
        for (int i = 0; i < plain; ++i) CHECK(q[size(joint.q + i)] == state.q[size(joint.q + i)]);
      }
    }
  });
}

TEST_CASE("normalize: a quaternion without a direction is refused, its joint named") {
  RandomStream stream(67);
  for (const JointKind kind : {JointKind::spherical, JointKind::free}) {
    const Model model = one_joint(kind, stream);
    const char* const text = "normalize: the quaternion of joint 'joint0' has length zero or is not finite";
    const std::size_t place = size(quaternion_place(kind));
    std::vector<double> q(size(model.nq()), 0.0);
    CHECK_THROWS_WITH_AS(normalize(model, q), text, UsageError);
    for (std::size_t i = 0; i < 4; ++i) {
      for (const double value : {kInf, std::numeric_limits<double>::quiet_NaN()}) {
        neutral(model, q);
        q[place + i] = value;
        CHECK_THROWS_WITH_AS(normalize(model, q), text, UsageError);
      }
    }
  }
}

TEST_CASE("configuration: arrays of the wrong size are refused by name") {
  RandomStream stream(72);
  const Model model = one_joint(JointKind::free, stream);
  std::vector<double> q(7), v(6), other_q(7), wrong(5);
  neutral(model, q);
  neutral(model, other_q);
  const auto says = [](const char* function, const char* argument, int expected) {
    return std::string(function) + ": argument '" + argument + "' has size 5, expected " + std::to_string(expected);
  };
  CHECK_THROWS_WITH_AS(neutral(model, wrong), says("neutral", "q", 7).c_str(), UsageError);
  CHECK_THROWS_WITH_AS(integrate(model, wrong, v, q), says("integrate", "q", 7).c_str(), UsageError);
  CHECK_THROWS_WITH_AS(integrate(model, q, wrong, q), says("integrate", "v", 6).c_str(), UsageError);
  CHECK_THROWS_WITH_AS(integrate(model, q, v, wrong), says("integrate", "result", 7).c_str(), UsageError);
  CHECK_THROWS_WITH_AS(difference(model, wrong, q, v), says("difference", "q0", 7).c_str(), UsageError);
  CHECK_THROWS_WITH_AS(difference(model, q, wrong, v), says("difference", "q1", 7).c_str(), UsageError);
  CHECK_THROWS_WITH_AS(difference(model, q, other_q, wrong), says("difference", "v", 6).c_str(), UsageError);
  CHECK_THROWS_WITH_AS(normalize(model, wrong), says("normalize", "q", 7).c_str(), UsageError);
  CHECK_THROWS_WITH_AS(random_configuration(model, stream, wrong), says("random_configuration", "q", 7).c_str(),
                       UsageError);
}

TEST_CASE("configuration: with couplings the arrays hold the independent numbers only") {
  RandomStream stream(73);
  RandomModelOptions options;
  options.links = 30;
  options.couplings = true;
  const Model model = compile(random_spec(stream, options)).value();
  REQUIRE(!model.couplings().empty());
  REQUIRE(model.nq() + static_cast<int>(model.couplings().size()) == model.joint_nq());
  std::vector<double> q(size(model.nq())), all(size(model.joint_nq()));
  neutral(model, q);
  CHECK_THROWS_AS(neutral(model, all), UsageError);
}
