#include "configuration_models.h"

using namespace test;

TEST_CASE("random_configuration: stays within the limits, and fills them") {
  const double pi = kPi<double>;
  const struct {
    JointKind kind;
    JointLimits limits;
    double low, high;
  } cases[] = {
      {JointKind::revolute, JointLimits{}, -pi, pi},
      {JointKind::prismatic, JointLimits{}, -1, 1},
      {JointKind::screw, JointLimits{}, -pi, pi},
      {JointKind::revolute, between(-0.5, 2.0), -0.5, 2.0},
      {JointKind::prismatic, between(3.0, 3.5), 3.0, 3.5},
      {JointKind::revolute, between(-0.5, kInf), -0.5, pi},
      {JointKind::revolute, between(10.0, kInf), 10.0, 10.0 + pi},
      {JointKind::prismatic, between(-kInf, 0.25), -1, 0.25},
      {JointKind::prismatic, between(-kInf, -5.0), -6, -5},
      {JointKind::prismatic, between(0.1, 0.1), 0.1, 0.1},
      // Wider than numbers go: as without limits.
      {JointKind::revolute, between(-1e308, 1e308), -pi, pi},
      {JointKind::prismatic, between(-1.7e308, 1.7e308), -1, 1},
      {JointKind::prismatic, between(-1e308, kInf), -1e308, 1},
  };
  for (const auto& c : cases) {
    CAPTURE(facts(c.kind).name);
    CAPTURE(c.low);
    RandomStream stream(68);
    const Model model = one_joint(c.kind, stream, {c.limits});
    double least = kInf, most = -kInf;
    for (int i = 0; i < 1000; ++i) {
      std::vector<double> q(1);
      random_configuration(model, stream, q);
      least = min(least, q[0]);
      most = max(most, q[0]);
    }
    CHECK(least >= c.low);
    CHECK(most <= c.high);
    // Of 1000 numbers some are in the outer twentieth on each side (the chance of none is 1e-22).
    CHECK(least <= c.low + 0.05 * (c.high - c.low));
    CHECK(most >= c.high - 0.05 * (c.high - c.low));
  }
}

TEST_CASE("random_configuration: each dof has its own limits, angles reach half a turn and travels a metre") {
  const JointLimits none;
  const double pi = kPi<double>;
  const struct {
    JointKind kind;
    std::vector<JointLimits> limits;
    std::vector<double> reach;
  } cases[] = {
      {JointKind::cylindrical, {none, none}, {1, pi}},
      {JointKind::cylindrical, {between(-0.1, 0.1), between(-0.2, 0.2)}, {0.1, 0.2}},
      {JointKind::universal, {none, none}, {pi, pi}},
      {JointKind::universal, {none, between(-0.2, 0.2)}, {pi, 0.2}},
      {JointKind::planar, {none, none, none}, {1, 1, pi}},
      {JointKind::planar, {none, none, between(-0.2, 0.2)}, {1, 1, 0.2}},
      {JointKind::translational, {none, between(-4, 4), none}, {1, 4, 1}},
      {JointKind::free, {none}, {1, 1, 1}},
  };
  for (const auto& c : cases) {
    CAPTURE(facts(c.kind).name);
    RandomStream stream(69);
    const Model model = one_joint(c.kind, stream, c.limits);
    std::vector<double> q(size(model.nq())), most(q.size(), 0.0);
    for (int i = 0; i < 1000; ++i) {
      random_configuration(model, stream, q);
      CHECK(worst_length_error(model, q) <= 3 * kEps);
      for (std::size_t j = 0; j < q.size(); ++j) most[j] = max(most[j], abs(q[j]));
    }
    for (std::size_t j = 0; j < c.reach.size(); ++j) {
      CHECK(most[j] <= c.reach[j]);
      CHECK(most[j] >= 0.95 * c.reach[j]);
    }
  }
}

TEST_CASE("random_configuration: a driver keeps the joints coupled to it within their limits") {
  RandomStream stream(70);
  RandomModelOptions options;
  options.links = 2;
  ModelSpec spec = random_spec(stream, options);
  for (JointSpec& joint : spec.joints) joint.kind = JointKind::revolute;
  spec.joints[0].limits = {between(-1.0, kInf)};
  spec.joints[1].limits = {between(-0.5, 3.5)};
  spec.couplings.resize(1);
  spec.couplings[0].joint = "joint1";
  spec.couplings[0].driver = "joint0";
  spec.couplings[0].ratio = -2.0;
  spec.couplings[0].offset = 0.5;
  // joint1 = 0.5 - 2 joint0 within [-0.5, 3.5]: joint0 within [-1.5, 0.5], its own limit makes that [-1, 0.5].
  const Model model = compile(spec).value();
  double least = kInf, most = -kInf;
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> q(1);
    random_configuration(model, stream, q);
    least = min(least, q[0]);
    most = max(most, q[0]);
  }
  CHECK(least >= -1.0);
  CHECK(least <= -0.9);
  CHECK(most <= 0.5);
  CHECK(most >= 0.4);
}

TEST_CASE("position_ranges: own limits, narrowed by those of coupled joints; none for quaternions") {
  RandomStream stream(73);
  RandomModelOptions options;
  options.links = 4;
  ModelSpec spec = random_spec(stream, options);
  spec.joints[0].kind = spec.joints[1].kind = JointKind::revolute;
  spec.joints[2].kind = JointKind::cylindrical;
  spec.joints[3].kind = JointKind::spherical;
  spec.joints[2].limits = {between(-1.0, 2.0), between(-kInf, 3.0)};
  spec.joints[3].limits = {JointLimits{.speed = 1.0, .effort = 2.0}};
  spec.couplings.resize(1);
  spec.couplings[0].joint = "joint1";
  spec.couplings[0].driver = "joint0";
  for (int run = 0; run < 200; ++run) {
    const double ratio = stream.uniform(0.1, 3.0) * (run % 2 == 0 ? 1.0 : -1.0), offset = stream.uniform(-1.0, 1.0);
    const JointLimits own = between(stream.uniform(-5.0, -3.0), stream.uniform(3.0, 5.0));
    spec.couplings[0].ratio = ratio;
    spec.couplings[0].offset = offset;
    spec.joints[1].limits = {own};
    const Model model = compile(spec).value();
    std::vector<double> lower(size(model.nv())), upper(lower.size());
    position_ranges(model, lower, upper);
    // The follower is within its limits at both ends, and outside them a few roundings further.
    for (const double end : {lower[0], upper[0]}) {
      const double follower = ratio * end + offset, past = ratio * (end * (1.0 + 16 * kEps)) + offset;
      CHECK(follower >= own.lower);
      CHECK(follower <= own.upper);
      CHECK((past < own.lower || past > own.upper));
    }
    CHECK(std::vector<double>(lower.begin() + 1, lower.end()) == std::vector<double>{-1.0, -kInf, -kInf, -kInf, -kInf});
    CHECK(std::vector<double>(upper.begin() + 1, upper.end()) == std::vector<double>{2.0, 3.0, kInf, kInf, kInf});
  }
}

TEST_CASE("configuration: the same seed gives the same configuration, the next draw another one") {
  RandomStream first(71), second(71);
  const Model model = random_model(15, first);
  random_model(15, second);
  std::vector<double> a(size(model.nq())), b(a.size()), c(a.size());
  random_configuration(model, first, a);
  random_configuration(model, second, b);
  random_configuration(model, second, c);
  CHECK(a == b);
  CHECK(a != c);
}
