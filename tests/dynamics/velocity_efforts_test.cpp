#include "pintle/dynamics/velocity_efforts.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "support/random_model.h"

using namespace test;

namespace {

Model two_link_arm(double l1, double m2, double c2) {
  ModelSpec spec;
  for (const bool second : {false, true}) {
    BodySpec body;
    body.name = second ? "fore" : "upper";
    body.inertia = spatial_inertia(second ? m2 : 1.0, Vec3<>{second ? c2 : 0.2, 0, 0}, diagonal(Vec3<>{0.1, 0.1, 0.1}));
    JointSpec joint;
    joint.name = body.name + " joint";
    joint.kind = JointKind::revolute;
    joint.parent = second ? "upper" : kWorld;
    joint.child = body.name;
    if (second) joint.X_PJ.translation = {l1, 0, 0};
    spec.bodies.push_back(body);
    spec.joints.push_back(joint);
  }
  return compile(spec).value();
}

}  // namespace

TEST_CASE("velocity efforts: the textbook's arm of two links") {
  // h - g = k [2 v1 v2 + v2^2; -v1^2] with k = -m2 l1 c2 sin(q2).
  const double l1 = 0.7, m2 = 1.3, c2 = 0.4;
  const Model arm = two_link_arm(l1, m2, c2);
  VelocityEffortsWorkspace work(arm);
  const std::vector<double> q{0.4, -1.1}, v{0.8, 1.7};
  std::vector<double> centripetal(2), coriolis(2);
  velocity_efforts(arm, q, v, work, centripetal, coriolis);
  const double k = -m2 * l1 * c2 * sin(q[1]);
  // Sums of numbers up to 3.
  CHECK(abs(centripetal[0] - k * v[1] * v[1]) <= 2e-15);
  CHECK(abs(centripetal[1] + k * v[0] * v[0]) <= 2e-15);
  CHECK(abs(coriolis[0] - 2.0 * k * v[0] * v[1]) <= 2e-15);
  CHECK(abs(coriolis[1]) <= 2e-15);
}

TEST_CASE("velocity efforts: arrays of a wrong size are refused") {
  const Model arm = two_link_arm(1.0, 1.0, 1.0);
  VelocityEffortsWorkspace work(arm);
  std::vector<double> two(2), other(2), three(3);
  CHECK_THROWS_AS(velocity_efforts(arm, three, two, work, two, other), UsageError);
  CHECK_THROWS_AS(velocity_efforts(arm, two, three, work, two, other), UsageError);
  CHECK_THROWS_AS(velocity_efforts(arm, two, two, work, three, other), UsageError);
  CHECK_THROWS_AS(velocity_efforts(arm, two, two, work, two, three), UsageError);
}
