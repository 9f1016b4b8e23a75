// The books of every reference problem: what is left residual of energy and momentum.
#include <doctest/doctest.h>

#include "oracles/reference_scenes.h"
#include "oracles/run_of.h"

using namespace test;

namespace {

/// A problem with a sensible step of RK4, for a time in which much happens.
struct Problem {
  SceneSpec scene;
  double step, duration;
};

/// In such a step the fastest body turns by some hundredths of a radian at most; the governor's is the one its dampers
/// demand.
std::vector<Problem> problems() {
  return {{pendulum(), 1e-3, 10.0},
          {compound_pendulum(), 1e-3, 10.0},
          {babyboot(), 1e-3, 10.0},
          {double_pendulum(), 1e-3, 10.0},
          {point_double_pendulum(), 5e-4, 10.0},
          {symmetric_free_body(), 5e-4, 5.0},
          {heavy_top(), 2.5e-5, 1.0},
          {governor(), 2e-5, 2.0},
          {torque_free_body({}, identity_quaternion(), {1.0, 2.0, 3.0}), 1e-3, 10.0},
          {lagrange_top({}), 5e-5, 5.0},
          {conical_pendulum(0.8, 0.6), 1e-3, 10.0},
          {projectile(), 1e-3, 2.0},
          {harmonic_spring(SpringOf::joint), 5e-4, 10.0},
          {harmonic_spring(SpringOf::model), 5e-4, 10.0},
          {harmonic_spring(SpringOf::line), 5e-4, 10.0},
          {serial_chain(), 1.25e-4, 2.0},
          {free_cylinder(), 1e-3, 2.0},
          {console_chain(), 5e-4, 1.0},
          {console_link(), 1e-3, 1.0}};
}

double largest_of(const MemoryRecording& recording, const char* column) {
  double most = 0.0;
  for (const double x : recording.column(column)) {
    if (std::isnan(x)) return x;
    most = max(most, abs(x));
  }
  return most;
}

}  // namespace

TEST_CASE("energy balances: RK4 leaves less than 1e-9 of the throughput residual, on every reference problem and row") {
  for (const Problem& problem : problems()) {
    CAPTURE(problem.scene.model.name);
    RunOf run(with_rk4(problem.scene, problem.step));
    MemoryRecording recording;
    run.to(problem.duration, &recording);
    const EnergyBalance& energy_balance = run.simulation.energy_balance();
    // Worst seen: 1.4e-10 (springs), 4e-11 and 4e-11 (tops); certificates 8e-15.
    const double energy = largest_of(recording, "energy.residual");
    const double linear = largest_of(recording, "momentum.residual.p");
    const double angular = largest_of(recording, "momentum.residual.L");
    CHECK(energy_balance.energy().size > 0.0);
    CHECK(energy <= 1e-9 * energy_balance.energy().size);
    CHECK(linear <= 1e-9 * energy_balance.linear().size);
    CHECK(angular <= 1e-9 * energy_balance.angular().size);
    CHECK(run.simulation.worst_certificate().certificate.worst() <= 1e-13);
  }
}

TEST_CASE("energy balances: what RK4 leaves shrinks with the fourth power of the step, also of dampers and of weight") {
  struct Rest {
    double energy, angular;
  };
  SceneSpec scene;
  SUBCASE("of two joints") {
    scene = double_pendulum();
    for (JointSpec& joint : scene.model.joints) joint.passive = {{.damping = 0.4}};
  }
  SUBCASE("of one joint with two dampers") {
    scene.model.bodies = {
        {.name = "bob", .inertia = spatial_inertia(2.0, {0.1, 0.0, -0.7}, principal(0.02, 0.03, 0.04))}};
    JointSpec joint{.name = "bob", .kind = JointKind::universal, .parent = kWorld, .child = "bob"};
    joint.axis = {1.0, 0.0, 0.0};
    joint.second_axis = {0.0, 1.0, 0.0};
    joint.passive = {{.damping = 0.4}, {.damping = 0.3}};
    scene.model.joints = {joint};
    scene.initial = {{.joint = "bob", .q = {1.0, 0.6}, .v = {}}};
  }
  const auto rest = [&](double step) {
    RunOf run(with_rk4(scene, step));
    run.to(1.0);
    const EnergyBalance& balance = run.simulation.energy_balance();
    return Rest{abs(balance.energy().relative()), balance.angular().relative()};
  };
  const Rest coarse = rest(1.0 / 128.0), fine = rest(1.0 / 256.0);
  CHECK(coarse.energy > 1e-11);  // far above rounding
  CHECK(coarse.angular > 1e-11);
  CHECK(coarse.energy / fine.energy > 12.0);
  CHECK(coarse.angular / fine.angular > 12.0);
}

TEST_CASE("energy balances: rows within steps have balances too, by the interpolant of the step") {
  SceneSpec spec = with_rk4(double_pendulum(), 1.0 / 128.0);
  spec.run.row_every = 0;
  spec.run.rows = 1000;
  RunOf run(spec);
  MemoryRecording recording;
  run.to(1.0, &recording);
  const EnergyBalance& balance = run.simulation.energy_balance();
  CHECK(recording.column("t").size() > 900);
  CHECK(largest_of(recording, "energy.residual") <= 1e-4 * balance.energy().size);
  CHECK(largest_of(recording, "momentum.residual.p") <= 1e-4 * balance.linear().size);
  CHECK(largest_of(recording, "momentum.residual.L") <= 1e-4 * balance.angular().size);
}

TEST_CASE("energy balances: a pendulum that is back at rest where it began has turned over its energy all the same") {
  // Without rows nobody looks at the energies on the way but the run itself.
  SUBCASE("of gravity") {
    RunOf run(with_rk4(pendulum(), 1e-3));
    run.to(2.3678419475762374);
    CHECK(run.simulation.energy_balance().energy().size >= 0.99 * 2.0 * 9.81);
    CHECK(abs(run.simulation.energy_balance().energy().relative()) <= 1e-12);
  }
  SUBCASE("of a spring: its momentum too") {
    RunOf run(with_rk4(harmonic_spring(SpringOf::joint), 5e-4));
    run.to(2.0 * kPi<double> / 20.0);
    CHECK(run.simulation.energy_balance().energy().size >= 0.99);
    CHECK(abs(run.simulation.energy_balance().energy().relative()) <= 1e-9);
    CHECK(run.simulation.energy_balance().linear().size >= 0.99 * 0.5 * 2.0);
    CHECK(run.simulation.energy_balance().linear().relative() <= 1e-9);
  }
}

TEST_CASE("energy balances: momenta that cancel each other are the size against which the rest of them counts") {
  ModelBuilder model("cancelling");
  model.gravity({0.0, 0.0, 0.0});
  std::vector<InitialSpec> initial;
  SUBCASE("of two equal arms that swing against each other") {
    const Vec3<> axis{0.3, -0.5, 0.7};
    for (const double side : {1.0, -1.0}) {
      const std::string name = side > 0.0 ? "one" : "other";
      model.body(name, spatial_inertia(1.0, side * Vec3<>{0.3, 0.1, 0.2}, principal(0.01, 0.02, 0.02)));
      model.revolute(axis).on("world");
      initial.push_back(start(name, {}, {2.0}));
    }
  }
  SUBCASE("of a body that turns about its centre of mass, seen from another point of it") {
    const Vec3<> c{0.3, 0.1, -0.2}, w{1.0, 2.0, 3.0}, v = -cross(w, c);
    model.body("body", spatial_inertia(1.0, c, principal(0.01, 0.02, 0.02))).free();
    initial.push_back(start("body", {}, {v.x, v.y, v.z, w.x, w.y, w.z}));
  }
  RunOf run(with_rk4(scene_of(model, initial), 1e-3));
  run.to(1.0);
  const EnergyBalance& energy_balance = run.simulation.energy_balance();
  CHECK(norm(energy_balance.momentum().linear) <= 1e-10);
  CHECK(energy_balance.linear().size > 0.5);
  CHECK(energy_balance.linear().relative() <= 1e-10);
}

TEST_CASE("energy balances: a checkpoint keeps what was seen on the way") {
  const SceneSpec spec = with_rk4(harmonic_spring(SpringOf::line), 1e-3);
  RunOf run(spec), resumed(spec);
  run.to(0.3);
  REQUIRE(resumed.simulation.resume(run.simulation.checkpoint()));
  const double back_at_rest = 2.0 * kPi<double> / 20.0;
  run.to(back_at_rest);
  resumed.to(back_at_rest);
  const EnergyBalance &energy_balance = run.simulation.energy_balance(), &other = resumed.simulation.energy_balance();
  CHECK(other.energy().size == energy_balance.energy().size);
  CHECK(other.linear().size == energy_balance.linear().size);
  CHECK(other.angular().size == energy_balance.angular().size);
}
