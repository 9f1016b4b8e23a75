// Joint stops within a running simulation: bounces, rest, release, against closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include "base/count_allocations.h"
#include "pintle/dynamics/solve/search_space.h"
#include "simulation/moving_scenes.h"
#include "support/random_model.h"

using namespace test;

namespace {

constexpr double kGravity = 9.81, kMass = 2.0;

/// A mass that falls from a height onto a joint limit at zero.
SceneSpec falling(double height, double e, Method method, double step) {
  SceneSpec scene = slider_scene(kMass);
  limits(scene).lower = 0.0;
  start(scene, "slide", height, 0.0);
  restitution(scene, "slide", e);
  scene.run.method = method;
  scene.run.step = step;
  return scene;
}

/// When it lands for the nth time, n = 0, 1, ...
double landing(double height, double e, int n) {
  const double fall = std::sqrt(2.0 * height / kGravity);
  double t = fall, hop = 2.0 * fall;
  for (int i = 0; i < n; ++i) t += hop *= e;
  return t;
}

}  // namespace

TEST_CASE("a mass bounces on its limit as often, as high and as long as closed forms say, then rests for ever") {
  const double height = 1.25;
  double worst_time = 0.0, worst_speed = 0.0, worst_work = 0.0, worst_rest = 0.0;
  for (const Method method : {Method::rk4, Method::dormand_prince, Method::rk4_quaternion, Method::sdirk}) {
    for (const double e : {0.0, 0.3, 0.87}) {
      CAPTURE(facts(method).name);
      CAPTURE(e);
      SceneSpec spec = falling(height, e, method, 0.07);
      const double fall = std::sqrt(2.0 * height / kGravity), end = fall * (1.0 + e) / (1.0 - e);
      spec.run.duration = end + 1.0;
      Moving moving(spec);
      const RunReport report = moving.run();
      REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
      const std::vector<double> hits = moving.times(EventKind::limit_impact);
      REQUIRE(hits.size() >= 1);
      double speed = kGravity * fall;
      std::size_t n = 0;
      for (const RecordedEvent& event : moving.recording.events()) {
        if (event.event.kind != EventKind::limit_impact) continue;
        worst_time = worse(worst_time, hits[n] - landing(height, e, static_cast<int>(n)));
        worst_speed = worse(worst_speed, event.event.values[2] + speed);
        speed *= e;
        ++n;
      }
      // What is cut off of the series is no longer than min_rebound_time/(1 - e).
      const std::vector<double> holds = moving.times(EventKind::limit_hold);
      REQUIRE(holds.size() == 1);
      CHECK(std::abs(holds[0] - end) <= (e > 0.0 ? spec.run.min_rebound_time / (1.0 - e) : 0.0) + 1e-11);
      CHECK(moving.q() == 0.0);
      CHECK(moving.v() == 0.0);
      CHECK(std::abs(moving.simulation.motion().tau[0] - kMass * kGravity) <= 1e-14 * kMass * kGravity);
      const double lost = kMass * kGravity * height;
      worst_work = worse(worst_work, moving.work(AccountKind::limit) / lost + 1.0);
      worst_rest = worse(worst_rest, moving.residual());
      const std::vector<double> t = moving.recording.column("t"), q = moving.recording.column("q.slide");
      const std::vector<double> v = moving.recording.column("v.slide");
      for (std::size_t row = 0; row < t.size(); ++row) {
        CHECK(q[row] >= -1e-12);
        if (t[row] > holds[0]) CHECK((q[row] == 0.0 && v[row] == 0.0));
      }
    }
  }
  // Worst seen: landing 1.1e-12 s (after 140 of them), speed 7e-14 m/s, work 2e-14, energy balance 6e-15.
  CHECK(worst_time <= 1e-11);
  CHECK(worst_speed <= 1e-11);
  CHECK(worst_work <= 1e-11);
  CHECK(worst_rest <= 1e-11);
}

TEST_CASE("without loss a mass bounces for ever: a thousand times, and keeps its energy") {
  const double height = 0.4, fall = std::sqrt(2.0 * height / kGravity);
  SceneSpec spec = falling(height, 1.0, Method::rk4, 0.05);
  spec.run.duration = fall * 2001.0;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  const std::vector<double> hits = moving.times(EventKind::limit_impact);
  REQUIRE(hits.size() >= 1000);
  double worst = 0.0;
  for (std::size_t n = 0; n < 1000; ++n)
    worst = worse(worst, hits[n] / (fall * (2.0 * static_cast<double>(n) + 1)) - 1);
  // Worst seen: 4e-13 of the time, 8e-13 of the energy.
  CHECK(worst <= 1e-12);
  CHECK(std::abs(moving.residual()) <= 1e-11);
  CHECK(moving.times(EventKind::limit_hold).empty());
  CHECK(std::abs(moving.simulation.energy_balance().now().total() / (kMass * kGravity * height) - 1.0) <= 1e-11);
}

TEST_CASE("semi-implicit Euler bounces too, with its own error, and comes to rest") {
  SceneSpec spec = falling(1.0, 0.5, Method::semi_implicit_euler, 1e-4);
  spec.run.duration = 2.0;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  CHECK(moving.q() == 0.0);
  CHECK(moving.v() == 0.0);
  const std::vector<double> hits = moving.times(EventKind::limit_impact);
  for (std::size_t n = 0; n < 5; ++n) CHECK(std::abs(hits[n] - landing(1.0, 0.5, static_cast<int>(n))) <= 1e-3);
  CHECK(std::abs(moving.times(EventKind::limit_hold)[0] - 3.0 * std::sqrt(2.0 / kGravity)) <= 1e-2);
}

TEST_CASE("a mass leaves its limit at the instant at which its load turns round") {
  for (const Method method : {Method::rk4, Method::dormand_prince}) {
    for (const bool upper : {false, true}) {
      CAPTURE(facts(method).name);
      CAPTURE(upper);
      SceneSpec spec = slider_scene(kMass, {0, 0, upper ? kGravity : -kGravity});
      (upper ? limits(spec).upper : limits(spec).lower) = upper ? -0.25 : 0.25;
      start(spec, "slide", upper ? -0.25 : 0.25, 0.0);
      motor(spec, "lift", "slide", upper ? "-30*t" : "30*t");
      spec.run.method = method;
      spec.run.step = 0.037;
      spec.run.duration = 1.5;
      Moving moving(spec);
      REQUIRE(moving.run().outcome == RunOutcome::reached);
      const double t = kMass * kGravity / 30.0;
      const std::vector<double> released = moving.times(EventKind::limit_release);
      REQUIRE(released.size() == 1);
      CHECK(std::abs(released[0] - t) <= 1e-12);
      CHECK(moving.times(EventKind::limit_impact).empty());
      const double rise = 1.5 - t;  // m a = 30 (time since the release)
      const double travel = 30.0 * rise * rise * rise / (6.0 * kMass);
      CHECK(std::abs(moving.q() - (upper ? -1.0 : 1.0) * (0.25 + travel)) <= 1e-11);
      CHECK(std::abs(moving.residual()) <= 1e-11);
    }
  }
}

TEST_CASE("a joint limit that carries nothing is left as soon as a load comes, and holds no others back") {
  SceneSpec spec = slider_scene(1.0, {0, 0, 0});
  add_slider(spec.model, "other", 1.0, {1, 0, 0});
  limits(spec, 0).lower = 0.0;
  limits(spec, 1).upper = 0.0;
  motor(spec, "push", "slide", "t");
  motor(spec, "pull", "other", "0.5 - t");
  spec.run.step = 0.11;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  CHECK(std::abs(moving.q(0) - 1.0 / 6.0) <= 1e-11);
  CHECK(std::abs(moving.q(1) + 0.125 / 6.0) <= 1e-11);
  SUBCASE("and unloaded it stays for ever") {
    spec.motors.clear();
    Moving still(spec);
    REQUIRE(still.run().outcome == RunOutcome::reached);
    CHECK(still.q(0) == 0.0);
    CHECK(still.recording.events().empty());
  }
}

TEST_CASE("a pendulum rebounds from a joint limit that turns") {
  // A rod of length 1 swings onto a wall at zero.
  SceneSpec spec;
  spec.model.name = "pendulum";
  add_pendulum(spec.model, "swing", 1.5, 1.0);
  limits(spec).lower = 0.0;
  start(spec, "swing", 0.8, 0.0);
  restitution(spec, "swing", 0.6);
  spec.run.step = 0.01;
  spec.run.duration = 8.0;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  // Energy, and so the speed at each impact, is known in closed form.
  double speed = std::sqrt(2.0 * kGravity * (1.0 - std::cos(0.8)));
  double worst = 0.0;
  int impacts = 0;
  for (const RecordedEvent& event : moving.recording.events()) {
    if (event.event.kind != EventKind::limit_impact) continue;
    worst = worse(worst, event.event.values[2] + speed);
    worst = worse(worst, event.event.values[0] - 1.6 * 1.5 * speed);
    worst = worse(worst, event.event.values[1] - 0.5 * 1.5 * 0.64 * speed * speed);
    speed *= 0.6;
    ++impacts;
  }
  CHECK(impacts >= 4);
  CHECK(worst <= 5e-9);  // RK4 with this step: 2.2e-9
  CHECK(std::abs(moving.residual()) <= 1e-9);
}

TEST_CASE("dofs that hit at one instant are hit together") {
  // Two equal masses on one carriage that slides freely, thrown apart against stops on the carriage.
  SceneSpec spec = slider_scene(3.0, {0, 0, 0});
  add_slider(spec.model, "left", 1.0, {0, 0, -1}, "slide body");
  add_slider(spec.model, "right", 1.0, {0, 0, 1}, "slide body");
  limits(spec, 1).upper = limits(spec, 2).upper = 0.5;
  start(spec, "left", 0.0, 2.0);
  start(spec, "right", 0.0, 2.0);
  restitution(spec, "left", 0.5);
  restitution(spec, "right", 0.5);
  spec.run.step = 0.013;
  Moving moving(spec);
  REQUIRE(moving.run(0.5).outcome == RunOutcome::reached);
  const std::vector<double> hits = moving.times(EventKind::limit_impact);
  REQUIRE(hits.size() == 2);
  CHECK(hits[0] == hits[1]);
  CHECK(std::abs(hits[0] - 0.25) <= 1e-12);
  CHECK(std::abs(moving.v(0)) <= 1e-14);  // by symmetry
  CHECK(std::abs(moving.v(1) + 1.0) <= 1e-12);
  CHECK(std::abs(moving.v(2) + 1.0) <= 1e-12);
  CHECK(std::abs(moving.work(AccountKind::limit) + 3.0) <= 1e-12);
}

TEST_CASE("an impact goes through the tree") {
  // A mass on a carriage hits its limit there: the carriage takes the momentum.
  SceneSpec spec = slider_scene(1.0, {0, 0, 0});
  add_slider(spec.model, "inner", 1.0, {0, 0, 1}, "slide body");
  limits(spec, 1).upper = 0.3;
  start(spec, "inner", 0.0, 1.5);
  restitution(spec, "inner", 1.0);
  spec.run.step = 0.05;
  Moving moving(spec);
  REQUIRE(moving.run(0.3).outcome == RunOutcome::reached);
  CHECK(std::abs(moving.v(0) - 1.5) <= 1e-12);  // equal masses without loss change their speeds
  CHECK(std::abs(moving.v(1) + 1.5) <= 1e-12);
  CHECK(std::abs(moving.simulation.energy_balance().linear().relative()) <= 1e-13);
}

TEST_CASE("the joint limit of a joint that follows another stops its driver") {
  SceneSpec spec = slider_scene(1.0, {0, 0, 0});
  add_slider(spec.model, "follower", 0.5, {1, 0, 0});
  CouplingSpec coupling;
  coupling.joint = "follower";
  coupling.driver = "slide";
  coupling.ratio = -2.0;
  coupling.offset = 0.25;
  spec.model.couplings.push_back(coupling);
  limits(spec, 1).lower = -0.75;  // at slide = 0.5
  start(spec, "slide", 0.0, 1.0);
  restitution(spec, "slide", 0.5);
  spec.run.step = 0.03;
  Moving moving(spec);
  REQUIRE(moving.run(0.75).outcome == RunOutcome::reached);
  const std::vector<double> hits = moving.times(EventKind::limit_impact);
  REQUIRE(hits.size() == 1);
  CHECK(std::abs(hits[0] - 0.5) <= 1e-12);
  CHECK(std::abs(moving.q() - 0.375) <= 1e-12);
  CHECK(std::abs(moving.work(AccountKind::limit) + 0.5 * 3.0 * 0.75) <= 1e-12);  // 1 + 0.5 * 2^2 kg
}

TEST_CASE("equal limits lock a joint, whatever pulls") {
  SceneSpec spec = slider_scene();
  limits(spec).lower = limits(spec).upper = 0.5;
  start(spec, "slide", 0.5, 3.0);
  motor(spec, "pull", "slide", "500*sin(20*t)");
  spec.run.step = 0.01;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  for (const double q : moving.recording.column("q.slide")) CHECK(q == 0.5);
  for (const double v : moving.recording.column("v.slide")) CHECK(v == 0.0);
  CHECK(std::abs(moving.work(AccountKind::limit) + 9.0) <= 1e-13);
  CHECK(std::abs(moving.residual()) <= 1e-13);
}

TEST_CASE("friction and a joint limit at one joint: pressed in it rests, pulled out it sticks, then slides") {
  SceneSpec spec = slider_scene(1.0, {0, 0, 0});
  limits(spec).lower = 0.0;
  passive(spec).friction = 2.0;
  motor(spec, "load", "slide", "-8 + 10*t");
  spec.run.step = 0.03;
  spec.run.duration = 1.2;
  Moving moving(spec);
  REQUIRE(moving.run().outcome == RunOutcome::reached);
  const double away = 1.2 - 1.0;  // it leaves when the load is 2
  CHECK(std::abs(moving.q() - 10.0 * away * away * away / 6.0) <= 1e-12);
  SUBCASE("and one that sticks at its limit may be pressed into it without falling through") {
    spec.motors.clear();
    motor(spec, "load", "slide", "-10*t");
    Moving pressed(spec);
    REQUIRE(pressed.run().outcome == RunOutcome::reached);
    CHECK(pressed.q() == 0.0);
    CHECK(pressed.v() == 0.0);
  }
}

TEST_CASE("rebounds that never end stop the run, with a name for it") {
  SceneSpec spec = falling(1.0, 0.5, Method::rk4, 0.05);
  spec.run.min_rebound_time = 0.0;
  spec.run.duration = 3.0;
  Moving moving(spec);
  const RunReport report = moving.run();
  CHECK(report.outcome == RunOutcome::chattering);
  CHECK(std::abs(report.t - 3.0 * std::sqrt(2.0 / kGravity)) <= 1e-6);
  CHECK(moving.recording.rows() > 20);
  CHECK(!report.text.empty());
}

TEST_CASE("impacts, holds and slips allocate nothing") {
  SceneSpec spec = falling(0.3, 0.5, Method::rk4, 1e-3);
  add_slider(spec.model, "rubs", 1.0, {1, 0, 0}, "slide body");
  passive(spec, 1).friction = 2.0;
  motor(spec, "shake", "rubs", "4*sin(20*t)");
  Moving moving(spec);
  const std::size_t before = count_allocations();
  for (int i = 0; i < 1500; ++i) REQUIRE(moving.simulation.step().ok());
  CHECK(count_allocations() == before);
  CHECK(moving.simulation.modes().hold[0] == ActiveConstraint::lower_limit);
}

TEST_CASE("chains of pendulums with stops and friction never gain energy and never pass a limit") {
  double worst_q = 0.0, worst_gain = 0.0, worst_rest = 0.0;
  int impacts = 0, holds = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    RandomStream stream(31, seed);
    SceneSpec spec;
    spec.model.name = "chain";
    for (int i = 0; i < 5; ++i) {
      const std::string name = "j" + std::to_string(i);
      const double length = stream.uniform(0.2, 0.6), mass = stream.uniform(0.3, 2.0);
      add_pendulum(spec.model, name, mass, length, i == 0 ? kWorld : "j" + std::to_string(i - 1) + " body",
                   {0, 0, i == 0 ? 0.0 : -0.4});
      JointSpec& joint = spec.model.joints.back();
      if (stream.uniform() < 0.3) joint.axis = uniform_direction(stream);
      joint.limits[0].lower = -stream.uniform(0.2, 1.5);
      joint.limits[0].upper = stream.uniform(0.2, 1.5);
      joint.passive[0].armature = 0.01;
      if (stream.uniform() < 0.4) joint.passive[0].friction = stream.uniform(0.0, 0.5);
      const double q0 = stream.uniform(-0.2, 0.2), v0 = stream.uniform(-4.0, 4.0);
      start(spec, name, q0, v0);
      restitution(spec, name, stream.uniform() < 0.3 ? 0.0 : stream.uniform(0.0, 0.9));
    }
    spec.run.duration = 5.0;
    spec.run.method = seed % 2 == 0 ? Method::rk4 : Method::dormand_prince;
    spec.run.step = 5e-4;
    Moving moving(spec);
    const RunReport report = moving.run();
    CHECK_MESSAGE(report.outcome == RunOutcome::reached, report.text);
    const std::vector<double> energy = moving.recording.column("energy.total");
    double size = 0.0;
    for (const double e : moving.recording.column("energy.kinetic")) size = worse(size, e);
    for (std::size_t row = 1; row < energy.size(); ++row)
      if (energy[row] > energy[row - 1]) worst_gain = worse(worst_gain, (energy[row] - energy[row - 1]) / size);
    for (std::size_t i = 0; i < 5; ++i) {
      const std::vector<double> q = moving.recording.column("q.j" + std::to_string(i));
      for (const double x : q) {
        if (x < limits(spec, i).lower) worst_q = worse(worst_q, limits(spec, i).lower - x);
        if (x > limits(spec, i).upper) worst_q = worse(worst_q, x - limits(spec, i).upper);
      }
    }
    worst_rest = worse(worst_rest, moving.residual());
    impacts += static_cast<int>(moving.times(EventKind::limit_impact).size());
    holds += static_cast<int>(moving.times(EventKind::limit_hold).size());
  }
  // Worst seen: 1e-14 beyond a limit.
  CHECK(worst_q <= 1e-12);
  CHECK(worst_gain <= 1e-8);  // that of the integrators: 2e-9
  CHECK(worst_rest <= 3e-8);  // likewise: 8e-9
  CHECK(impacts > 1000);
  CHECK(holds > 50);
}

TEST_CASE("mechanisms of all joints, with couplings, stops, friction and springs, keep their books and their limits") {
  double worst_q = 0.0, worst_gain = 0.0, worst_rest = 0.0, worst_work = 0.0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    RandomStream stream(77, seed);
    SceneSpec spec;
    RandomModelOptions options;
    options.links = 2 + static_cast<int>(stream.below(5));
    options.passive = true;
    options.couplings = seed % 2 == 0;
    options.welds = seed % 3 == 0;
    spec.model = random_spec(stream, options);
    for (JointSpec& joint : spec.model.joints) {
      if (joint.kind == JointKind::fixed) continue;
      const bool ball = joint.kind == JointKind::spherical || joint.kind == JointKind::free;
      joint.passive[0].armature += 0.02;
      joint.passive[0].friction *= stream.uniform() < 0.5 ? 0.0 : stream.uniform(0.0, 10.0);
      if (ball) joint.passive[0].stiffness = 0.0;  // such springs jump after half a turn
      bool coupled = false;
      for (const CouplingSpec& coupling : spec.model.couplings) coupled = coupled || coupling.joint == joint.name;
      const double room = coupled ? 1.0 : 0.0;  // its offset
      JointLimits range;
      range.lower = -room - (stream.uniform() < 0.2 ? 0.0 : stream.uniform(0.02, 1.0));
      range.upper = room + stream.uniform(0.02, 1.0);
      if (!ball && stream.uniform() < 0.7) joint.limits = {range};
      if (coupled) continue;
      InitialSpec initial;
      initial.joint = joint.name;
      for (int k = 0; k < facts(joint.kind).nv; ++k) initial.v.push_back(stream.uniform(-3.0, 3.0));
      spec.initial.push_back(initial);
      restitution(spec, joint.name, stream.uniform() < 0.3 ? 0.0 : stream.uniform(0.0, 0.9));
    }
    spec.run.method = seed % 3 == 0 ? Method::dormand_prince : Method::rk4;
    spec.run.step = 2e-3;
    Moving moving(spec);
    const RunReport report = moving.run();
    CHECK_MESSAGE(report.outcome == RunOutcome::reached, report.text);
    const Model& model = moving.scene.model();
    const SearchSpace space(model);
    const std::vector<double> energy = moving.recording.column("energy.total");
    double size = 0.0;
    for (const double e : moving.recording.column("energy.kinetic")) size = worse(size, e);
    for (std::size_t row = 0; row < energy.size(); ++row) {
      if (row > 0 && energy[row] > energy[row - 1])
        worst_gain = worse(worst_gain, (energy[row] - energy[row - 1]) / size);
      for (std::size_t i = 0; i < space.lower.size(); ++i) {
        if (space.q_number[i] < 0) continue;
        const double q = moving.recording.row_at(row)[1 + static_cast<std::size_t>(space.q_number[i])];
        if (q < space.lower[i]) worst_q = worse(worst_q, space.lower[i] - q);
        if (q > space.upper[i]) worst_q = worse(worst_q, q - space.upper[i]);
      }
    }
    worst_rest = worse(worst_rest, moving.residual());
    const EnergyBalance& energy_balance = moving.simulation.energy_balance();
    for (std::size_t a = 0; a < moving.simulation.accounts().size(); ++a)
      if (energy_balance.work()[a] > 0.0) worst_work = worse(worst_work, energy_balance.work()[a] / size);
  }
  CAPTURE(worst_q);
  CAPTURE(worst_gain);
  CAPTURE(worst_rest);
  CAPTURE(worst_work);
  CHECK(worst_q <= 1e-12);
  CHECK(worst_gain <= 1e-7);
  CHECK(worst_rest <= 1e-7);
  CHECK(worst_work <= 1e-12);  // dampers, friction and joint limits only take
}
