#include "pintle/simulation/recording/sensor.h"

#include <doctest/doctest.h>

#include "base/count_allocations.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/model/edit/model_builder.h"
#include "pintle/model/links/joint_parts.h"
#include "pintle/simulation/recording/joint_columns.h"
#include "properties/body_motion.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

SensorSpec at_place(std::string name, SensorKind kind, std::string place, std::string reference = {}) {
  SensorSpec spec;
  spec.name = std::move(name);
  spec.kind = kind;
  spec.place = std::move(place);
  spec.reference = std::move(reference);
  return spec;
}

SensorSpec on_joint(std::string name, SensorKind kind, std::string joint, Axes axes = Axes::local) {
  SensorSpec spec;
  spec.name = std::move(name);
  spec.kind = kind;
  spec.joint = std::move(joint);
  spec.axes = axes;
  return spec;
}

SensorSpec formula(std::string name, std::string text, std::string unit = {}) {
  SensorSpec spec;
  spec.name = std::move(name);
  spec.kind = SensorKind::expression;
  spec.expression = std::move(text);
  spec.unit = std::move(unit);
  return spec;
}

/// A model with its sensors, and what they read.
class Measured {
 public:
  Measured(const Model& m, const std::vector<SensorSpec>& specs, std::vector<Column> others = {})
      : model(m), set(*compile_sensors(m, specs, others)), reaction(m), numbers(set.columns().size()) {}

  void read(double t, const Numbers& q, const Numbers& v, const Numbers& vdot, const Numbers& tau,
            std::span<const Wrench<>> external = {}, const Numbers& others = {}) {
    reactions(model, q, v, vdot, reaction, {.external = external});
    set.read(
        {.t = t, .q = q, .v = v, .tau = tau, .places = &reaction.kinematics, .reactions = &reaction, .others = others},
        numbers);
  }
  double operator()(const std::string& column) const {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (set.columns()[i].name == column) return numbers[i];
    FAIL("there is no column " << column);
    return 0.0;
  }
  Vec3<> three(const std::string& sensor, const std::string& letter) const {
    return {(*this)(sensor + "." + letter + "x"), (*this)(sensor + "." + letter + "y"),
            (*this)(sensor + "." + letter + "z")};
  }

  Model model;
  SensorSet set;
  ReactionsWorkspace reaction;
  Numbers numbers;
};

Model pendulum(double length) {
  ModelBuilder builder("pendulum");
  builder.body("bob", spatial_inertia(2.0, Vec3<>{0, 0, -length}, diagonal(Vec3<>{0, 0, 0})));
  builder.revolute({0, 1, 0}, "pin").frame("tip", {0, 0, -length});
  return *builder.compile();
}

std::vector<std::string> codes(const Result<SensorSet>& result) {
  std::vector<std::string> list;
  for (const Diagnostic& problem : result.diagnostics()) list.push_back(problem.code);
  return list;
}

}  // namespace

TEST_CASE(
    "sensor: an IMU at the tip of a pendulum reads its support: length v^2 + g cos along the rod, nothing across") {
  // The bob is a point mass on a massless rod: the only force on it is the rod's, so what an accelerometer feels is
  // along the rod, at any speed.
  const double length = 0.7, g = 9.81;
  const Model model = pendulum(length);
  Measured measured(model, {at_place("imu", SensorKind::imu, "tip")});
  DynamicsOf dynamics([&] {
    ModelBuilder builder("pendulum");
    builder.body("bob", spatial_inertia(2.0, Vec3<>{0, 0, -length}, diagonal(Vec3<>{0, 0, 0})));
    builder.revolute({0, 1, 0}, "pin");
    return builder.spec();
  }());
  for (const double angle : {0.0, 0.3, 1.5, -2.8}) {
    for (const double speed : {0.0, 1.0, -6.0}) {
      const Numbers vdot = dynamics.forward({angle}, {speed}, {0.0});
      measured.read(0.0, {angle}, {speed}, vdot, {0.0});
      const double scale = g + length * speed * speed;
      CHECK(abs(measured("imu.ax")) <= 8 * kEpsilon<double> * scale);
      CHECK(abs(measured("imu.ay")) <= 8 * kEpsilon<double> * scale);
      CHECK(abs(measured("imu.az") - (length * speed * speed + g * pintle::cos(angle))) <=
            8 * kEpsilon<double> * scale);
      CHECK(measured("imu.wy") == speed);
      CHECK(measured("imu.wx") == 0.0);
    }
  }
}

TEST_CASE("sensor: an IMU on a falling body reads zero, on a spinning one the way to the axis, at rest the weight") {
  ModelBuilder builder("body");
  builder.body("box", spatial_inertia(3.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0.1, 0.2, 0.25})));
  builder.free("flight").frame("center").frame("edge", {0.5, 0, 0}).frame("top", {0, 0, 0.4});
  const Model model = *builder.compile();
  Measured measured(model, {at_place("center", SensorKind::imu, "center"), at_place("edge", SensorKind::imu, "edge"),
                            at_place("top", SensorKind::imu, "top"), at_place("ground", SensorKind::imu, "world")});
  RandomStream stream(451);
  Numbers q(7);
  random_configuration(model, stream, q);
  // Spinning about its z axis, thrown with any velocity: the centre falls freely.
  const double spin = 12.0;
  const Numbers v{1.0, -2.0, 3.0, 0.0, 0.0, spin}, tau(6);
  ForwardDynamicsWorkspace<> work(model);
  Numbers vdot(6);
  REQUIRE(forward_dynamics(model, q, v, tau, work, vdot).ok());
  measured.read(0.0, q, v, vdot, tau);
  const double scale = 9.81 + spin * norm(Vec3<>{1, 2, 3}) + 0.5 * spin * spin, small = 8 * kEpsilon<double> * scale;
  CHECK(norm(measured.three("center", "a")) <= small);
  CHECK(norm(measured.three("edge", "a") - Vec3<>{-0.5 * spin * spin, 0, 0}) <= small);
  CHECK(norm(measured.three("top", "a")) <= small);  // on the axis
  CHECK(norm(measured.three("edge", "w") - Vec3<>{0, 0, spin}) == 0.0);
  // The world does not fall.
  CHECK(measured.three("ground", "a").z == 9.81);
}

TEST_CASE("sensor: poses, twists, IMUs, distances and their rates are those of composed poses, by dual numbers") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    RandomStream stream(452, run);
    ModelSpec spec = random_spec(stream, variety(run, 12));
    const std::string first = spec.bodies.front().name, last = spec.bodies.back().name;
    spec.frames.push_back({.name = "tool", .body = last, .X_BF = random_pose(stream)});
    spec.frames.push_back({.name = "eye", .body = first, .X_BF = random_pose(stream)});
    DynamicsOf dynamics(spec);
    const Model& model = dynamics.model;
    std::vector<SensorSpec> sensors{at_place("seen", SensorKind::frame_pose, "tool", "eye"),
                                    at_place("pose", SensorKind::frame_pose, "tool"),
                                    at_place("local", SensorKind::frame_twist, "tool"),
                                    at_place("aligned", SensorKind::frame_twist, "tool"),
                                    at_place("world_twist", SensorKind::frame_twist, "tool"),
                                    at_place("imu", SensorKind::imu, "tool"),
                                    at_place("gap", SensorKind::distance, "tool", "eye"),
                                    at_place("height", SensorKind::distance, "tool", "world")};
    sensors[3].axes = Axes::local_world_aligned;
    sensors[4].axes = Axes::world;
    Measured measured(model, sensors);
    const RandomState state(model, stream);
    measured.read(0.0, state.q, state.v, state.vdot, state.tau);

    const SpecTree tree(spec, model);
    const std::vector<BodyMotion> motions = body_motions(
        tree, path(model, dynamics.joint_q(state.q), dynamics.joint_v(state.v), dynamics.joint_v(state.vdot)));
    const auto motion = [&](const std::string& body, const Pose<>& X_BF) {
      const BodyMotion& of = motions[size(model.body(body))];
      const Pose<Rate> X = as<Rate>(X_BF);
      return BodyMotion{of.X_WB * X, inverse_times(X, of.V)};
    };
    const BodyMotion tool = motion(last, spec.frames[0].X_BF), eye = motion(first, spec.frames[1].X_BF);
    const Pose<> X_WT = tool.pose();
    const Twist<> V = tool.velocity(), A = tool.acceleration();
    double length = 1.0, speed = 1.0;
    for (const BodyMotion& each : motions) {
      length += norm(each.pose().translation);
      speed += norm(each.velocity().linear) + norm(each.velocity().angular) * length;
    }
    const double acceleration = 10.0 + speed * speed + norm(A.linear) + norm(A.angular) * length;
    const auto check = [&](const Vec3<>& got, const Vec3<>& expected, double scale) {
      CHECK(norm(got - expected) <= 1e-14 * scale);  // 2.5e-15 seen
    };
    check(measured.three("pose", ""), X_WT.translation, length);
    check(measured.three("seen", ""), (inverse(eye.pose()) * X_WT).translation, length);
    const Mat3<> R = rotation_matrix(
        Quaternion<>{measured("seen.qx"), measured("seen.qy"), measured("seen.qz"), measured("seen.qw")});
    const Mat3<> expected = transpose(eye.pose().rotation) * X_WT.rotation;
    for (int i = 0; i < 3; ++i) check(row(R, i), row(expected, i), 1.0);
    CHECK(measured("seen.qw") >= 0.0);
    check(measured.three("local", "v"), V.linear, speed);
    check(measured.three("local", "w"), V.angular, speed);
    check(measured.three("aligned", "v"), X_WT.rotation * V.linear, speed);
    check(measured.three("aligned", "w"), X_WT.rotation * V.angular, speed);
    check(measured.three("world_twist", "v"), (X_WT * V).linear, speed * length);
    // The true acceleration of the origin, less gravity, in the tool's axes.
    check(measured.three("imu", "a"),
          A.linear + cross(V.angular, V.linear) - transpose_times(X_WT.rotation, model.gravity()), acceleration);
    check(measured.three("imu", "w"), V.angular, speed);
    const Vec3<Rate> between = tool.X_WB.translation - eye.X_WB.translation;
    const Rate distance = sqrt(dot(between, between));
    check({measured("gap.distance"), 0, 0}, {distance.value, 0, 0}, length);
    // Two places on one body: their distance does not change, and only rounding does in its dual number.
    check({measured("gap.rate"), 0, 0}, {distance.derivative[0], 0, 0}, speed * (1.0 + length / distance.value));
    CHECK(measured("height.distance") == doctest::Approx(norm(X_WT.translation)).epsilon(1e-12));
  }
}

TEST_CASE("sensor: places that meet part with their relative speed") {
  const Model model = pendulum(0.5);
  Measured measured(model, {at_place("gap", SensorKind::distance, "tip", "tip"),
                            at_place("pivot", SensorKind::distance, "bob", "world")});
  measured.read(0.0, {0.3}, {2.0}, {0.0}, {0.0});
  CHECK(measured("gap.distance") == 0.0);
  CHECK(measured("gap.rate") == 0.0);
  CHECK(measured("pivot.rate") == 0.0);
  ModelBuilder builder("slider");
  builder.body("cart", spatial_inertia(1.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{1, 1, 1})));
  builder.prismatic({1, 0, 0}, "rail");
  Measured cart(*builder.compile(), {at_place("gap", SensorKind::distance, "cart", "world")});
  cart.read(0.0, {0.0}, {-3.0}, {0.0}, {0.0});
  CHECK(cart("gap.rate") == 3.0);
  cart.read(0.0, {0.1}, {-3.0}, {0.0}, {0.0});
  CHECK(cart("gap.rate") == doctest::Approx(-3.0).epsilon(1e-15));
}

TEST_CASE("sensor: joint wrenches of Simbody's slider, pin, ball and pin; fixed joints carry what hangs on them") {
  // reference-cases.md, table A, reaction rows: g = -9.8 y; torque and force on body 1, at its joint.
  const SymMat3<> I_c{0.1, 0.01, 0.01, 0.1, 0.01, 0.1};
  ModelBuilder builder("simbody");
  builder.gravity({0, -9.8, 0});
  builder.body("one", spatial_inertia(10.0, Vec3<>{0, 0, 0}, I_c)).prismatic({1, 0, 0}, "slider");
  builder.body("two", spatial_inertia(20.0, Vec3<>{0, 0.2, 0}, I_c)).revolute({0, 0, 1}, "pin").at({0.1, 0.1, 0});
  builder.body("three", spatial_inertia(20.0, Vec3<>{0, 0.2, 0}, I_c)).spherical("ball").at({0, 0.4, 0});
  builder.body("four", spatial_inertia(30.0, Vec3<>{0, 0.2, 0}, I_c)).revolute({0, 0, 1}, "last").at({0, 0.4, 0});
  builder.body("plate", spatial_inertia(4.0, Vec3<>{0, 0, 0}, I_c)).fixed("weld").at({0.3, 0, 0}).on("world");
  const Model model = *builder.compile();
  Measured measured(model, {on_joint("base", SensorKind::joint_wrench, "slider"),
                            on_joint("base_w", SensorKind::joint_wrench, "slider", Axes::local_world_aligned),
                            on_joint("weld", SensorKind::joint_wrench, "weld")});
  struct Row {
    Numbers q, v;
    Vec3<> torque, force;
  };
  const auto turn = [](double angle, auto rotation) {
    const SinCos<double> f = pintle::sincos(angle);
    return rotation(f.cos, f.sin);
  };
  const Quaternion<> r =
      quaternion(turn(0.2, rotation_z<double>) * turn(-0.1, rotation_x<double>) * turn(2.0, rotation_y<double>));
  const Row rows[] = {{{0, 0, 0, 0, 0, 1, 0}, Numbers(6), {0, 0, 68.6}, {0, 784, 0}},
                      {{1, 0.5, r.x, r.y, r.z, r.w, -0.5},
                       Numbers(6),
                       {1.64732671797, 0.783210831724, 34.0881825462},
                       {0, 359.274099127, 3.34237987219}},
                      {{0, 0, 0, 0, 0, 1, 0},
                       {0, 1, 3, 4, 2, 5},
                       {-13.5492532137, 2.72389702132, -6.35591182289},
                       {0, 34.0, -27.0885837251}}};
  ForwardDynamicsWorkspace<> work(model);
  for (const Row& row : rows) {
    Numbers vdot(6);
    REQUIRE(forward_dynamics(model, row.q, row.v, Numbers(6), work, vdot).ok());
    measured.read(0.0, row.q, row.v, vdot, Numbers(6));
    // Twelve digits are given, of numbers up to 784.
    CHECK(norm(measured.three("base", "f") - row.force) <= 1e-9);
    CHECK(norm(measured.three("base", "n") - row.torque) <= 1e-9);
    CHECK(norm(measured.three("base_w", "f") - row.force) <= 1e-9);
    CHECK(norm(measured.three("weld", "f") - Vec3<>{0, 39.2, 0}) <= 1e-13 * 39.2);
  }
}

TEST_CASE("sensor: a joint's wrench does the work of its effort, in any axes; numbers of joints are those asked for") {
  for (std::uint64_t run = 0; run < 50; ++run) {
    CAPTURE(run);
    RandomStream stream(453, run);
    RandomModelOptions options = variety(run, 12);
    options.armature = false;
    options.passive = false;
    const ModelSpec spec = random_spec(stream, options);
    DynamicsOf dynamics(spec);
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    const Numbers tau = dynamics.inverse(state.q, state.v, state.vdot);
    std::vector<SensorSpec> sensors;
    for (const ModelJoint& joint : model.joints()) {
      sensors.push_back(on_joint(joint.name + ".local", SensorKind::joint_wrench, joint.name));
      sensors.push_back(on_joint(joint.name + ".world", SensorKind::joint_wrench, joint.name, Axes::world));
      if (joint.link < 0) continue;
      sensors.push_back(on_joint(joint.name + ".q", SensorKind::joint_position, joint.name));
      sensors.push_back(on_joint(joint.name + ".v", SensorKind::joint_velocity, joint.name));
    }
    Measured measured(model, sensors);
    measured.read(0.0, state.q, state.v, state.vdot, tau);
    const Numbers q = dynamics.joint_q(state.q), v = dynamics.joint_v(state.v);
    // tau.v is the sum over all joints of wrench times relative twist: the power that all joints pass on.
    double power = 0.0, terms = 0.0;
    for (std::size_t i = 0; i < tau.size(); ++i) power += tau[i] * state.v[i];
    double through = 0.0;
    const auto at = measured.reaction.kinematics.motion.view();
    for (const ModelJoint& joint : model.joints()) {
      const Wrench<> F{measured.three(joint.name + ".local", "f"), measured.three(joint.name + ".local", "n")};
      const Wrench<> F_W{measured.three(joint.name + ".world", "f"), measured.three(joint.name + ".world", "n")};
      const ModelBody& child = model.bodies()[size(joint.child_body)];
      const Pose<> X_WJ = pose_of(measured.reaction.kinematics, body_place(model, joint.child_body)) * joint.X_CJ;
      const Wrench<> back = inverse_times(X_WJ, F_W);
      const double arm = 1.0 + norm(X_WJ.translation), scale = (norm(F.force) + norm(F.torque)) * arm * arm;
      CHECK(norm(back.force - F.force) + norm(back.torque - F.torque) <= 1e-13 * scale);
      if (joint.link < 0) continue;
      Twist<> V = zero_twist();  // across the joint, in the link's frame
      const JointFacts& kind = facts(joint.kind);
      for (int k = joint.v; k < joint.v + kind.nv; ++k) V += at.S[k] * v[size(k)];
      const Wrench<> F_L = child.X_LB * (joint.X_CJ * F);
      through += dot(V, F_L);
      terms += norm(V.linear) * norm(F_L.force) + norm(V.angular) * norm(F_L.torque);
      for (int k = 0; k < kind.nq; ++k) {
        const std::string name = joint.name + ".q";
        const std::string part = kind.nq == 1 ? name : name + "." + std::string(position_part(joint.kind, k).name);
        CHECK(measured(part) == q[size(joint.q + k)]);
      }
      const std::string name = joint.name + ".v";
      const std::string part = kind.nv == 1 ? name : name + "." + std::string(velocity_part(joint.kind, 0).name);
      CHECK(measured(part) == v[size(joint.v)]);
    }
    CHECK(abs(through - power) <= 1e-12 * (terms + abs(power)));
  }
}

TEST_CASE("sensor: turning and moving the world changes no reading of a sensor that moves along") {
  for (std::uint64_t run = 0; run < 50; ++run) {
    CAPTURE(run);
    RandomStream stream(454, run);
    ModelSpec spec = random_spec(stream, variety(run, 10));
    const Pose<> X = random_pose(stream, 3.0);
    ModelSpec turned = spec;
    turned.gravity = X.rotation * spec.gravity;
    for (JointSpec& joint : turned.joints)
      if (joint.parent == kWorld) joint.X_PJ = X * joint.X_PJ;
    const std::string tip = spec.bodies.back().name, root = spec.bodies.front().name;
    const std::vector<SensorSpec> sensors{
        at_place("imu", SensorKind::imu, tip), at_place("twist", SensorKind::frame_twist, tip),
        at_place("seen", SensorKind::frame_pose, tip, root), at_place("gap", SensorKind::distance, tip, root),
        on_joint("carried", SensorKind::joint_wrench, spec.joints.back().name)};
    Measured here(*compile(spec), sensors), there(*compile(turned), sensors);
    const RandomState state(here.model, stream);
    here.read(0.0, state.q, state.v, state.vdot, state.tau);
    there.read(0.0, state.q, state.v, state.vdot, state.tau);
    double scale = 10.0;
    for (const double x : here.numbers) scale = max(scale, abs(x));
    // Accelerations are sums of terms up to speed^2; with 10 links those are some hundreds.
    for (std::size_t i = 0; i < here.numbers.size(); ++i) {
      CAPTURE(here.set.columns()[i].name);
      CHECK(abs(here.numbers[i] - there.numbers[i]) <= 1e-12 * scale * 10.0);
    }
  }
}

TEST_CASE("sensor: a formula uses the time, other columns and the columns of sensors") {
  const Model model = pendulum(0.5);
  const std::vector<Column> others{{"t", "s"}, {"q.pin", "rad"}, {"no name", "m"}, {"energy", "J"}};
  Measured measured(
      model,
      {formula("power", "speed * load + 0*tip.x", "W"), on_joint("speed", SensorKind::joint_velocity, "pin"),
       on_joint("load", SensorKind::joint_effort, "pin"), at_place("tip", SensorKind::frame_pose, "tip"),
       formula("reach", "sqrt(tip.x^2 + tip.z^2)", "m"), formula("twice", "2*power + t + q.pin - energy")},
      others);
  CHECK(measured.set.columns()[0] == Column{"power", "W"});
  CHECK(measured.set.columns().back() == Column{"twice", "1"});
  CHECK(measured.set.columns()[2] == Column{"load", "N m"});
  measured.read(0.5, {0.3}, {2.0}, {0.0}, {3.0}, {}, {99.0, 0.3, 0.0, 7.0});
  CHECK(measured("power") == 6.0);
  CHECK(measured("reach") == doctest::Approx(0.5));
  CHECK(measured("twice") == 12.0 + 0.5 + 0.3 - 7.0);
  CHECK_THROWS_AS(measured.read(0.5, {0.3}, {2.0}, {0.0}, {3.0}), UsageError);  // without the other columns
  // A formula cannot use itself, nor one behind it.
  CHECK(codes(compile_sensors(model, std::vector{formula("a", "b + 1"), formula("b", "b + 1")})) ==
        std::vector<std::string>{"expression-unknown-name", "expression-unknown-name"});
}

TEST_CASE("sensor: every problem is found, with the nearest name") {
  RandomStream stream(455);
  ModelBuilder builder("arm");
  const SpatialInertia<> I = random_inertia(stream, 1.0);
  builder.body("upper", I).revolute({0, 0, 1}, "shoulder");
  builder.body("lower", I).revolute({0, 0, 1}, "elbow").at({1, 0, 0}).coupled_to("shoulder", 2.0);
  builder.body("hand", I).fixed("wrist").at({1, 0, 0}).frame("tip");
  const Model model = *builder.compile();
  SensorSpec misplaced = at_place("misplaced", SensorKind::imu, "lowr");
  misplaced.origin = Origin("arm.toml", 12, 3);
  SensorSpec overfull = at_place("overfull", SensorKind::frame_twist, "tip", "world");
  overfull.unit = "m";
  const Result<SensorSet> result = compile_sensors(
      model,
      std::vector{misplaced, on_joint("a", SensorKind::joint_wrench, "elbo"),
                  on_joint("b", SensorKind::joint_effort, "elbow"), on_joint("c", SensorKind::joint_position, "wrist"),
                  at_place("left foot", SensorKind::imu, "tip"), at_place("sin", SensorKind::imu, "tip"),
                  at_place("a", SensorKind::imu, "tip"), overfull, at_place("d", SensorKind::distance, "tip", "hnd"),
                  at_place("e", SensorKind::imu, "")});
  REQUIRE(!result);
  CHECK(codes(result) == std::vector<std::string>{"place-unknown", "joint-unknown", "sensor-joint-coupled",
                                                  "sensor-joint-fixed", "sensor-name", "sensor-name", "sensor-repeated",
                                                  "sensor-member", "sensor-member", "place-unknown", "sensor-place"});
  CHECK(result.diagnostics()[0].fix == "did you mean 'lower'?");
  CHECK(result.diagnostics()[0].origin.line == 12);
  CHECK(result.diagnostics()[1].fix == "did you mean 'elbow'?");
  CHECK(result.diagnostics()[2].fix == "name its driver 'shoulder'");
  // Columns of one name.
  CHECK(codes(compile_sensors(model, std::vector{at_place("p", SensorKind::frame_pose, "tip"), formula("p.x", "1")})) ==
        std::vector<std::string>{"sensor-column"});
  const std::vector<Column> others{{"energy", "J"}};
  CHECK(codes(compile_sensors(model, std::vector{formula("energy", "1")}, others)) ==
        std::vector<std::string>{"sensor-column"});
  // A formula at fault, at its place.
  SensorSpec wrong = formula("wrong", "2 + tip_.x");
  wrong.expression_origin = Origin("arm.toml", 7, 20);
  const Result<SensorSet> bad =
      compile_sensors(model, std::vector{wrong, at_place("tip", SensorKind::frame_pose, "tip")});
  CHECK(codes(bad) == std::vector<std::string>{"expression-unknown-name"});
  CHECK(bad.diagnostics()[0].origin.column == 24);
}

TEST_CASE(
    "sensor: reading allocates nothing; what is missing is a wrong call; tables are in the order of their kinds") {
  RandomStream stream(456);
  const Model model = *compile(random_spec(stream, {.links = 8, .couplings = true, .welds = true}));
  std::vector<SensorSpec> sensors;
  const std::string body = model.bodies().back().name, joint = model.joints()[0].name;
  for (const SensorFacts& kind : kSensorFacts) {
    CHECK(&facts(kind.kind) == &kind);
    SensorSpec spec;
    spec.name = "sensor" + std::to_string(sensors.size());
    spec.kind = kind.kind;
    if (kind.place) spec.place = body;
    if (kind.reference) spec.reference = model.bodies()[0].name;
    if (kind.joint) spec.joint = joint;
    if (kind.expression) spec.expression = "t * sensor0.x + sin(sensor4.rate)";
    sensors.push_back(spec);
  }
  Measured measured(model, sensors);
  CHECK(measured.set.needs_places());
  CHECK(measured.set.needs_reactions());
  CHECK(measured.set.needs_efforts());
  const RandomState state(model, stream);
  const std::size_t before = count_allocations();
  measured.read(0.1, state.q, state.v, state.vdot, state.tau);
  CHECK(count_allocations() == before);
  for (const double x : measured.numbers) CHECK(std::isfinite(x));
  SensorInstant at{.t = 0.0, .q = state.q, .v = state.v, .tau = state.tau};
  CHECK_THROWS_AS(measured.set.read(at, measured.numbers), UsageError);
  at.places = &measured.reaction.kinematics;
  CHECK_THROWS_AS(measured.set.read(at, measured.numbers), UsageError);
  at.reactions = &measured.reaction;
  measured.set.read(at, measured.numbers);
  CHECK_THROWS_AS(measured.set.read(at, std::span(measured.numbers).first(1)), UsageError);
  at.tau = {};
  CHECK_THROWS_AS(measured.set.read(at, measured.numbers), UsageError);
  // Without such sensors nothing of the kind is needed.
  Measured plain(model, {on_joint("q", SensorKind::joint_position, joint)});
  CHECK(!plain.set.needs_places());
  plain.set.read({.t = 0.0, .q = state.q, .v = state.v}, plain.numbers);
}

TEST_CASE("joint columns: a model's numbers have names of their own, in their order, with units") {
  for (std::uint64_t run = 0; run < 20; ++run) {
    RandomStream stream(457, run);
    const Model model = *compile(random_spec(stream, variety(run)));
    const std::vector<Column> q = position_columns(model), v = velocity_columns(model), a = acceleration_columns(model),
                              tau = effort_columns(model);
    CHECK(q.size() == size(model.nq()));
    CHECK(v.size() == size(model.nv()));
    CHECK(a.size() == size(model.nv()));
    CHECK(tau.size() == size(model.nv()));
    std::vector<Column> all = q;
    for (const auto& list : {v, a, tau}) all.insert(all.end(), list.begin(), list.end());
    CHECK(first_repeated(all) == all.size());
  }
  const Model model = pendulum(1.0);
  CHECK(label(position_columns(model)[0]) == "q.pin [rad]");
  CHECK(label(velocity_columns(model)[0]) == "v.pin [rad/s]");
  CHECK(label(acceleration_columns(model)[0]) == "a.pin [rad/s^2]");
  CHECK(label(effort_columns(model)[0]) == "tau.pin [N m]");
}
