#include "pintle/dynamics/hybrid_dynamics.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

/// About half of the joints that can be given, and which freedoms these are.
struct Choice {
  Choice(const Model& model, RandomStream& stream) : marks(size(model.nv())) {
    for (const IndependentJoint& joint : model.independent_joints()) {
      if (stream.uniform() < 0.5) continue;
      joints.push_back(joint.joint);
      for (int k = 0; k < facts(joint.kind).nv; ++k) marks[size(joint.v + k)] = true;
    }
  }

  std::vector<int> joints;
  std::vector<bool> marks;
};

}  // namespace

TEST_CASE("hybrid dynamics: its accelerations and efforts fit together, and what was given stays") {
  double most = 0.0;
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(111, run);
    DynamicsOf dynamics(random_spec(stream, variety(run, run % 50 == 0 ? 100 : 24)));
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    const Choice choice(model, stream);
    const DynamicsOptions options{.refine = run % 5 == 0};  // those with mass ratios of 1e6
    // What is to be found may hold anything before.
    Numbers tau = state.tau, vdot = state.vdot;
    for (std::size_t i = 0; i < tau.size(); ++i) (choice.marks[i] ? tau : vdot)[i] = __builtin_nan("");
    REQUIRE(hybrid_dynamics(model, state.q, state.v, choice.joints, dynamics.forward_work, tau, vdot, options).ok());
    for (std::size_t i = 0; i < tau.size(); ++i) {
      if (choice.marks[i]) CHECK(vdot[i] == state.vdot[i]);
      if (!choice.marks[i]) CHECK(tau[i] == state.tau[i]);
    }
    const double links = static_cast<double>(model.links().size());
    const double error = worst(dynamics.inverse(state.q, state.v, vdot), tau, dynamics.scale(state.q, state.v, vdot));
    most = max(most, error / links);
  }
  CHECK(most <= 1.5);  // the worst seen is 0.42
}

TEST_CASE("hybrid dynamics: with nothing given it is forward, with all given inverse dynamics, to the bit") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    RandomStream stream(112, run);
    DynamicsOf dynamics(random_spec(stream, variety(run)));
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    Numbers tau = state.tau, vdot = state.vdot;
    REQUIRE(hybrid_dynamics(model, state.q, state.v, {}, dynamics.forward_work, tau, vdot).ok());
    CHECK(vdot == dynamics.forward(state.q, state.v, state.tau));
    CHECK(tau == state.tau);
    std::vector<int> all;
    for (const IndependentJoint& joint : model.independent_joints()) all.push_back(joint.joint);
    vdot = state.vdot;
    REQUIRE(hybrid_dynamics(model, state.q, state.v, all, dynamics.forward_work, tau, vdot).ok());
    CHECK(vdot == state.vdot);
    CHECK(tau == dynamics.inverse(state.q, state.v, state.vdot));
  }
}

TEST_CASE("hybrid dynamics: a cart that is driven makes its pendulum swing: closed form") {
  // Pendulum of length l on a cart with acceleration a, at angle q from below: qdd = -(g sin q + a cos q)/l.
  ModelSpec spec{.name = "cart and pendulum"};
  spec.bodies = {{.name = "cart", .inertia = spatial_inertia(3.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{1, 1, 1}))},
                 {.name = "bob", .inertia = spatial_inertia(2.0, Vec3<>{0, 0, -0.5}, diagonal(Vec3<>{0, 0, 0}))}};
  spec.joints = {{.name = "rail", .kind = JointKind::prismatic, .parent = kWorld, .child = "cart", .axis = {1, 0, 0}},
                 {.name = "pin", .kind = JointKind::revolute, .parent = "cart", .child = "bob", .axis = {0, -1, 0}}};
  const Model model = compile(spec).value();
  ForwardDynamicsWorkspace<> work(model);
  const double angle = 0.4, speed = 0.7, a = 1.5, l = 0.5, g = 9.81;
  const double sine = pintle::sin(angle), cosine = pintle::cos(angle);
  const Numbers q{0.2, angle}, v{0.3, speed};
  Numbers tau{0.0, 0.0}, vdot{a, 0.0};
  const std::vector<int> given{model.joint("rail")};
  REQUIRE(hybrid_dynamics(model, q, v, given, work, tau, vdot).ok());
  CHECK(vdot[1] == doctest::Approx(-(g * sine + a * cosine) / l).epsilon(1e-14));
  // The drive carries both masses and the swing of the bob.
  const double swing = l * (vdot[1] * cosine - speed * speed * sine);
  CHECK(tau[0] == doctest::Approx(5.0 * a + 2.0 * swing).epsilon(1e-14));
}

TEST_CASE("hybrid dynamics: a given joint may carry nothing") {
  RandomStream stream(113);
  ModelSpec spec = random_spec(stream, {.links = 3, .armature = false});
  spec.bodies.push_back({.name = "pointer"});
  spec.joints.push_back({.name = "dial", .kind = JointKind::revolute, .parent = "body2", .child = "pointer"});
  CHECK_FALSE(static_cast<bool>(compile(spec)));
  spec.joints.back().prescribed = true;
  const Model model = compile(spec).value();
  const int dial = model.joint("dial");
  CHECK(model.joints()[size(dial)].prescribed);
  RandomState state(model, stream);
  ForwardDynamicsWorkspace<> work(model);
  CHECK(forward_dynamics(model, state.q, state.v, state.tau, work, state.vdot).singular_joint == dial);
  const std::vector<int> given{dial};
  const std::size_t v = size(model.joints()[size(dial)].v);
  state.vdot[v] = 3.0;
  REQUIRE(hybrid_dynamics(model, state.q, state.v, given, work, state.tau, state.vdot).ok());
  CHECK(state.vdot[v] == 3.0);
  CHECK(state.tau[v] == 0.0);
}

TEST_CASE("hybrid dynamics: joints without a motion of their own, and wrong sizes, are wrong calls") {
  ModelSpec spec{.name = "gears"};
  RandomStream stream(114);
  for (const char* name : {"first", "second", "third"}) {
    spec.bodies.push_back({.name = name, .inertia = random_inertia(stream, 1.0)});
    const JointKind kind = spec.joints.size() == 2 ? JointKind::fixed : JointKind::revolute;
    JointSpec joint;
    joint.name = std::string("joint of ") + name;
    joint.kind = kind;
    joint.parent = kWorld;
    joint.child = name;
    spec.joints.push_back(joint);
  }
  spec.couplings = {{.joint = "joint of second", .driver = "joint of first", .ratio = -2.0}};
  const Model model = compile(spec).value();
  ForwardDynamicsWorkspace<> work(model);
  Numbers one(1), two(2);
  const auto call = [&](int joint, Numbers& tau) {
    const std::vector<int> given{joint};
    (void)hybrid_dynamics(model, one, one, given, work, tau, one);
  };
  CHECK_THROWS_WITH_AS(call(model.joint("joint of second"), one), doctest::Contains("follows 'joint of first'"),
                       UsageError);
  CHECK_THROWS_WITH_AS(call(model.joint("joint of third"), one), doctest::Contains("fixed"), UsageError);
  CHECK_THROWS_WITH_AS(call(7, one), doctest::Contains("no such joint"), UsageError);
  CHECK_THROWS_WITH_AS(call(0, two), doctest::Contains("'tau'"), UsageError);
}
