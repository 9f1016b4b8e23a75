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
        spec(random_spec(stream, {.links = 1 + static_cast<int>(run % 20),
                                  .mass_ratio = run % 5 == 0 ? 1e6 : 10.0,
                                  .passive = run % 2 == 0,
                                  .couplings = run % 3 == 0,
                                  .welds = run % 2 == 1})),
        model(compile(spec).value()),
        state(model, stream),
        work(model) {
    for (std::size_t b = 0; b < model.bodies().size(); ++b) {
      external.push_back({uniform_direction(stream), uniform_direction(stream)});
    }
    InverseDynamicsWorkspace<> inverse(model);
    inverse_dynamics(model, state.q, state.v, state.vdot, inverse, state.tau, {.external = external});
    wrenches.assign(inverse.view().F, inverse.view().F + model.links().size());
    transmission.resize(model.couplings().size());
    transmission_efforts(model, inverse, transmission);
  }

  Claim claim() const {
    return {.q = state.q,
            .v = state.v,
            .vdot = state.vdot,
            .tau = state.tau,
            .options = {.external = external},
            .joint_wrenches = wrenches,
            .transmission = transmission};
  }

  RandomStream stream;
  ModelSpec spec;
  Model model;
  RandomState state;
  CertificateWorkspace work;
  std::vector<Wrench<>> external, wrenches;
  std::vector<double> transmission;
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
    claim.transmission = {};
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

namespace {

/// Pointers to all numbers of a kind.
using Entries = std::vector<double*>;

Entries entries(std::vector<double>& numbers) {
  Entries result;
  for (double& x : numbers) result.push_back(&x);
  return result;
}
Entries entries(Vec3<>& a) {
  return {&a.x, &a.y, &a.z};
}
void append(Entries& to, const Entries& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// Every number of a motion and of its model, by kind: forces apart from torques, and the parts of inertias.
std::vector<Entries> kinds(Motion& motion, bool with_wrenches) {
  std::vector<Entries> result{entries(motion.state.vdot), entries(motion.state.tau)};
  Entries force, torque, pushed, turned, mass, moment, inertia;
  for (Wrench<>& F : motion.wrenches) {
    append(force, entries(F.force));
    append(torque, entries(F.torque));
  }
  for (Wrench<>& F : motion.external) {
    append(pushed, entries(F.force));
    append(turned, entries(F.torque));
  }
  for (BodySpec& body : motion.spec.bodies) {
    SymMat3<>& I = body.inertia.inertia;
    mass.push_back(&body.inertia.mass);
    append(moment, entries(body.inertia.first_moment));
    append(inertia, {&I.xx, &I.xy, &I.xz, &I.yy, &I.yz, &I.zz});
  }
  for (const Entries& kind : {pushed, turned, mass, moment, inertia}) result.push_back(kind);
  if (with_wrenches) result.insert(result.end(), {force, torque});
  if (!motion.transmission.empty()) result.push_back(entries(motion.transmission));
  return result;
}

}  // namespace

TEST_CASE("certificate: a change of 1e-9 in any one number that counts is seen") {
  int counted = 0, tried = 0;
  for (std::uint64_t run = 0; run < 60; ++run) {
    CAPTURE(run);
    const bool with_wrenches = run % 2 == 0;
    Motion motion(run);
    motion.model = compile(motion.spec).value();
    const auto worst = [&] {
      const Model model = compile(motion.spec).value();  // inertias are among the numbers
      Claim claim = motion.claim();
      if (!with_wrenches) claim.joint_wrenches = {};
      return certify(model, claim, motion.work).worst();
    };
    const double clean = worst();
    CHECK(clean < 1e-14);
    for (const Entries& kind : kinds(motion, with_wrenches)) {
      double largest = 0.0;
      for (const double* x : kind) largest = max(largest, abs(*x));
      for (double* x : kind) {
        const auto changed_by = [&](double part) {
          const double before = *x;
          *x += part * largest;
          const double result = worst();
          *x = before;
          return result;
        };
        ++tried;
        // The term of this number, against the sum of absolute terms of the balance where it counts most: from a change
        // too small to make a light body impossible, and too large to be rounding.
        const double term = (changed_by(1e-8) - clean) / 1e-8;
        // Beyond ten links the rounding of inverse dynamics itself reaches 1.6e-15.
        if (!(term > (motion.model.links().size() <= 10 ? 1e-4 : 2e-4))) continue;
        ++counted;
        CHECK(changed_by(1e-9) >= 100.0 * clean);
      }
    }
  }
  CHECK(tried > 10000);
  CHECK(counted > tried / 3);
}

TEST_CASE("certificate: the effort of a coupling is checked when claimed, found when not") {
  int couplings = 0;
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    Motion motion(3 * run);
    if (motion.transmission.empty()) continue;
    Claim claim = motion.claim();
    const Certificate checked = certify(motion.model, claim, motion.work);
    CHECK(checked.transmission_checked);
    CHECK(checked.worst() < 1e-13);
    claim.transmission = {};
    const Certificate found = certify(motion.model, claim, motion.work);
    CHECK_FALSE(found.transmission_checked);
    CHECK(found.worst() < 1e-13);
    double largest = 1.0;
    for (const double t : motion.transmission) largest = max(largest, abs(t));
    for (std::size_t c = 0; c < motion.transmission.size(); ++c) {
      ++couplings;
      // Found as differences of wrenches of all outboard bodies.
      CHECK(abs(motion.work.transmission[c] - motion.transmission[c]) <= 1e-10 * largest);
    }
    motion.transmission[0] += 1e-3 * largest;
    CHECK(certify(motion.model, motion.claim(), motion.work).joint_balance_relative > 1e-10);
  }
  CHECK(couplings > 100);
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
  claim = motion.claim();
  const std::vector<double> too_many(motion.transmission.size() + 1);
  claim.transmission = too_many;
  CHECK_THROWS_WITH_AS(certify(motion.model, claim, motion.work), doctest::Contains("transmission"), UsageError);
  claim = motion.claim();
  claim.options.external = claim.options.external.first(1);
  CHECK_THROWS_WITH_AS(certify(motion.model, claim, motion.work), doctest::Contains("external"), UsageError);
}
