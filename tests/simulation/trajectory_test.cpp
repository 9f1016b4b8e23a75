#include "pintle/simulation/trajectory/trajectory.h"

#include <doctest/doctest.h>

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/model/edit/model_builder.h"
#include "support/random_model.h"

using namespace test;

namespace {

const SpatialInertia<> kUnit = spatial_inertia(1.0, Vec3<>{0.1, 0, 0}, diagonal(Vec3<>{0.1, 0.1, 0.1}));

Model arm() {
  ModelBuilder builder("arm");
  builder.body("base", kUnit).cylindrical({0, 0, 1}, "column");
  builder.body("upper", kUnit).revolute({0, 1, 0}, "shoulder");
  builder.body("lower", kUnit).revolute({0, 1, 0}, "elbow").at({0.5, 0, 0});
  builder.body("finger", kUnit).revolute({0, 1, 0}, "mimic").at({0.5, 0, 0}).coupled_to("elbow", 0.5, 0.1);
  builder.body("ball", kUnit).spherical("wrist").at({0.5, 0, 0});
  builder.body("plate", kUnit).fixed("weld");
  return *builder.compile();
}

std::vector<std::string> codes(const Result<Trajectory>& result) {
  std::vector<std::string> list;
  for (const Diagnostic& problem : result.diagnostics()) list.push_back(problem.code);
  return list;
}

}  // namespace

TEST_CASE("trajectory: splines go through the rows, and v and vdot are their derivatives; other joints rest") {
  const Model model = arm();
  TrajectoryTable table;
  table.joints = {"elbow", "column"};  // another order than the model's
  table.rows = {{0.5, {0.1, 1.0, -1.0}, 2}, {0.7, {0.4, 1.2, 0.5}, 3}, {1.3, {-0.2, 0.8, 0.7}, 4}, {1.5, {0, 1, 0}, 5}};
  std::vector<double> rest(static_cast<std::size_t>(model.nq()));
  neutral(model, rest);
  const std::size_t shoulder = 2, elbow = 3,
                    column = 0;  // of q; the model has [travel, angle], angle, angle, quaternion
  rest[shoulder] = 0.77;
  for (const SplineEnds ends : {SplineEnds::natural, SplineEnds::clamped}) {
    table.ends = ends;
    const Result<Trajectory> result = sample_trajectory(model, table, {.rest = rest, .per_row = 200});
    REQUIRE(result);
    const std::size_t n = result->times.size(), nq = rest.size(), nv = static_cast<std::size_t>(model.nv());
    REQUIRE(n == 601);
    REQUIRE(result->q.size() == n * nq);
    REQUIRE(result->vdot.size() == n * nv);
    for (std::size_t r = 0; r < 4; ++r) {
      CHECK(result->times[200 * r] == table.rows[r].time);
      CHECK(result->q[200 * r * nq + elbow] == doctest::Approx(table.rows[r].values[0]).epsilon(1e-14));
      CHECK(result->q[200 * r * nq + column] == doctest::Approx(table.rows[r].values[1]).epsilon(1e-14));
      CHECK(result->q[200 * r * nq + column + 1] == doctest::Approx(table.rows[r].values[2]).epsilon(1e-14));
    }
    for (std::size_t i = 1; i < n; ++i) {
      const double h = result->times[i] - result->times[i - 1];
      const auto q = [&](std::size_t k) { return result->q[k * nq + elbow]; };
      const auto v = [&](std::size_t k) { return result->v[k * nv + elbow]; };
      const auto a = [&](std::size_t k) { return result->vdot[k * nv + elbow]; };
      // Exact for the cubic between two samples, which no row parts: accelerations are lines.
      CHECK(abs(v(i) - v(i - 1) - 0.5 * h * (a(i) + a(i - 1))) <= 1e-13 * 50.0);
      CHECK(abs(q(i) - q(i - 1) - 0.5 * h * (v(i) + v(i - 1)) + h * h / 12.0 * (a(i) - a(i - 1))) <= 1e-14 * 50.0);
      CHECK(result->q[i * nq + shoulder] == 0.77);
      CHECK(result->v[i * nv + shoulder] == 0.0);
      CHECK(result->q[i * nq + nq - 1] == 1.0);
    }
    const double end = ends == SplineEnds::natural ? result->vdot[elbow] : result->v[elbow];
    CHECK(abs(end) <= 1e-14);  // of accelerations up to 50; 2.2e-15 seen
  }
}

TEST_CASE("trajectory: samples are at equal distances when a rate is asked for, both ends included") {
  const Model model = arm();
  TrajectoryTable table;
  table.joints = {"elbow"};
  table.rows = {{0.0, {0.0}}, {0.35, {1.0}}, {1.0, {0.0}}};
  const Result<Trajectory> exact = sample_trajectory(model, table, {.rate = 100.0});
  REQUIRE(exact->times.size() == 101);
  CHECK(exact->times[7] == 0.07);
  CHECK(exact->times.back() == 1.0);
  const Result<Trajectory> more = sample_trajectory(model, table, {.rate = 33.3});
  CHECK(more->times.size() == 35);  // at least the rate
  const Result<Trajectory> few = sample_trajectory(model, table, {.per_row = 1});
  CHECK(few->times == std::vector<double>{0.0, 0.35, 1.0});
  table.ends = SplineEnds::periodic;
  const Result<Trajectory> circle = sample_trajectory(model, table);
  REQUIRE(circle);
  const std::size_t nv = static_cast<std::size_t>(model.nv()), last = circle->v.size() - nv;
  CHECK(circle->v[3] == doctest::Approx(circle->v[last + 3]));
  CHECK(circle->vdot[3] == doctest::Approx(circle->vdot[last + 3]));
}

TEST_CASE("trajectory: states are taken as they stand, for every kind of joint") {
  const Model model = arm();
  TrajectoryTable table;
  table.joints = {"wrist", "shoulder"};
  table.content = TrajectoryContent::states;
  table.rows = {{0.0, {0, 0, 0.6, 0.8, 0.3, 1, 2, 3, 4, 5, 6, 7, 8}},
                {0.1, {0, 0, 0.60001, 0.80001, 0.4, 1, 2, 3, 4, 5, 6, 7, 8}}};
  const Result<Trajectory> result = sample_trajectory(model, table, {.per_row = 50});
  REQUIRE(result);
  CHECK(result->times == std::vector<double>{0.0, 0.1});
  const std::vector<double> q{0, 0, 0.3, 0, 0, 0, 0.6, 0.8}, v{0, 0, 4, 0, 1, 2, 3}, vdot{0, 0, 8, 0, 5, 6, 7};
  for (std::size_t k = 0; k < q.size(); ++k) CHECK(result->q[k] == doctest::Approx(q[k]).epsilon(1e-15));
  CHECK(std::vector<double>(result->v.begin(), result->v.begin() + 7) == v);
  CHECK(std::vector<double>(result->vdot.begin(), result->vdot.begin() + 7) == vdot);
  // Made of unit length.
  CHECK(std::hypot(result->q[14], result->q[15]) == doctest::Approx(1.0).epsilon(1e-15));
}

TEST_CASE("trajectory: every problem of a table is found, with its line and the nearest name") {
  const Model model = arm();
  const double nan = std::nan("");
  TrajectoryTable table;
  table.origin = Origin("move.csv", 1);
  table.joints = {"elbw", "weld", "mimic", "wrist", "shoulder", "shoulder"};
  table.rows = {{0.0, {0}, 2}, {nan, {0}, 3}};
  Result<Trajectory> result = sample_trajectory(model, table);
  CHECK(codes(result) == std::vector<std::string>{"joint-unknown", "trajectory-joint-fixed", "trajectory-joint-coupled",
                                                  "trajectory-joint-orientation", "trajectory-joint-repeated",
                                                  "trajectory-not-finite"});
  CHECK(result.diagnostics()[0].fix == "did you mean 'elbow'?");
  CHECK(result.diagnostics()[2].fix == "name 'elbow' instead");
  CHECK(result.diagnostics()[0].origin.file == "move.csv");
  CHECK(result.diagnostics()[5].origin.line == 3);

  table.joints = {"shoulder", "elbow"};
  table.rows = {{0.0, {0, 0}, 2},   {1.0, {0}, 3},       {1.0, {0, 0}, 4},
                {2.0, {0, nan}, 5}, {1.5, {0, 0, 0}, 6}, {3.0, {0, 0}, 7}};
  result = sample_trajectory(model, table);
  CHECK(codes(result) == std::vector<std::string>{"trajectory-count", "trajectory-order", "trajectory-not-finite",
                                                  "trajectory-count", "trajectory-order"});
  const int lines[] = {3, 4, 5, 6, 6};
  for (std::size_t i = 0; i < 5; ++i) CHECK(result.diagnostics()[i].origin.line == lines[i]);
  CHECK(result.diagnostics()[2].what == "row 4 has the value nan in column 2 after its time");

  table.rows = {{0.0, {0, 0}, 2}};
  CHECK(codes(sample_trajectory(model, table)) == std::vector<std::string>{"trajectory-rows"});
  table.rows = {{0.0, {0, 0}}, {1.0, {0, 1}}};
  CHECK(codes(sample_trajectory(model, table, {.per_row = 0})) == std::vector<std::string>{"trajectory-sampling"});
  CHECK(codes(sample_trajectory(model, table, {.rate = -1.0})) == std::vector<std::string>{"trajectory-sampling"});
  CHECK(codes(sample_trajectory(model, table, {.rate = 1e12})) == std::vector<std::string>{"trajectory-sampling"});
  table.ends = SplineEnds::periodic;
  CHECK(codes(sample_trajectory(model, table)) == std::vector<std::string>{"trajectory-periodic"});
  table.ends = SplineEnds::natural;
  table.rows = {{0.0, {0, 0}}, {1e-200, {0, 1e200}}};
  CHECK(codes(sample_trajectory(model, table)) == std::vector<std::string>{"trajectory-range"});
  table.joints = {};
  table.rows = {{0.0, {}}, {1.0, {}}};
  CHECK(codes(sample_trajectory(model, table)) == std::vector<std::string>{"trajectory-joints"});

  TrajectoryTable states;
  states.joints = {"wrist"};
  states.content = TrajectoryContent::states;
  states.rows = {{0.0, {0, 0, 0, 1, 0, 0, 0, 0, 0, 0}, 2}, {1.0, {0, 0, 0.9, 0, 0, 0, 0, 0, 0, 0}, 3}};
  CHECK(codes(sample_trajectory(model, states)) == std::vector<std::string>{"trajectory-quaternion"});
  CHECK(codes(sample_trajectory(model, states, {.rate = 10.0})) ==
        std::vector<std::string>{"trajectory-sampling", "trajectory-quaternion"});
  const std::vector<double> small(3);
  CHECK_THROWS_AS((void)sample_trajectory(model, states, {.rest = small}), UsageError);
}
