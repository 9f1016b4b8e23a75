#include "pintle/dynamics/center_of_mass.h"

#include <doctest/doctest.h>

#include <string>

#include "pintle/base/usage_error.h"
#include "support/law.h"
#include "support/random_model.h"

using namespace test;

namespace {

void add(ModelSpec& spec, const std::string& name, const std::string& parent, JointKind kind, double mass, Vec3<> c,
         Vec3<> axis = {0, 0, 1}) {
  BodySpec body;
  body.name = name;
  body.inertia = spatial_inertia(mass, c, diagonal(Vec3<>{0.1 * mass, 0.1 * mass, 0.1 * mass}));
  JointSpec joint;
  joint.name = name + " joint";
  joint.kind = kind;
  joint.parent = parent;
  joint.child = name;
  joint.axis = axis;
  spec.bodies.push_back(body);
  spec.joints.push_back(joint);
}

/// A cart of 1 kg along x that carries a pendulum of 3 kg, 2 m long, turning about z; and a pillar that does not move.
Model cart() {
  ModelSpec spec;
  add(spec, "cart", kWorld, JointKind::prismatic, 1.0, {0, 0, 0}, {1, 0, 0});
  add(spec, "pendulum", "cart", JointKind::revolute, 3.0, {2, 0, 0});
  add(spec, "pillar", kWorld, JointKind::fixed, 1000.0, {5, 5, 5});
  return compile(spec).value();
}

}  // namespace

TEST_CASE("center of mass: a cart with a pendulum, by hand") {
  const Model model = cart();
  KinematicsWorkspace work(model);
  CentroidalWorkspace scratch(model);
  // The pendulum points along y; its end moves with 2 m/s^2 rad along -x and pulls back along -y with 2 w^2.
  const std::vector<double> q{10.0, kPi<double> / 2.0}, v{0.5, 3.0}, vdot{4.0, 7.0};
  kinematics(model, q, v, vdot, work);
  CHECK(moving_mass(model) == 4.0);
  const CenterOfMass c = center_of_mass(model, work, scratch);
  CHECK(c.mass == 4.0);
  check_close<double>(c.position, Vec3<>{10.0, 0.75 * 2.0, 0.0}, 1, 10.0);
  check_close<double>(c.velocity, Vec3<>{0.5 - 0.75 * 6.0, 0.0, 0.0}, 2, 6.0);
  check_close<double>(c.acceleration, Vec3<>{4.0 - 0.75 * 14.0, -0.75 * 18.0, 0.0}, 2, 20.0);
  check_close<double>(c.bias_acceleration, Vec3<>{0.0, -0.75 * 18.0, 0.0}, 2, 20.0);
  std::vector<double> J(6);
  center_of_mass_jacobian(model, work, scratch, J);
  const double expected[6] = {1.0, -1.5, 0.0, 0.0, 0.0, 0.0};
  for (std::size_t i = 0; i < 6; ++i) CHECK(abs(J[i] - expected[i]) <= 4e-16);
}

TEST_CASE("center of mass: without mass that can move there is none") {
  ModelSpec still;
  add(still, "pillar", kWorld, JointKind::fixed, 1000.0, {5, 5, 5});
  const Model model = compile(still).value();
  KinematicsWorkspace work(model);
  CentroidalWorkspace scratch(model);
  kinematics(model, {}, {}, {}, work);
  CHECK(moving_mass(model) == 0.0);
  CHECK_THROWS_WITH_AS(
      center_of_mass(model, work, scratch),
      "center_of_mass: argument 'model': no body that can move has mass, so there is no centre of mass", UsageError);
  CHECK_THROWS_AS(center_of_mass_jacobian(model, work, scratch, {}), UsageError);
}

TEST_CASE("center of mass: a Jacobian of a wrong size is refused") {
  const Model model = cart();
  KinematicsWorkspace work(model);
  CentroidalWorkspace scratch(model);
  std::vector<double> J(12);
  CHECK_THROWS_WITH_AS(center_of_mass_jacobian(model, work, scratch, J),
                       "center_of_mass_jacobian: argument 'J' has size 12, expected 6", UsageError);
}
