// A scene on its whole way, SceneSpec -> compile -> Simulation::run, whose answers are plain numbers and places.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "pintle/dynamics/kinematics.h"
#include "pintle/model/compiled/place.h"
#include "pintle/simulation/run/simulation.h"

namespace test {

using namespace pintle;

/// As exact as double precision lets Dormand and Prince's method be.
inline SceneSpec accurate(SceneSpec spec, double tolerance = 1e-14) {
  spec.run.method = Method::dormand_prince;
  spec.run.tolerances = {.relative = tolerance, .absolute = tolerance};
  return spec;
}

/// The seeds' method with a step of its own.
inline SceneSpec with_rk4(SceneSpec spec, double step) {
  spec.run.method = Method::rk4;
  spec.run.step = step;
  return spec;
}

class RunOf {
 public:
  explicit RunOf(const SceneSpec& spec) : scene(compile(spec).value()), simulation(scene), places_(scene.model()) {}

  /// On to a time, which must be reached.
  void to(double t, RecordSink* sink = nullptr) {
    const RunReport report = simulation.run({.until = t, .sink = sink});
    CAPTURE(report.text);
    REQUIRE(report.outcome == RunOutcome::reached);
    REQUIRE(simulation.state().t == t);
    const std::vector<double> none(simulation.state().v.size());
    kinematics(scene.model(), simulation.state().q, simulation.state().v, none, places_);
  }

  double q(std::size_t i) const { return simulation.state().q[i]; }
  double v(std::size_t i) const { return simulation.state().v[i]; }

  /// Of a body or frame, at the time reached.
  Pose<> pose(const std::string& name) const { return pose_of(places_, place_named(scene.model(), name)); }
  Vec3<> position(const std::string& name) const { return pose(name).translation; }
  /// In world axes [rad/s].
  Vec3<> turning(const std::string& name) const {
    return velocity_of(places_, place_named(scene.model(), name), Axes::world).angular;
  }

  Scene scene;
  Simulation simulation;

 private:
  KinematicsWorkspace places_;
};

inline double largest(const Vec3<>& a) {
  return max(abs(a.x), max(abs(a.y), abs(a.z)));
}

/// The angle [rad] between two orientations, for small ones.
inline double turn_between(const Mat3<>& a, const Mat3<>& b) {
  return 2.0 * norm(vector_part(quaternion(transpose(a) * b)));
}

}  // namespace test
