// Every integrator against every other: 200 varied scenes by all methods at three steps or tolerances each. The results of
// a method must tend to those of a refined run as its order says, or its run must say itself that it is off.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "differential/varied_scenes.h"
#include "pintle/io/recording/run_checks.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/simulation/run/simulation.h"

using namespace pintle;
using namespace test;

namespace {

constexpr int kScenes = 200;
constexpr double kDuration = 0.4;  // [s] short enough that no motion of these scenes is chaotic

struct Run {
  std::vector<double> q, v;
  bool ok = false;     ///< it ended as it should
  bool quiet = false;  ///< and nothing in it warns of its results
};

Scene scene_of(const std::string& text, Method method, double resolution) {
  SceneSettings settings{"run.duration=" + varied::number(kDuration), "run.integrator=" + std::string(facts(method).name)};
  if (facts(method).estimates_error) {
    settings.push_back("run.relative_tolerance=" + varied::number(resolution));
    settings.push_back("run.absolute_tolerance=" + varied::number(resolution));
  } else {
    settings.push_back("run.step=" + varied::number(resolution));
  }
  return compile_scene_text(text, "scene.toml", settings).value();
}

Run run_of(const std::string& text, Method method, double resolution) {
  const Scene scene = scene_of(text, method, resolution);
  Simulation simulation(scene);
  MemoryRecording rows;
  const RunReport report = simulation.run({.sink = &rows});
  return {simulation.state().q, simulation.state().v, report.ok(),
          report.ok() && run_checks(simulation).verdict() == CheckVerdict::ok};
}

/// The distance of two final states: of positions in m and rad, of velocities relative to 1 + |v|.
double distance(const Model& model, const Run& a, const Run& b) {
  std::vector<double> step(a.v.size());
  difference(model, a.q, b.q, step);
  double worst = 0.0;
  for (std::size_t i = 0; i < step.size(); ++i) {
    worst = std::fmax(worst, std::abs(step[i]));
    worst = std::fmax(worst, std::abs(a.v[i] - b.v[i]) / (1.0 + std::abs(b.v[i])));
  }
  return worst;
}

/// What a method's own three results say of the error of the finest: with the order p, the difference of the last two is
/// 2^p - 1 times as large. Eight times that difference covers what is not yet asymptotic.
constexpr double kCovered = 8.0;
/// Below this, rounding and the reference itself decide.
constexpr double kFloor = 2e-8;

bool applies(Method method, const SceneKind& kind) {
  // In momenta, which follow from free accelerations: not with prescribed joints.
  return method != Method::symplectic_midpoint || (kind.name != "prescribed" && kind.name != "shaken");
}

}  // namespace

TEST_CASE("differential: all integrators agree on 200 varied scenes, or say that they do not") {
  std::map<std::string, int> compared, warned;
  for (int k = 0; k < kScenes; ++k) {
    const SceneKind& kind = kSceneKinds[static_cast<std::size_t>(k) % kSceneKinds.size()];
    RandomStream random(static_cast<std::uint64_t>(1000 + k));
    const std::string text = kind.text(random);
    CAPTURE(k);
    CAPTURE(std::string(kind.name));
    CAPTURE(text);
    const Scene scene = scene_of(text, Method::dormand_prince, 1e-12);
    const Run reference = run_of(text, Method::dormand_prince, 1e-12);
    REQUIRE(reference.ok);
    CHECK(reference.quiet);
    for (const MethodFacts& method : kMethodFacts) {
      if (!applies(method.method, kind)) continue;
      CAPTURE(std::string(method.name));
      const double finest = method.estimates_error ? 1e-10 : 1e-3, ratio = method.estimates_error ? 100.0 : 2.0;
      const Run runs[3] = {run_of(text, method.method, finest * ratio * ratio),
                           run_of(text, method.method, finest * ratio), run_of(text, method.method, finest)};
      ++compared[std::string(kind.name)];
      if (!runs[0].quiet || !runs[1].quiet || !runs[2].quiet) {
        ++warned[std::string(kind.name)];
        continue;
      }
      const double error = distance(scene.model(), runs[2], reference);
      const double change = distance(scene.model(), runs[1], runs[2]);
      CAPTURE(error);
      CAPTURE(change);
      CHECK(error <= kCovered * change + kFloor);
      // Whatever the method, a run that says nothing is right to a few percent at these steps.
      CHECK(error < 0.05);
      if (kind.smooth && !method.estimates_error && error > 1e2 * kFloor) {
        const double coarse = distance(scene.model(), runs[1], reference);
        CHECK(coarse >= 0.6 * std::exp2(method.order) * error);
      }
    }
  }
  for (const auto& [name, count] : compared) MESSAGE(name << ": " << count << " compared, " << warned[name] << " warned");
}
