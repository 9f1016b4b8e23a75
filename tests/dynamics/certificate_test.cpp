#include "pintle/dynamics/certificate/certificate.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/net_wrench.h"
#include "pintle/dynamics/reactions.h"
#include "properties/dynamics_of.h"
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
    ReactionsWorkspace reaction(model);
    reactions(model, state.q, state.v, state.vdot, reaction, {.external = external});
    wrenches.assign(reaction.on_body.begin(), reaction.on_body.end());
    transmission.resize(model.couplings().size());
    transmission_efforts(model, inverse, transmission);
  }

  /// The sum of the absolute forces (or torques about the centre of mass) on a body: of its joint and of those it
  /// carries, of weight, of the external wrench and of inertia.
  double load_of(std::size_t b, bool torque) {
    ReactionsWorkspace at(model);
    reactions(model, state.q, state.v, state.vdot, at, {.external = external});
    const ModelBody& body = model.bodies()[b];
    const Place center = point_place(model, static_cast<int>(b), center_of_mass(body.inertia));
    const auto size_of = [torque](const Wrench<>& F) { return torque ? norm(F.torque) : norm(F.force); };
    double sum = size_of(net_wrench(model, at.kinematics, static_cast<int>(b)));
    if (!torque) sum += body.inertia.mass * norm(model.gravity());
    sum += norm(external[b].torque) + norm(external[b].force);
    for (std::size_t j = 0; j < model.joints().size(); ++j) {
      const ModelJoint& joint = model.joints()[j];
      if (joint.child_body != static_cast<int>(b) && joint.parent_body != static_cast<int>(b)) continue;
      const Wrench<> F = reaction_of(model, at, static_cast<int>(j), center, Axes::local);
      const Place origin = body_place(model, joint.child_body);
      const double arm = norm(relative_pose(model, at.kinematics, origin, center).translation);
      sum += size_of(F) + (torque ? 2.0 * arm * norm(F.force) : 0.0);
    }
    // Inertia in full, where its parts cancel.
    const Twist<> V = velocity_of(at.kinematics, center, Axes::local),
                  A = acceleration_of(at.kinematics, center, Axes::local);
    const double I = trace(inertia_about_center_of_mass(body.inertia));
    return sum + (torque ? I * (norm(A.angular) + norm_squared(V.angular)) : body.inertia.mass * norm(A.linear)) * 20.0;
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
  std::vector<double> vdot(2);
  ForwardDynamicsWorkspace<> forward(model);
  REQUIRE(forward_dynamics(model, zero, zero, zero, forward, vdot).ok());
  ReactionsWorkspace reaction(model);
  reactions(model, zero, zero, vdot, reaction);
  CertificateWorkspace work(model);
  const Certificate c =
      certify(model, {.q = zero, .v = zero, .vdot = vdot, .tau = zero, .joint_wrenches = reaction.on_body}, work);
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
  // Whether a number counts is found without the certificate: by what inverse dynamics makes of the change, against the
  // sum of the absolute terms of that effort; for joint wrenches by the forces on the body itself.
  std::vector<int> counted(10), seen(10);
  for (std::uint64_t run = 0; run < 60; ++run) {
    CAPTURE(run);
    const bool with_wrenches = run % 2 == 0;
    Motion motion(run);
    const auto worst = [&] {
      const Model model = compile(motion.spec).value();  // inertias are among the numbers
      Claim claim = motion.claim();
      if (!with_wrenches) claim.joint_wrenches = {};
      return certify(model, claim, motion.work).worst();
    };
    const auto efforts = [&] {
      DynamicsOf dynamics(motion.spec);
      return dynamics.inverse(motion.state.q, motion.state.v, motion.state.vdot, {.external = motion.external});
    };
    DynamicsOf dynamics(motion.spec);
    const Numbers before = efforts();
    Numbers scale = dynamics.scale(motion.state.q, motion.state.v, motion.state.vdot, {.external = motion.external});
    for (std::size_t k = 0; k < scale.size(); ++k) scale[k] += abs(motion.state.tau[k]);
    const double clean = worst();
    CHECK(clean < 1e-14);
    const std::vector<Entries> all = kinds(motion, with_wrenches);
    for (std::size_t kind = 0; kind < all.size(); ++kind) {
      double largest = 0.0;
      for (const double* x : all[kind]) largest = max(largest, abs(*x));
      for (std::size_t entry = 0; entry < all[kind].size(); ++entry) {
        double& x = *all[kind][entry];
        const double as_it_was = x;
        double term = 0.0;  // of the change of 1e-9, times 1e9
        if (kind == 1) {
          term = largest / scale[entry];
        } else if (kind < 7) {
          x += 1e-8 * largest;
          const Numbers after = efforts();
          for (std::size_t k = 0; k < scale.size(); ++k)
            term = max(term, abs(after[k] - before[k]) / (1e-8 * scale[k]));
          x = as_it_was;
        } else if (with_wrenches && kind < 9) {
          term = largest / motion.load_of(entry / 3, kind == 8);
        }
        if (!(term > (motion.model.links().size() <= 10 ? 1e-4 : 2e-4))) continue;  // see below
        ++counted[kind];
        x += 1e-9 * largest;
        // Beyond ten links the rounding of inverse dynamics itself reaches 1.6e-15.
        if (worst() >= 100.0 * clean) ++seen[kind];
        x = as_it_was;
      }
    }
  }
  CHECK(seen == counted);
  for (std::size_t kind = 0; kind < 9; ++kind) CHECK(counted[kind] > 100);
}

TEST_CASE("certificate: an exact answer is good also where the terms cancel") {
  // The sums vanish, so that rounding must not be divided by rounding: a free body far from any force, a ball on a ball
  // joint, a turntable, a flywheel that only turns.
  RandomStream stream(42);
  const SymMat3<> round = diagonal(Vec3<>{0.4, 0.4, 0.4}), flat = diagonal(Vec3<>{0.1, 0.1, 0.2});
  struct Example {
    JointKind kind;
    SpatialInertia<> inertia;
    Vec3<> gravity;
  };
  const Vec3<> nil{0, 0, 0}, aside{0.1, 0.2, 0.3};
  const Example examples[] = {{JointKind::free, spatial_inertia(2.0, aside, flat), nil},
                              {JointKind::spherical, spatial_inertia(2.0, nil, round), nil},
                              {JointKind::revolute, spatial_inertia(2.0, aside, flat), {0, 0, -9.81}},
                              {JointKind::revolute, spatial_inertia(2.0, nil, flat), nil}};
  for (const Example& example : examples) {
    ModelSpec spec{.name = "one body"};
    spec.gravity = example.gravity;
    spec.bodies = {{.name = "body", .inertia = example.inertia}};
    spec.joints = {{.name = "joint", .kind = example.kind, .parent = kWorld, .child = "body"}};
    spec.joints[0].X_PJ = random_pose(stream);
    if (example.kind == JointKind::revolute) spec.joints[0].X_PJ.rotation = identity3();
    const Model model = compile(spec).value();
    CertificateWorkspace work(model);
    ForwardDynamicsWorkspace<> forward(model);
    for (int run = 0; run < 300; ++run) {
      RandomState state(model, stream);
      for (double& t : state.tau) t = 0.0;
      REQUIRE(forward_dynamics(model, state.q, state.v, state.tau, forward, state.vdot).ok());
      ReactionsWorkspace reaction(model);
      reactions(model, state.q, state.v, state.vdot, reaction);
      const Certificate c = certify(
          model, {.q = state.q, .v = state.v, .vdot = state.vdot, .tau = state.tau, .joint_wrenches = reaction.on_body},
          work);
      CHECK(c.worst() < 1e-13);
    }
  }
}

TEST_CASE("certificate: a point that is welded to a rod has no torque of its own, only rounding of its lever") {
  RandomStream stream(44);
  ModelSpec spec{.name = "rod and ball"};
  spec.bodies = {{.name = "rod", .inertia = spatial_inertia(0.3, Vec3<>{0.5, 0, 0}, diagonal(Vec3<>{0, 0.02, 0.02}))},
                 {.name = "ball", .inertia = spatial_inertia(5.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0, 0, 0}))}};
  spec.joints = {{.name = "pin", .kind = JointKind::revolute, .parent = kWorld, .child = "rod"},
                 {.name = "weld", .kind = JointKind::fixed, .parent = "rod", .child = "ball"}};
  spec.joints[0].axis = {1.0, 2.0, 3.0};
  spec.joints[1].X_PJ = random_pose(stream);
  const Model model = compile(spec).value();
  CertificateWorkspace work(model);
  ReactionsWorkspace reaction(model);
  ForwardDynamicsWorkspace<> forward(model);
  for (int run = 0; run < 300; ++run) {
    RandomState state(model, stream);
    REQUIRE(forward_dynamics(model, state.q, state.v, state.tau, forward, state.vdot).ok());
    reactions(model, state.q, state.v, state.vdot, reaction);
    const Certificate c = certify(
        model, {.q = state.q, .v = state.v, .vdot = state.vdot, .tau = state.tau, .joint_wrenches = reaction.on_body},
        work);
    CHECK(c.worst() < 1e-14);
  }
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
  const ModelJoint& carrier = motion.model.joints()[static_cast<std::size_t>(motion.model.bodies()[last].joint)];
  const bool at_either_end = body == static_cast<int>(last) || body == carrier.parent_body;  // of the wrong wrench
  CHECK(at_either_end);

  Motion other(8);
  const IndependentJoint& joint = other.model.independent_joints().back();
  other.state.tau[static_cast<std::size_t>(joint.v)] += 10.0;
  const Certificate wrong_effort = certify(other.model, other.claim(), other.work);
  CHECK(wrong_effort.worst_joint == joint.joint);
}

TEST_CASE("certificate: a wrong effort shows in the power, a wrong acceleration of the root in every balance") {
  for (std::uint64_t run = 0; run < 50; ++run) {
    CAPTURE(run);
    Motion motion(run);
    const double v = motion.state.v[0];
    double size_of_power = 0.0;
    for (std::size_t i = 0; i < motion.state.v.size(); ++i)
      size_of_power += abs(motion.state.tau[i] * motion.state.v[i]);
    motion.state.tau[0] += 1.0;
    const Certificate c = certify(motion.model, motion.claim(), motion.work);
    CHECK(c.power_balance_watt == doctest::Approx(abs(v)).epsilon(1e-9).scale(size_of_power));
    CHECK(c.power_balance_relative > 0.0);
    CHECK(c.joint_balance_effort == doctest::Approx(1.0).epsilon(1e-9).scale(1.0 + size_of_power));
    motion.state.tau[0] -= 1.0;
    Claim claim = motion.claim();
    const RootMotion moved{.acceleration = {{1.0, 2.0, 3.0}, {0.0, 0.0, 0.0}}};
    claim.options.root = &moved;
    CHECK(certify(motion.model, claim, motion.work).force_balance_relative > 1e-6);
  }
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

TEST_CASE("certificate: torques on a body that falls and hardly turns are measured by the forces on it") {
  ModelSpec spec;
  BodySpec body;
  body.name = "stone";
  body.inertia = {2.0, {0, 0, 0}, {0.01, 0, 0, 0.02, 0, 0.03}};
  spec.bodies.push_back(body);
  JointSpec joint;
  joint.name = joint.child = "stone";
  joint.parent = kWorld;
  joint.kind = JointKind::free;
  spec.joints.push_back(joint);
  const Model model = compile(spec).value();
  const std::vector<double> q{0, 0, 1, 0, 0, 0, 1}, v{0, 0, 0, 1e-12, 0, 0}, tau(6);
  std::vector<double> vdot{0, 0, model.gravity().z, 0, 0, 0};
  CertificateWorkspace work(model);
  vdot[4] = 1e-16;  // rad/s^2, as rounding of the weight may leave
  CHECK(certify(model, {.q = q, .v = v, .vdot = vdot, .tau = tau}, work).worst() <= 1e-16);
  vdot[4] = 1e-6;
  CHECK(certify(model, {.q = q, .v = v, .vdot = vdot, .tau = tau}, work).worst() > 1e-9);
}
