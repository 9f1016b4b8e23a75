#include "pintle/simulation/scene/initial_state.h"

#include <doctest/doctest.h>

#include "pintle/base/random.h"
#include "pintle/dynamics/kinematics.h"
#include "support/scenes.h"

using namespace test;

namespace {

using Codes = std::vector<std::string>;

/// A hinge with limits, a hinge that follows it, a ball, a cylindrical joint, a fixed one.
ModelSpec mixed() {
  ModelSpec spec;
  add_bar(spec, 0.0, 0.5);
  add_bar(spec, 0.5, 0.5);
  add_bar(spec, 0.5, 0.5, 1.0, {0, 0, 1}, JointKind::spherical);
  add_bar(spec, 0.5, 0.5, 1.0, {0, 0, 1}, JointKind::cylindrical);
  add_bar(spec, 0.5, 0.5, 1.0, {0, 0, 1}, JointKind::fixed);
  CouplingSpec coupling;
  coupling.joint = "joint1";
  coupling.driver = "joint0";
  coupling.ratio = 2.0;
  spec.couplings = {coupling};
  JointLimits limits;
  limits.lower = -0.5;
  limits.upper = 0.5;
  spec.joints[0].limits = {limits};
  spec.joints[3].limits = {limits};
  return spec;
}

Result<InitialState> read(const ModelSpec& spec, std::vector<InitialSpec> specs,
                          std::span<const PrescribedMotion> motions = {}) {
  for (std::size_t i = 0; i < specs.size(); ++i) specs[i].origin = Origin("scene.toml", static_cast<int>(i) + 1);
  std::vector<JointSpec> joints = spec.joints;
  for (JointSpec& joint : joints) joint.origin = Origin("arm.urdf", 7);
  const Result<InitialState> state = initial_state(compile(spec).value(), specs, motions, 0.0, joints);
  for (const Diagnostic& problem : state.diagnostics()) {
    CAPTURE(format(problem));
    CHECK(problem.origin.line > 0);
    CHECK((!problem.what.empty() && !problem.fix.empty()));
    CHECK((problem.code == "joint-unknown" || !problem.why.empty()));
  }
  return state;
}

Codes codes_of(const Result<InitialState>& state) {
  Codes codes;
  for (const Diagnostic& problem : state.diagnostics()) codes.push_back(problem.code);
  return codes;
}

}  // namespace

TEST_CASE("initial state: a velocity in world axes is that of the body's centre of mass") {
  RandomStream stream(11, 0);
  for (int i = 0; i < 20; ++i) {
    const auto random = [&] {
      return Vec3<>{stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1)};
    };
    const auto turned = [&] {
      return normalized(Quaternion<>{stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1), 0.5});
    };
    ModelSpec spec;
    BodySpec base;
    base.name = "base";
    base.inertia = spatial_inertia(2.0, random(), SymMat3<>{0.1, 0, 0, 0.2, 0, 0.15});
    BodySpec load = base;  // welded to it: the link's centre of mass is another one
    load.name = "load";
    load.inertia = spatial_inertia(3.0, random(), SymMat3<>{0.1, 0, 0, 0.2, 0, 0.15});
    spec.bodies = {base, load};
    JointSpec joint;
    joint.name = "floating";
    joint.child = "base";
    joint.parent = kWorld;
    joint.kind = JointKind::free;
    joint.X_PJ = {rotation_matrix(turned()), random()};
    joint.X_CJ = {rotation_matrix(turned()), random()};
    JointSpec weld = joint;
    weld.name = "weld";
    weld.parent = "base";
    weld.child = "load";
    weld.kind = JointKind::fixed;
    spec.joints = {joint, weld};
    const Model model = compile(spec).value();
    InitialSpec initial;
    initial.joint = "floating";
    const Quaternion<> turn = turned();
    const Vec3<> place = random(), u = random(), w = random();
    initial.q = {place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w};
    initial.velocity = u;
    if (i % 2 == 0) initial.angular_velocity = w;
    const Result<InitialState> state = read(spec, {initial});
    REQUIRE(state);
    KinematicsWorkspace places(model);
    const std::vector<double> zero(6);
    kinematics(model, state->q, state->v, zero, places);
    const ModelBody& body = model.bodies()[static_cast<std::size_t>(model.body("base"))];
    const Pose<> X_LC{body.X_LB.rotation, transform_point(body.X_LB, base.inertia.first_moment / 2.0)};
    const Twist<> V = velocity_of(places, {body.link, X_LC}, Axes::local_world_aligned);
    CHECK(norm(V.linear - u) <= 1e-14);
    CHECK(norm(V.angular - (i % 2 == 0 ? w : Vec3<>{0, 0, 0})) <= 1e-14);
    initial.v = std::vector<double>(6);
    CHECK(codes_of(read(spec, {initial})) == Codes{"initial-world"});
    initial.v.clear();
    initial.velocity->x = __builtin_nan("");
    CHECK(codes_of(read(spec, {initial})) == Codes{"initial-finite"});
  }
  InitialSpec other;
  other.joint = "joint0";
  other.angular_velocity = Vec3<>{0, 0, 1};
  CHECK(codes_of(read(mixed(), {other})) == Codes{"initial-world"});
}

TEST_CASE("initial state: joints without one start at zero, at rest; others as given, quaternions of unit length") {
  const ModelSpec spec = mixed();
  const Result<InitialState> zero = read(spec, {});
  REQUIRE(zero);
  CHECK(zero->q == std::vector<double>{0, 0, 0, 0, 1, 0, 0});
  CHECK(zero->v == std::vector<double>(6));
  const Result<InitialState> given = read(
      spec, {at("joint0", {0.25}, {2.0}), at("joint2", {0.6, 0, 0, 0.8 + 1e-7}, {1, 2, 3}), at("joint3", {}, {4, 5})});
  REQUIRE(given);
  CHECK(given->q[0] == 0.25);
  double square = 0.0;
  for (std::size_t i = 1; i < 5; ++i) square += given->q[i] * given->q[i];
  CHECK(square == doctest::Approx(1.0).epsilon(1e-15));
  CHECK(given->v == std::vector<double>{2, 1, 2, 3, 4, 5});
}

TEST_CASE("initial state: each mistake has its code") {
  const ModelSpec spec = mixed();
  CHECK(codes_of(read(spec, {at("joint0", {0.1, 0.2})})) == Codes{"initial-count"});
  CHECK(codes_of(read(spec, {at("joint2", {0, 0, 0, 1}, {1, 2})})) == Codes{"initial-count"});
  CHECK(codes_of(read(spec, {at("joint0", {__builtin_nan("")}, {__builtin_inf()})})) ==
        Codes{"initial-finite", "initial-finite"});
  CHECK(codes_of(read(spec, {at("joint2", {0, 0, 0, 2})})) == Codes{"initial-quaternion"});
  CHECK(codes_of(read(spec, {at("joint2", {0, 0, 0, 0})})) == Codes{"initial-quaternion"});
  CHECK(codes_of(read(spec, {at("joint0", {0.6})})) == Codes{"initial-limits"});
  CHECK(codes_of(read(spec, {at("joint0", {0.5}), at("joint3", {-0.5, 0.5})})).empty());  // at a limit is within
  CHECK(codes_of(read(spec, {at("joint1", {0.6})})) == Codes{"initial-coupled"});
  CHECK(codes_of(read(spec, {at("joint4", {})})) == Codes{"initial-fixed"});
  CHECK(codes_of(read(spec, {at("joint9", {})})) == Codes{"joint-unknown"});
  CHECK(codes_of(read(spec, {at("joint0", {0.1}), at("joint0", {0.2}), at("joint0", {0.3})})) ==
        Codes{"initial-twice", "initial-twice"});
}

TEST_CASE("initial state: all mistakes at once, and none because of another") {
  ModelSpec spec = mixed();
  spec.joints[0].limits[0].lower = 0.1;  // so that zero is outside: not told where the position given was none
  CHECK(codes_of(read(
            spec, {at("joint0", {__builtin_nan("")}), at("joint2", {0, 0, 0, 2}, {1}), at("joint3", {1.0, -1.0})})) ==
        Codes{"initial-finite", "initial-quaternion", "initial-count", "initial-limits", "initial-limits"});
}

TEST_CASE("initial state: a joint that starts at zero because nothing is said must have zero within its limits") {
  ModelSpec spec = mixed();
  spec.joints[0].limits[0].lower = 1e-9;
  const Result<InitialState> state = read(spec, {});
  REQUIRE(codes_of(state) == Codes{"initial-limits"});
  const Diagnostic& problem = state.diagnostics()[0];
  CHECK(problem.origin.file == "arm.urdf");
  CHECK(problem.what.find("starts at 0 rad, outside its limits 1e-09 ... 0.5 rad") != std::string::npos);
  // A follower's limits are those of its driver: joint1 = 2 joint0 must be above 0.2.
  spec = mixed();
  JointLimits limits;
  limits.lower = 0.2;
  spec.joints[1].limits = {limits};
  CHECK(codes_of(read(spec, {})) == Codes{"initial-limits"});
  CHECK(codes_of(read(spec, {at("joint0", {0.11})})).empty());
}

TEST_CASE("initial state: of a joint with several dofs the problem names the one") {
  const Result<InitialState> state = read(mixed(), {at("joint3", {0.1, 0.7})});
  REQUIRE(state.diagnostics().size() == 1);
  CHECK(state.diagnostics()[0].what.find("angle = 0.7") != std::string::npos);
}

TEST_CASE("initial state: what a motion gives already is refused, and the motion says where it starts") {
  ModelSpec spec = mixed();
  PrescribedMotionSpec motion;
  motion.name = "turn";
  motion.joint = "joint0";
  motion.drive = formula("0.25 + 2*t");
  const auto made = [&] { return prescribed_motions(compile(spec).value(), std::span(&motion, 1), 0.0, 0.1).value(); };
  const Result<InitialState> started = read(spec, {}, made());
  REQUIRE(started);
  CHECK(started->q[0] == 0.25);
  CHECK(started->v[0] == 2.0);
  CHECK(codes_of(read(spec, {at("joint0", {0.1}, {0.1})}, made())) ==
        Codes{"initial-prescribed", "initial-prescribed"});
  motion.kind = MotionKind::velocity;
  CHECK(codes_of(read(spec, {at("joint0", {0.1})}, made())).empty());
  CHECK(codes_of(read(spec, {at("joint0", {}, {0.1})}, made())) == Codes{"initial-prescribed"});
  motion.kind = MotionKind::acceleration;
  CHECK(codes_of(read(spec, {at("joint0", {0.1}, {0.1})}, made())).empty());
  motion.kind = MotionKind::position;
  motion.drive = formula("0.75");
  CHECK(codes_of(read(spec, {}, made())) == Codes{"initial-limits"});
}
