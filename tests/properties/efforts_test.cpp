// Laws of the equations of motion, over random trees of every joint, with couplings, welds and passive elements.
#include <doctest/doctest.h>

#include "pintle/dynamics/energy.h"
#include "pintle/dynamics/external_wrench.h"
#include "properties/body_motion.h"
#include "properties/dynamics_of.h"
#include "properties/positive_definite.h"

using namespace test;

namespace {

/// How the bodies of a mechanism move along given independent numbers.
struct Kinematics {
  Kinematics(const ModelSpec& spec, DynamicsOf& dynamics_) : tree(spec, dynamics_.model), dynamics(dynamics_) {}

  std::vector<BodyMotion> operator()(const Numbers& q, const Numbers& v, const Numbers& vdot) {
    return body_motions(tree, path(dynamics.model, dynamics.joint_q(q), dynamics.joint_v(v), dynamics.joint_v(vdot)));
  }

  SpecTree tree;
  DynamicsOf& dynamics;
};

}  // namespace

TEST_CASE("law: columns of the mass matrix are the efforts of unit accelerations; it is symmetric, positive definite") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(71, run);
    DynamicsOf dynamics(random_spec(stream, variety(run)));
    const RandomState state(dynamics.model, stream);
    const std::size_t n = state.v.size();
    const Numbers M = dynamics.mass(state.q), h = dynamics.bias(state.q, state.v);
    for (std::size_t j = 0; j < n; ++j) {
      const Numbers tau = dynamics.inverse(state.q, state.v, unit(n, j), {.passive = false});
      // Differences of efforts: the error is of the size of the terms within them.
      const Numbers scale = dynamics.scale(state.q, state.v, unit(n, j), {.passive = false});
      Numbers column(n), difference(n);
      for (std::size_t i = 0; i < n; ++i) {
        column[i] = M[i * n + j];
        difference[i] = tau[i] - h[i];
        REQUIRE(M[i * n + j] == M[j * n + i]);  // to the bit
      }
      const double error = worst(column, difference, scale);
      CHECK(error <= 5.0);  // the worst seen is 1.8
    }
    CHECK(!cholesky(M, n).empty());
  }
}

TEST_CASE("law: forward dynamics is M^-1 (tau - h)") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(72, run);
    DynamicsOf dynamics(random_spec(stream, variety(run)));
    const RandomState state(dynamics.model, stream);
    const std::size_t n = state.v.size();
    const Numbers vdot = dynamics.forward(state.q, state.v, state.tau, {.passive = false});
    const Numbers M = dynamics.mass(state.q), h = dynamics.bias(state.q, state.v), L = cholesky(M, n);
    REQUIRE(!L.empty());
    Numbers rest(n);
    for (std::size_t i = 0; i < n; ++i) rest[i] = state.tau[i] - h[i];
    const Numbers scale = dynamics.scale(state.q, state.v, vdot, {.passive = false});
    // Either way loses the condition of M, scaled to a unit diagonal.
    const double links = static_cast<double>(dynamics.model.links().size());
    const double error = worst(vdot, solve(L, rest), acceleration_scale(M, L, scale)) / links;
    CHECK(error <= 2.8);  // the worst seen is 0.92
  }
}

TEST_CASE("law: h = C v + g: gravity is the bias at rest, and what remains is even and quadratic in v") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(73, run);
    DynamicsOf dynamics(random_spec(stream, variety(run)));
    const RandomState state(dynamics.model, stream);
    const std::size_t n = state.v.size();
    const Numbers none(n), g = dynamics.gravity(state.q), h = dynamics.bias(state.q, state.v);
    CHECK(dynamics.bias(state.q, none) == g);
    Numbers backwards(n), doubled(n), four_times(n);
    for (std::size_t i = 0; i < n; ++i) {
      backwards[i] = -state.v[i];
      doubled[i] = 2.0 * state.v[i];
      four_times[i] = g[i] + 4.0 * (h[i] - g[i]);
    }
    CHECK(dynamics.bias(state.q, backwards) == h);
    const double error =
        worst(dynamics.bias(state.q, doubled), four_times, dynamics.scale(state.q, doubled, none, {.passive = false}));
    CHECK(error <= 15.0);  // the worst seen is 4.9
  }
}

TEST_CASE("law: passive efforts are what forward and inverse dynamics differ by with and without them") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(74, run);
    RandomModelOptions options = variety(run);
    options.passive = true;
    DynamicsOf dynamics(random_spec(stream, options));
    const RandomState state(dynamics.model, stream);
    const std::size_t n = state.v.size();
    const Numbers passive = dynamics.passive(state.q, state.v);
    const Numbers with = dynamics.inverse(state.q, state.v, state.vdot);
    const Numbers without = dynamics.inverse(state.q, state.v, state.vdot, {.passive = false});
    const Numbers scale = dynamics.scale(state.q, state.v, state.vdot);
    Numbers both(n), helped(n);
    for (std::size_t i = 0; i < n; ++i) {
      both[i] = with[i] + passive[i];
      helped[i] = state.tau[i] + passive[i];
    }
    CHECK(worst(both, without, scale) <= 1.6);  // the worst seen is 0.55
    // The bare mechanism under tau and the passive efforts accelerates as the whole one under tau.
    const Numbers vdot = dynamics.forward(state.q, state.v, state.tau);
    const Numbers bare = dynamics.forward(state.q, state.v, helped, {.passive = false});
    const Numbers efforts = dynamics.inverse(state.q, state.v, bare);
    const double links = static_cast<double>(dynamics.model.links().size());
    CHECK(worst(efforts, state.tau, dynamics.scale(state.q, state.v, vdot)) <= 20.0 * links);
  }
}

TEST_CASE("law: dampers and friction take power, springs store what they take") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(78, run);
    RandomModelOptions options = variety(run);
    options.passive = true;
    DynamicsOf dynamics(random_spec(stream, options));
    const Model& model = dynamics.model;
    RandomState state(model, stream);
    if (run % 5 == 0) state.v = Numbers(state.v.size());  // at rest friction is not known: none
    const Numbers q = dynamics.joint_q(state.q), v = dynamics.joint_v(state.v);
    // Along the motion, by dual numbers: every spring stores half its stiffness times the square of its stretch.
    const std::vector<Jet> moving = path(model, q, v, Numbers(v.size()));
    Numbers tau(v.size());
    joint_passive_efforts(model, q, v, tau);
    for (const Link& link : model.links()) {
      double power = 0.0, scale = 0.0, lost = 0.0;
      Rate stored(0.0), numbers[7], stretch[kMaxDofs];
      for (int i = 0; i < facts(link.kind).nq; ++i) numbers[i] = moving[size(link.q + i)].value;
      const auto angle_times_axis = [](const Rate* r, Rate* phi) {  // of a quaternion, the short way
        const Rate sine = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        const Rate factor = Rate(2.0) * atan2(sine, abs(r[3])) / sine * Rate(r[3].value < 0.0 ? -1.0 : 1.0);
        for (int i = 0; i < 3; ++i) phi[i] = factor * r[i];
      };
      for (int i = 0; i < link.nv; ++i) stretch[i] = numbers[i];
      if (link.kind == JointKind::spherical) angle_times_axis(numbers, stretch);
      if (link.kind == JointKind::free) angle_times_axis(numbers + 3, stretch + 3);
      for (int k = 0; k < link.nv; ++k) {
        const std::size_t at = size(link.v + k);
        const JointPassive& passive = model.dofs()[at].passive;
        power += tau[at] * v[at];
        lost += passive.damping * v[at] * v[at] + passive.friction * abs(v[at]);
        const Rate beyond = stretch[k] - Rate(passive.rest);
        stored += Rate(0.5 * passive.stiffness) * beyond * beyond;
        // A rotation of nearly half a turn changes its rotation vector fast.
        scale += abs(v[at]) * (passive.damping * abs(v[at]) + passive.friction + passive.stiffness * 8.0) +
                 abs(passive.stiffness * beyond.value * beyond.derivative[0]);
      }
      CHECK(abs(power + lost + stored.derivative[0]) <= 64.0 * kEpsilon<double> * scale);
    }
  }
}

TEST_CASE("law: the kinetic energy grows by the power of efforts, passive elements, weights and external wrenches") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(70, run);
    RandomModelOptions options = variety(run);
    options.passive = true;
    DynamicsOf dynamics(random_spec(stream, options));
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    std::vector<Wrench<>> external(model.bodies().size());
    for (Wrench<>& F : external) F = {uniform_direction(stream), uniform_direction(stream)};
    const DynamicsOptions pushed{.refine = true, .external = external};
    const Numbers vdot = dynamics.forward(state.q, state.v, state.tau, pushed);
    KinematicsWorkspace at(model);
    kinematics(model, state.q, state.v, vdot, at);
    const Power power = power_of(model, at, state.tau, pushed);
    double scale = 0.0;
    const Numbers terms = dynamics.scale(state.q, state.v, vdot, pushed);
    for (std::size_t i = 0; i < terms.size(); ++i) scale += abs(state.v[i]) * terms[i];
    const double sum = power.efforts + power.passive + power.gravity + power.external;
    const double links = static_cast<double>(model.links().size());
    CHECK(abs(sum - power.kinetic_rate) <= 2.0 * links * kEpsilon<double> * scale);

    // And the energies change so: a symmetric difference, good to h^2.
    const double h = 1e-5;
    const auto energies = [&](double t) {
      Numbers step(state.v.size()), v(step.size()), q(state.q.size());
      for (std::size_t i = 0; i < step.size(); ++i) {
        step[i] = t * (state.v[i] + 0.5 * t * vdot[i]);
        v[i] = state.v[i] + t * vdot[i];
      }
      integrate(model, state.q, step, q);
      kinematics(model, q, v, vdot, at);
      return std::array<double, 3>{kinetic_energy(model, at), gravity_energy(model, at), spring_energy(model, at)};
    };
    if (norm(vdot) > 1e3) continue;  // too fast for the difference
    const std::array<double, 3> after = energies(h), before = energies(-h);
    const auto rate = [&](std::size_t i) { return (after[i] - before[i]) / (2.0 * h); };
    const double size_of_all = scale + abs(before[0]) + abs(before[1]) + abs(before[2]) + norm(vdot) * norm(vdot);
    CHECK(abs(rate(0) - power.kinetic_rate) <= 1e-7 * size_of_all);
    CHECK(abs(rate(1) + power.gravity) <= 1e-7 * size_of_all);
  }
}

TEST_CASE("law: a rotor without a body accelerates by its armature and disturbs nothing") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    RandomStream stream(79, run);
    ModelSpec spec = random_spec(stream, variety(run, 8));
    DynamicsOf without(spec);
    const RandomState state(without.model, stream);
    BodySpec body;
    body.name = "rotor";
    body.inertia = zero_inertia<double>();
    JointSpec joint;
    joint.name = "rotor";
    joint.parent = spec.bodies.back().name;
    joint.child = body.name;
    joint.kind = kJointFacts[1 + stream.below(kJointKinds - 1)].kind;
    joint.pitch_m_per_rad = 0.1;
    joint.passive.resize(1);
    joint.passive[0].armature = 0.25;
    spec.bodies.push_back(body);
    spec.joints.push_back(joint);
    DynamicsOf with(spec);
    const IndependentJoint* rotor = nullptr;
    for (const IndependentJoint& own : with.model.independent_joints())
      if (with.model.joints()[size(own.joint)].name == joint.name) rotor = &own;
    REQUIRE(rotor != nullptr);
    // The rotor's numbers stand between the others'.
    const auto insert = [](Numbers numbers, int at, const Numbers& more) {
      numbers.insert(numbers.begin() + at, more.begin(), more.end());
      return numbers;
    };
    Numbers upright(size(facts(joint.kind).nq));
    if (joint.kind == JointKind::spherical || joint.kind == JointKind::free) upright.back() = 1.0;
    const Numbers none(size(facts(joint.kind).nv)), one(none.size(), 1.0), four(none.size(), 4.0);
    const Numbers q = insert(state.q, rotor->q, upright), v = insert(state.v, rotor->v, none);
    const Numbers tau = insert(state.tau, rotor->v, one);
    const Numbers vdot = with.forward(q, v, tau, {.passive = false});
    const Numbers alone = without.forward(state.q, state.v, state.tau, {.passive = false});
    const Numbers expected = insert(alone, rotor->v, four);
    const Numbers efforts = with.inverse(q, v, expected, {.passive = false});
    const double links = static_cast<double>(with.model.links().size());
    // To the bit, but where the plan puts a frame on the way to the rotor's axis.
    const bool moves_frames = joint.kind == JointKind::revolute || joint.kind == JointKind::prismatic ||
                              joint.kind == JointKind::screw || joint.kind == JointKind::cylindrical;
    if (with.model.couplings().empty() && !moves_frames) CHECK(vdot == expected);
    const Numbers needed = with.inverse(q, v, vdot, {.passive = false});
    CHECK(worst(needed, tau, with.scale(q, v, vdot, {.passive = false})) <= 20.0 * links);
    CHECK(worst(efforts, tau, with.scale(q, v, expected, {.passive = false})) <= 20.0 * links);
  }
}

TEST_CASE("law: d'Alembert: efforts are the sums of J'(I A + V x* I V - weight - external) over all bodies") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(75, run);
    const RandomModelOptions options = variety(run);
    const ModelSpec spec = random_spec(stream, options);
    DynamicsOf dynamics(spec);
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    Kinematics kinematics(spec, dynamics);
    const std::size_t n = state.v.size();
    const Numbers none(n);

    std::vector<Wrench<>> on_body(model.bodies().size());
    for (Wrench<>& F : on_body) F = {5.0 * uniform_direction(stream), 5.0 * uniform_direction(stream)};
    // Extreme mass ratios are what the refinement is for.
    const DynamicsOptions pushed{.passive = false, .refine = options.mass_ratio > 100.0, .external = on_body};

    std::vector<Wrench<>> needed;  // by each body, in its frame
    for (const BodyMotion& at : kinematics(state.q, state.v, state.vdot)) {
      const SpatialInertia<>& I = model.bodies()[needed.size()].inertia;
      const Twist<> A = at.acceleration() - translation(transpose_times(at.pose().rotation, spec.gravity));
      needed.push_back(I * A + cross_dual(at.velocity(), I * at.velocity()));
    }
    // Armature is not in the bodies.
    const Numbers joint_vdot = dynamics.joint_v(state.vdot);
    Numbers joint_tau(joint_vdot.size());
    for (std::size_t k = 0; k < joint_tau.size(); ++k) joint_tau[k] = model.dofs()[k].passive.armature * joint_vdot[k];
    Numbers expected = dynamics.reduced(joint_tau), from_external(n);
    for (std::size_t k = 0; k < n; ++k) {
      const std::vector<BodyMotion> column = kinematics(state.q, unit(n, k), none);
      for (std::size_t b = 0; b < column.size(); ++b) {
        expected[k] += dot(column[b].velocity(), needed[b]);
        from_external[k] += dot(column[b].velocity(), on_body[b]);
      }
    }
    const Numbers tau = dynamics.inverse(state.q, state.v, state.vdot, {.passive = false});
    const double links = static_cast<double>(model.links().size());
    const double error = worst(tau, expected, dynamics.scale(state.q, state.v, state.vdot, {.passive = false})) / links;
    CHECK(error <= 13.0);  // the worst seen is 4.3

    const Numbers helped = dynamics.inverse(state.q, state.v, state.vdot, pushed);
    const Numbers scale = dynamics.scale(state.q, state.v, state.vdot, pushed);
    Numbers difference(n);
    for (std::size_t k = 0; k < n; ++k) difference[k] = tau[k] - helped[k];
    const double error_external = worst(difference, from_external, scale) / links;
    CHECK(error_external <= 7.0);  // the worst seen is 2.3
    // And forward dynamics takes them likewise.
    const Numbers vdot = dynamics.forward(state.q, state.v, state.tau, pushed);
    const double error_forward = worst(dynamics.inverse(state.q, state.v, vdot, pushed), state.tau,
                                       dynamics.scale(state.q, state.v, vdot, pushed)) /
                                 links;
    CHECK(error_forward <= 1.5);  // the worst seen is 0.44
  }
}

TEST_CASE("law: gravity as an acceleration of the world equals weights as external wrenches") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(76, run);
    ModelSpec spec = random_spec(stream, variety(run));
    DynamicsOf dynamics(spec);
    const Vec3<> gravity = spec.gravity;
    spec.gravity = {0, 0, 0};
    DynamicsOf weightless(spec);
    const RandomState state(dynamics.model, stream);
    const Numbers tau = dynamics.inverse(state.q, state.v, state.vdot);
    const Model& model = weightless.model;
    KinematicsWorkspace at(model);
    kinematics(model, state.q, state.v, state.vdot, at);
    std::vector<Wrench<>> weights(model.bodies().size(), zero_wrench());
    for (std::size_t b = 0; b < weights.size(); ++b) {
      const SpatialInertia<>& I = model.bodies()[b].inertia;
      const Place center = point_place(model, static_cast<int>(b), center_of_mass(I));
      add_external(model, at, center, {I.mass * gravity, {0, 0, 0}}, Axes::local_world_aligned, weights);
    }
    const double n = static_cast<double>(model.links().size());
    const Numbers by_weights = weightless.inverse(state.q, state.v, state.vdot, {.external = weights});
    const Numbers scale = weightless.scale(state.q, state.v, state.vdot, {.external = weights});
    const double error = worst(tau, by_weights, scale) / n;
    CHECK(error <= 17.0);  // the worst seen is 5.6
    const Numbers vdot = weightless.forward(state.q, state.v, state.tau, {.external = weights});
    CHECK(worst(dynamics.inverse(state.q, state.v, vdot), state.tau, dynamics.scale(state.q, state.v, vdot)) <=
          20.0 * n);
  }
}

TEST_CASE("law: power balance: the kinetic energy grows by v'(tau - g), the potential one by v'g") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(77, run);
    const ModelSpec spec = random_spec(stream, variety(run));
    DynamicsOf dynamics(spec);
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    Kinematics kinematics(spec, dynamics);
    const std::size_t n = state.v.size();
    const Numbers vdot = dynamics.forward(state.q, state.v, state.tau, {.passive = false});

    Rate kinetic(0.0), potential(0.0);
    double weights = 0.0;  // sizes of what the potential's rate is the sum of
    std::size_t b = 0;
    for (const BodyMotion& at : kinematics(state.q, state.v, vdot)) {
      const SpatialInertia<Rate> I = as<Rate>(model.bodies()[b].inertia);
      kinetic += kinetic_energy(I, at.V);
      const Vec3<Rate> moment = I.mass * at.X_WB.translation + at.X_WB.rotation * I.first_moment;
      potential -= dot(moment, as<Rate>(spec.gravity));
      weights += model.bodies()[b++].inertia.mass * 9.81 * (norm(at.velocity().linear) + norm(at.velocity().angular));
    }
    const Numbers joint_v = dynamics.joint_v(state.v), joint_vdot = dynamics.joint_v(vdot);
    for (std::size_t k = 0; k < joint_v.size(); ++k) {
      const double armature = model.dofs()[k].passive.armature;
      kinetic.value += 0.5 * armature * joint_v[k] * joint_v[k];
      kinetic.derivative[0] += armature * joint_v[k] * joint_vdot[k];
    }
    const Numbers g = dynamics.gravity(state.q), M = dynamics.mass(state.q);
    const Numbers scale = dynamics.scale(state.q, state.v, vdot, {.passive = false});
    double power = 0.0, power_scale = 0.0, gravity_power = 0.0, energy = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      power += state.v[i] * (state.tau[i] - g[i]);
      power_scale += abs(state.v[i]) * scale[i];
      gravity_power += state.v[i] * g[i];
      for (std::size_t j = 0; j < n; ++j) energy += 0.5 * state.v[i] * M[i * n + j] * state.v[j];
    }
    const double eps = static_cast<double>(model.links().size()) * kEpsilon<double>;
    const double error = abs(kinetic.derivative[0] - power) / (eps * power_scale);
    const double error_gravity = abs(potential.derivative[0] - gravity_power) / (eps * (weights + power_scale));
    const double error_energy = abs(kinetic.value - energy) / kinetic.value;
    CHECK(error <= 6.0);           // the worst seen is 1.7
    CHECK(error_gravity <= 1.2);   // 0.37
    CHECK(error_energy <= 1e-13);  // 1e-14
  }
}
