// Events of users, speed limits, the order of what is recorded, and runs that end early.
#include <doctest/doctest.h>

#include <cmath>

#include "pintle/simulation/events/event_functions.h"
#include "simulation/moving_scenes.h"

using namespace test;

namespace {

constexpr double kGravity = 9.81;

/// A mass that falls from rest at 1 m.
SceneSpec fall() {
  SceneSpec spec = slider_scene();
  start(spec, "slide", 1.0, 0.0);
  spec.run.step = 0.037;
  spec.run.duration = 0.6;
  return spec;
}

/// Says what the matter is with a force after some time.
class BadForce : public ForceElement {
 public:
  enum class Fault { says_so, not_a_number, infinite };
  BadForce(Fault fault, double when) : fault_(fault), when_(when) {}

  std::string_view name() const override { return "bad"; }
  ForcePower apply(const Model&, const ForceInput& in, const ForceOutput& out) override {
    if (!(in.t > when_)) return {};
    if (fault_ == Fault::says_so) return {.ok = false};
    out.tau[0] += fault_ == Fault::not_a_number ? __builtin_nan("") : __builtin_inf();
    return {};
  }

 private:
  Fault fault_;
  double when_;
};

/// A joint's effort of the kind v' = v^2: infinite after a finite time.
class Escape : public ForceElement {
 public:
  std::string_view name() const override { return "escape"; }
  ForcePower apply(const Model&, const ForceInput& in, const ForceOutput& out) override {
    const double effort = 2.0 * in.v[0] * in.v[0];
    out.tau[0] += effort;
    return {.power = effort * in.v[0]};
  }
};

}  // namespace

TEST_CASE("an event on a coordinate of a free joint is found at its time") {
  for (const Method method : {Method::rk4, Method::dormand_prince}) {
    CAPTURE(facts(method).name);
    SceneSpec spec;
    spec.model.gravity = {0, 0, -kGravity};
    spec.model.bodies.push_back({.name = "base", .inertia = {2.0, {0, 0, 0}, {0.1, 0, 0, 0.2, 0, 0.3}}});
    JointSpec joint;
    joint.name = joint.child = "base";
    joint.parent = kWorld;
    joint.kind = JointKind::free;
    spec.model.joints.push_back(joint);
    InitialSpec initial;
    initial.joint = "base";
    initial.v = {0, 0, 3.0, 0, 0, 2.0};
    spec.initial.push_back(initial);
    watch(spec, "height", "q.base.z - 0.3");
    watch(spec, "half turn", "q.base.qw");
    spec.run.method = method;
    spec.run.step = 7e-3;
    spec.run.duration = 2.0;
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    const std::vector<double> heights = moving.times(EventKind::user, "height");
    const double root = std::sqrt(9.0 - 2.0 * kGravity * 0.3);
    REQUIRE(heights.size() == 2);
    CHECK(std::abs(heights[0] - (3.0 - root) / kGravity) <= 1e-11);
    CHECK(std::abs(heights[1] - (3.0 + root) / kGravity) <= 1e-11);
    const std::vector<double> turns = moving.times(EventKind::user, "half turn");
    REQUIRE(turns.size() == 1);
    CHECK(std::abs(turns[0] - std::acos(-1.0) / 2.0) <= 1e-8);
  }
}

TEST_CASE("events on sensors are found where those of coordinates are") {
  for (const Method method : {Method::rk4, Method::dormand_prince, Method::sdirk}) {
    CAPTURE(facts(method).name);
    SceneSpec spec;
    add_pendulum(spec.model, "arm", 1.5, 2.0);
    start(spec, "arm", 1.2, 0.0);
    spec.model.frames.push_back({"tip", "arm body", {identity3<double>(), {0, 0, -2.0}}});
    const auto sensor = [&](const char* name, SensorKind kind, const char* place, const char* formula) {
      SensorSpec one;
      one.name = name;
      one.kind = kind;
      one.place = place;
      one.expression = formula;
      if (kind == SensorKind::joint_velocity) one.joint = "arm";
      spec.sensors.push_back(one);
    };
    sensor("pose", SensorKind::frame_pose, "tip", "");
    sensor("speed", SensorKind::joint_velocity, "", "");
    sensor("twist", SensorKind::frame_twist, "tip", "");
    sensor("height", SensorKind::expression, "", "pose.z + 2");
    watch(spec, "by sensor", "pose.z + 1.5");
    watch(spec, "by coordinate", "1.5 - 2*cos(q.arm)");
    watch(spec, "by formula", "height - 0.5 + 0*t");
    watch(spec, "speed of sensor", "speed - 2");
    watch(spec, "speed of joint", "v.arm - 2");
    watch(spec, "slow", "twist.vx + q.arm");
    watch(spec, "slow joint", "-2*v.arm + q.arm");
    spec.run.method = method;
    spec.run.step = 0.013;
    spec.run.duration = 4.0;
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    const auto same = [&](const char* a, const char* b, std::size_t least) {
      const std::vector<double> first = moving.times(EventKind::user, a), second = moving.times(EventKind::user, b);
      REQUIRE(first.size() == second.size());
      CHECK(first.size() >= least);
      for (std::size_t i = 0; i < first.size(); ++i) CHECK(std::abs(first[i] - second[i]) <= 3e-12);
    };
    same("by sensor", "by coordinate", 4);
    same("by formula", "by coordinate", 4);
    same("speed of sensor", "speed of joint", 2);
    same("slow", "slow joint", 2);
  }
}

TEST_CASE("sensors that an event cannot see are errors at their place") {
  SceneSpec spec;
  add_pendulum(spec.model, "arm", 1.5, 2.0);
  SensorSpec imu;
  imu.name = "imu";
  imu.kind = SensorKind::imu;
  imu.place = "arm body";
  SensorSpec pose = imu;
  pose.name = "pose";
  pose.kind = SensorKind::frame_pose;
  SensorSpec formula;
  formula.name = "loud";
  formula.kind = SensorKind::expression;
  formula.expression = "imu.ax^2";
  spec.sensors = {imu, pose, formula};
  const auto problem = [&](const char* text) {
    spec.events.clear();
    watch(spec, "event", text);
    spec.events[0].origin = Origin("scene.toml", 7, 12);
    const Result<Scene> compiled = compile(spec);
    REQUIRE(!compiled.ok());
    REQUIRE(compiled.diagnostics().size() == 1);
    return compiled.diagnostics()[0];
  };
  for (const char* const text : {"t + imu.ax", "t + loud", "t + pose.qx"}) {
    CAPTURE(text);
    const Diagnostic found = problem(text);
    CHECK(found.code == "event-sensor");
    CHECK(found.origin.line == 7);
    CHECK(found.origin.column == 16);
  }
  CHECK(problem("pose.a").code == "expression-unknown-name");
  CHECK(problem("pose").code == "expression-unknown-name");
  CHECK(problem("posee.x").code == "expression-unknown-name");
  spec.events.clear();
  watch(spec, "event", "pose.qw - 0.9");
  CHECK(compile(spec).ok());
}

TEST_CASE("events by formula and by function are found at their times, in their directions") {
  for (const Method method : {Method::rk4, Method::dormand_prince}) {
    CAPTURE(facts(method).name);
    SceneSpec spec = fall();
    start(spec, "slide", 0.0, 3.0);
    spec.initial.erase(spec.initial.begin());
    spec.run.method = method;
    watch(spec, "up", "q.slide - 0.25", EventDirection::rising);
    watch(spec, "down", "q.slide - 0.25", EventDirection::falling);
    watch(spec, "both", "q.slide - 0.25");
    CoordinateEvent own(compile(spec).value().model(), "slide", 0.25);
    const UserEvent events[] = {{"own", {&own, EventDirection::rising}, false}};
    Moving moving(spec, {.events = events});
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    const double root = std::sqrt(9.0 - 2.0 * kGravity * 0.25), first = (3.0 - root) / kGravity,
                 second = (3.0 + root) / kGravity;
    const auto near = [](const std::vector<double>& found, std::initializer_list<double> expected) {
      REQUIRE(found.size() == expected.size());
      std::size_t i = 0;
      for (const double t : expected) CHECK(std::abs(found[i++] - t) <= 1e-12);
    };
    near(moving.times(EventKind::user, "up"), {first});
    near(moving.times(EventKind::user, "down"), {second});
    near(moving.times(EventKind::user, "both"), {first, second});
    near(moving.times(EventKind::user, "own"), {first});
  }
}

TEST_CASE("a terminal event ends the run there; another run goes on as if nothing had been") {
  for (const Method method : {Method::rk4, Method::dormand_prince}) {
    CAPTURE(facts(method).name);
    SceneSpec spec = fall();
    spec.run.method = method;
    watch(spec, "half", "q.slide - 0.5", EventDirection::both, true);
    Moving moving(spec);
    const RunReport report = moving.run();
    CHECK(report.outcome == RunOutcome::event_stopped);
    CHECK(report.ok());
    const double half = std::sqrt(1.0 / kGravity);
    CHECK(std::abs(report.t - half) <= 1e-12);
    CHECK(moving.simulation.state().t == report.t);
    CHECK(moving.recording.column("t").back() == report.t);
    const RunReport rest = moving.run();
    CHECK(rest.outcome == RunOutcome::reached);
    CHECK(rest.t == 0.6);
    CHECK(std::abs(moving.q() - (1.0 - 0.5 * kGravity * 0.36)) <= 1e-13);
    CHECK(moving.times(EventKind::user).empty());
  }
}

TEST_CASE("rows before and after an impact stand at one time, with its events between them") {
  for (const Method method : {Method::rk4, Method::dormand_prince}) {
    CAPTURE(facts(method).name);
    SceneSpec spec = fall();
    spec.run.method = method;
    spec.run.rows = 4;
    limits(spec).lower = 0.0;
    restitution(spec, "slide", 0.5);
    watch(spec, "landing", "q.slide", EventDirection::falling);
    Moving moving(spec);
    REQUIRE(moving.run().outcome == RunOutcome::reached);
    const std::string& order = moving.recording.order;
    const std::size_t first = order.find('e');
    REQUIRE(first != std::string::npos);
    CHECK(order.substr(first, 4) == "erer");  // the user's, the row before, the impact, the row after
    const std::vector<double> t = moving.recording.column("t"), v = moving.recording.column("v.slide");
    CHECK(t[first] == t[first + 1]);
    CHECK(std::abs(t[first] - std::sqrt(2.0 / kGravity)) <= 1e-12);
    CHECK(std::abs(v[first + 1] + 0.5 * v[first]) <= 1e-12);
    CHECK(moving.recording.events()[0].name == "landing");
    CHECK(moving.recording.events()[1].event.kind == EventKind::limit_impact);
    CHECK(moving.recording.events()[1].event.t == t[first]);
    double before = -1.0;
    for (const double time : t) {
      CHECK(time >= before);
      before = time;
    }
  }
}

TEST_CASE("an event is found while everything sticks, and changes nothing") {
  SceneSpec spec = slider_scene(1.0, {0, 0, 0});
  passive(spec).friction = 1.0;
  watch(spec, "noon", "t - 0.4");
  spec.run.step = 0.03;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  REQUIRE(moving.times(EventKind::user).size() == 1);
  CHECK(std::abs(moving.times(EventKind::user)[0] - 0.4) <= 1e-12);
  CHECK(moving.q() == 0.0);
  CHECK(moving.recording.events().size() == 1);
}

TEST_CASE(
    "speeds above their limit are recorded, when they begin and when they end, and the motion goes on as it was") {
  SceneSpec spec = slider_scene();
  start(spec, "slide", 0.0, 3.0);
  spec.run.step = 0.037;
  spec.run.duration = 1.0;
  Moving free(spec);
  REQUIRE(free.run().outcome == RunOutcome::reached);
  limits(spec).speed = 2.5;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  const std::vector<double> over = moving.times(EventKind::speed_over), under = moving.times(EventKind::speed_under);
  REQUIRE(over.size() == 1);
  REQUIRE(under.size() == 1);
  CHECK(std::abs(under[0] - 0.5 / kGravity) <= 1e-12);
  CHECK(std::abs(over[0] - 5.5 / kGravity) <= 1e-12);
  CHECK(std::abs(moving.recording.events()[1].event.values[0] + 2.5) <= 1e-11);
  CHECK(moving.recording.events()[1].event.values[1] == doctest::Approx(2.5).epsilon(1e-14));
  CHECK(std::abs(moving.q() - free.q()) <= 1e-14);
  CHECK(std::abs(moving.v() - free.v()) <= 1e-14);
}

TEST_CASE("an impact may take a speed across its limit") {
  SceneSpec spec = fall();
  limits(spec).lower = 0.0;
  limits(spec).speed = 3.0;  // it lands with 4.4 m/s and leaves with 2.2 m/s
  restitution(spec, "slide", 0.5);
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  const std::vector<double> over = moving.times(EventKind::speed_over), under = moving.times(EventKind::speed_under);
  REQUIRE(over.size() == 1);
  REQUIRE(under.size() == 1);
  CHECK(std::abs(over[0] - 3.0 / kGravity) <= 1e-12);
  CHECK(under[0] == moving.times(EventKind::limit_impact)[0]);
}

TEST_CASE("events at the very end of a run or of a step leave the times of steps as they are") {
  SceneSpec spec = fall();
  spec.run.step = 0.1;
  spec.run.duration = 0.4;
  watch(spec, "a", "t - 0.2");
  watch(spec, "b", "t - 0.4");
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  CHECK(moving.simulation.state().t == 0.4);
  CHECK(moving.simulation.steps() == 4);
  CHECK(moving.times(EventKind::user).size() == 2);
}

TEST_CASE("a force without a value ends the run within one step and names itself; what was before is kept") {
  for (const Method method : {Method::semi_implicit_euler, Method::rk4, Method::dormand_prince, Method::sdirk}) {
    for (const BadForce::Fault fault :
         {BadForce::Fault::says_so, BadForce::Fault::not_a_number, BadForce::Fault::infinite}) {
      for (const bool held : {false, true}) {
        CAPTURE(facts(method).name);
        CAPTURE(static_cast<int>(fault));
        CAPTURE(held);
        SceneSpec spec = slider_scene();
        if (held) passive(spec).friction = 100.0;
        spec.run.method = method;
        spec.run.step = spec.run.largest_step = 0.02;
        BadForce bad(fault, 0.5);
        ForceElement* const forces[] = {&bad};
        Moving moving(spec, {.forces = forces});
        const RunReport report = moving.run();
        CHECK(!report.ok());
        const bool typed = report.outcome == RunOutcome::no_acceleration || report.outcome == RunOutcome::not_finite;
        CHECK_MESSAGE(typed, report.text);
        INFO(report.text);
        CHECK(report.t <=
              0.5 + (method == Method::semi_implicit_euler ? 0.02 : 0.0));  // it looks at starts of steps only
        CHECK(report.t >= 0.48 - 1e-9);
        if (fault == BadForce::Fault::says_so) {
          CHECK(report.text.find("'bad'") != std::string::npos);
        } else {
          CHECK(report.joint == 0);
          CHECK(report.body >= 0);
          CHECK(report.text.find("'slide'") != std::string::npos);
        }
        CHECK(std::isfinite(moving.q()));
        CHECK(moving.recording.rows() >= 20);
        CHECK(moving.recording.column("t").back() <= report.t);
        CHECK(moving.simulation.run().outcome == report.outcome);  // and no further
      }
    }
  }
}

TEST_CASE("a motion that escapes in finite time ends with a step too small, near that time") {
  SceneSpec spec = slider_scene(2.0, {0, 0, 0});
  start(spec, "slide", 0.0, 1.0);  // v = 1/(1 - t)
  spec.run.method = Method::dormand_prince;
  spec.run.duration = 2.0;
  Escape escape;
  ForceElement* const forces[] = {&escape};
  Moving moving(spec, {.forces = forces});
  const RunReport report = moving.run();
  CHECK(!report.ok());
  CHECK_MESSAGE(report.outcome == RunOutcome::step_too_small, report.text);
  CHECK(std::abs(report.t - 1.0) <= 1e-9);
  CHECK(moving.recording.rows() >= 400);
  CHECK(std::isfinite(moving.v()));
}
