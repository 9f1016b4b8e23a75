// Motion that nobody here computed: smooth problems of public collections of benchmarks. The digits were computed
// independently of any engine, in quad precision or more; published trajectories are good to fewer.
#include <doctest/doctest.h>

#include "oracles/reference_scenes.h"
#include "oracles/run_of.h"

using namespace test;

namespace {

constexpr double kTolerance = 1e-9;  // of all problems for which no other one is asked

EventSpec falling_through(std::string name, std::string expression) {
  EventSpec event;
  event.name = std::move(name);
  event.expression = std::move(expression);
  event.direction = EventDirection::falling;
  return event;
}

/// The mean time between events of one kind.
double period(const MemoryRecording& recording) {
  const std::span<const RecordedEvent> events = recording.events();
  REQUIRE(events.size() >= 2);
  return (events.back().event.t - events.front().event.t) / static_cast<double>(events.size() - 1);
}

/// The mean period and the bottom's first crossing of a pendulum on "pin" that starts at its height.
void check_period(SceneSpec spec, const std::string& bottom, double duration, double expected) {
  spec.events = {falling_through("bottom", bottom)};
  RunOf run(spec);
  MemoryRecording recording;
  run.to(duration, &recording);
  CHECK(abs(period(recording) / expected - 1.0) <= kTolerance);
  CHECK(abs(recording.events().front().event.t / (0.25 * expected) - 1.0) <= kTolerance);
}

}  // namespace

TEST_CASE("oracle: pendulum (IFToMM A01), from the horizontal at rest") {
  RunOf run(accurate(pendulum()));
  // Seen: 1e-14, 7e-13, 7e-11.
  run.to(1.0);
  CHECK(largest(run.position("bob") - Vec3<>{-.986291751131875, -.165010853125541, 0.0}) <= kTolerance);
  run.to(10.0);
  CHECK(largest(run.position("bob") - Vec3<>{.275087462576117, -.961419205099125, 0.0}) <= kTolerance);
  run.to(100.0);
  CHECK(largest(run.position("bob") - Vec3<>{.181513351427031, -.983388480334058, 0.0}) <= kTolerance);
}

TEST_CASE("oracle: the periods of pendulums by the instants at which they pass the bottom") {
  // 4 sqrt(l/g) K(sin(45 deg)). Seen: 2e-14; of RK4 4e-13, its own error.
  SUBCASE("of a point mass") {
    check_period(accurate(pendulum()), "q.pin + pi/2", 10.0, 2.3678419475762374);
  }
  SUBCASE("of a body") {
    check_period(accurate(compound_pendulum()), "pi/2 - q.pin", 10.0, 3.39081274198811);
  }
  SUBCASE("with steps of fixed length, which do not end at the events by themselves") {
    check_period(with_rk4(pendulum(), 1e-3), "q.pin + pi/2", 10.0, 2.3678419475762374);
  }
}

TEST_CASE("oracle: compound pendulum (an ADAMS case of Chrono's data), from the horizontal at rest") {
  RunOf run(accurate(compound_pendulum()));
  run.to(5.0);
  // Seen: 2e-13.
  CHECK(largest(run.position("center") - Vec3<>{-1.99968386888353, 0.0, -.0355587475452318}) <= kTolerance);
  CHECK(abs(abs(run.v(0)) - .412436065475133) <= kTolerance);
}

TEST_CASE("oracle: the chaotic babyboot (Kane 1974; Drake's benchmark) after 10 s") {
  RunOf run(accurate(babyboot()));
  run.to(10.0);
  // Errors grow some 10^6 times in the 10 s. Seen: 1e-8 rad, 3e-7 rad/s.
  CHECK(abs(run.q(0) - -1.0701134366014187) <= 1e-6);
  CHECK(abs(run.q(1) - -16.222449647007136) <= 1e-6);
  CHECK(abs(run.v(0) - -6.7440080753737698) <= 1e-5);
  CHECK(abs(run.v(1) - -2.7795696723106602) <= 1e-5);
}

TEST_CASE("oracle: double pendulum (Chrono's test), absolute angles") {
  RunOf run(accurate(double_pendulum()));
  // Seen: 5e-15, 5e-14.
  run.to(1.0);
  CHECK(abs(run.q(0) - -2.2272028399655323) <= 1e-10);
  CHECK(abs(run.q(0) + run.q(1) - -1.4896877011075040) <= 1e-10);
  run.to(5.0);
  CHECK(abs(run.q(0) - -.91459878438393287) <= 1e-10);
  CHECK(abs(run.q(0) + run.q(1) - -7.5777109069866866) <= 1e-10);
}

TEST_CASE("oracle: double pendulum of point masses, from 90 degrees at rest") {
  RunOf run(accurate(point_double_pendulum()));
  // Seen: 5e-14, 4e-12.
  run.to(5.0);
  CHECK(abs(run.q(0) - -.62718670506653073) <= 1e-10);
  CHECK(abs(run.q(0) + run.q(1) - -1.3013155502098117) <= 1e-10);
  run.to(10.0);
  CHECK(abs(run.q(0) - -.56847466401595019) <= 1e-10);
  CHECK(abs(run.q(0) + run.q(1) - -.52639372793240470) <= 1e-10);
}

TEST_CASE("oracle: a symmetric body in free fall (Drake's free_body)") {
  RunOf run(accurate(symmetric_free_body()));
  run.to(5.0);
  const Quaternion<> r{.6448312122904335, -.07100090587929592, .7364567041231458, -.1917892123463741};
  // Seen: 6e-14 rad, 4e-14 rad/s, 1e-12 m of 89.
  CHECK(turn_between(run.pose("body").rotation, rotation_matrix(r)) <= kTolerance);
  CHECK(largest(Vec3<>{run.v(3), run.v(4), run.v(5)} - Vec3<>{1.081775534910825, -4.339327331749519, 6.0}) <=
        kTolerance);
  CHECK(largest(run.position("body") - Vec3<>{-20.0, 29.5, -89.125}) <= kTolerance);
}

TEST_CASE("oracle: the fast heavy top (Terze)") {
  RunOf run(accurate(heavy_top()));
  const Quaternion<> r{.43878108812656, .54572839614542, .08939975282389, -.70827915297434};
  // Seen: 2e-13 rad, 3e-11 m (of ten digits).
  run.to(0.2);
  CHECK(turn_between(run.pose("top").rotation, rotation_matrix(r)) <= kTolerance);
  run.to(1.0);
  CHECK(largest(run.position("center") - Vec3<>{.1733439641, .6400885921, -.7484907911}) <= kTolerance);
}

TEST_CASE("oracle: the stiff flyball governor (IFToMM A05), the slider's height") {
  struct Height {
    double t, s;
  };
  const Height expected[] = {
      {0.1, .52383647557}, {0.5, .74324942479}, {1.0, .50142092237}, {5.0, .53556310370}, {10.0, .61962291707}};
  // Stability limits the steps, 6000 a second, not the tolerance. Seen: 2e-11.
  RunOf run(accurate(governor(), 1e-11));
  for (const Height& at : expected) {
    CAPTURE(at.t);
    run.to(at.t);
    CHECK(abs(run.q(1) - at.s) <= kTolerance);
  }
  // The L-stable method, of a tolerance a thousand times larger, needs a sixth of them. Seen: 2e-10.
  SceneSpec stiff = governor();
  stiff.run.method = Method::sdirk;
  stiff.run.tolerances = {.relative = 1e-8, .absolute = 1e-8};
  RunOf implicit(stiff);
  for (const Height& at : expected) {
    CAPTURE(at.t);
    implicit.to(at.t);
    CHECK(abs(implicit.q(1) - at.s) <= kTolerance);
  }
  CHECK(implicit.simulation.steps() < run.simulation.steps() / 5);
}
