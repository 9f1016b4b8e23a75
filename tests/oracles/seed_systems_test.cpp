// The systems of the seed programs in motion, with exact or independently computed numbers.
#include <doctest/doctest.h>

#include <cmath>

#include "oracles/reference_scenes.h"
#include "oracles/run_of.h"

using namespace test;

namespace {

void check_accelerations(RunOf& run, const std::vector<double>& expected, double relative, double absolute) {
  const std::span<const double> vdot = run.simulation.motion().vdot;
  REQUIRE(vdot.size() == expected.size());
  for (std::size_t i = 0; i < vdot.size(); ++i) {
    CAPTURE(i);
    CHECK(abs(vdot[i] - expected[i]) <= relative * abs(expected[i]) + absolute);
  }
}

/// The serial chain for two seconds, every step a row.
SceneSpec certified_chain(double limit) {
  SceneSpec spec = with_rk4(serial_chain(), 2.5e-4);
  spec.run.duration = 2.0;
  spec.run.row_every = 1;
  spec.run.certificate_limit = limit;
  return spec;
}

}  // namespace

TEST_CASE("seed 000: the serial chain accelerates as exact rationals say, and balances its forces to 2^-43") {
  RunOf run(certified_chain(std::ldexp(1.0, -43)));
  std::vector<double> exact{-68520, 86880, -23280, 6240, -1680, 480};
  for (double& x : exact) x /= 1351;
  check_accelerations(run, exact, 1e-12, 0.0);
  run.to(2.0);
  // Seen: 5e-16; 2^-43 is 1.1e-13.
  const Certificate& worst = run.simulation.worst_certificate().certificate;
  CHECK(worst.joint_wrenches_checked);
  CHECK(worst.worst() > 0.0);
  CHECK(worst.worst() <= std::ldexp(1.0, -43));
}

TEST_CASE("seed 000: a chain that balances its forces less well than asked stops and names the body") {
  RunOf run(certified_chain(1e-17));
  const RunReport report = run.simulation.run();
  CHECK(report.outcome == RunOutcome::over_certificate);
  CHECK(report.body >= 0);
  CHECK(report.text.find("'bar") != std::string::npos);
  CHECK(report.t < 2.0);
}

TEST_CASE("seed 004: the free cylinder at t = 2, exact") {
  const Quaternion<> exact{0.453934750436129658, -0.830921987131941419, -0.0643239531694395, 0.315236931046871818};
  const Vec3<> omega{0.291136174791876, 5.08964881063528, -0.103511893647194};  // world axes
  const double digits = 1e-12;
  const auto check = [&](const SceneSpec& spec) {
    RunOf run(spec);
    run.to(2.0);
    CHECK(turn_between(run.pose("cylinder").rotation, rotation_matrix(exact)) <= digits);
    CHECK(largest(run.turning("cylinder") - omega) <= digits);
  };
  SUBCASE("in velocities, by error control and by 6000 to 50000 steps") {
    // Seen: 2e-13 rad, 6e-13 rad/s.
    check(accurate(free_cylinder(), 1e-13));
    check(with_rk4(free_cylinder(), 2.0 / 6000));
    check(with_rk4(free_cylinder(), 2.0 / 50000));
  }
  SUBCASE("in momenta, by 6000 to 50000 steps") {
    // Seen: 4e-13 rad, 3e-13 rad/s.
    SceneSpec spec = free_cylinder();
    spec.run.momentum_state = true;
    check(with_rk4(spec, 2.0 / 6000));
    check(with_rk4(spec, 2.0 / 50000));
  }
}

TEST_CASE("seed 001: the chain of six bars with their centres of mass on the pins, at t = 0.1") {
  // Nine decimals of accelerations; seven and eight of angles.
  RunOf run(accurate(console_chain()));
  check_accelerations(run, {-51.692106498, 40.872027052, 8.555418089, 1.791495894, .378280463, .094885000}, 0.0,
                      0.5e-9);
  run.to(0.1);
  const double expected[] = {-.2515896, .19152259, .04617157, .01076902, .00246697, .00065945};
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i);
    CHECK(abs(run.q(i) - expected[i]) <= (i == 0 ? 0.5e-7 : 0.5e-8));  // seen: 5e-9, the digits'
  }
}

TEST_CASE("seed 001: one bar at t = 1") {
  RunOf run(accurate(console_link()));
  check_accelerations(run, {-49.132651110}, 0.0, 0.5e-9);
  run.to(1.0);
  // Seen: 4e-13, 1e-13.
  CHECK(abs(run.q(0) - -.082736453183) <= 1e-9);
  CHECK(abs(run.v(0) - 2.849710546977) <= 1e-9);
}
