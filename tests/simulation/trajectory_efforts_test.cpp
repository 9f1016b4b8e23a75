#include "pintle/simulation/trajectory/trajectory_efforts.h"

#include <doctest/doctest.h>

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/energy.h"
#include "pintle/dynamics/external_wrench.h"
#include "pintle/model/edit/model_builder.h"
#include "pintle/simulation/integrators/stepper.h"
#include "properties/dynamics_of.h"
#include "simulation/mechanism_system.h"

using namespace test;

namespace {

constexpr double kMass = 2.0, kLength = 0.7, kGravity = 9.81, kInertia = kMass * kLength * kLength;

/// A point mass on a massless rod that hangs down at zero.
Model pendulum(double gravity = kGravity, double armature = 0.0) {
  ModelBuilder builder("pendulum");
  builder.gravity({0, 0, -gravity});
  builder.body("bob", spatial_inertia(kMass, Vec3<>{0, 0, -kLength}, diagonal(Vec3<>{0, 0, 0})));
  builder.revolute({0, 1, 0}, "pin").armature(armature).frame("tip", {0, 0, -kLength});
  return *builder.compile();
}

/// q = A sin(w t) over one period, as states.
Trajectory swing(double A, double w, int samples) {
  Trajectory trajectory;
  for (int i = 0; i <= samples; ++i) {
    const double t = 2.0 * kPi<double> / w * i / samples;
    const SinCos<double> f = pintle::sincos(w * t);
    trajectory.times.push_back(t);
    trajectory.q.push_back(A * f.sin);
    trajectory.v.push_back(A * w * f.cos);
    trajectory.vdot.push_back(-A * w * w * f.sin);
  }
  return trajectory;
}

/// The motion of a system from a random state, at every step.
struct Run {
  Run(MechanismSystem& system, MotionState state, double h, int steps) {
    Stepper stepper(system, Method::dormand_prince);
    MotionState to = state;
    std::vector<double> vdot(state.v.size()), rate(state.auxiliary.size());
    const auto energy = [&](const MotionState& at) {
      KinematicsWorkspace work(system.model());
      kinematics(system.model(), at.q, at.v, vdot, work);
      return kinetic_energy(system.model(), work) + gravity_energy(system.model(), work);
    };
    energy_change = -energy(state);
    for (int i = 0; i <= steps; ++i) {
      REQUIRE(system.derivatives(state.t, state.q, state.v, state.auxiliary, vdot, rate));
      trajectory.times.push_back(i * h);
      trajectory.q.insert(trajectory.q.end(), state.q.begin(), state.q.end());
      trajectory.v.insert(trajectory.v.end(), state.v.begin(), state.v.end());
      trajectory.vdot.insert(trajectory.vdot.end(), vdot.begin(), vdot.end());
      if (i == steps) break;
      REQUIRE(stepper.step(state, h, to).ok());
      std::swap(state, to);
    }
    energy_change += energy(state);
    if (!state.auxiliary.empty()) passive_work = state.auxiliary[0];
  }

  Trajectory trajectory;
  double energy_change = 0.0;  // kinetic and of gravity
  double passive_work = 0.0;
};

}  // namespace

TEST_CASE("trajectory efforts: a motion under known efforts gives those efforts back") {
  for (std::uint64_t run = 0; run < 30; ++run) {
    CAPTURE(run);
    RandomStream stream(471, run);
    RandomModelOptions options = variety(run, 8);
    options.mass_ratio = 10.0;
    MechanismSystem system(random_spec(stream, options));
    for (double& x : system.tau) x = stream.uniform(-3.0, 3.0);
    const Run motion(system, random_state(system, stream), 1e-3, 100);
    const Result<TrajectoryEfforts> result = trajectory_efforts(system.model(), motion.trajectory);
    REQUIRE(result);
    const std::size_t nv = system.tau.size();
    REQUIRE(result->joints.size() == nv);
    double largest = 1.0;
    for (const double x : motion.trajectory.vdot) largest = max(largest, abs(x));
    // Masses are about 1: accelerations are the size of the terms. 3e-15 of them seen.
    for (std::size_t i = 0; i < result->efforts.size(); ++i)
      CHECK(abs(result->efforts[i] - system.tau[i % nv]) <= 1e-14 * largest);
    for (std::size_t k = 0; k < nv; ++k) {
      const JointDuty& joint = result->joints[k];
      CHECK(joint.joint == system.model().joint_of_dof(static_cast<int>(k)));
      CHECK(joint.duty.peak_effort == doctest::Approx(abs(system.tau[k])).epsilon(1e-8));
      CHECK(joint.duty.rms_effort == doctest::Approx(abs(system.tau[k])).epsilon(1e-8));
    }
    CHECK(result->certificate.worst() <= 1e-12);
    CHECK(result->certificate.worst() > 0.0);
  }
}

TEST_CASE("trajectory efforts: work is the change of energy and the losses, to second order in the samples") {
  for (std::uint64_t run = 0; run < 10; ++run) {
    CAPTURE(run);
    RandomStream stream(472, run);
    ModelSpec spec = random_spec(stream, {.links = 4, .passive = false});
    for (JointSpec& joint : spec.joints) joint.passive = {{.armature = 0.2, .damping = 0.3, .stiffness = 1.0}};
    MechanismSystem system(spec, true);
    for (double& x : system.tau) x = stream.uniform(-2.0, 2.0);
    const MotionState start = random_state(system, stream, 0.5);
    double errors[2], throughput = 0.0;
    for (const int halving : {0, 1}) {
      const int steps = 500 << halving;
      const Run motion(system, start, 0.5 / steps, steps);
      const Result<TrajectoryEfforts> result = trajectory_efforts(system.model(), motion.trajectory);
      double work = 0.0;
      throughput = 0.0;
      for (const JointDuty& joint : result->joints) {
        CHECK(joint.duty.positive_work >= 0.0);
        CHECK(joint.duty.negative_work <= 0.0);
        work += joint.duty.positive_work + joint.duty.negative_work;
        throughput += joint.duty.positive_work - joint.duty.negative_work;
      }
      errors[halving] = abs(work - (motion.energy_change - motion.passive_work));
    }
    CHECK(errors[0] <= 1e-4 * throughput);
    if (errors[0] > 1e-9 * throughput) CHECK(errors[0] / errors[1] == doctest::Approx(4.0).epsilon(0.02));
  }
}

TEST_CASE("trajectory efforts: a pendulum that swings as a sine, closed form") {
  const double A = 0.8, w = 3.0;
  SUBCASE("with gravity: m L^2 q'' + m g L sin q at every sample") {
    const Trajectory trajectory = swing(A, w, 200);
    const Result<TrajectoryEfforts> result = trajectory_efforts(pendulum(), trajectory);
    for (std::size_t i = 0; i < trajectory.times.size(); ++i) {
      const double q = trajectory.q[i], vdot = trajectory.vdot[i];
      CHECK(abs(result->efforts[i] - (kInertia * vdot + kMass * kGravity * kLength * pintle::sin(q))) <=
            8 * kEpsilon<double> * (kInertia * A * w * w + kMass * kGravity * kLength));
    }
    CHECK(result->certificate.worst() <= 1e-14);
  }
  SUBCASE("without gravity: peaks, means and work over a period") {
    const Result<TrajectoryEfforts> result = trajectory_efforts(pendulum(0.0), swing(A, w, 4000));
    const Duty& duty = result->joints[0].duty;
    const double effort = kInertia * A * w * w, speed = A * w, power = effort * speed / 2.0;
    const double energy = kInertia * speed * speed / 2.0, quarter = 0.5 * kPi<double> / w;
    CHECK(duty.peak_effort == doctest::Approx(effort).epsilon(1e-12));
    CHECK(duty.peak_effort_time == doctest::Approx(quarter).epsilon(1e-12));  // the first of two
    CHECK(duty.rms_effort == doctest::Approx(effort / std::sqrt(2.0)).epsilon(2e-6));
    CHECK(duty.peak_speed == doctest::Approx(speed).epsilon(1e-12));
    CHECK(duty.peak_speed_time == 0.0);
    CHECK(duty.peak_power == doctest::Approx(power).epsilon(1e-12));
    CHECK(duty.peak_power_time == doctest::Approx(quarter / 2.0).epsilon(1e-12));
    CHECK(duty.mean_power == doctest::Approx(power * 2.0 / kPi<double>).epsilon(2e-6));
    CHECK(duty.positive_work == doctest::Approx(2.0 * energy).epsilon(2e-6));
    CHECK(duty.negative_work == doctest::Approx(-2.0 * energy).epsilon(2e-6));
  }
  SUBCASE("through a table of positions: the error of the spline's acceleration, of second order") {
    const double period = 2.0 * kPi<double> / w;
    double errors[2];
    for (const int halving : {0, 1}) {
      const int rows = 50 << halving;
      TrajectoryTable table;
      table.joints = {"pin"};
      table.ends = SplineEnds::periodic;
      for (int i = 0; i <= rows; ++i)
        table.rows.push_back({period * i / rows, {i == rows ? 0.0 : A * pintle::sin(w * period * i / rows)}});
      const Model model = pendulum();
      const Result<Trajectory> trajectory = sample_trajectory(model, table, {.rate = 400.0});
      REQUIRE(trajectory);
      const Result<TrajectoryEfforts> result = trajectory_efforts(model, *trajectory);
      errors[halving] = 0.0;
      for (std::size_t i = 0; i < trajectory->times.size(); ++i) {
        const double q = A * pintle::sin(w * trajectory->times[i]);
        const double exact = -kInertia * w * w * q + kMass * kGravity * kLength * pintle::sin(q);
        errors[halving] = max(errors[halving], abs(result->efforts[i] - exact));
      }
    }
    CHECK(errors[0] <= 0.01 * kInertia * A * w * w);
    CHECK(errors[0] / errors[1] == doctest::Approx(4.0).epsilon(0.05));
  }
}

TEST_CASE("trajectory efforts: a motor's rotor is an armature of gear^2 J, and its shaft has gear times the speed") {
  const double gear = -50.0, J = 3e-4;
  const Trajectory trajectory = swing(0.8, 3.0, 300);
  TrajectoryOptions options;
  options.motors = {{.joint = "pin", .gear_ratio = gear, .rotor_inertia = J}, {.joint = "pin", .gear_ratio = 2.0}};
  const Result<TrajectoryEfforts> bare = trajectory_efforts(pendulum(), trajectory, options);
  const Result<TrajectoryEfforts> full = trajectory_efforts(pendulum(kGravity, gear * gear * J), trajectory);
  REQUIRE(bare);
  REQUIRE(bare->motors.size() == 2);
  const Duty &motor = bare->motors[0], &joint = full->joints[0].duty;
  CHECK(motor.peak_effort == doctest::Approx(joint.peak_effort / abs(gear)).epsilon(1e-13));
  CHECK(motor.rms_effort == doctest::Approx(joint.rms_effort / abs(gear)).epsilon(1e-13));
  CHECK(motor.peak_speed == doctest::Approx(joint.peak_speed * abs(gear)).epsilon(1e-13));
  CHECK(motor.peak_power == doctest::Approx(joint.peak_power).epsilon(1e-13));
  CHECK(motor.mean_power == doctest::Approx(joint.mean_power).epsilon(1e-13));
  CHECK(motor.positive_work == doctest::Approx(joint.positive_work).epsilon(1e-13));
  CHECK(motor.negative_work == doctest::Approx(joint.negative_work).epsilon(1e-13));
  CHECK(motor.peak_effort_time == joint.peak_effort_time);
  // Without a rotor the gear leaves powers as they are.
  CHECK(bare->motors[1].peak_power == doctest::Approx(bare->joints[0].duty.peak_power).epsilon(1e-14));
  CHECK(bare->motors[1].peak_effort == doctest::Approx(bare->joints[0].duty.peak_effort / 2.0).epsilon(1e-14));
}

TEST_CASE("trajectory efforts: loads are constant in their axes") {
  const Trajectory trajectory = swing(0.8, 3.0, 50);
  const Result<TrajectoryEfforts> none = trajectory_efforts(pendulum(), trajectory);
  TrajectoryOptions options;
  // A weight of 10 N at the tip, in the world's axes; and a push of 4 N across the rod, in the rod's.
  options.loads = {{.place = "tip", .wrench = {{0, 0, -10.0}, {0, 0, 0}}, .axes = Axes::local_world_aligned},
                   {.place = "tip", .wrench = {{4.0, 0, 0}, {0, 0, 0}}}};
  const Result<TrajectoryEfforts> loaded = trajectory_efforts(pendulum(), trajectory, options);
  for (std::size_t i = 0; i < trajectory.times.size(); ++i) {
    // x at the tip points against a growing angle: the push helps the other way.
    const double expected = 10.0 * kLength * pintle::sin(trajectory.q[i]) + 4.0 * kLength;
    CHECK(loaded->efforts[i] - none->efforts[i] == doctest::Approx(expected).epsilon(1e-12));
  }
  CHECK(loaded->certificate.worst() <= 1e-14);
}

TEST_CASE("trajectory efforts: every problem of motors and loads is found; wrong sizes are wrong calls") {
  ModelBuilder builder("arm");
  const SpatialInertia<> I = spatial_inertia(1.0, Vec3<>{0.1, 0, 0}, diagonal(Vec3<>{0.1, 0.1, 0.1}));
  builder.body("upper", I).revolute({0, 1, 0}, "shoulder");
  builder.body("lower", I).revolute({0, 1, 0}, "elbow").at({0.5, 0, 0}).coupled_to("shoulder", 2.0);
  const Model model = *builder.compile();
  Trajectory trajectory{{0.0, 1.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
  TrajectoryOptions options;
  options.motors = {{.joint = "shoulder", .gear_ratio = 0.0, .rotor_inertia = -1.0, .origin = Origin("a.toml", 3)},
                    {.joint = "elbow"},
                    {.joint = "sholder"},
                    {.joint = "shoulder", .dof = 1}};
  options.loads = {{.place = "lowr"}, {.place = "world"}, {.place = "lower", .wrench = {{std::nan(""), 0, 0}, {}}}};
  const Result<TrajectoryEfforts> result = trajectory_efforts(model, trajectory, options);
  REQUIRE(!result);
  std::vector<std::string> codes;
  for (const Diagnostic& problem : result.diagnostics()) codes.push_back(problem.code);
  CHECK(codes == std::vector<std::string>{"motor-gear", "motor-rotor", "motor-joint-coupled", "joint-unknown",
                                          "motor-dof", "place-unknown", "load-world", "load-not-finite"});
  CHECK(result.diagnostics()[0].origin.line == 3);
  CHECK(result.diagnostics()[2].fix == "put the motor on 'shoulder'");
  CHECK(result.diagnostics()[3].fix == "did you mean 'shoulder'?");
  CHECK(result.diagnostics()[5].fix == "did you mean 'lower'?");

  CHECK(trajectory_efforts(model, trajectory).ok());
  // A NaN is not lost in a peak.
  trajectory.vdot[0] = std::nan("");
  const Result<TrajectoryEfforts> bad = trajectory_efforts(model, trajectory);
  CHECK(std::isnan(bad->joints[0].duty.peak_effort));
  CHECK(std::isnan(bad->joints[0].duty.rms_effort));
  CHECK(std::isnan(bad->certificate.worst()));
  CHECK_THROWS_AS((void)trajectory_efforts(model, {}), UsageError);
  trajectory.times[1] = 0.0;
  CHECK_THROWS_AS((void)trajectory_efforts(model, trajectory), UsageError);
  trajectory.times = {0.0};
  CHECK_THROWS_AS((void)trajectory_efforts(model, trajectory), UsageError);
  // One sample has a duty too.
  const Result<TrajectoryEfforts> one = trajectory_efforts(model, {{0.0}, {0.3}, {2.0}, {0.0}});
  CHECK(one->joints[0].duty.rms_effort == one->joints[0].duty.peak_effort);
  CHECK(one->joints[0].duty.mean_power == one->joints[0].duty.peak_power);
}
