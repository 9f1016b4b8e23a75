#include "pintle/dynamics/centroidal_momentum.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "support/law.h"
#include "support/random_model.h"

using namespace test;

namespace {

/// Two bodies: the first free, the second turning about z on it, its centre 2 m from the axis; with heavy rotors.
Model pair(double first_mass = 1.0, double second_mass = 3.0) {
  ModelSpec spec;
  for (const bool second : {false, true}) {
    const double mass = second ? second_mass : first_mass;
    BodySpec body;
    body.name = second ? "second" : "first";
    body.inertia = spatial_inertia(mass, Vec3<>{second ? 2.0 : 0.0, 0, 0},
                                   diagonal(Vec3<>{0.25 * mass, 0.25 * mass, 0.25 * mass}));
    JointSpec joint;
    joint.name = body.name + " joint";
    joint.kind = second ? JointKind::revolute : JointKind::free;
    joint.parent = second ? "first" : kWorld;
    joint.child = body.name;
    JointPassive passive;
    passive.armature = 100.0;
    joint.passive = {passive};
    spec.bodies.push_back(body);
    spec.joints.push_back(joint);
  }
  return compile(spec).value();
}

}  // namespace

TEST_CASE("centroidal momentum: two bodies, by hand; rotors have none") {
  const Model model = pair();
  KinematicsWorkspace work(model);
  CentroidalWorkspace scratch(model);
  // The first body stands at (1, 2, 3) and moves with 1 m/s along y, the second one turns at 2 rad/s.
  const std::vector<double> q{1, 2, 3, 0, 0, 0, 1, 0}, v{0, 1, 0, 0, 0, 0, 2}, none(7);
  kinematics(model, q, v, none, work);
  const CentroidalMomentum whole = centroidal_momentum(model, work, scratch);
  CHECK(whole.mass == 4.0);
  check_close<double>(whole.center, Vec3<>{2.5, 2, 3}, 1, 4.0);
  // About the centre, 1.5 m from the first and 0.5 m from the second: 0.25 * 4 + 1 * 1.5^2 + 3 * 0.5^2 across.
  check_close<double>(whole.inertia, diagonal(Vec3<>{1.0, 4.0, 4.0}), 4, 4.0);
  // p = 1 * 1 + 3 * (1 + 2 * 2) along y; L = 0.75 * 2 - 1.5 * 1 + 0.5 * 15 along z.
  check_close<double>(Wrench<>{whole.momentum.linear, whole.momentum.angular}, Wrench<>{{0, 16, 0}, {0, 0, 7.5}}, 4,
                      16.0);
  // The second body is pulled towards the axis with 3 * 2 * 2^2, through both centres.
  check_close<double>(whole.rate, Wrench<>{{-24, 0, 0}, {0, 0, 0}}, 4, 24.0);
  check_close<double>(whole.bias, whole.rate, 1, 24.0);
  const Momentum<> about = momentum_about(whole, Vec3<>{0, 0, 0});
  check_close<double>(Wrench<>{about.linear, about.angular}, Wrench<>{{0, 16, 0}, {-48, 0, 7.5 + 2.5 * 16}}, 4, 50.0);
  std::vector<double> A_G(42);
  centroidal_momentum_matrix(model, work, scratch, A_G);
  const double turning[6] = {0, 6, 0, 0, 0, 0.75 + 0.5 * 6};  // the last column: 1 rad/s of the second body
  for (std::size_t i = 0; i < 6; ++i) CHECK(abs(A_G[i * 7 + 6] - turning[i]) <= 4e-15);
}

TEST_CASE("centroidal momentum: wrong sizes and mechanisms without mass are refused") {
  const Model model = pair();
  KinematicsWorkspace work(model);
  CentroidalWorkspace scratch(model);
  std::vector<double> A_G(41);
  CHECK_THROWS_WITH_AS(centroidal_momentum_matrix(model, work, scratch, A_G),
                       "centroidal_momentum_matrix: argument 'A_G' has size 41, expected 42", UsageError);
  const Model massless = pair(0.0, 0.0);
  KinematicsWorkspace massless_work(massless);
  CentroidalWorkspace massless_scratch(massless);
  const std::vector<double> q{0, 0, 0, 0, 0, 0, 1, 0}, none(7);
  kinematics(massless, q, none, none, massless_work);
  A_G.resize(42);
  CHECK_THROWS_WITH_AS(
      centroidal_momentum(massless, massless_work, massless_scratch),
      "centroidal_momentum: argument 'model': no body that can move has mass, so there is no centre of mass",
      UsageError);
  CHECK_THROWS_AS(centroidal_momentum_matrix(massless, massless_work, massless_scratch, A_G), UsageError);
}
