#include "pintle/model/configuration.h"

#include <limits>

#include "pintle/base/usage_error.h"
#include "pintle/model/configuration_impl.h"
#include "support/law.h"
#include "support/random_model.h"

using namespace test;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// Every variety of tree in turn, couplings included.
Model random_model(std::uint64_t run, RandomStream& stream) {
  RandomModelOptions options;
  options.links = 1 + static_cast<int>(run % 16);
  options.couplings = run % 2 == 1;
  options.welds = run % 3 == 0;
  return compile(random_spec(stream, options)).value();
}

template <class Law>
void for_random_models(Law law) {
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    RandomStream stream(61, run);
    const Model model = random_model(run, stream);
    const RandomState state(model, stream);
    law(model, state, stream);
  }
}

/// One body on one joint, which stands anywhere.
Model one_joint(JointKind kind, RandomStream& stream, const std::vector<JointLimits>& limits = {}) {
  RandomModelOptions options;
  options.links = 1;
  ModelSpec spec = random_spec(stream, options);
  spec.joints[0].kind = kind;
  spec.joints[0].limits = limits;
  return compile(spec).value();
}

JointLimits between(double lower, double upper) {
  JointLimits limits;
  limits.lower = lower;
  limits.upper = upper;
  return limits;
}

std::vector<double> integrated(const Model& model, const std::vector<double>& q, const std::vector<double>& v) {
  std::vector<double> result(q.size());
  integrate(model, q, v, result);
  return result;
}

std::vector<double> differing(const Model& model, const std::vector<double>& q0, const std::vector<double>& q1) {
  std::vector<double> v(size(model.nv()));
  difference(model, q0, q1, v);
  return v;
}

std::vector<double> negative(std::vector<double> v) {
  for (double& x : v) x = -x;
  return v;
}

/// The other sign of every quaternion: the same configuration.
std::vector<double> flipped(const Model& model, std::vector<double> q) {
  for (const IndependentJoint& joint : model.independent_joints()) {
    const int place = quaternion_place(joint.kind);
    if (place < 0) continue;
    for (int i = 0; i < 4; ++i) q[size(joint.q + place + i)] *= -1.0;
  }
  return q;
}

/// Largest difference of two configurations, the signs of quaternions left aside.
double apart(const Model& model, std::vector<double> a, const std::vector<double>& b) {
  for (const IndependentJoint& joint : model.independent_joints()) {
    const int place = quaternion_place(joint.kind);
    if (place < 0) continue;
    double* const r = a.data() + joint.q + place;
    const double sign = copysign(1.0, dot(load_quaternion(r), load_quaternion(b.data() + joint.q + place)));
    for (int i = 0; i < 4; ++i) r[i] *= sign;
  }
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = max(most, abs(a[i] - b[i]));
  return most;
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = max(most, abs(a[i] - b[i]));
  return most;
}

double worst_length_error(const Model& model, const std::vector<double>& q) {
  double most = 0.0;
  for (const IndependentJoint& joint : model.independent_joints()) {
    const int place = quaternion_place(joint.kind);
    if (place >= 0) most = max(most, abs(norm(load_quaternion(q.data() + joint.q + place)) - 1.0));
  }
  return most;
}

constexpr double kEps = kEpsilon<double>;

}  // namespace

TEST_CASE("neutral: every joint at zero") {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    RandomStream stream(62);
    const Model model = one_joint(fact.kind, stream);
    std::vector<double> q(size(model.nq()), 7.0);
    neutral(model, q);
    CHECK(q.size() == size(fact.nq));
    if (fact.kind == JointKind::fixed) continue;
    Twist<> S[kMostFreedoms];
    const Link& link = model.links()[0];
    // The universal joint's two frames differ by the turn between its axes.
    Pose<> expected = identity_pose<double>();
    if (fact.kind == JointKind::universal) expected.rotation = link.axis_turn;
    CHECK(distance(joint_motion(link, q.data(), S), expected) == 0);
  }
}

// Tolerances: angles and positions are of size pi and 1, quaternions of unit length, so the scale is 1 throughout. Each
// number takes a few roundings of the exponential, the product and the norm, a free joint's position some more of its
// Jacobian: the bounds are about three times the worst seen.

TEST_CASE("integrate: difference gives back the velocity, integrate the configuration") {
  for_random_models([](const Model& model, const RandomState& state, RandomStream& stream) {
    const std::vector<double> q1 = integrated(model, state.q, state.v);
    CHECK(apart(differing(model, state.q, q1), state.v) <= 12 * kEps);
    const RandomState other(model, stream);
    const std::vector<double> there = integrated(model, state.q, differing(model, state.q, other.q));
    CHECK(apart(model, there, other.q) <= 20 * kEps);
  });
}

TEST_CASE("integrate: along zero stays, along v and back returns, and the result may overwrite q") {
  for_random_models([](const Model& model, const RandomState& state, RandomStream&) {
    const std::vector<double> zero(state.v.size(), 0.0);
    CHECK(apart(integrated(model, state.q, zero), state.q) <= 2 * kEps);
    const std::vector<double> q1 = integrated(model, state.q, state.v);
    CHECK(apart(model, integrated(model, q1, negative(state.v)), state.q) <= 15 * kEps);
    std::vector<double> in_place = state.q;
    integrate(model, in_place, state.v, in_place);
    CHECK(in_place == q1);
  });
}

TEST_CASE("difference: of a configuration and itself is zero, of a quaternion and its negative too") {
  for_random_models([](const Model& model, const RandomState& state, RandomStream& stream) {
    const std::vector<double> zero(state.v.size(), 0.0);
    CHECK(apart(differing(model, state.q, state.q), zero) <= 1 * kEps);
    CHECK(apart(differing(model, state.q, flipped(model, state.q)), zero) <= 1 * kEps);
    const RandomState other(model, stream);
    const std::vector<double> v = differing(model, state.q, other.q);
    CHECK(differing(model, state.q, flipped(model, other.q)) == v);
    CHECK(differing(model, flipped(model, state.q), other.q) == v);
  });
}

TEST_CASE("difference: takes the shorter way, at most half a turn") {
  RandomStream stream(63);
  const Model model = one_joint(JointKind::spherical, stream);
  for (int i = 0; i < 100; ++i) {
    const Vec3<> axis = uniform_direction(stream);
    const double angle = stream.uniform(kPi<double> + 0.1, 2.0 * kPi<double>);
    std::vector<double> q(4), v{angle * axis.x, angle * axis.y, angle * axis.z};
    random_configuration(model, stream, q);
    const std::vector<double> d = differing(model, q, integrated(model, q, v));
    const Vec3<> shorter = (angle - 2.0 * kPi<double>)*axis;
    check_close<double>(Vec3<>{d[0], d[1], d[2]}, shorter, 18);
  }
}

TEST_CASE("integrate: quaternions stay of unit length over many steps") {
  RandomStream stream(64);
  for (const JointKind kind : {JointKind::spherical, JointKind::free}) {
    const Model model = one_joint(kind, stream);
    RandomState state(model, stream);
    for (int step = 0; step < 10000; ++step) {
      integrate(model, state.q, state.v, state.q);
      CHECK(worst_length_error(model, state.q) <= 3 * kEps);
    }
  }
}

// With a constant v of the joint: dX/dt = X (sum S v) at every time along the way, not only at its start.
TEST_CASE("integrate: moves as the columns of joint_motion say, all along the way") {
  using D = Dual<double, 1>;
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    if (fact.kind == JointKind::fixed) continue;
    for (std::uint64_t run = 0; run < 50; ++run) {
      RandomStream stream(65, run);
      const Model model = one_joint(fact.kind, stream);
      const RandomState state(model, stream);
      const Link& link = model.links()[0];
      const D t = D::variable(run == 0 ? 0.0 : stream.uniform(-1.0, 1.0), 0);
      D q[7], v_t[kMostFreedoms], q_t[7];
      for (int i = 0; i < fact.nq; ++i) q[i] = D(state.q[size(i)]);
      for (int i = 0; i < fact.nv; ++i) v_t[i] = t * D(state.v[size(i)]);
      integrate_joint(fact.kind, q, v_t, q_t);
      Twist<D> S[kMostFreedoms];
      const Pose<D> X = joint_motion(link, q_t, S);
      Twist<D> V = zero_twist<D>();
      for (int k = 0; k < fact.nv; ++k) V += S[k] * D(state.v[size(k)]);
      const Mat3<D> R_dot = X.rotation * skew(V.angular);
      const Vec3<D> p_dot = X.rotation * V.linear;
      for (std::size_t i = 0; i < 9; ++i)
        check_close<double>(to_array(X.rotation)[i].derivative[0], to_array(R_dot)[i].value, 8);
      for (std::size_t i = 0; i < 3; ++i)
        check_close<double>(to_array(X.translation)[i].derivative[0], to_array(p_dot)[i].value, 12);
    }
  }
}

TEST_CASE("integrate: a joint with constant columns moves along the screw of its velocity") {
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::screw, JointKind::cylindrical,
                               JointKind::spherical, JointKind::translational, JointKind::free}) {
    CAPTURE(facts(kind).name);
    for (std::uint64_t run = 0; run < 50; ++run) {
      RandomStream stream(66, run);
      const Model model = one_joint(kind, stream);
      const RandomState state(model, stream);
      const Link& link = model.links()[0];
      Twist<> S[kMostFreedoms];
      const Pose<> X0 = joint_motion(link, state.q.data(), S);
      Twist<> V = zero_twist<double>();
      for (int k = 0; k < model.nv(); ++k) V += S[k] * state.v[size(k)];
      const std::vector<double> q1 = integrated(model, state.q, state.v);
      check_close<double>(joint_motion(link, q1.data(), S), X0 * exp(V), 10);
    }
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
    const char* const text = "normalize: the quaternion of joint 'joint0' has no direction";
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

TEST_CASE("random_configuration: each freedom has its own limits, angles reach half a turn and travels a metre") {
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
      {JointKind::free, {between(-4, 4), none, none, none, none, none}, {4, 1, 1}},
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

  spec.joints[1].limits = {between(4.0, 5.0)};
  const Model jammed = compile(spec).value();
  std::vector<double> q(1);
  CHECK_THROWS_WITH_AS(
      random_configuration(jammed, stream, q),
      "random_configuration: the limits of joint 'joint1' and of its driver 'joint0' leave no position", UsageError);
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
  spec.joints[3].limits = {between(-1.0, 1.0)};
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
  spec.joints[1].limits = {between(4.0, 5.0)};
  spec.joints[0].limits = {between(-0.1, 0.1)};
  const Model jammed = compile(spec).value();
  std::vector<double> lower(size(jammed.nv())), upper(lower.size());
  CHECK_THROWS_AS(position_ranges(jammed, lower, upper), UsageError);
}

TEST_CASE("difference: its change with the second configuration, for every kind of joint") {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    if (fact.kind == JointKind::fixed) continue;
    RandomStream stream(74);
    const Model model = one_joint(fact.kind, stream);
    for (int run = 0; run < 20; ++run) {
      std::vector<double> q0(size(model.nq())), q(q0.size());
      random_configuration(model, stream, q0);
      random_configuration(model, stream, q);
      const std::vector<double> d = differing(model, q0, q);
      Matrix6<double> J;
      difference_jacobian_joint(fact.kind, d.data(), J);
      // Symmetric differences with h = 1e-5: h^2 of the third derivative, which is large towards half a turn's double.
      const double h = 1e-5;
      for (std::size_t j = 0; j < d.size(); ++j) {
        std::vector<double> v(d.size());
        v[j] = h;
        const std::vector<double> after = differing(model, q0, integrated(model, q, v));
        const std::vector<double> before = differing(model, q0, integrated(model, q, negative(v)));
        for (std::size_t i = 0; i < d.size(); ++i) CHECK(abs((after[i] - before[i]) / (2 * h) - J.m[i][j]) < 1e-8);
      }
    }
  }
}

TEST_CASE("integrate apart: position and orientation on their own, and efforts that do the same work") {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    if (fact.kind == JointKind::fixed) continue;
    RandomStream stream(75);
    const Model model = one_joint(fact.kind, stream);
    for (int run = 0; run < 20; ++run) {
      const RandomState state(model, stream);
      std::vector<double> apart_v = state.v, apart_tau = state.tau, there(state.q.size());
      efforts_of_joint_apart(fact.kind, state.q.data(), apart_tau.data());
      efforts_of_joint_apart(fact.kind, state.q.data(), apart_v.data());  // the same turn of the linear part
      double work = 0.0, apart_work = 0.0;
      for (std::size_t i = 0; i < apart_v.size(); ++i) {
        work += state.v[i] * state.tau[i];
        apart_work += apart_v[i] * apart_tau[i];
      }
      CHECK(abs(work - apart_work) < 1e-14);
      // The same tangent: after h = 1e-6 the two ways differ by h^2.
      const double h = 1e-6;
      std::vector<double> v = state.v;
      for (std::size_t i = 0; i < v.size(); ++i) {
        v[i] *= h;
        apart_v[i] *= h;
      }
      integrate_joint_apart(fact.kind, state.q.data(), apart_v.data(), there.data());
      CHECK(apart(there, integrated(model, state.q, v)) < 3e-12);
    }
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
