#include "pintle/dynamics/workspace.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/solve/inverse_kinematics.h"
#include "pintle/dynamics/solve/static_equilibrium.h"
#include "pintle/pintle.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

ModelSpec chain_of(int links, bool coupled) {
  RandomStream stream(141);
  ModelSpec spec = random_spec(stream, {.links = links});
  for (JointSpec& joint : spec.joints) joint.kind = JointKind::revolute;
  if (coupled) spec.couplings = {{.joint = "joint1", .driver = "joint0", .ratio = 0.5}};
  return spec;
}

}  // namespace

TEST_CASE("workspace: one that was made for another model is a wrong call, of every function") {
  for (const bool coupled : {false, true}) {
    CAPTURE(coupled);
    const Model small = compile(chain_of(2, false)).value(), model = compile(chain_of(8, coupled)).value();
    RandomStream stream(142);
    RandomState s(model, stream);
    const std::size_t n = s.v.size();
    Numbers out(n), matrix(n * n), J(6 * n), J3(3 * n), L(36), none(model.couplings().size());
    std::vector<Wrench<>> external(model.bodies().size());
    const Place place = body_place(model, 7), near = body_place(model, 0);
    const std::vector<Place> places{place};
    std::vector<PoseTarget> targets(1);
    targets[0].place = near;
    targets[0].X_WT = identity_pose();
    InverseDynamicsWorkspace<> inverse(small);
    ForwardDynamicsWorkspace<> forward(small);
    MassMatrixWorkspace<> mass(small);
    CoriolisMatrixWorkspace<> coriolis(small);
    MassMatrixInverseWorkspace inverse_mass(small);
    JacobianWorkspace columns(small);
    CentroidalMatrixWorkspace centroidal_matrix(small);
    VelocityEffortsWorkspace velocity(small);
    KinematicsWorkspace moving(small), right(model);
    CentroidalWorkspace centroidal(small);
    ReactionsWorkspace reaction(small);
    ResponseWorkspace response(small);
    ImpulseWorkspace impulse(small);
    OperationalInertiaWorkspace operational(small, 1);
    CertificateWorkspace checks(small);
    InverseKinematicsWorkspace search(small, 1);
    StaticEquilibriumWorkspace rest(small);
    MassMatrixFactor<> factor(small);
    kinematics(model, s.q, s.v, s.vdot, right);
    const std::vector<int> given{0};
    const std::vector<unsigned char> marks(out.size());
    const auto refused = [](const char* function, auto action) {
      CAPTURE(function);
      CHECK_THROWS_WITH_AS(action(), doctest::Contains(function), UsageError);
    };
    refused("inverse_dynamics", [&] { inverse_dynamics(model, s.q, s.v, s.vdot, inverse, out); });
    refused("bias_efforts", [&] { bias_efforts(model, s.q, s.v, inverse, out); });
    refused("gravity_efforts", [&] { gravity_efforts(model, s.q, inverse, out); });
    refused("holding_efforts", [&] { holding_efforts(model, s.q, inverse, out); });
    refused("transmission_efforts", [&] { transmission_efforts(model, inverse, none); });
    refused("passive_efforts", [&] { passive_efforts(model, s.q, s.v, inverse, out); });
    refused("forward_dynamics", [&] { (void)forward_dynamics(model, s.q, s.v, s.tau, forward, out); });
    refused("hybrid_dynamics", [&] { (void)hybrid_dynamics(model, s.q, s.v, given, forward, s.tau, out); });
    refused("hybrid_dynamics_of", [&] { (void)hybrid_dynamics_of(model, s.q, s.v, marks, forward, s.tau, out); });
    refused("mass_matrix", [&] { mass_matrix(model, s.q, mass, matrix); });
    refused("factor_mass_matrix", [&] { (void)factor_mass_matrix(model, matrix, factor); });
    refused("solve_mass_matrix", [&] { solve_mass_matrix(model, factor, out); });
    refused("coriolis_matrix", [&] { coriolis_matrix(model, s.q, s.v, coriolis, matrix); });
    refused("mass_matrix_rate", [&] { mass_matrix_rate(model, s.q, s.v, coriolis, matrix); });
    refused("velocity_efforts", [&] { velocity_efforts(model, s.q, s.v, velocity, out, s.tau); });
    refused("kinematics", [&] { kinematics(model, s.q, s.v, s.vdot, moving); });
    refused("jacobian", [&] { jacobian(model, moving, near, Axes::local, J); });
    refused("jacobian", [&] { jacobian(model, s.q, near, Axes::local, columns, J); });
    refused("jacobian_columns", [&] { jacobian_columns(model, s.q, columns, J); });
    refused("relative_jacobian", [&] { relative_jacobian(model, moving, near, near, Axes::local, J); });
    refused("jacobian_rate_times_v", [&] { (void)jacobian_rate_times_v(model, moving, near, Axes::local); });
    refused("relative_pose", [&] { (void)relative_pose(model, moving, near, near); });
    refused("kinetic_energy", [&] { (void)kinetic_energy(model, moving); });
    refused("gravity_energy", [&] { (void)gravity_energy(model, moving); });
    refused("spring_energy", [&] { (void)spring_energy(model, moving); });
    refused("power_of", [&] { (void)power_of(model, moving, s.tau); });
    refused("net_wrench", [&] { (void)net_wrench(model, moving, 0); });
    refused("center_of_mass", [&] { (void)center_of_mass(model, right, centroidal); });
    refused("center_of_mass_jacobian", [&] { center_of_mass_jacobian(model, right, centroidal, J3); });
    refused("centroidal_momentum", [&] { (void)centroidal_momentum(model, right, centroidal); });
    refused("centroidal_momentum_matrix", [&] { centroidal_momentum_matrix(model, right, centroidal, J); });
    refused("centroidal_momentum_matrix", [&] { (void)centroidal_momentum_matrix(model, s.q, centroidal_matrix, J); });
    refused("reactions", [&] { reactions(model, s.q, s.v, s.vdot, reaction); });
    refused("reaction_of", [&] { (void)reaction_of(model, reaction, 0); });
    refused("prepare_response", [&] { (void)prepare_response(model, s.q, response); });
    refused("apply_mass_inverse", [&] { apply_mass_inverse(model, response, s.tau, {}, {}, out); });
    refused("response_efforts", [&] { response_efforts(model, response, s.tau, {}, out); });
    refused("mass_matrix_inverse", [&] { (void)mass_matrix_inverse(model, s.q, inverse_mass, matrix); });
    refused("impulse_dynamics", [&] { (void)impulse_dynamics(model, s.q, {}, {}, impulse, out); });
    refused("reaction_impulse_of", [&] { (void)reaction_impulse_of(model, impulse, 0); });
    refused("inverse_operational_inertia",
            [&] { (void)inverse_operational_inertia(model, s.q, places, Axes::local, operational, L); });
    refused("operational_inertia", [&] { (void)operational_inertia(model, s.q, places, Axes::local, operational, L); });
    refused("certify", [&] { (void)certify(model, {.q = s.q, .v = s.v, .vdot = s.vdot, .tau = s.tau}, checks); });
    refused("inverse_kinematics", [&] { (void)inverse_kinematics(model, targets, s.q, search); });
    refused("static_equilibrium", [&] { (void)static_equilibrium(model, s.tau, s.q, rest); });
    if (!coupled) refused("articulated_body", [&] { (void)articulated_body(model, forward, 0, Axes::local); });
    // A place of the larger model means nothing to the smaller one's workspace.
    Numbers q(size(small.nq())), v(size(small.nv()));
    kinematics(small, q, v, v, moving);
    refused("pose_of", [&] { (void)pose_of(moving, place); });
    refused("velocity_of", [&] { (void)velocity_of(moving, place, Axes::local); });
    refused("acceleration_of", [&] { (void)acceleration_of(moving, place, Axes::local); });
  }
}

TEST_CASE("workspace: of a model with the same sizes, but whose plan needs more memory, is a wrong call") {
  const SpatialInertia<> inertia = spatial_inertia(1.0, Vec3<>{0.1, 0.2, 0.05}, diagonal(Vec3<>{0.1, 0.12, 0.13}));
  const auto chain = [&](bool slides, bool branches) {
    ModelBuilder builder("chain");
    for (int i = 0; i < 31; ++i) {
      const Vec3<> axis = i % 2 == 0 ? Vec3<>{1, 0, 0} : Vec3<>{0, 0, 1};
      builder.body("body" + std::to_string(i), inertia);
      if (slides) {
        builder.prismatic(axis);
      } else {
        builder.screw(axis, branches ? 0.0 : 0.1);
      }
      builder.at({0.1, 0.2, 0.3});
      if (branches && i > 0) builder.on("body" + std::to_string((i - 1) / 2));
    }
    return builder.compile().value();
  };
  const Model sliders = chain(true, false), screws = chain(false, false), tree = chain(false, true);
  Numbers q(31), v(31), tau(31), out(31), matrix(31 * 31);
  InverseDynamicsWorkspace<> inverse(sliders);
  ForwardDynamicsWorkspace<> forward(sliders);
  MassMatrixWorkspace<> mass(sliders);
  MassMatrixInverseWorkspace inverse_mass(sliders);
  const char* const why = "made for another model";
  CHECK_THROWS_WITH_AS(inverse_dynamics(screws, q, v, v, inverse, out), doctest::Contains(why), UsageError);
  CHECK_THROWS_WITH_AS((void)forward_dynamics(screws, q, v, tau, forward, out), doctest::Contains(why), UsageError);
  CHECK_THROWS_WITH_AS(mass_matrix(screws, q, mass, matrix), doctest::Contains(why), UsageError);
  CHECK_THROWS_WITH_AS((void)mass_matrix_inverse(tree, q, inverse_mass, matrix), doctest::Contains(why), UsageError);
  // The other way there is room enough.
  ForwardDynamicsWorkspace<> large(screws), right(sliders);
  Numbers same(31);
  CHECK(forward_dynamics(sliders, q, v, tau, large, out).ok());
  CHECK(forward_dynamics(sliders, q, v, tau, right, same).ok());
  CHECK(out == same);
}

TEST_CASE("workspace: accelerations may be written over the efforts") {
  for (std::uint64_t run = 0; run < 60; ++run) {
    CAPTURE(run);
    RandomStream stream(143, run);
    DynamicsOf dynamics(random_spec(stream, variety(run)));
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    for (const bool refine : {false, true}) {
      const DynamicsOptions options{.refine = refine};
      Numbers both = state.tau;
      REQUIRE(forward_dynamics(model, state.q, state.v, both, dynamics.forward_work, both, options).ok());
      CHECK(both == dynamics.forward(state.q, state.v, state.tau, options));
    }
    ResponseWorkspace response(model);
    REQUIRE(prepare_response(model, state.q, response).ok());
    Numbers both = state.tau, apart(both.size());
    apply_mass_inverse(model, response, state.tau, {}, {}, apart);
    apply_mass_inverse(model, response, both, {}, {}, both);
    CHECK(both == apart);
  }
}

TEST_CASE("workspace: numbers that are not finite are reported, whichever they are") {
  for (std::uint64_t run = 0; run < 60; ++run) {
    CAPTURE(run);
    RandomStream stream(144, run);
    DynamicsOf dynamics(random_spec(stream, variety(run, 6)));
    const Model& model = dynamics.model;
    for (int kind = 0; kind < 3; ++kind) {
      RandomState state(model, stream);
      Numbers& numbers = kind == 0 ? state.q : kind == 1 ? state.v : state.tau;
      numbers[stream.below(numbers.size())] = __builtin_nan("");
      CHECK_FALSE(forward_dynamics(model, state.q, state.v, state.tau, dynamics.forward_work, state.vdot).ok());
    }
  }
}

TEST_CASE("forward dynamics: a joint that moves nothing in this position is named, whatever its axis") {
  // Two parallel pins (or slides) with a massless body between them: the first moves only what the second could.
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic}) {
    int reported = 0;
    for (std::uint64_t run = 0; run < 300; ++run) {
      RandomStream stream(145, run);
      ModelSpec spec{.name = "two in line"};
      spec.bodies = {{.name = "between"}, {.name = "body", .inertia = random_inertia(stream, 1e6)}};
      JointSpec first, second;
      first.name = "first";
      first.kind = second.kind = kind;
      first.parent = kWorld;
      first.child = second.parent = "between";
      second.name = "second";
      second.child = "body";
      first.axis = second.axis = uniform_direction(stream);
      first.X_PJ = random_pose(stream);
      spec.joints = {first, second};
      const Model model = compile(spec).value();
      RandomState state(model, stream);
      ForwardDynamicsWorkspace<> work(model);
      const DynamicsReport report = forward_dynamics(model, state.q, state.v, state.tau, work, state.vdot);
      reported += report.singular_joint == model.joint("first") ? 1 : 0;
      MassMatrixInverseWorkspace inverse_work(model);
      Numbers inverse(4);
      CHECK(mass_matrix_inverse(model, state.q, inverse_work, inverse).singular_joint == model.joint("first"));
    }
    CHECK(reported == 300);
  }
}
