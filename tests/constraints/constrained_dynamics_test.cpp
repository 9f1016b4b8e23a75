#include "pintle/constraints/constrained_dynamics.h"

#include <doctest/doctest.h>

#include "base/count_allocations.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/certificate/certificate.h"
#include "pintle/model/edit/model_builder.h"
#include "properties/dynamics_of.h"
#include "support/arms.h"

using namespace test;

namespace {

constexpr double kG = 9.81;

using Marks = std::vector<unsigned char>;
using Sides = std::vector<LimitSide>;

/// Constrained dynamics of one mechanism, the results as arrays.
struct Held {
  explicit Held(const Model& of) : model(of), work(of), vdot(size(of.nv())) {}

  void solve(const Numbers& q, Numbers v, Numbers tau, const Marks& sticks, const Sides& limits = {},
             const DynamicsOptions& options = {}) {
    v.resize(vdot.size());
    tau.resize(vdot.size());
    report = constrained_dynamics(model, q, v, tau, {.sticks = sticks, .limits = limits}, work, vdot, options);
    REQUIRE(report.dynamics.ok());
    CHECK(report.box.converged);
  }

  Model model;
  ConstrainedDynamicsWorkspace work;
  Numbers vdot;
  ConstrainedReport report;
};

SpatialInertia<> lump(double mass) {
  return spatial_inertia(mass, Vec3<>{0, 0, 0}, (0.1 * mass) * diagonal(Vec3<>{1, 1, 1}));
}

/// A block of 2 kg on a slope, with q up the slope.
Model block(double slope, double friction) {
  const SinCos<double> angle = pintle::sincos(slope);
  ModelBuilder builder("block");
  builder.body("block", lump(2.0)).prismatic({angle.cos, 0, angle.sin}).friction(friction);
  return builder.compile().value();
}

/// Two carts on a rail along x: the second one's place is relative to the first.
Model carts(double first, double second) {
  ModelBuilder builder("carts");
  builder.body("first", lump(first)).prismatic({1, 0, 0});
  builder.body("second", lump(second)).prismatic({1, 0, 0}).limits(0.0, 1.0);
  return builder.compile().value();
}

}  // namespace

TEST_CASE("friction: a block on a slope stays up to its friction, to the last bit of it") {
  for (const double slope : {0.1, 0.5, 1.2, -0.7}) {
    CAPTURE(slope);
    const double weight = 2.0 * kG * pintle::sin(slope);
    Numbers needed(1);
    {
      const Model free = block(slope, 0.0);
      InverseDynamicsWorkspace<> work(free);
      gravity_efforts(free, Numbers{0.0}, work, needed);
    }
    CHECK(needed[0] == doctest::Approx(weight).epsilon(1e-15));
    for (const double share : {1.0, 1.5}) {
      Held held(block(slope, share * abs(needed[0])));
      held.solve({0.0}, {}, {}, {1});
      CHECK(held.work.friction_state[0] == FrictionState::sticks);
      CHECK(held.vdot[0] == 0.0);
      CHECK(held.work.friction[0] == needed[0]);
    }
    Held slides(block(slope, (1.0 - 1e-13) * abs(needed[0])));
    slides.solve({0.0}, {}, {}, {1});
    CHECK(slides.work.friction_state[0] == FrictionState::breaks_away);
    CHECK(slides.work.friction[0] == copysign((1.0 - 1e-13) * abs(needed[0]), slope));
    CHECK(slides.vdot[0] * slope < 0.0);

    Held fast(block(slope, 0.25 * abs(needed[0])));
    fast.solve({0.0}, {}, {}, {1});
    CHECK(fast.vdot[0] == doctest::Approx(-0.75 * kG * pintle::sin(slope)).epsilon(1e-14));
    // A motor that carries just the weight needs no friction.
    fast.solve({0.0}, {}, needed, {1});
    CHECK(fast.vdot[0] == 0.0);
    CHECK(abs(fast.work.friction[0]) <= 1e-15 * abs(weight));
  }
}

TEST_CASE("friction: marks count at rest and with passive efforts only") {
  Held held(block(0.5, 100.0));
  held.solve({0.0}, {}, {}, {0});
  CHECK(held.work.friction_state[0] == FrictionState::none);
  CHECK(held.vdot[0] == doctest::Approx(-kG * pintle::sin(0.5)));
  held.solve({0.0}, {}, {}, {});
  CHECK(held.vdot[0] == doctest::Approx(-kG * pintle::sin(0.5)));
  held.solve({0.0}, {}, {}, {1}, {}, {.passive = false});
  CHECK(held.work.friction_state[0] == FrictionState::none);
  CHECK(held.vdot[0] == doctest::Approx(-kG * pintle::sin(0.5)));
  held.solve({0.0}, {1e-9}, {}, {1});  // it slides: forward dynamics has its friction
  CHECK(held.work.friction_state[0] == FrictionState::none);
  CHECK(held.work.friction[0] == 0.0);
  CHECK(held.vdot[0] == doctest::Approx(-kG * pintle::sin(0.5) - 50.0));
  held.solve({0.0}, {}, {}, {1}, {LimitSide::upper});  // and the results of an earlier call are gone
  CHECK(held.work.friction_state[0] == FrictionState::sticks);
  held.solve({0.0}, {}, {}, {0});
  CHECK(held.work.friction[0] == 0.0);
  CHECK(held.work.limit_state[0] == LimitState::none);
}

TEST_CASE("friction: of two stiff pins one holds while the other slides") {
  // Bars of 1 m and 0.5 m that lie level; 2 kg at each end with 0.02 kg m^2.
  const double l1 = 1.0, l2 = 0.5, m = 2.0, I = 0.01 * m;
  const double shoulder = m * kG * (l1 + l1 + l2), elbow = m * kG * l2;
  const auto solve = [&](double F1, double F2) {
    ModelSpec spec = bar_chain({l1, l2}, m);
    JointPassive first, second;
    first.friction = F1;
    second.friction = F2;
    spec.joints[0].passive = {first};
    spec.joints[1].passive = {second};
    Held held(compile(spec).value());
    held.solve({0.0, 0.0}, {}, {}, {1, 1});
    return held;
  };
  const auto near = [](double x) { return doctest::Approx(x).epsilon(1e-13); };
  {
    const Held both = solve(shoulder + 1.0, elbow + 1.0);
    CHECK(both.vdot == Numbers{0.0, 0.0});
    CHECK(both.work.friction[0] == near(-shoulder));
    CHECK(both.work.friction[1] == near(-elbow));
  }
  {  // The elbow is stiff: both bars turn as one about the shoulder.
    const double F1 = 10.0, whole = 2 * I + m * (l1 * l1 + (l1 + l2) * (l1 + l2));
    const Held one = solve(F1, 100.0);
    const double turn = (shoulder - F1) / whole;
    CHECK(one.work.friction_state[0] == FrictionState::breaks_away);
    CHECK(one.work.friction_state[1] == FrictionState::sticks);
    CHECK(one.vdot[0] == near(turn));
    CHECK(one.vdot[1] == 0.0);
    CHECK(one.work.friction[0] == -F1);
    // The outer bar: I turn + m l2 (l1 + l2) turn = m g l2 + friction.
    CHECK(one.work.friction[1] == near((I + m * l2 * (l1 + l2)) * turn - elbow));
    CHECK(abs(one.work.friction[1]) < 1.0);  // both bars fall almost as they would without a pin between them
  }
  {  // The shoulder is stiff: the outer bar falls about the elbow.
    const double F2 = 3.0, turn = (elbow - F2) / (I + m * l2 * l2);
    const Held one = solve(100.0, F2);
    CHECK(one.work.friction_state[0] == FrictionState::sticks);
    CHECK(one.work.friction_state[1] == FrictionState::breaks_away);
    CHECK(one.vdot[0] == 0.0);
    CHECK(one.vdot[1] == near(turn));
    CHECK(one.work.friction[1] == -F2);
    CHECK(one.work.friction[0] == near((I + m * l2 * (l1 + l2)) * turn - shoulder));
  }
}

TEST_CASE("friction: of coupled joints acts on the driver by their ratios") {
  ModelBuilder builder("gears");
  builder.body("driver", lump(1.0)).revolute({0, 0, 1}, "driver").friction(2.0);
  builder.body("slow", lump(1.0)).revolute({0, 0, 1}, "slow").on("world").friction(3.0).coupled_to("driver", -0.5);
  builder.body("fast", lump(1.0)).revolute({0, 0, 1}, "fast").on("world").friction(1.0).coupled_to("driver", 4.0);
  builder.body("other", lump(1.0)).revolute({0, 0, 1}, "other").on("world").friction(0.5);
  const Model model = builder.compile().value();
  Numbers limits(2);
  friction_limits(model, limits);
  CHECK(limits == Numbers{2.0 + 0.5 * 3.0 + 4.0, 0.5});
  Held held(model);
  held.solve({0.0, 0.0}, {}, {-7.5, 0.5}, {1, 1});
  CHECK(held.vdot == Numbers{0.0, 0.0});
  CHECK(held.work.friction == Numbers{7.5, -0.5});
  held.solve({0.0, 0.0}, {}, {-8.5, 0.0}, {1, 1});
  CHECK(held.work.friction[0] == 7.5);
  CHECK(held.vdot[0] == doctest::Approx(-1.0 / (0.1 * (1.0 + 0.25 + 16.0))).epsilon(1e-13));
  CHECK(held.vdot[1] == 0.0);
}

TEST_CASE("stops: a cart pushes another one, or is left by it") {
  Held held(carts(2.0, 3.0));
  held.solve({0.0, 0.0}, {}, {10.0, 0.0}, {}, {LimitSide::none, LimitSide::lower});
  CHECK(held.work.limit_state[1] == LimitState::rests);
  CHECK(held.vdot[0] == doctest::Approx(2.0).epsilon(1e-15));
  CHECK(held.vdot[1] == 0.0);
  CHECK(held.work.limit[1] == doctest::Approx(6.0).epsilon(1e-15));
  held.solve({0.0, 0.0}, {}, {-10.0, 0.0}, {}, {LimitSide::none, LimitSide::lower});
  CHECK(held.work.limit_state[1] == LimitState::leaves);
  CHECK(held.work.limit[1] == 0.0);
  CHECK(held.vdot[1] == doctest::Approx(5.0).epsilon(1e-15));
  // At the other end of the rail it is pulled.
  held.solve({0.0, 1.0}, {}, {-10.0, 0.0}, {}, {LimitSide::none, LimitSide::upper});
  CHECK(held.work.limit[1] == doctest::Approx(-6.0).epsilon(1e-15));
  CHECK(held.vdot[0] == doctest::Approx(-2.0).epsilon(1e-15));
  for (const double push : {-10.0, 10.0}) {
    held.solve({0.0, 0.0}, {}, {push, 0.0}, {}, {LimitSide::none, LimitSide::both});
    CHECK(held.vdot[1] == 0.0);
    CHECK(held.work.limit[1] == doctest::Approx(0.6 * push).epsilon(1e-15));
  }
  // A dof that is moving away is not held back; one that is moving in is not driven further.
  held.solve({0.0, 0.0}, {0.0, 0.1}, {10.0, 0.0}, {}, {LimitSide::none, LimitSide::lower});
  CHECK(held.work.limit_state[1] == LimitState::none);
  CHECK(held.vdot[1] < 0.0);
  held.solve({0.0, 0.0}, {0.0, -1e-12}, {10.0, 0.0}, {}, {LimitSide::none, LimitSide::lower});
  CHECK(held.vdot[1] == 0.0);
}

TEST_CASE("stops: friction and a joint limit at one dof share what mechanics leaves open") {
  // 2 kg that would slide down with 10 N.
  ModelBuilder builder("block");
  builder.gravity({0, 0, -5}).body("block", lump(2.0)).prismatic({0, 0, 1}).friction(3.0).limits(0.0, 1.0);
  Held held(builder.compile().value());
  held.solve({0.0}, {}, {}, {1}, {LimitSide::lower});
  CHECK(held.vdot[0] == 0.0);
  CHECK(held.work.friction[0] == 3.0);
  CHECK(held.work.limit[0] == 7.0);
  held.solve({0.0}, {}, {6.0}, {1}, {LimitSide::lower});
  CHECK(held.work.friction[0] == doctest::Approx(2.0).epsilon(1e-14));
  CHECK(held.work.limit[0] == doctest::Approx(2.0).epsilon(1e-14));
  held.solve({0.0}, {}, {12.0}, {1}, {LimitSide::lower});
  CHECK(held.vdot[0] == 0.0);
  CHECK(held.work.friction[0] == -2.0);
  CHECK(held.work.limit[0] == 0.0);
  held.solve({0.0}, {}, {15.0}, {1}, {LimitSide::lower});
  CHECK(held.work.friction_state[0] == FrictionState::breaks_away);
  CHECK(held.work.limit_state[0] == LimitState::leaves);
  CHECK(held.work.friction[0] == -3.0);
  CHECK(held.vdot[0] == 1.0);
}

TEST_CASE("law: with what friction and stops give, the motion obeys mechanics; and they obey their own laws") {
  double max_efforts = 0.0, max_certificate = 0.0, max_pivots = 0.0;
  int sticks = 0, breaks = 0, rests = 0, leaves = 0, both = 0;
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(521, run);
    RandomModelOptions variety_options = variety(run);
    variety_options.passive = true;
    ModelSpec spec = random_spec(stream, variety_options);
    for (JointSpec& joint : spec.joints)
      for (JointPassive& passive : joint.passive)
        passive.friction = stream.uniform() < 0.2 ? 0.0 : stream.uniform(0, 30);
    DynamicsOf dynamics(spec);
    const Model& model = dynamics.model;
    RandomState state(model, stream);
    const std::size_t n = state.v.size();
    Marks marks(n);
    Sides sides(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (stream.uniform() < 0.7) state.v[i] = 0.0;
      state.tau[i] *= 20.0;
      marks[i] = stream.uniform() < 0.6;
      sides[i] = static_cast<LimitSide>(stream.uniform() < 0.6 ? 0 : stream.below(4));
    }
    std::vector<Wrench<>> external(model.bodies().size());
    for (Wrench<>& wrench : external)
      wrench = {10.0 * uniform_direction(stream), stream.uniform(0, 3) * uniform_direction(stream)};
    const RootMotion root{{uniform_direction(stream), uniform_direction(stream)},
                          {uniform_direction(stream), uniform_direction(stream)}};
    const DynamicsOptions options{.refine = true, .external = external, .root = &root};
    Held held(model);
    held.solve(state.q, state.v, state.tau, marks, sides, options);
    const ConstrainedDynamicsWorkspace& work = held.work;
    max_pivots = max(max_pivots, held.report.box.pivots / static_cast<double>(work.rows.count() + 1));

    Numbers limits(n), total(n);
    friction_limits(model, limits);
    for (std::size_t i = 0; i < n; ++i) {
      CAPTURE(i);
      const double friction = work.friction[i], limit = work.limit[i], vdot = held.vdot[i], v = state.v[i];
      total[i] = state.tau[i] + friction + limit;
      const bool may_stick = marks[i] != 0 && v == 0.0 && limits[i] > 0.0;
      CHECK((work.friction_state[i] != FrictionState::none) == may_stick);
      CHECK(abs(friction) <= (may_stick ? limits[i] : 0.0));
      if (work.friction_state[i] == FrictionState::sticks) CHECK(vdot == 0.0);
      if (work.friction_state[i] == FrictionState::breaks_away) {
        CHECK(vdot != 0.0);
        CHECK(friction == copysign(limits[i], -vdot));
      }
      const bool low = at_lower_limit(sides[i]) && v <= 0.0, high = at_upper_limit(sides[i]) && v >= 0.0;
      CHECK((work.limit_state[i] != LimitState::none) == (low || high));
      CHECK(limit >= (high ? -__builtin_inf() : 0.0));
      CHECK(limit <= (low ? __builtin_inf() : 0.0));
      if (work.limit_state[i] == LimitState::rests) CHECK(vdot == 0.0);
      if (work.limit_state[i] == LimitState::leaves) {
        CHECK(limit == 0.0);
        CHECK((low ? vdot > 0.0 : vdot < 0.0));
      }
      sticks += work.friction_state[i] == FrictionState::sticks;
      breaks += work.friction_state[i] == FrictionState::breaks_away;
      rests += work.limit_state[i] == LimitState::rests;
      leaves += work.limit_state[i] == LimitState::leaves;
      both += work.friction_state[i] != FrictionState::none && work.limit_state[i] != LimitState::none;
    }
    const Numbers needed = dynamics.inverse(state.q, state.v, held.vdot, options);
    Numbers scale = dynamics.scale(state.q, state.v, held.vdot, options);
    for (std::size_t i = 0; i < n; ++i) scale[i] += abs(total[i]);
    max_efforts = max(max_efforts, worst(needed, total, scale) * kEpsilon<double>);
    CertificateWorkspace checks(model);
    const Certificate certificate =
        certify(model, {.q = state.q, .v = state.v, .vdot = held.vdot, .tau = total, .options = options}, checks);
    // Relative to each joint's own terms, a light link that carries heavy ones loses digits.
    max_certificate = max(max_certificate, certificate.worst() / (variety_options.mass_ratio > 10.0 ? 100.0 : 1.0));
  }
  CHECK(max_efforts <= 1e-14);      // the worst seen is 2.2e-16
  CHECK(max_certificate <= 4e-12);  // the worst seen is 8.7e-13
  CHECK(max_pivots <= 3.0);         // the most seen is 1.5 per row
  for (const int count : {sticks, breaks, rests, leaves, both}) CHECK(count >= 1000);
}

TEST_CASE("constrained dynamics: nothing is allocated, and wrong calls are told") {
  for (const bool couplings : {false, true}) {
    RandomStream stream(522, couplings ? 1 : 0);
    const Model model = compile(random_spec(stream, {.links = 12, .passive = true, .couplings = couplings})).value();
    RandomState state(model, stream);
    const std::size_t n = state.v.size();
    for (double& v : state.v) v = 0.0;
    const Marks sticks(n, 1), few(n - 1, 1);
    const Sides limits(n, LimitSide::lower), few_limits(n - 1);
    ConstrainedDynamicsWorkspace work(model);
    bool ok = false;
    const std::size_t before = count_allocations();
    ok = constrained_dynamics(model, state.q, state.v, state.tau, {sticks, limits}, work, state.vdot, {.refine = true})
             .ok();
    CHECK(count_allocations() == before);
    CHECK(ok);

    const Numbers short_q(state.q.size() - 1), short_v(n - 1);
    Numbers short_vdot(n - 1);
    const std::vector<Wrench<>> external(1);
    const auto wrong = [&](const Numbers& q, const Numbers& v, const Numbers& tau, const JointConstraints& holds,
                           std::span<double> vdot, const DynamicsOptions& options, const char* argument) {
      CHECK_THROWS_WITH_AS((void)constrained_dynamics(model, q, v, tau, holds, work, vdot, options),
                           doctest::Contains(argument), UsageError);
    };
    wrong(short_q, state.v, state.tau, {}, state.vdot, {}, "'q'");
    wrong(state.q, short_v, state.tau, {}, state.vdot, {}, "'v'");
    wrong(state.q, state.v, short_v, {}, state.vdot, {}, "'tau'");
    wrong(state.q, state.v, state.tau, {}, short_vdot, {}, "'vdot'");
    wrong(state.q, state.v, state.tau, {.sticks = few}, state.vdot, {}, "'holds.sticks'");
    wrong(state.q, state.v, state.tau, {.limits = few_limits}, state.vdot, {}, "'holds.limits'");
    wrong(state.q, state.v, state.tau, {}, state.vdot, {.external = external}, "'options.external'");
    CHECK_THROWS_WITH_AS(friction_limits(model, short_vdot), doctest::Contains("'limits'"), UsageError);
  }
}
