#include "pintle/dynamics/certificate.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "support/random_model.h"

using namespace test;

namespace {

/// A random mechanism with its motion by inverse dynamics, joint wrenches and all.
struct Motion {
  explicit Motion(std::uint64_t run)
      : stream(41, run),
        model(compile(random_spec(stream, {.links = 1 + static_cast<int>(run % 20),
                                           .mass_ratio = run % 5 == 0 ? 1e6 : 10.0,
                                           .passive = run % 2 == 0,
                                           .couplings = run % 3 == 0,
                                           .welds = run % 2 == 1}))
                  .value()),
        state(model, stream),
        work(model) {
    for (std::size_t i = 0; i < model.links().size(); ++i) {
      external.push_back({uniform_direction(stream), uniform_direction(stream)});
    }
    InverseDynamicsWorkspace<> inverse(model);
    inverse_dynamics(model, state.q, state.v, state.vdot, inverse, state.tau, {.external = external});
    wrenches.assign(inverse.view().F, inverse.view().F + model.links().size());
  }

  Claim claim() const {
    return {.q = state.q,
            .v = state.v,
            .vdot = state.vdot,
            .tau = state.tau,
            .options = {.external = external},
            .joint_wrenches = wrenches};
  }

  RandomStream stream;
  Model model;
  RandomState state;
  CertificateWorkspace work;
  std::vector<Wrench<>> external, wrenches;
};

}  // namespace

TEST_CASE("certificate: inverse dynamics balances every body, joint and power") {
  for (std::uint64_t run = 0; run < 500; ++run) {
    CAPTURE(run);
    Motion motion(run);
    const Certificate c = certify(motion.model, motion.claim(), motion.work);
    CHECK(c.joint_wrenches_checked);
    CHECK(c.force_balance_relative < 1e-13);
    CHECK(c.joint_balance_relative < 1e-13);
    CHECK(c.power_balance_relative < 1e-13);
    CHECK(c.worst_body >= 0);
    CHECK(c.worst_joint >= 0);
  }
}

TEST_CASE("certificate: forward dynamics satisfies the joint equations, without joint wrenches in the claim") {
  for (std::uint64_t run = 0; run < 500; ++run) {
    CAPTURE(run);
    Motion motion(run);
    ForwardDynamicsWorkspace<> forward(motion.model);
    for (double& t : motion.state.tau) t = motion.stream.uniform(-1, 1);
    REQUIRE(forward_dynamics(motion.model, motion.state.q, motion.state.v, motion.state.tau, forward, motion.state.vdot,
                             {.external = motion.external})
                .ok());
    Claim claim = motion.claim();
    claim.joint_wrenches = {};
    const Certificate c = certify(motion.model, claim, motion.work);
    CHECK_FALSE(c.joint_wrenches_checked);
    CHECK(c.force_balance_relative == 0.0);
    CHECK(c.worst() < 1e-12);
  }
}

TEST_CASE("certificate: a joint wrench without a part along the axis is good to rounding of the terms behind it") {
  // A bar on two pins about z, straight along x under gravity: the pins' torque about z is a difference of large terms.
  ModelSpec spec{.name = "bars"};
  for (const char* name : {"upper", "lower"}) {
    JointSpec pin;
    pin.name = std::string("pin of ") + name;
    pin.kind = JointKind::revolute;
    pin.parent = spec.bodies.empty() ? kWorld : "upper";
    pin.child = name;
    pin.X_PJ.translation = {spec.bodies.empty() ? 0.0 : 0.25, 0.0, 0.0};
    spec.joints.push_back(pin);
    spec.bodies.push_back(
        {.name = name, .inertia = spatial_inertia(0.1, Vec3{0.125, 0.0, 0.0}, diagonal(Vec3{0, 1, 1}))});
  }
  spec.gravity = {0.0, -10.0, 0.0};
  const Model model = compile(spec).value();
  const std::vector<double> zero(2);
  std::vector<double> vdot(2), tau(2);
  ForwardDynamicsWorkspace<> forward(model);
  InverseDynamicsWorkspace<> inverse(model);
  REQUIRE(forward_dynamics(model, zero, zero, zero, forward, vdot).ok());
  inverse_dynamics(model, zero, zero, vdot, inverse, tau);
  CertificateWorkspace work(model);
  const Certificate c =
      certify(model, {.q = zero, .v = zero, .vdot = vdot, .tau = zero, .joint_wrenches = {inverse.view().F, 2}}, work);
  CHECK(c.worst() < 1e-15);
}

TEST_CASE("certificate: a change of 1e-9 in any one number is seen") {
  int tried = 0;
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    Motion motion(run);
    const double clean = certify(motion.model, motion.claim(), motion.work).worst();
    const auto seen = [&](double& number, double size) {
      const double before = number;
      number += 1e-9 * size;
      const double worst = certify(motion.model, motion.claim(), motion.work).worst();
      number = before;
      ++tried;
      return worst > 100.0 * clean;
    };
    const auto largest = [](const std::vector<double>& numbers) {
      double most = 0.0;
      for (const double x : numbers) most = max(most, abs(x));
      return most;
    };
    // The largest entry of each kind has a term that counts in its own balance.
    const auto largest_entry = [&](std::vector<double>& numbers) -> double& {
      std::size_t most = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        if (abs(numbers[i]) > abs(numbers[most])) most = i;
      return numbers[most];
    };
    CHECK(seen(largest_entry(motion.state.tau), largest(motion.state.tau)));
    CHECK(seen(motion.wrenches.front().force.x, norm(motion.wrenches.front().force)));
    CHECK(seen(motion.wrenches.back().torque.z, norm(motion.wrenches.back().torque)));
  }
  CHECK(tried == 300);
}

TEST_CASE("certificate: names the body and the joint that are wrong") {
  Motion motion(7);
  const std::size_t last = motion.wrenches.size() - 1;
  motion.wrenches[last].force += 0.01 * motion.wrenches[last].force;
  const Certificate wrong_wrench = certify(motion.model, motion.claim(), motion.work);
  CHECK(wrong_wrench.force_balance_relative > 1e-4);
  const int body = wrong_wrench.worst_body;
  const int parent = motion.model.links()[last].parent;
  const int link = motion.model.bodies()[static_cast<std::size_t>(body)].link;
  const bool at_either_end = link == static_cast<int>(last) || link == parent;  // of the joint with the wrong wrench
  CHECK(at_either_end);

  Motion other(8);
  const IndependentJoint& joint = other.model.independent_joints().back();
  other.state.tau[static_cast<std::size_t>(joint.v)] += 10.0;
  const Certificate wrong_effort = certify(other.model, other.claim(), other.work);
  CHECK(wrong_effort.worst_joint == joint.joint);
}

TEST_CASE("certificate: a NaN anywhere makes the verdict NaN, never good") {
  for (int kind = 0; kind < 4; ++kind) {
    Motion motion(12);
    double& number = kind == 0   ? motion.state.vdot.front()
                     : kind == 1 ? motion.state.tau.back()
                     : kind == 2 ? motion.wrenches.front().force.y
                                 : motion.external.back().torque.x;
    number = __builtin_nan("");
    const double worst = certify(motion.model, motion.claim(), motion.work).worst();
    CHECK(worst != worst);
  }
}

TEST_CASE("certificate: wrong sizes are wrong calls") {
  Motion motion(3);
  Claim claim = motion.claim();
  claim.tau = {};
  CHECK_THROWS_WITH_AS(certify(motion.model, claim, motion.work), doctest::Contains("claim.tau"), UsageError);
  claim = motion.claim();
  claim.joint_wrenches = claim.joint_wrenches.first(1);
  CHECK_THROWS_WITH_AS(certify(motion.model, claim, motion.work), doctest::Contains("joint_wrenches"), UsageError);
}
