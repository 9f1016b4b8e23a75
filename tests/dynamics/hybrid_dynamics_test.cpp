#include "pintle/dynamics/hybrid_dynamics.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

/// About half of the joints that can be given, and which dofs these are.
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

/// About a third of all dofs, on their own.
std::vector<unsigned char> some_dofs(const Model& model, RandomStream& stream) {
  std::vector<unsigned char> marks(size(model.nv()));
  for (unsigned char& mark : marks) mark = stream.below(3) == 0 ? 7 : 0;
  return marks;
}

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

TEST_CASE("hybrid dynamics by dofs: any of a joint may be given; accelerations and efforts fit together") {
  double most = 0.0;
  int partly[kJointKinds] = {};
  for (std::uint64_t run = 0; run < 2000; ++run) {
    CAPTURE(run);
    RandomStream stream(115, run);
    DynamicsOf dynamics(random_spec(stream, variety(run, run % 50 == 0 ? 100 : 24)));
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    const std::vector<unsigned char> marks = some_dofs(model, stream);
    for (const IndependentJoint& joint : model.independent_joints()) {
      int given = 0;
      for (int k = 0; k < facts(joint.kind).nv; ++k) given += marks[size(joint.v + k)] != 0;
      partly[static_cast<int>(joint.kind)] += given > 0 && given < facts(joint.kind).nv;
    }
    std::vector<Wrench<>> external(model.bodies().size());
    for (Wrench<>& F : external) F = {uniform_direction(stream), uniform_direction(stream)};
    const RootMotion root{{uniform_direction(stream), uniform_direction(stream)},
                          {uniform_direction(stream), uniform_direction(stream)}};
    const DynamicsOptions options{
        .passive = run % 4 != 0, .friction = run % 3 != 0, .refine = run % 2 == 0, .external = external, .root = &root};
    Numbers tau = state.tau, vdot = state.vdot;
    for (std::size_t i = 0; i < tau.size(); ++i) (marks[i] != 0 ? tau : vdot)[i] = __builtin_nan("");
    REQUIRE(hybrid_dynamics_of(model, state.q, state.v, marks, dynamics.forward_work, tau, vdot, options).ok());
    for (std::size_t i = 0; i < tau.size(); ++i) {
      if (marks[i] != 0) CHECK(vdot[i] == state.vdot[i]);
      if (marks[i] == 0) CHECK(tau[i] == state.tau[i]);
    }
    const double links = static_cast<double>(model.links().size());
    const double error =
        worst(dynamics.inverse(state.q, state.v, vdot, options), tau, dynamics.scale(state.q, state.v, vdot, options)) /
        links;
    most = max(most, error);
  }
  CHECK(most <= 3.0);  // the worst seen is 0.98, with mass ratios of 1e6 and no refinement 0.53
  for (const JointFacts& joint : kJointFacts)
    if (joint.nv > 1) CHECK(partly[static_cast<int>(joint.kind)] >= 100);
}

TEST_CASE("hybrid dynamics by dofs: joints given as a whole move as by hybrid dynamics; none, as by forward") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    RandomStream stream(116, run);
    DynamicsOf dynamics(random_spec(stream, variety(run)));
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    const Choice choice(model, stream);
    std::vector<unsigned char> marks(choice.marks.begin(), choice.marks.end());
    Numbers tau = state.tau, vdot = state.vdot, also_tau = state.tau, also_vdot = state.vdot;
    REQUIRE(hybrid_dynamics(model, state.q, state.v, choice.joints, dynamics.forward_work, tau, vdot).ok());
    REQUIRE(hybrid_dynamics_of(model, state.q, state.v, marks, dynamics.forward_work, also_tau, also_vdot).ok());
    CHECK(also_vdot == vdot);
    const Numbers scale = dynamics.scale(state.q, state.v, vdot);
    CHECK(worst(also_tau, tau, scale) <= 20.0 * static_cast<double>(model.links().size()));
    for (unsigned char& mark : marks) mark = 0;
    also_tau = state.tau;
    REQUIRE(hybrid_dynamics_of(model, state.q, state.v, marks, dynamics.forward_work, also_tau, also_vdot).ok());
    CHECK(also_vdot == dynamics.forward(state.q, state.v, state.tau));
    CHECK(also_tau == state.tau);
    marks.pop_back();
    CHECK_THROWS_WITH_AS(
        (void)hybrid_dynamics_of(model, state.q, state.v, marks, dynamics.forward_work, also_tau, also_vdot),
        doctest::Contains("hybrid_dynamics_of: argument 'given'"), UsageError);
  }
}

TEST_CASE("hybrid dynamics by dofs: a ball joint that may only turn about one axis is a pin") {
  // The numbers of a ball joint's velocity are in body axes: with w_x and w_y held, it turns about its z.
  RandomStream stream(117);
  ModelSpec ball{.name = "pendulum"};
  ball.bodies = {{.name = "bob", .inertia = random_inertia(stream, 1.0)}};
  JointSpec joint;
  joint.name = "pivot";
  joint.kind = JointKind::spherical;
  joint.parent = kWorld;
  joint.child = "bob";
  joint.X_PJ = random_pose(stream);
  ball.joints = {joint};
  ModelSpec pin = ball;
  pin.joints[0].kind = JointKind::revolute;
  pin.joints[0].axis = {0, 0, 1};
  const Model ball_model = compile(ball).value(), pin_model = compile(pin).value();
  ForwardDynamicsWorkspace<> ball_work(ball_model), pin_work(pin_model);
  const double angle = 0.8, speed = 1.3, effort = 0.4;
  const SinCos<double> half = pintle::sincos(0.5 * angle);
  Numbers pin_vdot(1), tau{0.0, 0.0, effort}, vdot{0.0, 0.0, 0.0};
  REQUIRE(forward_dynamics(pin_model, Numbers{angle}, Numbers{speed}, Numbers{effort}, pin_work, pin_vdot).ok());
  const std::vector<unsigned char> given{1, 1, 0};
  REQUIRE(hybrid_dynamics_of(ball_model, Numbers{0, 0, half.sin, half.cos}, Numbers{0.0, 0.0, speed}, given, ball_work,
                             tau, vdot)
              .ok());
  CHECK(vdot[2] == doctest::Approx(pin_vdot[0]).epsilon(1e-14));
  CHECK(vdot[0] == 0.0);
  CHECK(vdot[1] == 0.0);
  CHECK(abs(tau[0]) + abs(tau[1]) > 0.1);  // what the pin's bearing carries
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
