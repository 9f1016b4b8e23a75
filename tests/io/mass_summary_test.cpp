#include "pintle/io/report/mass_summary.h"

#include <doctest/doctest.h>

#include <vector>

#include "pintle/base/random.h"
#include "pintle/dynamics/center_of_mass.h"
#include "pintle/model/compiled/configuration.h"
#include "support/random_model.h"

namespace pintle {
namespace {

TEST_CASE("of a body: centre, inertia about it, principal moments in order") {
  const SpatialInertia<> rod = spatial_inertia(3.0, Vec3<>{1.0, 2.0, 3.0}, diagonal(Vec3<>{0.5, 0.0, 0.5}));
  const MassSummary summary = mass_summary(rod);
  CHECK(summary.mass == 3.0);
  CHECK(norm(summary.center - Vec3<>{1.0, 2.0, 3.0}) < 1e-15);
  CHECK(summary.principal.x == 0.0);  // not a rounding error
  CHECK(abs(summary.principal.y - 0.5) < 1e-13);
  CHECK(abs(summary.principal.z - 0.5) < 1e-13);
  CHECK(mass_summary(zero_inertia<double>()).mass == 0.0);
}

TEST_CASE("of two balls: the centre between them, the inertia of a dumbbell; 100 km away too") {
  const SpatialInertia<> ball = spatial_inertia(2.0, Vec3<>{0.0, 0.0, 0.0}, diagonal(Vec3<>{0.1, 0.1, 0.1}));
  for (const double far : {0.0, 1e5}) {
    ModelSpec spec;
    for (const char* const name : {"left", "right"}) {
      spec.bodies.push_back({.name = name, .inertia = ball});
      JointSpec joint;
      joint.name = joint.child = name;
      joint.kind = JointKind::prismatic;
      joint.parent = kWorld;
      joint.axis = {1.0, 0.0, 0.0};
      joint.X_PJ.translation = {far, 0.0, 0.0};
      spec.joints.push_back(joint);
    }
    const MassSummary summary = mass_summary(*compile(spec), std::vector<double>{-0.5, 0.5});
    CHECK(summary.mass == 4.0);
    CHECK(norm(summary.center - Vec3<>{far, 0.0, 0.0}) <= 1e-15 * far + 1e-16);
    CHECK(abs(summary.inertia.xx - 0.2) < 1e-10);
    CHECK(abs(summary.inertia.yy - 1.2) < 1e-10);
    CHECK(abs(summary.principal.z - 1.2) < 1e-10);
  }
}

TEST_CASE("of random trees: the library's centre of mass; a principal sum is the trace") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomStream stream(seed, 0);
    const Model model = *compile(test::random_spec(stream, {.couplings = true, .welds = true}));
    std::vector<double> q(static_cast<std::size_t>(model.nq()));
    random_configuration(model, stream, q);
    const MassSummary summary = mass_summary(model, q);
    KinematicsWorkspace work(model);
    CentroidalWorkspace scratch(model);
    const std::vector<double> zero(static_cast<std::size_t>(model.nv()));
    kinematics(model, q, zero, zero, work);
    const CenterOfMass center = center_of_mass(model, work, scratch);
    if (moving_mass(model) != doctest::Approx(summary.mass).epsilon(1e-14)) continue;  // some are welded to the world
    CHECK(norm(summary.center - center.position) < 1e-13);
    CHECK(summary.principal.x + summary.principal.y + summary.principal.z ==
          doctest::Approx(trace(summary.inertia)).epsilon(1e-13));
    CHECK(summary.principal.x >= 0.0);
    CHECK(summary.principal.x + summary.principal.y >= summary.principal.z * (1.0 - 1e-12));
  }
}

}  // namespace
}  // namespace pintle
