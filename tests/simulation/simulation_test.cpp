#include "pintle/simulation/run/simulation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "pintle/base/usage_error.h"
#include "pintle/model/edit/model_builder.h"
#include "pintle/simulation/events/event_functions.h"
#include "support/scenes.h"

using namespace test;

namespace {

/// Keeps what it is told; stops after so many steps.
class Listener : public StepHandler {
 public:
  explicit Listener(std::int64_t most = -1) : most_(most) {}
  bool after_step(std::int64_t step, double t, const MotionState& state) override {
    CHECK(state.t == t);
    numbers.push_back(step);
    times.push_back(t);
    q.push_back(state.q);
    return step != most_;
  }
  std::vector<std::int64_t> numbers;
  std::vector<double> times;
  std::vector<std::vector<double>> q;

 private:
  std::int64_t most_;
};

/// A sink that takes a number of calls and then says no.
class Reluctant : public RecordSink {
 public:
  Reluctant(int calls, RecordOutcome outcome) : left_(calls), outcome_(outcome) {}
  RecordReport begin(std::span<const Column>) override { return answer(); }
  RecordReport row(std::span<const double>) override { return answer(); }
  RecordReport event(const EventRecord&) override { return answer(); }
  RecordReport end() override {
    ++ends;
    return {};
  }
  int ends = 0;

 private:
  RecordReport answer() {
    if (left_-- > 0) return {};
    return {outcome_, "no room in the attic"};
  }
  int left_;
  RecordOutcome outcome_;
};

Scene scene_of(SceneSpec spec, double t0, double h, Method method = Method::rk4) {
  spec.run.t0 = t0;
  spec.run.step = h;
  spec.run.method = method;
  return compile(spec).value();
}

SceneSpec pendulum() {
  SceneSpec spec;
  add_bar(spec.model, 0.0, 1.0);
  spec.initial = {at("joint0", {0.5})};
  return spec;
}

std::vector<double> row_times(const Scene& scene, double until) {
  Simulation simulation(scene);
  MemoryRecording recording;
  CHECK(simulation.run({.until = until, .sink = &recording}).outcome == RunOutcome::reached);
  return recording.column("t");
}

}  // namespace

TEST_CASE("simulation: step n ends at t0 + n h to the bit") {
  for (const double h : {0.1, 1.0 / 3.0, 1e-3}) {
    for (const double t0 : {0.0, 100.0, -5.0}) {
      for (const Method method : {Method::rk4, Method::sdirk, Method::symplectic_midpoint}) {
        SceneSpec spec = pendulum();
        spec.run.fixed_step = true;
        Simulation simulation(scene_of(spec, t0, h, method));
        CHECK(simulation.step_length() == h);
        for (int n = 1; n <= 200; ++n) {
          REQUIRE(simulation.step().outcome == RunOutcome::reached);
          REQUIRE(simulation.state().t == t0 + n * h);
          REQUIRE(simulation.steps() == n);
        }
      }
    }
  }
}

TEST_CASE("simulation: the last step ends on the time asked for to the bit, and the next run is back on the grid") {
  for (const double h : {0.1, 1.0 / 3.0, 1e-3}) {
    for (const double t0 : {0.0, 100.0, -5.0}) {
      const Scene scene = scene_of(pendulum(), t0, h);
      Simulation simulation(scene);
      const double until = t0 + 10.37 * h;
      RunReport report = simulation.run({.until = until});
      CHECK(report.outcome == RunOutcome::reached);
      CHECK(report.t == until);
      CHECK(simulation.state().t == until);
      CHECK(report.steps == 11);
      Listener listener;
      report = simulation.run({.until = t0 + 15 * h, .handler = &listener});
      for (int n = 11; n <= 15; ++n) CHECK(listener.times[static_cast<std::size_t>(n - 11)] == t0 + n * h);
      CHECK(report.steps == 16);
      // A time a rounding beside the grid is that of the grid: no step of no length.
      const double beside = std::nextafter(t0 + 17 * h, kInfinity<double>);
      report = simulation.run({.until = beside});
      CHECK(report.steps == 18);
      CHECK(report.t == beside);
      (void)simulation.step();
      CHECK(simulation.state().t == t0 + 18 * h);
    }
  }
  for (const Method method : {Method::dormand_prince, Method::sdirk}) {
    Simulation simulation(scene_of(pendulum(), 0.0, 0.0, method));
    CHECK(simulation.run({.until = 0.123}).t == 0.123);
    CHECK(simulation.run({.until = 1.0 / 3.0}).t == 1.0 / 3.0);
  }
}

TEST_CASE("simulation: in pieces, by steps or at once is the same to the bit, and so is a second time") {
  for (NamedScene named : all_scenes()) {
    CAPTURE(named.name);
    named.spec.run.fixed_step = true;
    named.spec.run.step = 0x1p-9;
    const Scene scene = compile(named.spec).value();
    Simulation whole(scene), pieces(scene), steps(scene);
    REQUIRE(whole.run({.until = 0.5}).outcome == RunOutcome::reached);
    for (const double until : {0.125, 0.125, 0.25, 0.5})
      REQUIRE(pieces.run({.until = until}).outcome == RunOutcome::reached);
    while (steps.state().t < 0.5) REQUIRE(steps.step().outcome == RunOutcome::reached);
    CHECK(whole.steps() == 256);
    CHECK(pieces.state_hash() == whole.state_hash());
    CHECK(steps.state_hash() == whole.state_hash());
    const std::uint64_t hash = whole.state_hash();
    whole.reset();
    CHECK(whole.state_hash() != hash);
    CHECK(whole.state_hash() == Simulation(scene).state_hash());
    REQUIRE(whole.run({.until = 0.5}).outcome == RunOutcome::reached);
    CHECK(whole.state_hash() == hash);
  }
}

TEST_CASE("simulation: a reset in the middle of events starts anew, with error control too") {
  for (const NamedScene& named : all_scenes()) {
    CAPTURE(named.name);
    Simulation simulation(compile(named.spec).value());
    const RunReport first = simulation.run({.until = 0.31});
    const std::uint64_t hash = simulation.state_hash();
    (void)simulation.run({.until = 0.47});
    simulation.reset();
    const RunReport second = simulation.run({.until = 0.31});
    CHECK(simulation.state_hash() == hash);
    CHECK(second.steps == first.steps);
    CHECK(second.rejected == first.rejected);
    CHECK(second.events == first.events);
  }
}

TEST_CASE("simulation: the handler sees step, time and state, may stop the run, and the run may go on") {
  const Scene scene = scene_of(pendulum(), 0.0, 0.01);
  Simulation whole(scene), stopped(scene);
  Listener all, some(7);
  (void)whole.run({.handler = &all});
  CHECK(all.numbers.size() == 100);
  const RunReport report = stopped.run({.handler = &some});
  CHECK(report.outcome == RunOutcome::handler_stopped);
  CHECK(report.ok());
  CHECK(report.steps == 7);
  CHECK(report.t == 0.07);
  CHECK(report.text.find("handler") != std::string::npos);
  CHECK(some.q == std::vector(all.q.begin(), all.q.begin() + 7));
  const RunReport step = stopped.step();
  CHECK(step.outcome == RunOutcome::reached);
  CHECK(step.text.empty());
  CHECK(stopped.run().outcome == RunOutcome::reached);
  CHECK(stopped.state_hash() == whole.state_hash());
}

TEST_CASE("simulation: rows: about a thousand, with the first and the last, or every so many steps") {
  SceneSpec spec = pendulum();
  spec.run.duration = 1.0;
  // As many steps as rows, ten times as many, numbers that do not divide, few.
  CHECK(row_times(scene_of(spec, 0.0, 1e-3), 1.0).size() == 1001);
  CHECK(row_times(scene_of(spec, 0.0, 1e-4), 1.0).size() == 1001);
  std::vector<double> times;
  for (const double step : {1.0 / 3456.0, 1.0 / 64.0}) {
    times = row_times(scene_of(spec, 0.0, step), 1.0);
    REQUIRE(times.size() == 1001);
    for (std::size_t i = 0; i < times.size(); ++i) CHECK(std::abs(times[i] - static_cast<double>(i) / 1000.0) < 1e-11);
    CHECK(times.back() == 1.0);
  }
  spec.run.row_every = 7;
  times = row_times(scene_of(spec, 0.0, 1.0 / 64.0), 1.0);
  CHECK(times.size() == 1 + 9 + 1);
  CHECK(times[1] == 7.0 / 64.0);
  CHECK(times.back() == 1.0);
  spec.run.row_every = 0;
  spec.run.rows = 10;
  CHECK(row_times(scene_of(spec, 0.0, 1e-3), 1.0).size() == 11);
  // Not on the grid.
  times = row_times(scene_of(spec, 0.0, 1e-3), 0.9995);
  CHECK(times.back() == 0.9995);
}

TEST_CASE("simulation: rows within fixed steps are on the motion, and do not change it") {
  SceneSpec spec = pendulum();
  const auto record = [&](double step, int rows, MemoryRecording& recording) {
    spec.run.rows = rows;
    Simulation simulation(scene_of(spec, 0.0, step));
    REQUIRE(simulation.run({.sink = &recording}).ok());
    return simulation.state_hash();
  };
  MemoryRecording coarse, fine;
  const std::uint64_t hash = record(7e-3, 1000, coarse);
  record(1e-4, 1000, fine);
  REQUIRE(coarse.rows() == fine.rows());
  for (const char* const name : {"t", "q.joint0", "v.joint0", "energy.total"}) {
    const std::vector<double> x = coarse.column(name), y = fine.column(name);
    double worst = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
    CHECK_MESSAGE(worst < 2e-7, name);  // (w h)^4/384 of the interpolant, w = 4/s
  }
  MemoryRecording few, none;
  CHECK(record(7e-3, 3, few) == hash);
  Simulation unrecorded(scene_of(spec, 0.0, 7e-3));
  REQUIRE(unrecorded.run().ok());
  CHECK(unrecorded.state_hash() == hash);
}

TEST_CASE("simulation: a fall in a single step has its parabola in the rows") {
  SceneSpec spec;
  ModelBuilder model("stone");
  model.gravity({0.0, 0.0, -10.0});
  model.body("stone", spatial_inertia(1.0, Vec3<>{0.0, 0.0, 0.0}, diagonal(Vec3<>{1e-3, 1e-3, 1e-3}))).free("flight");
  spec.model = model.spec();
  spec.run.duration = 0.5;
  Simulation simulation(compile(spec).value());
  MemoryRecording recording;
  REQUIRE(simulation.run({.sink = &recording}).ok());
  CHECK(simulation.steps() <= 6);
  const std::vector<double> t = recording.column("t"), z = recording.column("q.flight.z");
  REQUIRE(t.size() == 1001);
  for (std::size_t i = 0; i < t.size(); ++i) CHECK(std::abs(z[i] + 5.0 * t[i] * t[i]) < 1e-14);
}

TEST_CASE("simulation: rows of methods that choose their steps are at equal distances to the bit") {
  SceneSpec spec = pendulum();
  for (const Method method : {Method::dormand_prince, Method::sdirk}) {
    const std::vector<double> times = row_times(scene_of(spec, -5.0, 0.0, method), -5.0 + 1.0);
    REQUIRE(times.size() == 1001);
    for (std::size_t i = 0; i < times.size(); ++i) CHECK(times[i] == -5.0 + static_cast<double>(i) * 1.0 / 1000.0);
  }
  // A run in pieces: those of the whole time, from where it is on.
  Simulation simulation(scene_of(spec, 0.0, 0.0, Method::dormand_prince));
  MemoryRecording recording;
  (void)simulation.run({.until = 0.5});
  (void)simulation.run({.until = 1.0, .sink = &recording});
  CHECK(recording.rows() == 501);
  CHECK(recording.column("t")[1] == 0.501);
}

TEST_CASE("simulation: rows hold the state they belong to, and an event adds one") {
  SceneSpec spec = pendulum();
  EventSpec event;
  event.name = "down";
  event.expression = "q.joint0 - pi/2";
  spec.events = {event};
  for (const Method method : {Method::rk4, Method::dormand_prince}) {
    Simulation simulation(scene_of(spec, 0.0, 1e-2, method));
    MemoryRecording recording;
    const RunReport report = simulation.run({.sink = &recording});
    REQUIRE(recording.events().size() == 1);
    CHECK(report.events == 1);
    CHECK(recording.events()[0].name == "down");
    CHECK(recording.rows() == 1002);
    const std::vector<double> times = recording.column("t"), q = recording.column("q.joint0");
    CHECK(std::is_sorted(times.begin(), times.end()));
    CHECK(std::count(times.begin(), times.end(), recording.events()[0].event.t) == 1);
    CHECK(q.front() == 0.5);
    CHECK(q.back() == simulation.state().q[0]);
    CHECK(recording.column("v.joint0").back() == simulation.state().v[0]);
    const Simulation::Motion motion = simulation.motion();
    CHECK(recording.column("a.joint0").back() == motion.vdot[0]);
    CHECK(recording.column("tau.joint0").back() == motion.tau[0]);
    CHECK(recording.column("energy.total").back() == simulation.energy_balance().now().total());
  }
}

TEST_CASE("simulation: the step is estimated where none is given") {
  for (const Method method : {Method::rk4, Method::symplectic_midpoint, Method::dormand_prince}) {
    Simulation simulation(scene_of(pendulum(), 0.0, 0.0, method));
    CHECK(simulation.step_length() > 1e-6);
    CHECK(simulation.step_length() < 0.1);
    CHECK(simulation.run().outcome == RunOutcome::reached);
    CHECK(simulation.run({.until = 1.0}).steps == simulation.steps());
  }
}

TEST_CASE("simulation: a run of no duration has one row") {
  SceneSpec spec = pendulum();
  spec.run.duration = 0.0;
  for (const Method method : {Method::rk4, Method::dormand_prince}) {
    CHECK(row_times(scene_of(spec, 3.0, 0.01, method), 3.0) == std::vector<double>{3.0});
    Simulation simulation(scene_of(spec, 3.0, 0.01, method));
    const RunReport report = simulation.run();
    CHECK(report.steps == 0);
    CHECK(report.t == 3.0);
    CHECK(report.outcome == RunOutcome::reached);
  }
}

TEST_CASE("simulation: nothing that moves, no bodies at all") {
  Simulation simulation(compile(SceneSpec{}).value());
  MemoryRecording recording;
  CHECK(simulation.run({.sink = &recording}).outcome == RunOutcome::reached);
  CHECK(recording.rows() >= 2);
  CHECK(simulation.energy_balance().energy().rest == 0.0);
}

TEST_CASE("simulation: a time that is past or none is a wrong call") {
  Simulation simulation(scene_of(pendulum(), 0.0, 0.01));
  (void)simulation.run({.until = 0.5});
  CHECK_THROWS_AS((void)simulation.run({.until = 0.25}), UsageError);
  CHECK_THROWS_AS((void)simulation.run({.until = kInfinity<double>}), UsageError);
  CHECK(simulation.run({.until = 0.5}).steps == 50);
}

TEST_CASE("simulation: a sink that takes no more stops the run, with its reason") {
  for (const RecordOutcome outcome : {RecordOutcome::full, RecordOutcome::failed, RecordOutcome::stopped}) {
    for (const Method method : {Method::rk4, Method::dormand_prince}) {
      for (const int calls : {0, 1, 2, 50}) {
        SceneSpec spec = limit_scene();
        Simulation simulation(scene_of(spec, 0.0, 2e-3, method));
        Reluctant sink(calls, outcome);
        const RunReport report = simulation.run({.sink = &sink});
        CHECK(report.outcome == RunOutcome::recording_ended);
        CHECK(!report.ok());
        CHECK(report.text.find("no room in the attic") != std::string::npos);
        CHECK(sink.ends == 1);
        CHECK(report.t < 1.0);
        CHECK(simulation.run().outcome == RunOutcome::recording_ended);
        CHECK(simulation.step().steps == report.steps);
        simulation.reset();
        CHECK(simulation.run().outcome == RunOutcome::reached);
      }
    }
  }
  Simulation simulation(scene_of(pendulum(), 0.0, 1e-3));
  MemoryRecording recording({.rows = 10});
  CHECK(simulation.run({.sink = &recording}).outcome == RunOutcome::recording_ended);
  CHECK(recording.rows() == 10);
}

TEST_CASE("simulation: a sink that throws is let go") {
  class Thrower : public RecordSink {
   public:
    RecordReport begin(std::span<const Column>) override { return {}; }
    RecordReport row(std::span<const double>) override {
      if (++rows == 5) throw std::runtime_error("disk");
      return {};
    }
    RecordReport event(const EventRecord&) override { return {}; }
    int rows = 0;
  };
  const Scene scene = scene_of(pendulum(), 0.0, 1e-2);
  Simulation simulation(scene), other(scene);
  Thrower thrower;
  CHECK_THROWS_AS((void)simulation.run({.sink = &thrower}), std::runtime_error);
  CHECK(simulation.run().outcome == RunOutcome::reached);
  CHECK(thrower.rows == 5);
  (void)other.run();
  CHECK(simulation.state_hash() == other.state_hash());
}

TEST_CASE("simulation: columns have names of their own and units, the time first, documented ones") {
  for (const NamedScene& named : all_scenes()) {
    Simulation simulation(compile(named.spec).value());
    std::set<std::string> names;
    for (const Column& column : simulation.columns()) {
      CHECK(names.insert(column.name).second);
      CHECK(!column.unit.empty());
    }
    CHECK(simulation.columns()[0] == Column{"t", "s"});
    for (const char* const name : {"energy.kinetic", "energy.gravity", "energy.springs", "energy.stored",
                                   "energy.total", "energy.residual", "momentum.px", "momentum.Lz", "certificate"})
      CHECK(names.count(name) == 1);
  }
  Simulation driven(compile(driven_scene()).value());
  std::set<std::string> names;
  for (const Column& column : driven.columns()) names.insert(column.name);
  for (const char* const name :
       {"q.joint0", "v.joint3", "a.joint1", "tau.joint2", "work.servo", "clipped.servo", "work.wave", "work.rope",
        "work.air", "work.damper.joint0", "tip.x", "imu.az", "height"})
    CHECK(names.count(name) == 1);
}

TEST_CASE("simulation: the hash changes with every number of the state") {
  const NamedScene named{"driven", driven_scene()};
  SceneSpec spec = named.spec;
  const auto hash_of = [&] { return Simulation(compile(spec).value()).state_hash(); };
  std::set<std::uint64_t> hashes{hash_of()};
  spec.initial[0].q[0] = std::nextafter(spec.initial[0].q[0], 1.0);
  CHECK(hashes.insert(hash_of()).second);
  spec.initial[1].v[0] = std::nextafter(spec.initial[1].v[0], 2.0);
  CHECK(hashes.insert(hash_of()).second);
  spec.run.t0 = 1e-300;
  CHECK(hashes.insert(hash_of()).second);
  Simulation simulation(compile(spec).value());
  for (int i = 0; i < 100; ++i) {
    (void)simulation.step();
    CHECK(hashes.insert(simulation.state_hash()).second);
  }
}

TEST_CASE("simulation: certificates of every row, the worst is kept; none when they are off") {
  for (const NamedScene& named : all_scenes()) {
    CAPTURE(named.name);
    Simulation simulation(compile(named.spec).value());
    MemoryRecording recording;
    (void)simulation.run({.until = 0.3, .sink = &recording});
    const std::vector<double> all = recording.column("certificate"), times = recording.column("t");
    const auto worst = std::max_element(all.begin(), all.end());
    CHECK(simulation.worst_certificate().certificate.worst() == *worst);
    CHECK(simulation.worst_certificate().t == times[static_cast<std::size_t>(worst - all.begin())]);
    CHECK(*worst < 1e-11);  // measured: at most 2e-13, of nearly balanced powers
  }
  SceneSpec spec = chain_scene();
  spec.run.certificate = false;
  Simulation simulation(compile(spec).value());
  MemoryRecording recording;
  (void)simulation.run({.sink = &recording});
  CHECK(simulation.worst_certificate().certificate.worst() == 0.0);
  CHECK_THROWS_AS((void)recording.column("certificate"), UsageError);
}

TEST_CASE("simulation: a certificate over its limit stops the run and names the body; with or without a sink") {
  SceneSpec spec = chain_scene();
  spec.run.certificate_limit = 1e-18;
  const Scene scene = compile(spec).value();
  for (const bool record : {false, true}) {
    Simulation simulation(scene);
    MemoryRecording recording;
    const RunReport report = simulation.run({.sink = record ? &recording : nullptr});
    CHECK(report.outcome == RunOutcome::over_certificate);
    CHECK(report.body >= 0);
    CHECK(report.text.find("'bar" + std::to_string(report.body) + "'") != std::string::npos);
    CHECK(report.text.find("certificate_limit") != std::string::npos);
    if (record) CHECK(recording.rows() >= 1);
  }
  // By default a run stops where half of what a law demands is missing.
  CHECK(RunSpec{}.certificate_limit == 0.5);
  spec.run.certificate_limit = 0x1p-34;
  Simulation simulation(compile(spec).value());
  CHECK(simulation.run().outcome == RunOutcome::reached);
}

TEST_CASE("simulation: energy balance and certificates change no bit of the motion") {
  for (NamedScene named : all_scenes()) {
    CAPTURE(named.name);
    named.spec.run.fixed_step = true;
    Simulation with(compile(named.spec).value());
    named.spec.run.energy_balance = named.spec.run.certificate = false;
    Simulation without(compile(named.spec).value());
    MemoryRecording recording;
    REQUIRE(with.run({.until = 0.5, .sink = &recording}).outcome == RunOutcome::reached);
    REQUIRE(without.run({.until = 0.5}).outcome == RunOutcome::reached);
    CHECK(with.state().q == without.state().q);
    CHECK(with.state().v == without.state().v);
    CHECK(without.energy_balance().now().total() == with.energy_balance().now().total());
  }
}

TEST_CASE("simulation: watching changes no bit where nothing happens") {
  const Scene scene = scene_of(chain_scene(), 0.0, 1e-2);
  Simulation plain(scene);
  TimeEvent never(100.0);
  UserEvent event;
  event.name = "never";
  event.witness = {&never, EventDirection::both, true};
  Simulation watched(scene, {.events = std::span(&event, 1)});
  (void)plain.run();
  (void)watched.run();
  CHECK(plain.state_hash() == watched.state_hash());
}

TEST_CASE("simulation: what stops and friction hold stays where it is to the bit, with every method") {
  for (const MethodFacts& method : kMethodFacts) {
    CAPTURE(method.name);
    SceneSpec spec = limit_scene();
    spec.run.method = method.method;
    spec.run.tolerances = {1e-6, 1e-6};
    if (method.method == Method::explicit_euler)  // rebounds gain what they lose
      for (JointLimitSpec& limit : spec.joint_limits) limit.restitution = 0.0;
    Simulation simulation(compile(spec).value());
    REQUIRE(simulation.run({.until = 1.0}).outcome == RunOutcome::reached);
    // By then the first bar lies at its upper limit, and so does the slider.
    REQUIRE(simulation.modes().hold[0] == ActiveConstraint::upper_limit);
    REQUIRE(simulation.modes().hold[2] == ActiveConstraint::upper_limit);
    CHECK(simulation.state().q[0] == 1.2);
    CHECK(simulation.state().v[0] == 0.0);
    CHECK(simulation.state().q[2] == 0.2);
    CHECK(simulation.state().v[2] == 0.0);
    CHECK(simulation.state().v[1] != 0.0);
  }
}
