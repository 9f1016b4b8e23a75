// Constrained dynamics with dofs that move as given.
#include <doctest/doctest.h>

#include "base/count_allocations.h"
#include "pintle/base/usage_error.h"
#include "pintle/constraints/constrained_dynamics.h"
#include "pintle/dynamics/hybrid_dynamics.h"
#include "pintle/model/edit/model_builder.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

using Marks = std::vector<unsigned char>;
using Sides = std::vector<LimitSide>;

SpatialInertia<> lump(double mass) {
  return spatial_inertia(mass, Vec3<>{0, 0, 0}, (0.1 * mass) * diagonal(Vec3<>{1, 1, 1}));
}

ModelSpec with_friction(RandomStream& stream, RandomModelOptions options) {
  options.passive = true;
  ModelSpec spec = random_spec(stream, options);
  for (JointSpec& joint : spec.joints)
    for (JointPassive& passive : joint.passive) passive.friction = stream.uniform() < 0.2 ? 0.0 : stream.uniform(0, 30);
  return spec;
}

}  // namespace

TEST_CASE("given dofs: a cart that is driven carries or loses a block on it") {
  // The block of 2 kg lies on the cart with a friction of 6 N: it follows up to 3 m/s^2.
  ModelBuilder builder("block on a cart");
  builder.body("cart", lump(5.0)).prismatic({1, 0, 0}).friction(1.0).limits(0.0, 1.0);
  builder.body("block", lump(2.0)).prismatic({1, 0, 0}).friction(6.0);
  const Model model = builder.compile().value();
  ConstrainedDynamicsWorkspace work(model);
  const Numbers q{0.0, 0.0}, v{0.0, 0.0}, tau{__builtin_nan(""), 0.0};
  const Marks given{1, 0}, sticks{1, 1};
  const Sides limits{LimitSide::lower, LimitSide::none};
  for (const bool friction : {true, false}) {  // what sticks is not what slides
    CAPTURE(friction);
    const JointConstraints holds{.sticks = sticks, .limits = limits, .given = given};
    Numbers vdot{-2.0, __builtin_nan("")};
    REQUIRE(constrained_dynamics(model, q, v, tau, holds, work, vdot, {.friction = friction}).ok());
    CHECK(vdot == Numbers{-2.0, 0.0});
    CHECK(work.friction_state[0] == FrictionState::none);
    CHECK(work.limit_state[0] == LimitState::none);
    CHECK(work.friction_state[1] == FrictionState::sticks);
    CHECK(work.friction[1] == doctest::Approx(-4.0).epsilon(1e-15));
    CHECK(work.given_effort[0] == doctest::Approx(-14.0).epsilon(1e-15));
    vdot[0] = -5.0;
    REQUIRE(constrained_dynamics(model, q, v, tau, holds, work, vdot, {.friction = friction}).ok());
    CHECK(work.friction_state[1] == FrictionState::breaks_away);
    CHECK(vdot[0] == -5.0);
    CHECK(vdot[1] == doctest::Approx(2.0).epsilon(1e-15));
    CHECK(work.given_effort[0] == doctest::Approx(-31.0).epsilon(1e-15));
  }
  // Marks without rows: hybrid dynamics. And the results of the earlier call are gone.
  Numbers vdot{3.0, 0.0};
  REQUIRE(constrained_dynamics(model, q, v, tau, {.given = given}, work, vdot).ok());
  CHECK(vdot[1] == doctest::Approx(-3.0).epsilon(1e-15));
  CHECK(work.friction[1] == 0.0);
  CHECK(work.given_effort[0] == doctest::Approx(15.0).epsilon(1e-15));
  REQUIRE(constrained_dynamics(model, q, v, Numbers{0, 0}, {}, work, vdot).ok());
  CHECK(work.given_effort == Numbers{0.0, 0.0});
}

TEST_CASE("law: with dofs given, friction and stops obey their laws and all efforts fit the motion") {
  double most = 0.0;
  int sticks = 0, breaks = 0, rests = 0, leaves = 0;
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(541, run);
    DynamicsOf dynamics(with_friction(stream, variety(run)));
    const Model& model = dynamics.model;
    RandomState state(model, stream);
    const std::size_t n = state.v.size();
    Marks marks(n), given(n);
    Sides sides(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (stream.uniform() < 0.7) state.v[i] = 0.0;
      state.tau[i] *= 20.0;
      state.vdot[i] *= 5.0;
      marks[i] = stream.uniform() < 0.6;
      given[i] = stream.uniform() < 0.25;
      sides[i] = static_cast<LimitSide>(stream.uniform() < 0.6 ? 0 : stream.below(4));
    }
    std::vector<Wrench<>> external(model.bodies().size());
    for (Wrench<>& F : external) F = {10.0 * uniform_direction(stream), uniform_direction(stream)};
    const DynamicsOptions options{.friction = run % 2 == 0, .refine = true, .external = external};
    Numbers vdot = state.vdot, limits(n), total(n);
    ConstrainedDynamicsWorkspace work(model);
    REQUIRE(constrained_dynamics(model, state.q, state.v, state.tau, {.sticks = marks, .limits = sides, .given = given},
                                 work, vdot, options)
                .ok());
    friction_limits(model, limits);
    for (std::size_t i = 0; i < n; ++i) {
      CAPTURE(i);
      if (given[i] != 0) {
        CHECK(vdot[i] == state.vdot[i]);
        CHECK(work.friction_state[i] == FrictionState::none);
        CHECK(work.limit_state[i] == LimitState::none);
        CHECK(work.friction[i] == 0.0);
        CHECK(work.limit[i] == 0.0);
        total[i] = work.given_effort[i];
        continue;
      }
      CHECK(work.given_effort[i] == 0.0);
      total[i] = state.tau[i] + work.friction[i] + work.limit[i];
      const bool may_stick = marks[i] != 0 && state.v[i] == 0.0 && limits[i] > 0.0;
      CHECK((work.friction_state[i] != FrictionState::none) == may_stick);
      CHECK(abs(work.friction[i]) <= (may_stick ? limits[i] : 0.0));
      if (work.friction_state[i] == FrictionState::sticks) CHECK(vdot[i] == 0.0);
      if (work.friction_state[i] == FrictionState::breaks_away) {
        CHECK(work.friction[i] == copysign(limits[i], -vdot[i]));
      }
      const bool low = at_lower_limit(sides[i]) && state.v[i] <= 0.0,
                 high = at_upper_limit(sides[i]) && state.v[i] >= 0.0;
      CHECK((work.limit_state[i] != LimitState::none) == (low || high));
      CHECK(work.limit[i] >= (high ? -__builtin_inf() : 0.0));
      CHECK(work.limit[i] <= (low ? __builtin_inf() : 0.0));
      if (work.limit_state[i] == LimitState::rests) CHECK(vdot[i] == 0.0);
      if (work.limit_state[i] == LimitState::leaves) CHECK((low ? vdot[i] > 0.0 : vdot[i] < 0.0));
      sticks += work.friction_state[i] == FrictionState::sticks;
      breaks += work.friction_state[i] == FrictionState::breaks_away;
      rests += work.limit_state[i] == LimitState::rests;
      leaves += work.limit_state[i] == LimitState::leaves;
    }
    const Numbers needed = dynamics.inverse(state.q, state.v, vdot, options);
    Numbers scale = dynamics.scale(state.q, state.v, vdot, options);
    for (std::size_t i = 0; i < n; ++i) scale[i] += abs(total[i]);
    most = max(most, worst(needed, total, scale) * kEpsilon<double>);
  }
  CHECK(most <= 1e-14);  // the worst seen is 2.0e-16
  for (const int count : {sticks, breaks, rests, leaves}) CHECK(count >= 1000);
}

TEST_CASE("given dofs: with no other marks it is hybrid dynamics, to the bit") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    RandomStream stream(542, run);
    const Model model = compile(with_friction(stream, variety(run))).value();
    const RandomState state(model, stream);
    Marks given(state.v.size());
    for (unsigned char& mark : given) mark = stream.below(3) == 0;
    ConstrainedDynamicsWorkspace work(model);
    ForwardDynamicsWorkspace<> forward(model);
    Numbers vdot = state.vdot, tau = state.tau, also = state.vdot;
    REQUIRE(
        constrained_dynamics(model, state.q, state.v, state.tau, {.given = given}, work, vdot, {.refine = true}).ok());
    REQUIRE(hybrid_dynamics_of(model, state.q, state.v, given, forward, tau, also, {.refine = true}).ok());
    CHECK(vdot == also);
    for (std::size_t i = 0; i < tau.size(); ++i) CHECK(work.given_effort[i] == (given[i] != 0 ? tau[i] : 0.0));
  }
}

TEST_CASE("given dofs: nothing is allocated, and marks of a wrong size are told") {
  for (const bool couplings : {false, true}) {
    RandomStream stream(543, couplings ? 1 : 0);
    const Model model = compile(random_spec(stream, {.links = 12, .passive = true, .couplings = couplings})).value();
    RandomState state(model, stream);
    const std::size_t n = state.v.size();
    for (double& v : state.v) v = 0.0;
    Marks sticks(n, 1), given(n), few(n - 1);
    for (std::size_t i = 0; i < n; i += 3) given[i] = 1;
    const Sides limits(n, LimitSide::lower);
    ConstrainedDynamicsWorkspace work(model);
    bool ok = false;
    const std::size_t before = count_allocations();
    ok = constrained_dynamics(model, state.q, state.v, state.tau, {sticks, limits, given}, work, state.vdot).ok();
    CHECK(count_allocations() == before);
    CHECK(ok);
    CHECK_THROWS_WITH_AS(
        (void)constrained_dynamics(model, state.q, state.v, state.tau, {.given = few}, work, state.vdot),
        doctest::Contains("'holds.given'"), UsageError);
  }
}
