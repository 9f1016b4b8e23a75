// Static equilibrium over random trees: springs everywhere, so that there is one.
#include "pintle/dynamics/solve/static_equilibrium.h"

#include <doctest/doctest.h>

#include "base/count_allocations.h"
#include "pintle/dynamics/energy.h"
#include "pintle/dynamics/passive_efforts.h"
#include "pintle/model/links/configuration_impl.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

/// A tree whose joints all have springs; without free joints, whose springs have no potential.
ModelSpec sprung_spec(RandomStream& stream, std::uint64_t run, bool limits) {
  RandomModelOptions options = variety(run, 14);
  options.passive = true;
  options.mass_ratio = 10.0;
  ModelSpec spec = random_spec(stream, options);
  for (JointSpec& joint : spec.joints) {
    if (joint.kind == JointKind::free) joint.kind = JointKind::translational;
    for (JointPassive& passive : joint.passive) passive.stiffness = stream.uniform(1.0, 50.0);
    if (!limits || facts(joint.kind).nv == 0 || stream.uniform() < 0.5) continue;
    JointLimits range;
    range.lower = stream.uniform(-6.0, -3.0);
    range.upper = stream.uniform(3.0, 6.0);
    bool bound = false;  // driver and follower must leave some room
    for (const CouplingSpec& coupling : spec.couplings)
      bound = bound || coupling.joint == joint.name || coupling.driver == joint.name;
    if (!bound) range.lower /= 10.0, range.upper /= 10.0;
    const bool positions = facts(joint.kind).nv == facts(joint.kind).nq;
    if (positions && !follows_a_follower(spec, joint.name)) joint.limits = {range};
  }
  return spec;
}

struct Problem {
  Problem(std::uint64_t run, bool limits)
      : stream(93, run),
        dynamics(sprung_spec(stream, run, limits)),
        model(dynamics.model),
        q(size(model.nq())),
        tau(size(model.nv())),
        work(model),
        lower(tau.size()),
        upper(tau.size()) {
    random_configuration(model, stream, q);
    // Efforts with a potential, -tau q: where q is a number.
    for (const IndependentJoint& joint : model.independent_joints()) {
      if (quaternion_place(joint.kind) >= 0) continue;
      for (int i = 0; i < facts(joint.kind).nv; ++i) tau[size(joint.v + i)] = stream.uniform(-1, 1);
    }
    position_ranges(model, lower, upper);
  }

  /// Of gravity, springs and efforts.
  double energy(const Numbers& at) {
    KinematicsWorkspace place(model);
    const Numbers zero(tau.size());
    kinematics(model, at, zero, zero, place);
    double sum = gravity_energy(model, place) + spring_energy(model, place);
    for (const IndependentJoint& joint : model.independent_joints()) {
      if (quaternion_place(joint.kind) >= 0) continue;
      for (int i = 0; i < facts(joint.kind).nv; ++i) sum -= tau[size(joint.v + i)] * at[size(joint.q + i)];
    }
    return sum;
  }

  /// The absolute terms of every effort, a spring's q and rest each on its own.
  Numbers scale(const Numbers& at) {
    const Numbers zero(tau.size());
    Numbers sum = dynamics.scale(at, zero, zero);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += abs(tau[k]);
    for (std::size_t i = 0; i < model.dofs().size(); ++i) {
      const JointPassive& passive = model.dofs()[i].passive;
      const CoordinateSource& source = model.v_sources()[i];
      sum[size(source.source)] += abs(source.ratio * passive.stiffness * passive.rest);
    }
    return sum;
  }

  bool within(const Numbers& at) {
    for (const IndependentJoint& joint : model.independent_joints()) {
      if (quaternion_place(joint.kind) >= 0) continue;
      for (int i = 0; i < facts(joint.kind).nv; ++i) {
        const std::size_t k = size(joint.v + i);
        if (!(at[size(joint.q + i)] >= lower[k] && at[size(joint.q + i)] <= upper[k])) return false;
      }
    }
    return true;
  }

  RandomStream stream;
  DynamicsOf dynamics;
  const Model& model;
  Numbers q, tau;
  StaticEquilibriumWorkspace work;
  Numbers lower, upper;
};

}  // namespace

TEST_CASE("static equilibrium: where a random tree rests the efforts balance and the energy is least") {
  int converged = 0, stable = 0, iterations = 0, reactions = 0;
  for (const bool limits : {false, true}) {
    for (std::uint64_t run = 0; run < 200; ++run) {
      CAPTURE(limits);
      CAPTURE(run);
      Problem problem(run, limits);
      Numbers q = problem.q;
      const double before = problem.energy(q);
      const StaticEquilibriumReport report = static_equilibrium(problem.model, problem.tau, q, problem.work);
      CHECK(problem.within(q));
      if (!report.converged()) continue;
      ++converged;
      iterations += report.iterations;
      const double here = problem.energy(q);
      CHECK(here <= before + 1e-9 * (1.0 + abs(before)));
      // ID = tau + reactions, each relative to the sum of its absolute terms.
      const Numbers zero(problem.tau.size());
      const Numbers needed = problem.dynamics.inverse(q, zero, zero), scale = problem.scale(q);
      for (std::size_t k = 0; k < zero.size(); ++k) {
        CHECK(abs(needed[k] - problem.tau[k] - report.reactions[k]) <= 1e-12 * scale[k]);
        if (report.reactions[k] != 0.0) ++reactions;
      }
      if (!report.stable()) continue;
      ++stable;
      for (int i = 0; i < 20; ++i) {
        Numbers v(zero.size()), beside(q.size());
        for (double& x : v) x = problem.stream.uniform(-1e-3, 1e-3);
        integrate(problem.model, q, v, beside);
        if (!problem.within(beside)) continue;
        CHECK(problem.energy(beside) >= here - 1e-13 * (1.0 + abs(here)) * 10.0);
      }
    }
  }
  CHECK(converged >= 396);  // all 400 seen, all of them stable
  CHECK(stable >= converged - 4);
  CHECK(iterations <= 15 * converged);  // 10 each seen, 127 at most
  CHECK(reactions > 100);
}

TEST_CASE("static equilibrium: free joints on springs") {
  int converged = 0;
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    RandomStream stream(94, run);
    ModelSpec spec = sprung_spec(stream, run, false);
    for (JointSpec& joint : spec.joints)
      if (joint.kind == JointKind::translational || joint.kind == JointKind::spherical) joint.kind = JointKind::free;
    DynamicsOf dynamics(spec);
    Numbers q(size(dynamics.model.nq())), tau(size(dynamics.model.nv())), zero(tau.size());
    random_configuration(dynamics.model, stream, q);
    for (double& t : tau) t = stream.uniform(-1, 1);
    StaticEquilibriumWorkspace work(dynamics.model);
    if (!static_equilibrium(dynamics.model, tau, q, work).converged()) continue;
    ++converged;
    // The springs' rest and the mixed axes of a free joint are part of the engine's scale, not of this one.
    const Numbers needed = dynamics.inverse(q, zero, zero), scale = dynamics.scale(q, zero, zero);
    for (std::size_t k = 0; k < zero.size(); ++k) CHECK(abs(needed[k] - tau[k]) <= 1e-10 * (scale[k] + 1.0));
  }
  CHECK(converged >= 97);  // 99 seen
}

TEST_CASE("static equilibrium: external wrenches on every body") {
  int counted = 0;
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    Problem problem(run, false);
    std::vector<Wrench<>> external(problem.model.bodies().size());
    for (Wrench<>& F : external) F = {uniform_direction(problem.stream), 0.3 * uniform_direction(problem.stream)};
    const DynamicsOptions options{.external = external};
    const StaticEquilibriumReport report =
        static_equilibrium(problem.model, problem.tau, problem.q, problem.work, {.dynamics = options});
    ++counted;
    CHECK(report.converged());
    const Numbers zero(problem.tau.size());
    const Numbers needed = problem.dynamics.inverse(problem.q, zero, zero, options), scale = problem.scale(problem.q);
    for (std::size_t k = 0; k < zero.size(); ++k) CHECK(abs(needed[k] - problem.tau[k]) <= 1e-12 * scale[k]);
  }
  CHECK(counted > 50);
}

TEST_CASE("static equilibrium: no allocation once its workspace exists") {
  for (const std::uint64_t run : {7u, 22u, 13u}) {
    Problem problem(run, true);
    const std::size_t before = count_allocations();
    const StaticEquilibriumReport report = static_equilibrium(problem.model, problem.tau, problem.q, problem.work);
    holding_efforts(problem.model, problem.q, problem.dynamics.inverse_work, problem.tau);
    CHECK(count_allocations() == before);
    CHECK(report.iterations > 0);
  }
}
