// DynamicsOptions::friction = false: everything is as in a mechanism without Coulomb friction, to the bit.
#include <doctest/doctest.h>

#include "pintle/dynamics/certificate/certificate.h"
#include "pintle/dynamics/energy.h"
#include "pintle/dynamics/hybrid_dynamics.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

ModelSpec with_passive(RandomStream& stream, std::uint64_t run) {
  RandomModelOptions options = variety(run);
  options.passive = true;
  return random_spec(stream, options);
}

ModelSpec without_friction(ModelSpec spec) {
  for (JointSpec& joint : spec.joints)
    for (JointPassive& passive : joint.passive) passive.friction = 0.0;
  return spec;
}

}  // namespace

TEST_CASE("law: dynamics without the friction option are those of the mechanism without friction, to the bit") {
  for (std::uint64_t run = 0; run < 300; ++run) {
    CAPTURE(run);
    RandomStream stream(321, run);
    const ModelSpec spec = with_passive(stream, run);
    DynamicsOf rough(spec), smooth(without_friction(spec));
    const Model& model = rough.model;
    const RandomState state(model, stream);
    const std::size_t n = state.v.size();
    const DynamicsOptions off{.friction = false, .refine = run % 2 == 0}, on{.refine = run % 2 == 0};
    const Numbers vdot = rough.forward(state.q, state.v, state.tau, off);
    CHECK(vdot == smooth.forward(state.q, state.v, state.tau, on));
    CHECK(vdot != rough.forward(state.q, state.v, state.tau, on));
    CHECK(rough.inverse(state.q, state.v, state.vdot, off) == smooth.inverse(state.q, state.v, state.vdot, on));

    std::vector<unsigned char> given(n);
    for (unsigned char& mark : given) mark = stream.below(2) == 0;
    Numbers tau = state.tau, also_tau = state.tau, hybrid = state.vdot, also_hybrid = state.vdot;
    REQUIRE(hybrid_dynamics_of(model, state.q, state.v, given, rough.forward_work, tau, hybrid, off).ok());
    REQUIRE(
        hybrid_dynamics_of(smooth.model, state.q, state.v, given, smooth.forward_work, also_tau, also_hybrid, on).ok());
    CHECK(hybrid == also_hybrid);
    CHECK(tau == also_tau);

    Numbers efforts(n), also(n), all(size(model.joint_nv())), also_all(all.size());
    passive_efforts(model, state.q, state.v, rough.inverse_work, efforts, false);
    passive_efforts(smooth.model, state.q, state.v, smooth.inverse_work, also);
    CHECK(efforts == also);
    joint_passive_efforts(model, rough.joint_q(state.q), rough.joint_v(state.v), all, false);
    joint_passive_efforts(smooth.model, rough.joint_q(state.q), rough.joint_v(state.v), also_all);
    CHECK(all == also_all);

    KinematicsWorkspace work(model), also_work(smooth.model);
    kinematics(model, state.q, state.v, vdot, work);
    kinematics(smooth.model, state.q, state.v, vdot, also_work);
    CHECK(power_of(model, work, state.tau, off).passive == power_of(smooth.model, also_work, state.tau, on).passive);
    CertificateWorkspace checks(model), also_checks(smooth.model);
    const Certificate found =
        certify(model, {.q = state.q, .v = state.v, .vdot = vdot, .tau = state.tau, .options = off}, checks);
    const Certificate expected =
        certify(smooth.model, {.q = state.q, .v = state.v, .vdot = vdot, .tau = state.tau, .options = on}, also_checks);
    CHECK(found.joint_balance_relative == expected.joint_balance_relative);
    CHECK(found.power_balance_watt == expected.power_balance_watt);
  }
}

TEST_CASE("law: friction added as an effort of known sign gives the motion with friction") {
  double most = 0.0;
  for (std::uint64_t run = 0; run < 300; ++run) {
    CAPTURE(run);
    RandomStream stream(322, run);
    DynamicsOf dynamics(with_passive(stream, run));
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    Numbers with(state.v.size()), without(with.size()), tau = state.tau;
    passive_efforts(model, state.q, state.v, dynamics.inverse_work, with);
    passive_efforts(model, state.q, state.v, dynamics.inverse_work, without, false);
    for (std::size_t i = 0; i < tau.size(); ++i) tau[i] += with[i] - without[i];
    const Numbers vdot = dynamics.forward(state.q, state.v, tau, {.friction = false, .refine = true});
    const Numbers needed = dynamics.inverse(state.q, state.v, vdot);
    Numbers scale = dynamics.scale(state.q, state.v, vdot);
    for (std::size_t i = 0; i < tau.size(); ++i) scale[i] += abs(with[i]);
    most = max(most, worst(needed, state.tau, scale) / static_cast<double>(model.links().size()));
  }
  CHECK(most <= 0.5);  // the worst seen is 0.14
}
