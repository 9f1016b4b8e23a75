// After its workspace exists no algorithm allocates memory.
#include <doctest/doctest.h>

#include "base/count_allocations.h"
#include "pintle/dynamics/center_of_mass.h"
#include "pintle/dynamics/centroidal_momentum.h"
#include "pintle/dynamics/coriolis_matrix.h"
#include "pintle/dynamics/velocity_efforts.h"
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
    VelocityEffortsWorkspace velocity_work(model);
    const std::vector<Wrench<>> external(model.links().size(), Wrench<>{{1, 2, 3}, {4, 5, 6}});
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
    CHECK(allocations([&] { mass_matrix(model, state.q, dynamics.mass_work, M); }) == 0);
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
    CHECK(allocations([&] { passive_efforts(model, all_q, all_v, passive); }) == 0);
    CHECK(allocations([&] { integrate(model, state.q, state.v, q); }) == 0);
    CHECK(allocations([&] { difference(model, state.q, q, out); }) == 0);
    CHECK(allocations([&] { normalize(model, q); }) == 0);
    CHECK(allocations([&] { neutral(model, q); }) == 0);
    CHECK(allocations([&] { random_configuration(model, stream, q); }) == 0);
  }
}
