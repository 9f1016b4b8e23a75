// Time stepping: by itself it holds, slides and rebounds as the laws say and gives no energy, with an error of the order
// of the step; in runs it takes over where many points touch, and the run says so.
#include "pintle/simulation/time_stepping/time_stepping.h"

#include <doctest/doctest.h>

#include <cmath>

#include "pintle/base/random.h"
#include "pintle/simulation/run/simulation.h"
#include "support/free_body.h"

using namespace pintle;

namespace {

constexpr double kGravity = 9.81;

void add_shape(SceneSpec& scene, const std::string& body, const ContactShape& shape, const Pose<>& X_BS) {
  test::add_shape(scene, body, shape, "stuff", X_BS);
}

SpatialInertia<> box_inertia(double mass, const Vec3<>& size) {
  const Vec3<> s{size.x * size.x, size.y * size.y, size.z * size.z};
  return {mass, {0, 0, 0}, {mass / 12 * (s.y + s.z), 0, 0, mass / 12 * (s.x + s.z), 0, mass / 12 * (s.x + s.y)}};
}

/// A brick on a slope of 3 in 4.
SceneSpec on_slope(double friction) {
  SceneSpec scene;
  scene.contact.surfaces.push_back({"stuff", {0.0, friction, friction}, {}});
  const Mat3<> R{0.8, 0.0, 0.6, 0.0, 1.0, 0.0, -0.6, 0.0, 0.8};
  const Vec3<> size{0.2, 0.15, 0.02};
  test::add_free_body(scene, "brick", box_inertia(2.0, size)).X_PJ = {R, R * Vec3<>{0.0, 0.0, 0.5 * size.z}};
  add_shape(scene, "brick", Box{size}, identity_pose<double>());
  add_shape(scene, std::string(kWorld), HalfSpace{}, {R, {0, 0, 0}});
  return scene;
}

/// Three boxes that fall on each other, tumbling.
SceneSpec heap(std::uint64_t seed, double restitution, double static_friction) {
  RandomStream random(seed);
  SceneSpec scene;
  scene.contact.surfaces.push_back({"stuff", {restitution, 0.3, static_friction}, {}});
  add_shape(scene, std::string(kWorld), HalfSpace{}, identity_pose<double>());
  for (int k = 0; k < 3; ++k) {
    const std::string name = "box" + std::to_string(k);
    const Vec3<> size{random.uniform(0.1, 0.3), random.uniform(0.1, 0.3), random.uniform(0.1, 0.3)};
    test::add_free_body(scene, name, box_inertia(700.0 * size.x * size.y * size.z, size));
    add_shape(scene, name, Box{size}, identity_pose<double>());
    InitialSpec initial;
    initial.joint = name;
    const double turn = random.uniform(-0.7, 0.7), tilt = random.uniform(-0.7, 0.7);
    const double w = std::sqrt(1.0 - 0.5 * (turn * turn + tilt * tilt));
    initial.q = {random.uniform(-0.05, 0.05),
                 random.uniform(-0.05, 0.05),
                 0.25 + 0.3 * k,
                 turn * std::sqrt(0.5),
                 tilt * std::sqrt(0.5),
                 0.0,
                 w};
    scene.initial.push_back(initial);
  }
  scene.run.step = 5e-3;
  scene.run.duration = 0.5;
  scene.run.rows = 40;
  return scene;
}

/// Zero at a time.
class Clock final : public EventFunction {
 public:
  explicit Clock(double time) : time_(time) {}
  double value(const MotionInstant& at) override { return at.t - time_; }

 private:
  double time_;
};

/// A heap of which a step is stepped over, and the ends of the first such step.
struct SteppedOver {
  SceneSpec spec;
  double from = 0.0, to = 0.0;  // [s]
};

SteppedOver time_stepped(const SimulationParts& parts = {}) {
  SteppedOver found;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    found.spec = heap(seed, 0.2 * static_cast<double>(seed % 3), seed % 2 == 0 ? 0.3 : 0.4);
    Simulation simulation(compile(found.spec).value(), parts);
    while (simulation.state().t < found.spec.run.duration) {
      REQUIRE(simulation.step().ok());
      const double over = simulation.contact_record().time_stepped;
      found.to = simulation.state().t;
      found.from = found.to - over;
      if (over > 0.0) return found;
    }
  }
  FAIL("no heap was stepped over");
  return found;
}

/// As a run records a step.
void record(EnergyBalance& balance, const TimeStepping& stepping, const TimeSteppingReport& report,
            const MotionState& state) {
  balance.record_projection(stepping.free(), stepping.before_impulses());
  balance.record_impact_work(stepping.before_impulses(), stepping.after_impulses(), stepping.joint_work(),
                             report.contact_work, stepping.surface_work());
  balance.record_projection(stepping.after_impulses(), state);
}

double energy_of(Simulation& simulation) {
  return simulation.energy_balance().now().total();
}

}  // namespace

TEST_CASE("time stepping: the forces of a row are the means of the short step, and obey the laws") {
  const double friction = 0.25, weight = 2.0 * kGravity;
  for (const double mu : {0.76, friction}) {
    CAPTURE(mu);
    const Scene scene = compile(on_slope(mu)).value();
    SceneSystem system(scene, {});
    TimeStepping stepping(system, system, Method::rk4, {});
    MotionState state = neutral_state(system);
    state.q.assign(scene.initial_q().begin(), scene.initial_q().end());
    for (int k = 0; k < 20; ++k) REQUIRE(stepping.step(1e-4, state).ok());
    CHECK(system.has_mean_forces());
    std::vector<double> vdot(state.v.size()), rate(state.auxiliary.size());
    REQUIRE(system.derivatives(state.t, state.q, state.v, state.auxiliary, vdot, rate));
    double normal = 0.0;
    Vec3<> all{};
    for (const MeanForce& of : system.mean_forces().all()) {
      normal += of.force[0];
      all += of.frame.X_AC.rotation * Vec3<>{of.force[0], of.force[1], of.force[2]};
    }
    // To the rounding of velocities of 1e-2 m/s over a step of 1e-4 s.
    CHECK(normal == doctest::Approx(0.8 * weight).epsilon(1e-10));
    CHECK(norm(all) == doctest::Approx(std::hypot(std::min(0.6, mu * 0.8), 0.8) * weight).epsilon(1e-10));
    KinematicsWorkspace places(scene.model());
    kinematics(scene.model(), state.q, state.v, vdot, places);
    CHECK(system.certify_contacts(places).residuals.worst() <= 1e-10);
  }
}

TEST_CASE("time stepping: energy changes by the work of the contacts and of the projection, to rounding") {
  for (const double mu : {0.76, 0.25}) {
    CAPTURE(mu);
    const Scene scene = compile(on_slope(mu)).value();
    SceneSystem system(scene, {});
    TimeStepping stepping(system, system, Method::rk4, {});
    EnergyBalance balance(system);
    MotionState state = neutral_state(system);
    state.q.assign(scene.initial_q().begin(), scene.initial_q().end());
    balance.open(state);
    double contact_work = 0.0;
    for (int k = 0; k < 200; ++k) {
      const TimeSteppingReport report = stepping.step(1e-3, state);
      REQUIRE(report.ok());
      contact_work += report.contact_work;
      record(balance, stepping, report, state);
    }
    balance.bring_up_to(state);
    CHECK(std::abs(balance.energy().rest) <= 1e-13);
    // Friction along the way t^2 a/2, and nothing where it sticks, to rounding in 200 steps. Positions follow the
    // velocities at the ends of the steps: the way is longer by a h t/2, and the brick that much lower.
    const double slows = mu * kGravity * 0.8, a = kGravity * 0.6 - slows, t = 0.2, h = 1e-3;
    const bool sticks = mu > 0.75;
    const double friction_work = sticks ? 0.0 : -2.0 * slows * 0.5 * a * t * t;
    const double lower = sticks ? 0.0 : -2.0 * kGravity * 0.6 * 0.5 * a * h * t;
    CHECK(std::abs(balance.memory().contact_work - friction_work - lower) <= 1e-12);
    CHECK(contact_work <= 0.0);
  }
}

TEST_CASE("time stepping: an inclined belt lifts a brick at its velocity, and what it does is in its account") {
  const double mu = 0.9, belt = 0.05, mass = 2.0;
  SceneSpec spec = on_slope(mu);
  spec.contact.shapes[1].surface_velocity.linear = {-belt, 0, 0};
  const Scene scene = compile(spec).value();
  SceneSystem system(scene, {});
  TimeStepping stepping(system, system, Method::rk4, {});
  EnergyBalance balance(system);
  MotionState state = neutral_state(system);
  state.q.assign(scene.initial_q().begin(), scene.initial_q().end());
  balance.open(state);
  double by_belt = 0.0;
  const double h = 1e-3, a = kGravity * (mu * 0.8 - 0.6);
  for (int k = 1; k <= 200; ++k) {
    const TimeSteppingReport report = stepping.step(h, state);
    REQUIRE(report.ok());
    by_belt += stepping.surface_work()[0];
    record(balance, stepping, report, state);
    CHECK(std::abs(state.v[0] + std::min(a * h * k, belt)) <= 1e-12);
  }
  balance.bring_up_to(state);
  CHECK(std::abs(balance.energy().rest) <= 1e-12);
  // The belt moves by v t against the force: mu m g cos(a) until v/a, then m g sin(a); the step in which the slip ends
  // has the mean of both.
  const double slides = belt / a, t = 200 * h;
  CHECK(by_belt == doctest::Approx(mass * kGravity * belt * (mu * 0.8 * slides + 0.6 * (t - slides))).epsilon(1e-9));
  CHECK(balance.memory().contact_work == doctest::Approx(-mass * kGravity * mu * 0.8 * 0.5 * belt * slides).epsilon(0.1));
}

TEST_CASE("time stepping: below its friction angle a brick stays, to the rounding of its place") {
  const Scene scene = compile(on_slope(0.76)).value();
  SceneSystem system(scene, {});
  TimeStepping stepping(system, system, Method::rk4, {});
  MotionState state = neutral_state(system);
  state.q.assign(scene.initial_q().begin(), scene.initial_q().end());
  state.v.assign(scene.initial_v().begin(), scene.initial_v().end());
  const std::vector<double> start = state.q;
  for (int k = 0; k < 1000; ++k) REQUIRE(stepping.step(1e-3, state).ok());
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(state.q[i] - start[i]) <= 1e-12);
}

TEST_CASE("time stepping: above it, it slides with g (sin a - mu cos a), the exact speed at every step") {
  const double friction = 0.25;
  const Scene scene = compile(on_slope(friction)).value();
  SceneSystem system(scene, {});
  TimeStepping stepping(system, system, Method::rk4, {});
  MotionState state = neutral_state(system);
  state.q.assign(scene.initial_q().begin(), scene.initial_q().end());
  state.v.assign(scene.initial_v().begin(), scene.initial_v().end());
  const double a = kGravity * (0.6 - friction * 0.8);
  for (int k = 1; k <= 200; ++k) {
    const TimeSteppingReport report = stepping.step(1e-3, state);
    REQUIRE(report.ok());
    double square = 0.0;
    for (std::size_t i = 0; i < 3; ++i) square += state.v[i] * state.v[i];
    CHECK(std::abs(std::sqrt(square) - a * 1e-3 * k) <= 1e-12);
  }
}

TEST_CASE("time stepping: what falls comes to lie on what it falls on, not above it") {
  const Scene scene = compile(on_slope(0.25)).value();
  SceneSystem system(scene, {});
  TimeStepping stepping(system, system, Method::rk4, {});
  MotionState state = neutral_state(system);
  state.q.assign(scene.initial_q().begin(), scene.initial_q().end());
  state.v.assign(scene.initial_v().begin(), scene.initial_v().end());
  state.q[2] = 0.01;  // along the normal of the slope: it is there after 50.5 ms
  for (int k = 0; k < 53; ++k) REQUIRE(stepping.step(1e-3, state).ok());
  CHECK(std::abs(state.q[2]) <= 1e-12);
}

TEST_CASE("time stepping: is not needed where a slip creeps out of rest, just above the friction angle") {
  const double friction = 0.74;
  SceneSpec spec = on_slope(friction);
  spec.run.step = 1e-3;
  spec.run.duration = 0.05;
  Simulation simulation(compile(spec).value());
  const std::vector<double> start = simulation.state().q;
  REQUIRE(simulation.run().ok());
  double square = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double way = simulation.state().q[i] - start[i];
    square += way * way;
  }
  const double t = spec.run.duration, a = kGravity * (0.6 - friction * 0.8);
  CHECK(std::abs(std::sqrt(square) - 0.5 * a * t * t) <= 1e-14);  // rounding of places of about 1 m, in 50 steps
  CHECK(simulation.contact_record().time_stepped == 0.0);
}

TEST_CASE("time stepping: impulses never give energy") {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Scene scene = compile(heap(seed, 0.0, 0.3)).value();
    SceneSystem system(scene, {});
    TimeStepping stepping(system, system, Method::rk4, {});
    MotionState state = neutral_state(system);
    state.q.assign(scene.initial_q().begin(), scene.initial_q().end());
    state.v.assign(scene.initial_v().begin(), scene.initial_v().end());
    double lost = 0.0;
    for (int k = 0; k < 400; ++k) {
      const TimeSteppingReport report = stepping.step(1e-3, state);
      REQUIRE(report.ok());
      // What the solver has left open, and rounding [J]; bodies of some joules.
      CHECK(report.contact_work <= 1e-2 * report.residual + 1e-15);
      lost -= report.contact_work;
    }
    CHECK(lost > 1.0);  // they fell from about half a metre
  }
}

TEST_CASE("time stepping: heaps clatter to their rest; the run says what of it was stepped over") {
  int stepped = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    const SceneSpec spec = heap(seed, 0.2 * static_cast<double>(seed % 3), seed % 2 == 0 ? 0.3 : 0.4);
    Simulation simulation(compile(spec).value());
    const double start = energy_of(simulation);
    for (double before = start; simulation.state().t < spec.run.duration;) {
      const RunReport report = simulation.step();
      REQUIRE_MESSAGE(report.ok(), report.text);
      const double after = energy_of(simulation);
      CHECK(after <= before + 1e-3 * start);  // what gaps that open and close within a short step may give
      before = after;
    }
    CHECK(energy_of(simulation) < start);
    CHECK(simulation.contact_record().breach <= 1e-2);
    stepped += simulation.contact_record().time_stepped > 0.0 ? 1 : 0;
    // No box has sunk into another or into the floor.
    for (std::size_t k = 0; k < 3; ++k) CHECK(simulation.state().q[7 * k + 2] > 0.03);
  }
  CHECK(stepped >= 1);
}

TEST_CASE("time stepping: a run that is stopped within goes on bit for bit") {
  const SteppedOver heap = time_stepped();
  Simulation whole(compile(heap.spec).value());
  while (whole.state().t < heap.to) REQUIRE(whole.step().ok());
  Simulation second(compile(heap.spec).value());
  REQUIRE(second.resume(whole.checkpoint()).ok());
  for (int k = 0; k < 10; ++k) {
    REQUIRE(whole.step().ok());
    REQUIRE(second.step().ok());
    CHECK(whole.state_hash() == second.state_hash());
  }
  CHECK(whole.contact_record().time_stepped == second.contact_record().time_stepped);
}

TEST_CASE("time stepping: an event of the scene is found at the end of its step, and ends the run if it shall") {
  Clock clock(10.0), never(10.0);  // after the run
  UserEvent events[] = {
      {"now", {&clock, EventDirection::rising}}, {"back", {&clock, EventDirection::falling}}, {"never", {&never}}};
  SimulationParts parts;
  parts.events = events;
  const SteppedOver heap = time_stepped(parts);
  const double middle = 0.5 * (heap.from + heap.to), step = heap.spec.run.step;
  clock = Clock(middle);
  for (const bool terminal : {false, true}) {
    for (UserEvent& event : events) event.terminal = terminal;
    SceneSpec spec = heap.spec;
    spec.run.duration = heap.to;
    Simulation simulation(compile(spec).value(), parts);
    MemoryRecording recording;
    const RunReport report = simulation.run({.sink = &recording});
    CHECK(simulation.contact_record().time_stepped > 0.0);
    std::vector<double> times;
    for (const RecordedEvent& event : recording.events())
      if (event.event.kind == EventKind::user) times.push_back(event.event.t);
    REQUIRE(times.size() == 1);
    CHECK(times[0] >= middle);
    CHECK(times[0] <= middle + step * (1 + 1e-9));
    CHECK((report.outcome == RunOutcome::event_stopped) == terminal);
    CHECK(report.t == (terminal ? times[0] : heap.to));
  }
}
