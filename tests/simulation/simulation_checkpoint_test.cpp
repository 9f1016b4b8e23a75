#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "pintle/base/random.h"
#include "pintle/simulation/events/event_functions.h"
#include "pintle/simulation/run/checkpoint.h"
#include "pintle/simulation/run/simulation.h"
#include "support/scenes.h"

using namespace test;

namespace {

constexpr double kEnd = 0.8;

/// Takes checkpoints after chosen steps.
class Saver : public StepHandler {
 public:
  explicit Saver(Simulation& simulation, std::vector<std::int64_t> at) : simulation_(simulation), at_(std::move(at)) {}
  bool after_step(std::int64_t step, double, const MotionState&) override {
    for (const std::int64_t wanted : at_)
      if (step == wanted) saved.push_back(simulation_.checkpoint());
    return true;
  }
  std::vector<std::string> saved;

 private:
  Simulation& simulation_;
  std::vector<std::int64_t> at_;
};

/// Takes one after every step that ended at an event.
class EventSaver : public StepHandler {
 public:
  EventSaver(Simulation& simulation, const MemoryRecording& recording)
      : simulation_(simulation), recording_(recording) {}
  bool after_step(std::int64_t, double t, const MotionState&) override {
    const bool at_event = !recording_.events().empty() && recording_.events().back().event.t == t;
    if (at_event && saved.size() < 40) saved.push_back(simulation_.checkpoint());
    return true;
  }
  std::vector<std::string> saved;

 private:
  Simulation& simulation_;
  const MemoryRecording& recording_;
};

std::uint64_t bits(double x) {
  return std::bit_cast<std::uint64_t>(x);
}

std::vector<std::uint64_t> bits(std::span<const double> numbers) {
  std::vector<std::uint64_t> all;
  for (const double x : numbers) all.push_back(bits(x));
  return all;
}

/// Everything an energy balance says.
std::vector<double> numbers_of(const EnergyBalance& energy_balance) {
  std::vector<double> all{energy_balance.now().total(),  energy_balance.energy().rest,  energy_balance.energy().size,
                          energy_balance.linear().rest,  energy_balance.linear().size,  energy_balance.angular().rest,
                          energy_balance.angular().size, energy_balance.start().total()};
  all.insert(all.end(), energy_balance.work().begin(), energy_balance.work().end());
  all.insert(all.end(), energy_balance.clipped().begin(), energy_balance.clipped().end());
  return all;
}

/// The end of a run, as far as it can be told.
struct End {
  explicit End(Simulation& simulation, const MemoryRecording& recording)
      : hash(simulation.state_hash()),
        energy_balance(bits(numbers_of(simulation.energy_balance()))),
        worst(bits(simulation.worst_certificate().certificate.worst())),
        worst_time(bits(simulation.worst_certificate().t)),
        rows(recording.rows()) {}
  bool operator==(const End&) const = default;
  std::uint64_t hash;
  std::vector<std::uint64_t> energy_balance;
  std::uint64_t worst, worst_time;
  std::size_t rows;
};

void check_same_tail(const MemoryRecording& whole, const MemoryRecording& tail) {
  REQUIRE(tail.rows() >= 1);
  const std::size_t after = tail.rows() - 1;  // the first shows where it goes on
  REQUIRE(whole.rows() >= after);
  for (std::size_t i = 0; i < after; ++i)
    REQUIRE(bits(whole.row_at(whole.rows() - after + i)) == bits(tail.row_at(i + 1)));
  REQUIRE(whole.events().size() >= tail.events().size());
  for (std::size_t i = 0; i < tail.events().size(); ++i) {
    const RecordedEvent& a = whole.events()[whole.events().size() - tail.events().size() + i];
    const RecordedEvent& b = tail.events()[i];
    CHECK(a.name == b.name);
    CHECK(a.event.kind == b.event.kind);
    CHECK(bits(a.event.t) == bits(b.event.t));
    CHECK(bits(std::span<const double>(a.event.values)) == bits(std::span<const double>(b.event.values)));
  }
}

}  // namespace

TEST_CASE("simulation checkpoints: a new simulation goes on bit for bit, whatever the scene and the method") {
  RandomStream stream(611);
  std::size_t events = 0;
  for (NamedScene named : all_scenes()) {
    CAPTURE(named.name);
    named.spec.run.rows = 20;  // so that most steps have none: what is seen where a run goes on must not count
    const Scene scene = compile(named.spec).value();
    std::int64_t steps = 0;
    {
      Simulation first(scene);
      const RunReport report = first.run({.until = kEnd});
      REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
      steps = report.steps;
    }
    std::vector<std::int64_t> at;
    for (int i = 0; i < 20; ++i)
      at.push_back(1 + static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(steps))));
    Simulation simulation(scene);
    MemoryRecording recording;
    Saver saver(simulation, at);
    const RunReport report = simulation.run({.until = kEnd, .sink = &recording, .handler = &saver});
    const End end(simulation, recording);
    events += recording.events().size();
    CHECK(report.events == static_cast<std::int64_t>(recording.events().size()));
    REQUIRE(saver.saved.size() == at.size());
    for (const std::string& bytes : saver.saved) {
      Simulation other(scene);
      REQUIRE(other.resume(bytes));
      CHECK((other.checkpoint() == bytes));
      const std::int64_t from = other.steps();
      CAPTURE(from);
      MemoryRecording tail;
      const RunReport again = other.run({.until = kEnd, .sink = &tail});
      CHECK(again.steps == report.steps);
      CHECK(again.rejected == report.rejected);
      CHECK(again.events == report.events);
      End reached(other, tail);
      reached.rows = end.rows;
      CHECK(reached == end);
      check_same_tail(recording, tail);
    }
  }
  CHECK(events > 30);
}

TEST_CASE("simulation checkpoints: samples on the grid of the steps are taken once, wherever the run was interrupted") {
  SceneSpec spec = driven_scene();
  spec.run.step = 1e-3;
  spec.controllers[0].sampling = {.period = 3e-3, .offset = 0.0, .delay = 7e-3};
  const Scene scene = compile(spec).value();
  std::vector<std::int64_t> all;
  for (int i = 1; i < 300; ++i) all.push_back(i);
  Simulation simulation(scene);
  Saver saver(simulation, all);
  (void)simulation.run({.until = 0.3, .handler = &saver});
  for (const std::string& bytes : saver.saved) {
    Simulation other(scene);
    REQUIRE(other.resume(bytes));
    CAPTURE(other.steps());
    (void)other.run({.until = 0.3});
    REQUIRE(other.state_hash() == simulation.state_hash());
  }
}

TEST_CASE("simulation checkpoints: between events at one instant") {
  // Two hinges that are equal in all meet their limits, come to rest and turn at the same times.
  SceneSpec spec;
  for (int i = 0; i < 2; ++i) {
    add_bar(spec.model, 0.0, 0.5);
    JointSpec& joint = spec.model.joints.back();
    joint.parent = kWorld;
    JointLimits limits;
    limits.upper = 0.8;
    joint.limits = {limits};
    JointPassive passive;
    passive.friction = 0.2;
    joint.passive = {passive};
    JointLimitSpec limit;
    limit.joint = joint.name;
    limit.restitution = 0.7;
    spec.joint_limits.push_back(limit);
  }
  EventSpec event;
  event.name = "at the joint limit";
  event.expression = "q.joint0 - 0.8";
  spec.events = {event};
  spec.run.method = Method::dormand_prince;  // its steps end at every event
  const Scene scene = compile(spec).value();
  Simulation simulation(scene);
  MemoryRecording recording;
  EventSaver saver(simulation, recording);
  REQUIRE(simulation.run({.until = 2.2, .sink = &recording, .handler = &saver}).outcome == RunOutcome::reached);
  CHECK(recording.events().size() > 10);
  CHECK(saver.saved.size() > 10);
  const End end(simulation, recording);
  for (const std::string& bytes : saver.saved) {
    Simulation other(scene);
    REQUIRE(other.resume(bytes));
    MemoryRecording tail;
    (void)other.run({.until = 2.2, .sink = &tail});
    End reached(other, tail);
    reached.rows = end.rows;
    REQUIRE(reached == end);
    check_same_tail(recording, tail);
  }
}

TEST_CASE("simulation checkpoints: twice, from a run that had stopped, and back in time") {
  const Scene scene = compile(driven_scene()).value();
  Simulation simulation(scene), other(scene);
  (void)simulation.run({.until = 0.25});
  const std::string first = simulation.checkpoint();
  (void)simulation.run({.until = 0.75});
  const std::uint64_t hash = simulation.state_hash();
  REQUIRE(other.resume(first));
  CHECK(other.checkpoint() == first);
  (void)other.run({.until = 0.5});
  const std::string second = other.checkpoint();
  REQUIRE(simulation.resume(second));  // it was further on
  CHECK(simulation.state_hash() == other.state_hash());
  (void)simulation.run({.until = 0.75});
  CHECK(simulation.state_hash() == hash);
}

TEST_CASE("simulation checkpoints: a run that failed stays failed, with its reason") {
  SceneSpec spec = chain_scene();
  spec.run.certificate_limit = 1e-18;
  const Scene scene = compile(spec).value();
  Simulation simulation(scene), other(scene);
  const RunReport report = simulation.run();
  REQUIRE(other.resume(simulation.checkpoint()));
  const RunReport again = other.run();
  CHECK(again.outcome == RunOutcome::over_certificate);
  CHECK(again.text == report.text);
  CHECK(again.body == report.body);
}

namespace {

/// A caller's own force: a constant effort on the first dof.
class Push : public ForceElement {
 public:
  explicit Push(double effort) : effort_(effort) {}
  std::string_view name() const override { return "own push"; }
  ForcePower apply(const Model&, const ForceInput& in, const ForceOutput& out) override {
    out.tau[0] += effort_;
    return {.power = effort_ * in.v[0]};
  }

 private:
  double effort_;
};

/// The code with which a simulation refuses the checkpoint of another; nothing when it takes it.
std::string refusal(const SceneSpec& of, const SceneSpec& by) {
  const std::string bytes = Simulation(compile(of).value()).checkpoint();
  Simulation other(compile(by).value());
  const Result<void> resumed = other.resume(bytes, Origin("run.checkpoint"));
  if (resumed) return "";
  REQUIRE(resumed.diagnostics().size() == 1);
  CHECK(resumed.diagnostics()[0].origin.file == "run.checkpoint");
  CHECK(!resumed.diagnostics()[0].fix.empty());
  return resumed.diagnostics()[0].code;
}

}  // namespace

TEST_CASE("simulation checkpoints: those of another scene are refused, be it another by one unit in the last place") {
  const SceneSpec spec = driven_scene();
  CHECK(refusal(spec, spec) == "");
  const auto next = [](double& x) { x = std::nextafter(x, __builtin_inf()); };
  const auto changed = [&](auto change) {
    SceneSpec other = spec;
    change(other);
    return refusal(spec, other);
  };
  const char* const code = "checkpoint-scene";
  CHECK(changed([&](SceneSpec& s) { next(s.line_springs[0].stiffness); }) == code);
  CHECK(changed([&](SceneSpec& s) { next(s.line_springs[1].damping); }) == code);
  CHECK(changed([&](SceneSpec& s) { next(s.controllers[0].ki); }) == code);
  CHECK(changed([&](SceneSpec& s) { next(s.controllers[0].sampling.delay); }) == code);
  CHECK(changed([&](SceneSpec& s) { next(s.controllers[1].integral_limit); }) == code);
  CHECK(changed([&](SceneSpec& s) { next(s.drags[0].rotational_quadratic); }) == code);
  CHECK(changed([&](SceneSpec& s) { s.body_forces[0].force[1] = formula("0.20"); }) == code);
  CHECK(changed([&](SceneSpec& s) { s.prescribed[0].drive = formula("0.4*sin(6.0*t)"); }) == code);
  CHECK(changed([&](SceneSpec& s) { next(s.model.gravity.z); }) == code);
  CHECK(changed([&](SceneSpec& s) { next(s.model.bodies[2].inertia.inertia.xy); }) == code);
  CHECK(changed([&](SceneSpec& s) { next(s.model.joints[1].X_PJ.translation.x); }) == code);
  CHECK(changed([&](SceneSpec& s) { next(s.model.joints[1].passive[0].damping); }) == code);
  CHECK(changed([&](SceneSpec& s) { next(s.model.joints[0].axis.y); }) == code);
  CHECK(changed([&](SceneSpec& s) { next(s.initial[0].q[0]); }) == code);
  CHECK(changed([&](SceneSpec& s) { s.run.method = Method::rk4_quaternion; }) == code);
  CHECK(changed([&](SceneSpec& s) { next(s.run.step); }) == code);
  CHECK(changed([&](SceneSpec& s) { s.run.energy_balance = false; }) == code);
  CHECK(changed([&](SceneSpec& s) { s.run.t0 = 1.0; }) == code);
  SceneSpec limits = limit_scene(), other = limits;
  next(other.joint_limits[0].restitution);
  CHECK(refusal(limits, other) == code);
  other = limits;
  other.events[0].direction = EventDirection::rising;
  CHECK(refusal(limits, other) == code);
  // What the motion does not depend on may differ: how long to run, what to measure and how often.
  CHECK(changed([&](SceneSpec& s) { s.run.duration = 5.0; }) == "");
  CHECK(changed([&](SceneSpec& s) { s.run.rows = 10; }) == "");
  CHECK(changed([&](SceneSpec& s) { s.sensors.clear(); }) == "");
}

TEST_CASE("simulation checkpoints: another force or event of the caller's is another scene") {
  const Scene scene = compile(chain_scene()).value();
  Push one(1.0), two(2.0), same(1.0);
  ForceElement* const with_one[] = {&one};
  ForceElement* const with_two[] = {&two};
  ForceElement* const with_same[] = {&same};
  const std::string bytes = Simulation(scene, {.forces = with_one}).checkpoint();
  CHECK(Simulation(scene, {.forces = with_same}).resume(bytes).ok());
  CHECK(!Simulation(scene, {.forces = with_two}).resume(bytes).ok());
  CHECK(!Simulation(scene).resume(bytes).ok());
  TimeEvent half(0.5);
  UserEvent event;
  event.name = "half";
  event.witness = {&half, EventDirection::both, false};
  event.terminal = true;
  CHECK(!Simulation(scene, {.forces = with_same, .events = std::span(&event, 1)}).resume(bytes).ok());
}

TEST_CASE("simulation checkpoints: damaged bytes are refused, and the simulation stays as it was") {
  const Scene scene = compile(driven_scene()).value();
  Simulation simulation(scene), other(scene), untouched(scene);
  (void)simulation.run({.until = 0.2});
  const std::string bytes = simulation.checkpoint();
  (void)other.run({.until = 0.1});
  (void)untouched.run({.until = 0.1});
  RandomStream stream(612);
  for (int i = 0; i < 200; ++i) {
    std::string damaged = bytes;
    damaged[stream.below(bytes.size())] ^= static_cast<char>(1 + stream.below(255));
    CHECK(!other.resume(damaged).ok());
    CHECK(!other.resume(bytes.substr(0, stream.below(bytes.size()))).ok());
  }
  CHECK(!other.resume("").ok());
  CHECK(other.checkpoint() == untouched.checkpoint());
  (void)other.run({.until = 0.3});
  (void)untouched.run({.until = 0.3});
  CHECK(other.state_hash() == untouched.state_hash());
}
