// Functions that return values have those of the functions with a workspace, to the bit.
#include "pintle/dynamics/values.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/all_workspaces.h"
#include "pintle/dynamics/center_of_mass.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/mass_matrix.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/model/edit/model_builder.h"
#include "support/random_model.h"

using namespace pintle;

TEST_CASE("values: every function has the bits of the one with a workspace, which one Workspace serves") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    RandomStream stream(seed);
    const Model model = compile(test::random_spec(stream)).value();
    const std::size_t n = static_cast<std::size_t>(model.nv());
    std::vector<double> q(static_cast<std::size_t>(model.nq())), v(n), u(n);
    for (double& number : v) number = stream.uniform(-1.0, 1.0);
    for (double& number : u) number = stream.uniform(-1.0, 1.0);
    random_configuration(model, stream, q);
    Workspace work(model);
    std::vector<double> x(n), matrix(n * n), J(6 * n);

    inverse_dynamics(model, q, v, u, work, x);
    CHECK(inverse_dynamics(model, q, v, u) == x);
    if (forward_dynamics(model, q, v, u, work, x).ok()) CHECK(forward_dynamics(model, q, v, u).value() == x);
    mass_matrix(model, q, work, matrix);
    CHECK(mass_matrix(model, q) == matrix);
    if (mass_matrix_inverse(model, q, work, matrix).ok()) CHECK(mass_matrix_inverse(model, q).value() == matrix);
    coriolis_matrix(model, q, v, work, matrix);
    CHECK(coriolis_matrix(model, q, v) == matrix);
    bias_efforts(model, q, v, work, x);
    CHECK(bias_efforts(model, q, v) == x);
    gravity_efforts(model, q, work, x);
    CHECK(gravity_efforts(model, q) == x);
    const std::string& body = model.bodies().back().name;
    jacobian(model, q, place_named(model, body), Axes::local_world_aligned, work, J);
    CHECK(jacobian(model, q, body) == J);
    kinematics(model, q, v, std::vector<double>(n), work);
    const Vec3<> at = pose_of(work, place_named(model, body)).translation, same = pose_of(model, q, body).translation;
    CHECK(at.x == same.x);
    CHECK(at.z == same.z);
    CHECK(velocity_of(work, place_named(model, body), Axes::local_world_aligned).linear.y ==
          velocity_of(model, q, v, body).linear.y);
    CHECK(energies(model, q, v, work).kinetic == energies(model, q, v).kinetic);
    if (moving_mass(model) > 0.0) CHECK(center_of_mass(model, work, work).position.z == center_of_mass(model, q).z);
  }
}

TEST_CASE("values: what has no answer says why") {
  // A point mass on a rail that rotates about a pin, and the mass on the axis of the pin.
  ModelBuilder mechanism("m");
  mechanism.body("rail", SpatialInertia<>{}).revolute({0, 0, 1}, "pin");
  mechanism.body("mass", spatial_inertia(0.7, Vec3{0.0, 0.0, 0.0}, SymMat3<>{})).prismatic({1, 0, 0}, "slide").on("rail");
  const Model model = compile(mechanism.spec()).value();
  const std::vector<double> zero{0.0, 0.0};
  CHECK(forward_dynamics(model, std::vector<double>{0.0, 0.5}, zero, zero).ok());
  for (const Result<std::vector<double>>& none : {forward_dynamics(model, zero, zero, std::vector<double>{1.0, 0.0}),
                                                  mass_matrix_inverse(model, zero)}) {
    REQUIRE(!none.ok());
    CHECK(none.diagnostics().at(0).code == "dynamics-singular");
    CHECK(none.diagnostics().at(0).what == "joint 'pin' moves a singular inertia");
  }
  CHECK_THROWS_AS((void)jacobian(model, zero, "mast"), UsageError);
}
