// Bodies in free flight have a path of their own through the simulator: they turn as on the general one, their centre
// of mass flies on its parabola, and what is not looked at could not have happened.
#include "pintle/simulation/flight/free_flight.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "geometry/contact_shapes.h"
#include "pintle/math/distributions.h"
#include "pintle/simulation/run/simulation.h"
#include "pintle/spatial/exp_log.h"

using namespace test;

namespace {

using State = std::vector<double>;

/// Does nothing, but the simulator cannot know that.
class Idle final : public ForceElement {
 public:
  std::string_view name() const override { return "idle"; }
  ForcePower apply(const Model&, const ForceInput&, const ForceOutput&) override { return {}; }
};

/// A formula that is never zero: every step is searched.
constexpr const char* kNever = "t + 1000";

struct Options {
  int bodies = 1;
  double spin = 5.0;   // [rad/s]
  bool plain = false;  // the link's frame is that of the principal axes
  int axis = -1;       // of symmetry, if plain
  double friction = 0.0, restitution = 1.0;
  bool box_in_the_way = false;  // of the world
  bool single_point = false;
};

/// Of an ellipsoid somewhere in the frame.
SpatialInertia<> random_inertia(RandomStream& stream) {
  const double mass = stream.uniform(0.5, 2.0);
  const double a = stream.uniform(0.1, 0.3), b = stream.uniform(0.1, 0.3), c = stream.uniform(0.1, 0.3);
  const Mat3<> R = rotation_matrix(uniform_rotation(stream));
  const SymMat3<> I_c = congruence(R, (mass / 5.0) * diagonal(Vec3<>{b * b + c * c, a * a + c * c, a * a + b * b}));
  return spatial_inertia(mass, random_vector(stream, 0.1), I_c);
}

/// Principal axes, and about one of them the same all around if it is 0, 1 or 2.
SpatialInertia<> plain_inertia(int axis) {
  const double x = 0.02, y = axis == 2 ? 0.02 : 0.03, z = axis == 0 ? y : axis == 1 ? x : 0.025;
  return {1.5, {0, 0, 0}, {x, 0, 0, y, 0, z}};
}

/// Free bodies of all shapes over a tilted floor, one beside and above the other.
SceneSpec flying(RandomStream& stream, const Options& options) {
  SceneSpec scene;
  const Surface surface{options.restitution, options.friction, options.friction};
  scene.contact.surfaces.push_back({"rubber", surface, {}});
  scene.contact.single_point = options.single_point;
  const auto add_shape = [&](const char* body, const ContactShape& shape, const Pose<>& X) {
    ContactShapeSpec spec;
    spec.body = body;
    spec.shape = shape;
    spec.X_BS = X;
    spec.material = "rubber";
    scene.contact.shapes.push_back(spec);
  };
  add_shape(kWorld, HalfSpace{}, pose(exp_quaternion(Vec3<>{0.1, -0.15, 0.3}), Vec3<>{0.0, 0.0, -0.2}));
  if (options.box_in_the_way)
    add_shape(kWorld, Box{{0.5, 0.5, 0.5}}, pose(exp_quaternion(Vec3<>{0.3, 0.2, 0.1}), Vec3<>{0.6, 0.0, 0.0}));
  for (int k = 0; k < options.bodies; ++k) {
    const std::string name = "body" + std::to_string(k);
    BodySpec body;
    body.name = name;
    body.inertia = options.plain ? plain_inertia(options.axis) : random_inertia(stream);
    scene.model.bodies.push_back(body);
    JointSpec joint;
    joint.name = joint.child = name;
    joint.parent = kWorld;
    joint.kind = JointKind::free;
    if (!options.plain) joint.X_PJ = pose(uniform_rotation(stream), 0.1 * uniform_direction(stream));
    scene.model.joints.push_back(joint);
    add_shape(scene.model.bodies.back().name.c_str(), random_convex(stream, k % kConvexKinds), identity_pose<double>());
    InitialSpec initial;
    initial.joint = name;
    // Up in the world and towards the first, whatever the frame of the joint.
    const Vec3<> place = transpose_times(joint.X_PJ.rotation, Vec3<>{2.5 * k, 0.2 * k, 2.5} - joint.X_PJ.translation);
    const Quaternion<> turn = uniform_rotation(stream);
    const Vec3<> nearing = transpose_times(joint.X_PJ.rotation, Vec3<>{-2.0 * k, 0.0, 0.0});
    const Vec3<> v = uniform_direction(stream) + rotate(conjugate(turn), nearing);
    const Vec3<> w = options.spin * uniform_direction(stream);
    initial.q = {place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w};
    initial.v = {v.x, v.y, v.z, w.x, w.y, w.z};
    scene.initial.push_back(initial);
  }
  scene.run.step = 1e-3;
  scene.run.duration = 1.0;
  return scene;
}

SceneSpec searched(SceneSpec scene) {
  EventSpec never;
  never.name = "never";
  never.expression = kNever;
  scene.events.push_back(never);
  return scene;
}

State numbers_of(const Simulation& simulation) {
  const MotionState& state = simulation.state();
  State numbers{state.t};
  for (const auto* part : {&state.q, &state.v, &state.auxiliary})
    numbers.insert(numbers.end(), part->begin(), part->end());
  return numbers;
}

}  // namespace

TEST_CASE("free flight: bodies turn as by the general recursion, up to rounding") {
  RandomStream stream(1);
  double worst = 0.0, worst_flown = 0.0;
  for (int k = 0; k < 60; ++k) {
    // Up to 40 rad/s steps are flown; of those at 300 rad/s none is.
    const bool fast = k % 4 == 3;
    SceneSpec spec = flying(
        stream, {.bodies = 1 + k % 3, .spin = fast ? 300.0 : 0.6 * k, .plain = k % 2 == 0, .axis = k / 2 % 4 - 1});
    spec.contact = {};
    spec.run.duration = 0.2;
    const Scene scene = compile(spec).value();
    Simulation flown(scene);
    Idle idle;
    ForceElement* const elements[] = {&idle};
    Simulation general(scene, {.forces = elements});
    REQUIRE(flown.run().ok());
    REQUIRE(general.run().ok());
    for (std::size_t body = 0; body < scene.model().links().size(); ++body) {
      double& most = fast ? worst : worst_flown;
      for (std::size_t i = 0; i < 7; ++i)
        if (fast || i >= 3)
          most = std::max(most, std::abs(flown.state().q[7 * body + i] - general.state().q[7 * body + i]));
      for (std::size_t i = 0; i < 6; ++i)
        if (fast || i >= 3)
          most = std::max(most, std::abs(flown.state().v[6 * body + i] - general.state().v[6 * body + i]));
    }
  }
  // Velocities up to 300 that turn by up to 60 rad, rounded in 200 steps, which about the axis of middle inertia grows
  // several times. The worst seen is 1.7e-11 with g++ and 4.0e-11 with clang++, which draw other bodies; of bodies that
  // turn slowly enough to be flown 3.2e-14.
  CHECK(worst < 2048 * kEps * 300.0);
  CHECK(worst_flown < 16 * kEps * 40.0);
}

TEST_CASE(
    "free flight: the centre of mass flies on its parabola, and the weight gives what it should, up to rounding") {
  RandomStream stream(6);
  double worst_place = 0.0, worst_velocity = 0.0;
  for (int k = 0; k < 60; ++k) {
    SceneSpec spec = flying(stream, {.bodies = 1 + k % 3, .spin = 0.2 * k, .plain = k % 2 == 0, .axis = k / 2 % 4 - 1});
    spec.contact = {};
    spec.run.duration = 0.2;
    Simulation flown(compile(spec).value());
    const Model& model = flown.scene().model();
    KinematicsWorkspace before(model), after(model);
    const State zero(flown.state().v.size(), 0.0);
    kinematics(model, flown.state().q, flown.state().v, zero, before);
    REQUIRE(flown.run().ok());
    kinematics(model, flown.state().q, flown.state().v, zero, after);
    const double T = flown.state().t;
    const Vec3<> g = model.gravity();
    Wrench<> given{};
    for (std::size_t i = 0; i < model.links().size(); ++i) {
      const Place center{static_cast<int>(i), {identity3<double>(), center_of_mass(model.links()[i].inertia)}};
      const Vec3<> r = pose_of(before, center).translation;
      const Vec3<> v = velocity_of(before, center, Axes::local_world_aligned).linear;
      worst_place = std::max(worst_place, norm(pose_of(after, center).translation - (r + T * v + 0.5 * T * T * g)));
      worst_velocity =
          std::max(worst_velocity, norm(velocity_of(after, center, Axes::local_world_aligned).linear - (v + T * g)));
      const Vec3<> weight = model.links()[i].inertia.mass * g;
      given += Wrench<>{T * weight, cross(T * r + 0.5 * T * T * v + T * T * T / 6.0 * g, weight)};
    }
    const Wrench<> weight = flown.energy_balance().impulses()[kWeight];
    CHECK(norm(weight.force - given.force) < 1e-13 * norm(given.force));
    CHECK(norm(weight.torque - given.torque) < 1e-12 * norm(given.force));
    CHECK(std::abs(flown.energy_balance().linear().rest) < 1e-12);
  }
  // Places up to 10 m, velocities up to 10 m/s, rounded in 200 steps; the worst seen are 8.4e-14 and 1.2e-14.
  CHECK(worst_place < 512 * kEps * 10.0);
  CHECK(worst_velocity < 512 * kEps * 10.0);
}

TEST_CASE("free flight: what is not looked at could not have happened") {
  RandomStream stream(2);
  std::int64_t impacts = 0;
  for (int k = 0; k < 40; ++k) {
    CAPTURE(k);
    const SceneSpec spec = flying(stream, {.bodies = 1 + k % 4,
                                           .spin = 1.0 + 1.5 * k,
                                           .plain = k % 2 == 0,
                                           .friction = k % 3 == 0 ? 0.2 : 0.0,
                                           .restitution = 0.9,
                                           .box_in_the_way = k % 5 == 4,
                                           .single_point = k % 4 == 0});
    Simulation flown(compile(spec).value()), watched(compile(searched(spec)).value());
    const RunReport report = flown.run(), other = watched.run();
    CHECK(report.outcome == other.outcome);
    CHECK(report.events == other.events);
    CHECK(numbers_of(flown) == numbers_of(watched));
    impacts += report.events;
  }
  CHECK(impacts > 200);
}

TEST_CASE("free flight: impacts are those of the general path") {
  RandomStream stream(3);
  std::size_t impacts = 0;
  for (int k = 0; k < 20; ++k) {
    CAPTURE(k);
    SceneSpec spec = flying(stream, {.bodies = 1 + k % 2, .spin = 4.0, .plain = k % 2 == 0, .restitution = 0.8});
    spec.run.duration = 0.8;
    spec.run.step = 2.5e-4;  // the general path bends the parabola by its own error
    const Scene scene = compile(spec).value();
    Idle idle;
    ForceElement* const elements[] = {&idle};
    Simulation flown(scene), general(scene, {.forces = elements});
    MemoryRecording a, b;
    const RunReport report = flown.run({.sink = &a}), other = general.run({.sink = &b});
    REQUIRE_MESSAGE(report.ok(), report.text);
    REQUIRE_MESSAGE(other.ok(), other.text);
    impacts += a.impacts().size();
    REQUIRE(a.impacts().size() == b.impacts().size());
    // Each impact makes of a difference several times as much.
    double tolerance = 1e-11;
    for (std::size_t i = 0; i < a.impacts().size(); ++i) {
      CHECK(std::abs(a.impacts()[i].t - b.impacts()[i].t) < tolerance);
      tolerance *= 8.0;
    }
  }
  CHECK(impacts > 40);
}

TEST_CASE("free flight: the same bits however a run is split, with and without rows, and after a checkpoint") {
  RandomStream stream(4);
  for (int k = 0; k < 6; ++k) {
    CAPTURE(k);
    const SceneSpec spec = flying(stream, {.bodies = 1 + k % 2, .spin = 6.0, .restitution = 0.9});
    const Scene scene = compile(spec).value();
    Simulation whole(scene), single(scene), with_rows(scene), parts(scene);
    REQUIRE(whole.run().ok());
    while (single.steps() < whole.steps()) REQUIRE(single.step().ok());
    MemoryRecording recording;
    REQUIRE(with_rows.run({.sink = &recording}).ok());
    const double h = parts.step_length();
    for (int n = 37; n < 1000; n += 37) REQUIRE(parts.run({.until = n * h}).ok());
    const std::string saved = parts.checkpoint();
    Simulation resumed(scene);
    REQUIRE(resumed.resume(saved).ok());
    REQUIRE(resumed.run().ok());
    REQUIRE(parts.run().ok());
    for (const Simulation* other : {&single, &with_rows, &parts, &resumed}) {
      CHECK(numbers_of(*other) == numbers_of(whole));
      CHECK(other->state_hash() == whole.state_hash());
    }
  }
}

TEST_CASE("free flight: only of bodies on their own free joints that nothing holds") {
  RandomStream stream(5);
  const SceneSpec plain = flying(stream, {.bodies = 2});
  CHECK(FreeFlight::can_fly(compile(plain.model).value()));
  ModelSpec damped = plain.model;
  damped.joints[1].passive = {{.damping = 0.1}};
  CHECK(!FreeFlight::can_fly(compile(damped).value()));
  ModelSpec limited = plain.model;
  limited.joints[0].limits = {{.speed = 3.0}};
  CHECK(!FreeFlight::can_fly(compile(limited).value()));
  ModelSpec hung = plain.model;
  hung.joints[1].parent = "body0";
  CHECK(!FreeFlight::can_fly(compile(hung).value()));
  ModelSpec turning = plain.model;
  turning.joints[1].kind = JointKind::spherical;
  CHECK(!FreeFlight::can_fly(compile(turning).value()));
}

TEST_CASE("free flight: a clear time ends before the first touch, and is not far from it for a ball that falls") {
  SceneSpec spec;
  spec.model.bodies.push_back({.name = "ball", .inertia = {1.0, {0, 0, 0}, {0.004, 0, 0, 0.004, 0, 0.004}}});
  spec.model.joints.push_back({.name = "ball", .kind = JointKind::free, .parent = kWorld, .child = "ball"});
  ContactShapeSpec ball, floor;
  ball.body = "ball";
  ball.shape = Sphere{0.1};
  floor.body = kWorld;
  floor.shape = HalfSpace{};
  spec.contact.shapes = {floor, ball};
  const Scene scene = compile(spec).value();
  const Contacts contacts(scene.model(), scene.contacts(), scene.spec().contact);
  FreeFlight flight(scene.model(), contacts);
  const double g = norm(scene.model().gravity());
  const State q{0, 0, 1.1, 0, 0, 0, 1}, at_rest(6, 0.0);
  const double falls = std::sqrt(2.0 * 1.0 / g);
  const double clear = flight.time_of_impact_bound(q, at_rest, 100.0).certain;
  CHECK(clear < falls);
  CHECK(clear > 0.999 * falls);
  CHECK(flight.time_of_impact_bound(q, at_rest, 0.1).certain == 0.1);
  CHECK(flight.time_of_impact_bound(State{0, 0, 0.1, 0, 0, 0, 1}, at_rest, 100.0).certain == 0.0);
  const double up = flight.time_of_impact_bound(q, State{0, 0, 5.0, 0, 0, 0}, 100.0).certain;
  CHECK(up == doctest::Approx((5.0 + std::sqrt(25.0 + 2.0 * g)) / g).epsilon(1e-3));
}

/// How many of many random ways of a shape near a plane are found to be clear, and how many dip below it but end above.
struct Ways {
  int clear = 0, dipped = 0;
};

struct NearPlane {
  double gravity = -9.8;
  SpatialInertia<> inertia{1.0, {0, 0, 0}, {0.01, 0, 0, 0.02, 0, 0.03}};
  double longest = 2e-2;  // [s]
  double highest = 0.02;  // [m] at the start
  double fastest = 60.0;  // [rad/s]
  int pieces = 64, count = 20000;
};

template <class Shape>
Ways fly_near_plane(const Shape& of, const NearPlane& how, const std::function<double(const Vec3<>&)>& reach_along) {
  RandomStream stream(6);
  SceneSpec spec;
  spec.model.gravity = {0.0, 0.0, how.gravity};
  spec.model.bodies.push_back({.name = "box", .inertia = how.inertia});
  spec.model.joints.push_back({.name = "box", .kind = JointKind::free, .parent = kWorld, .child = "box"});
  ContactShapeSpec shape, floor;
  shape.body = "box";
  shape.shape = of;
  floor.body = kWorld;
  floor.shape = HalfSpace{};
  spec.contact.shapes = {floor, shape};
  const Scene scene = compile(spec).value();
  const Contacts contacts(scene.model(), scene.contacts(), scene.spec().contact);
  FreeFlight flight(scene.model(), contacts);
  const auto height = [&](const State& q) {
    const Mat3<> R = rotation_matrix(Quaternion<>{q[3], q[4], q[5], q[6]});
    return q[2] - reach_along(transpose_times(R, Vec3<>{0.0, 0.0, -1.0}));
  };
  Ways ways;
  for (int k = 0; k < how.count; ++k) {
    const Quaternion<> turn = uniform_rotation(stream);
    const Vec3<> rises = rotate(conjugate(turn), Vec3<>{0.0, 0.0, stream.uniform(-1.0, 4.0)});
    const Vec3<> w = stream.uniform(0.0, how.fastest) * uniform_direction(stream);
    State q{0, 0, 0, turn.x, turn.y, turn.z, turn.w}, v{rises.x, rises.y, rises.z, w.x, w.y, w.z};
    q[2] = (k % 2 == 0 ? 0.0 : stream.uniform(0.0, how.highest)) - height(q);
    const double h = stream.uniform(1e-4, how.longest);
    const State start = q, v_start = v;
    double lowest = 1.0;
    for (int i = 0; i < how.pieces; ++i) {
      REQUIRE(flight.step(h / how.pieces, q, v, nullptr));
      lowest = std::min(lowest, height(q));
    }
    (void)flight.time_of_impact_bound(start, v_start, h);
    const bool is_clear = flight.clear_step(h, q);
    if (is_clear) CHECK(lowest > 0.0);
    ways.clear += is_clear ? 1 : 0;
    ways.dipped += lowest < 0.0 && height(q) > 0.0 ? 1 : 0;
  }
  return ways;
}

TEST_CASE("free flight: a step that is clear stays above the plane all the way, also one that starts on it") {
  const Box box{{0.5, 0.3, 0.1}};
  const Cylinder can{0.1, 0.5};
  // On a floor, and below a ceiling from which the weight pulls away.
  for (const double gravity : {-9.8, -400.0, 400.0}) {
    CAPTURE(gravity);
    const NearPlane how{.gravity = gravity};
    const Ways of_box = fly_near_plane(box, how, [&](const Vec3<>& d) { return reach(box, d); });
    const Ways of_can = fly_near_plane(can, how, [&](const Vec3<>& d) {
      return can.radius * std::sqrt(d.x * d.x + d.y * d.y) + 0.5 * can.length * std::abs(d.z);
    });
    for (const Ways& ways : {of_box, of_can}) {
      CHECK(ways.clear > 3000);
      CHECK(ways.dipped > (gravity > 0.0 ? 500 : 30));
    }
  }
}

TEST_CASE("free flight: long ways are clear where a ball around the body is above the plane between their ends") {
  const Cylinder can{0.1, 0.5};
  for (int axis = -1; axis < 3; ++axis) {
    CAPTURE(axis);
    const NearPlane how{
        .inertia = plain_inertia(axis), .longest = 0.6, .highest = 0.4, .fastest = 30.0, .pieces = 512, .count = 8000};
    const Ways ways = fly_near_plane(can, how, [&](const Vec3<>& d) {
      return can.radius * std::sqrt(d.x * d.x + d.y * d.y) + 0.5 * can.length * std::abs(d.z);
    });
    CHECK(ways.clear > 2500);  // seen: 2878 to 2948, and 188 to 200
    CHECK(ways.dipped > 100);
  }
}
