// After its workspace exists no algorithm allocates memory.
#include <doctest/doctest.h>

#include "base/count_allocations.h"
#include "pintle/dynamics/solve/static_equilibrium.h"
#include "pintle/pintle.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

/// A tree in which every kind of joint occurs, fixed ones included.
ModelSpec every_joint(RandomStream& stream, bool couplings) {
  RandomModelOptions options;
  options.links = 24;
  options.passive = true;
  options.welds = true;
  options.couplings = couplings;
  ModelSpec spec = random_spec(stream, options);
  int kind = 0;
  for (JointSpec& joint : spec.joints) {
    bool bound = false;  // a coupling needs the joint to be as it is
    for (const CouplingSpec& coupling : spec.couplings)
      bound = bound || coupling.joint == joint.name || coupling.driver == joint.name;
    if (!bound && joint.kind != JointKind::fixed) joint.kind = kJointFacts[1 + kind++ % (kJointKinds - 1)].kind;
  }
  return spec;
}

}  // namespace

TEST_CASE("allocation: no algorithm allocates once its workspace exists") {
  for (const bool couplings : {false, true}) {
    CAPTURE(couplings);
    RandomStream stream(97, couplings ? 1 : 0);
    DynamicsOf dynamics(every_joint(stream, couplings));
    const Model& model = dynamics.model;
    REQUIRE(model.couplings().empty() == !couplings);
    bool seen[kJointKinds] = {};
    for (const ModelJoint& joint : model.joints()) seen[static_cast<int>(joint.kind)] = true;
    for (const bool kind : seen) REQUIRE(kind);
    RandomState state(model, stream);
    const std::size_t n = state.v.size();
    Numbers out(n), q(state.q.size()), M(n * n), all_q = dynamics.joint_q(state.q), all_v = dynamics.joint_v(state.v);
    Numbers passive(all_v.size()), also_out(n), J(3 * n), A_G(6 * n);
    KinematicsWorkspace moving(model);
    CentroidalWorkspace centroidal_work(model);
    CoriolisMatrixWorkspace<> coriolis_work(model);
    JacobianWorkspace jacobian_work(model);
    CentroidalMatrixWorkspace centroidal_matrix_work(model);
    VelocityEffortsWorkspace velocity_work(model);
    std::vector<Wrench<>> external(model.bodies().size(), Wrench<>{{1, 2, 3}, {4, 5, 6}});
    const Place place = body_place(model, static_cast<int>(model.bodies().size()) - 1), root = body_place(model, 0);
    const std::vector<Place> places{place, root};
    const std::vector<int> given{model.independent_joints().front().joint};
    std::vector<unsigned char> marks(n);
    for (std::size_t i = 0; i < n; i += 3) marks[i] = 1;
    MassMomentWorkspace moments(model);
    Numbers J6(6 * n), Lambda(144), transmission(model.couplings().size());
    CertificateWorkspace checks(model);
    ResponseWorkspace response(model);
    MassMatrixInverseWorkspace inverse_mass(model);
    MassMatrixFactor<> factor(model);
    ImpulseWorkspace impulse(model);
    ReactionsWorkspace reaction(model);
    OperationalInertiaWorkspace operational(model, 2);
    const DynamicsOptions options{.external = external};

    const auto allocations = [](auto action) {
      const std::size_t before = count_allocations();
      action();
      return count_allocations() - before;
    };
    CHECK(allocations([&] {
            inverse_dynamics(model, state.q, state.v, state.vdot, dynamics.inverse_work, out, options);
          }) == 0);
    bool moved = false;
    CHECK(allocations([&] {
            moved = forward_dynamics(model, state.q, state.v, state.tau, dynamics.forward_work, out, options).ok();
          }) == 0);
    CHECK(moved);
    CHECK(allocations([&] {
            moved = hybrid_dynamics(model, state.q, state.v, given, dynamics.forward_work, state.tau, state.vdot,
                                    {.refine = true, .external = external})
                        .ok();
          }) == 0);
    CHECK(moved);
    CHECK(allocations([&] {
            moved = hybrid_dynamics_of(model, state.q, state.v, marks, dynamics.forward_work, state.tau, state.vdot,
                                       {.friction = false, .external = external})
                        .ok();
          }) == 0);
    CHECK(moved);
    CHECK(allocations([&] { (void)root_wrench(model, dynamics.inverse_work); }) == 0);
    CHECK(allocations([&] { (void)weight_wrench(model, dynamics.inverse_work, moments); }) == 0);
    if (!couplings) {
      CHECK(allocations([&] { (void)root_wrench(model, dynamics.forward_work); }) == 0);
      CHECK(allocations([&] { (void)weight_wrench(model, dynamics.forward_work, moments); }) == 0);
    }
    CHECK(allocations([&] { transmission_efforts(model, dynamics.inverse_work, transmission); }) == 0);
    CHECK(allocations([&] {
            (void)certify(model, {.q = state.q, .v = state.v, .vdot = state.vdot, .tau = state.tau, .options = options},
                          checks);
          }) == 0);
    CHECK(allocations([&] { mass_matrix(model, state.q, dynamics.mass_work, M); }) == 0);
    CHECK(allocations([&] { moved = factor_mass_matrix(model, M, factor).ok(); }) == 0);
    CHECK(moved);
    CHECK(allocations([&] { solve_mass_matrix(model, factor, out); }) == 0);
    CHECK(allocations([&] { moved = mass_matrix_inverse(model, state.q, inverse_mass, M).ok(); }) == 0);
    CHECK(moved);
    CHECK(allocations([&] { moved = prepare_response(model, state.q, response, marks).ok(); }) == 0);
    CHECK(moved);
    CHECK(allocations([&] { apply_mass_inverse(model, response, state.tau, {}, {}, out); }) == 0);
    CHECK(allocations([&] { response_efforts(model, response, out, {}, also_out); }) == 0);
    CHECK(allocations([&] {
            moved = inverse_operational_inertia(model, state.q, places, Axes::world, operational, Lambda).ok();
          }) == 0);
    CHECK(moved);
    CHECK(allocations([&] { (void)operational_inertia(model, state.q, places, Axes::world, operational, Lambda); }) ==
          0);
    CHECK(allocations([&] { moved = impulse_dynamics(model, state.q, state.tau, external, impulse, out).ok(); }) == 0);
    CHECK(moved);
    CHECK(allocations([&] { (void)reaction_impulse_of(model, impulse, 0); }) == 0);
    CHECK(allocations([&] { reactions(model, state.q, state.v, state.vdot, reaction, options); }) == 0);
    CHECK(allocations([&] { (void)reaction_of(model, reaction, 0, place, Axes::world); }) == 0);
    CHECK(allocations([&] { kinematics(model, state.q, state.v, state.vdot, moving); }) == 0);
    CHECK(allocations([&] { add_external(model, moving, place, external[0], Axes::world, external); }) == 0);
    CHECK(allocations([&] { (void)net_wrench(model, moving, 0, About::joint); }) == 0);
    CHECK(allocations([&] { (void)velocity_of(moving, place, Axes::world); }) == 0);
    CHECK(allocations([&] { (void)acceleration_of(moving, place, Axes::world); }) == 0);
    CHECK(allocations([&] { jacobian(model, moving, place, Axes::world, J6); }) == 0);
    CHECK(allocations([&] { jacobian(model, state.q, place, Axes::local, jacobian_work, J6); }) == 0);
    CHECK(allocations([&] { jacobian_columns(model, state.q, jacobian_work, J6); }) == 0);
    CHECK(allocations([&] { (void)centroidal_momentum_matrix(model, state.q, centroidal_matrix_work, A_G); }) == 0);
    CHECK(allocations([&] { relative_jacobian(model, moving, place, root, Axes::world, J6); }) == 0);
    CHECK(allocations([&] { (void)jacobian_rate_times_v(model, moving, place, Axes::world); }) == 0);
    CHECK(allocations([&] { (void)relative_pose(model, moving, place, root); }) == 0);
    CHECK(allocations([&] { (void)total_momentum(model, moving); }) == 0);
    CHECK(allocations([&] { (void)(kinetic_energy(model, moving) + gravity_energy(model, moving)); }) == 0);
    CHECK(allocations([&] { (void)spring_energy(model, moving); }) == 0);
    CHECK(allocations([&] { (void)power_of(model, moving, state.tau, options); }) == 0);
    if (!couplings) {
      CHECK(allocations([&] {
              moved = forward_dynamics(model, state.q, state.v, state.tau, dynamics.forward_work, out,
                                       {.keep_recursion = true})
                          .ok();
            }) == 0);
      CHECK(allocations([&] { (void)articulated_body(model, dynamics.forward_work, 0, Axes::world); }) == 0);
    }
    CHECK(allocations([&] { coriolis_matrix(model, state.q, state.v, coriolis_work, M); }) == 0);
    CHECK(allocations([&] { mass_matrix_rate(model, state.q, state.v, coriolis_work, M); }) == 0);
    CHECK(allocations([&] { velocity_efforts(model, state.q, state.v, velocity_work, out, also_out); }) == 0);
    CHECK(allocations([&] { kinematics(model, state.q, state.v, state.vdot, moving); }) == 0);
    CHECK(allocations([&] { (void)center_of_mass(model, moving, centroidal_work); }) == 0);
    CHECK(allocations([&] { center_of_mass_jacobian(model, moving, centroidal_work, J); }) == 0);
    CHECK(allocations([&] { (void)centroidal_momentum(model, moving, centroidal_work); }) == 0);
    CHECK(allocations([&] { centroidal_momentum_matrix(model, moving, centroidal_work, A_G); }) == 0);
    CHECK(allocations([&] { bias_efforts(model, state.q, state.v, dynamics.inverse_work, out); }) == 0);
    CHECK(allocations([&] { gravity_efforts(model, state.q, dynamics.inverse_work, out); }) == 0);
    CHECK(allocations([&] { holding_efforts(model, state.q, dynamics.inverse_work, out, options); }) == 0);
    CHECK(allocations([&] { joint_passive_efforts(model, all_q, all_v, passive); }) == 0);
    CHECK(allocations([&] { passive_efforts(model, state.q, state.v, dynamics.inverse_work, out); }) == 0);
    CHECK(allocations([&] { integrate(model, state.q, state.v, q); }) == 0);
    CHECK(allocations([&] { difference(model, state.q, q, out); }) == 0);
    CHECK(allocations([&] { normalize(model, q); }) == 0);
    CHECK(allocations([&] { neutral(model, q); }) == 0);
    CHECK(allocations([&] { random_configuration(model, stream, q); }) == 0);
    CHECK(allocations([&] { position_ranges(model, out, also_out); }) == 0);
  }
}
