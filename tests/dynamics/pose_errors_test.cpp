#include "pintle/dynamics/solve/pose_errors.h"

#include <doctest/doctest.h>

#include "support/random_model.h"

using namespace test;

TEST_CASE("pose errors: gradient and second derivative are those of the cost along any motion") {
  double worst_slope = 0.0, worst_bend = 0.0;
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    RandomStream stream(95, run);
    const Model model = compile(random_spec(stream, {.links = 1 + static_cast<int>(run % 10),
                                                     .couplings = run % 3 == 0,
                                                     .welds = run % 2 == 0}))
                            .value();
    const RandomState state(model, stream);
    std::vector<PoseTarget> targets(1 + run % 3);
    for (PoseTarget& target : targets) {
      target.place = body_place(model, static_cast<int>(stream.below(model.bodies().size())));
      target.place.X_LF = target.place.X_LF * random_pose(stream);
      target.X_WT = random_pose(stream, 1.0);
      target.position_weight = {stream.uniform(), stream.uniform(), stream.uniform()};
      target.orientation_weight = {stream.uniform(), stream.uniform(), stream.uniform()};
    }
    PoseErrorsWorkspace work(model, targets.size());
    PoseErrors errors(model, targets, 0.7, work);
    const std::size_t n = state.v.size();
    std::vector<double> gradient(n), H(n * n), curvature(n * n), moved(state.q.size()), step(n);
    const double here = errors.cost(state.q);
    errors.linearise(gradient, H, curvature);
    double slope = 0.0, bend = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      slope += gradient[i] * state.v[i];
      for (std::size_t j = 0; j < n; ++j) {
        bend += state.v[i] * (H[i * n + j] + curvature[i * n + j]) * state.v[j];
        CHECK(abs(H[i * n + j] - H[j * n + i]) <= 1e-13 * (1.0 + here + abs(H[i * n + j])));
        CHECK(curvature[i * n + j] == doctest::Approx(curvature[j * n + i]).epsilon(1e-12));
      }
    }
    // Differences of fourth order: h^4 of the sixth derivative, and eps / h^2 of the cost, about 1e-10 each.
    const double h = 2e-3;
    const auto at = [&](double t) {
      for (std::size_t i = 0; i < n; ++i) step[i] = t * state.v[i];
      integrate(model, state.q, step, moved);
      return errors.cost(moved);
    };
    const double c1 = at(h), d1 = at(-h), c2 = at(2 * h), d2 = at(-2 * h);
    const double slope_seen = (8.0 * (c1 - d1) - (c2 - d2)) / (12.0 * h);
    const double bend_seen = (16.0 * (c1 + d1) - (c2 + d2) - 30.0 * here) / (12.0 * h * h);
    double size_of_v = 0.0;
    for (const double x : state.v) size_of_v += abs(x);
    const double scale = (1.0 + here) * (1.0 + size_of_v) * (1.0 + size_of_v);
    worst_slope = max(worst_slope, abs(slope - slope_seen) / scale);
    worst_bend = max(worst_bend, abs(bend - bend_seen) / scale);
  }
  CHECK(worst_slope < 1e-11);  // 2e-12 seen
  CHECK(worst_bend < 3e-10);   // 5e-11 seen
}
