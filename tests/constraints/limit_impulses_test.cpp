#include "pintle/constraints/limit_impulses.h"

#include <doctest/doctest.h>

#include "base/count_allocations.h"
#include "pintle/base/usage_error.h"
#include "pintle/model/edit/model_builder.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

using Sides = std::vector<LimitSide>;
constexpr LimitSide kNo = LimitSide::none, kLow = LimitSide::lower, kHigh = LimitSide::upper, kBoth = LimitSide::both;

struct Impact {
  Impact(const Model& model, const Numbers& q, const Numbers& v, const Sides& sides, const Numbers& restitution,
         const LimitImpulseOptions& options = {}) {
    LimitImpulseWorkspace work(model);
    after.resize(v.size());
    report = limit_impulses(model, q, v, sides, restitution, work, after, options);
    impulses = work.impulses;
  }

  LimitImpulseReport report;
  Numbers after, impulses;
};

SpatialInertia<> lump(double mass) {
  return spatial_inertia(mass, Vec3<>{0, 0, 0}, (0.1 * mass) * diagonal(Vec3<>{1, 1, 1}));
}

/// Sliders on a rail: the first one's coordinate is its place, each other one's its distance from the one before.
Model sliders(const Numbers& masses) {
  ModelBuilder builder("sliders");
  for (std::size_t i = 0; i < masses.size(); ++i)
    builder.body("slider" + std::to_string(i), lump(masses[i])).prismatic({1, 0, 0}).limits(0.0, 1.0);
  return builder.compile().value();
}

/// Distances' rates from speeds, and back.
Numbers relative(const Numbers& speeds) {
  Numbers v(speeds);
  for (std::size_t i = 1; i < v.size(); ++i) v[i] = speeds[i] - speeds[i - 1];
  return v;
}
Numbers absolute(Numbers v) {
  for (std::size_t i = 1; i < v.size(); ++i) v[i] += v[i - 1];
  return v;
}

double kinetic(const Numbers& M, const Numbers& v) {
  const Numbers p = times(M, v);
  double twice = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) twice += p[i] * v[i];
  return 0.5 * twice;
}

}  // namespace

TEST_CASE("impact: one slider rebounds with its restitution, from either end") {
  const Model model = sliders({2.0});
  for (const double e : {0.0, 0.25, 1.0}) {
    CAPTURE(e);
    const Impact low(model, {0.0}, {-3.0}, {kLow}, {e});
    CHECK(low.report.ok());
    CHECK(low.report.rounds == 1);
    CHECK(low.after[0] == 3.0 * e);
    CHECK(low.impulses[0] == doctest::Approx(2.0 * 3.0 * (1.0 + e)).epsilon(1e-15));
    CHECK(low.report.energy_lost == doctest::Approx(9.0 * (1.0 - e * e)).epsilon(1e-15));
    const Impact high(model, {1.0}, {3.0}, {kHigh}, {e});
    CHECK(high.after[0] == -3.0 * e);
    CHECK(high.impulses[0] == -low.impulses[0]);
    CHECK(high.report.energy_lost == low.report.energy_lost);
  }
  CHECK(Impact(model, {0.0}, {-3.0}, {kLow}, {}).after[0] == 0.0);  // no restitution given: none
  for (const Impact& none : {Impact(model, {0.0}, {3.0}, {kLow}, {1.0}), Impact(model, {0.0}, {-3.0}, {kHigh}, {1.0}),
                             Impact(model, {0.0}, {0.0}, {kBoth}, {1.0}), Impact(model, {0.0}, {-3.0}, {kNo}, {1.0})}) {
    CHECK(none.report.rounds == 0);
    CHECK(none.report.energy_lost == 0.0);
    CHECK(none.impulses[0] == 0.0);
  }
  // Between two stops without play there is no way to rebound.
  const Impact caught(model, {0.0}, {-3.0}, {kBoth}, {1.0});
  CHECK(caught.report.ok());
  CHECK(caught.report.rounds == 1);
  CHECK(caught.after[0] == 0.0);
  CHECK(caught.impulses[0] == doctest::Approx(6.0).epsilon(1e-15));
  CHECK(caught.report.energy_lost == doctest::Approx(9.0).epsilon(1e-15));
}

TEST_CASE("impact: carts keep their momentum; the restitution is that of their distance") {
  const Model model = sliders({2.0, 3.0});
  const Impact impact(model, {0.5, 0.0}, relative({5.0, 0.0}), {kNo, kLow}, {0.0, 0.5});
  CHECK(impact.report.ok());
  const Numbers speeds = absolute(impact.after);
  CHECK(speeds[1] - speeds[0] == doctest::Approx(2.5).epsilon(1e-15));
  CHECK(2.0 * speeds[0] + 3.0 * speeds[1] == doctest::Approx(10.0).epsilon(1e-15));
  // The reduced mass loses (1 - e^2) of its energy.
  CHECK(impact.report.energy_lost == doctest::Approx(0.5 * 1.2 * 25.0 * 0.75).epsilon(1e-14));
}

TEST_CASE("impact: a slider meets two that rest against each other") {
  // Newton's law for all impacts at one instant: the two move on together.
  const Model model = sliders({1.0, 1.0, 1.0});
  for (const double e : {0.0, 0.5, 1.0}) {
    CAPTURE(e);
    const Impact impact(model, {0.5, 0.0, 0.0}, relative({3.0, 0.0, 0.0}), {kNo, kLow, kLow}, {0.0, e, e});
    CHECK(impact.report.ok());
    CHECK(impact.report.rounds == 1);
    const Numbers speeds = absolute(impact.after);
    CHECK(impact.after[2] == 0.0);
    CHECK(speeds[0] == doctest::Approx(1.0 - 2.0 * e).epsilon(1e-14));
    CHECK(speeds[1] == doctest::Approx(1.0 + e).epsilon(1e-14));
    CHECK(impact.impulses[1] == doctest::Approx(2.0 * (1.0 + e)).epsilon(1e-14));
    CHECK(impact.impulses[2] == doctest::Approx(1.0 + e).epsilon(1e-14));
  }
}

TEST_CASE("impact: a dof thrown into its limit by the impact of another meets it in turn") {
  // The middle slider moves away from the last one until it is hit from behind: then it hits the last one.
  const Model model = sliders({1.0, 1.0, 1.0});
  const Impact impact(model, {0.5, 0.0, 0.0}, relative({3.0, -0.5, 0.0}), {kNo, kLow, kLow}, {0.0, 1.0, 1.0});
  CHECK(impact.report.ok());
  CHECK(impact.report.rounds == 2);
  const Numbers speeds = absolute(impact.after);
  const double close = 1e-14;
  CHECK(speeds[0] == doctest::Approx(-0.5).epsilon(close));
  CHECK(abs(speeds[1]) <= close);
  CHECK(speeds[2] == doctest::Approx(3.0).epsilon(close));
  CHECK(impact.report.energy_lost == 0.0);
  CHECK_FALSE(impact.report.cut_short);
  // Without a second round the last two move on together.
  const Impact cut(model, {0.5, 0.0, 0.0}, relative({3.0, -0.5, 0.0}), {kNo, kLow, kLow}, {0.0, 1.0, 1.0},
                   {.max_rounds = 1});
  CHECK(cut.report.ok());
  CHECK(cut.report.cut_short);
  CHECK(cut.report.rounds == 2);
  CHECK(cut.after[2] == 0.0);
  CHECK(absolute(cut.after)[1] == doctest::Approx(1.5).epsilon(close));
  CHECK(cut.report.energy_lost == doctest::Approx(2.25).epsilon(close));
}

TEST_CASE("law: over 10000 random impacts the laws of impact hold and energy never grows") {
  double max_jump = 0.0, max_energy = 0.0, gained = 0.0;
  int impacts = 0, in_turn = 0, cut_short = 0;
  for (std::uint64_t run = 0; run < 500; ++run) {
    RandomStream stream(531, run);
    RandomModelOptions options = variety(run, 16);
    options.mass_ratio = 10.0;
    DynamicsOf dynamics(random_spec(stream, options));
    const Model& model = dynamics.model;
    LimitImpulseWorkspace work(model);
    for (int shot = 0; shot < 20; ++shot) {
      CAPTURE(run);
      CAPTURE(shot);
      const RandomState state(model, stream);
      const std::size_t n = state.v.size();
      Numbers v = state.v, after(n), e(n);
      Sides sides(n);
      bool shut = false;
      for (std::size_t i = 0; i < n; ++i) {
        sides[i] = static_cast<LimitSide>(stream.uniform() < 0.5    ? 0
                                          : stream.uniform() < 0.05 ? 3
                                                                    : 1 + stream.below(2));
        if (stream.uniform() < 0.2) v[i] = 0.0;
        shut = shut || sides[i] == kBoth;
        e[i] = shot % 4 == 0 ? 1.0 : shot % 4 == 1 ? 0.0 : stream.uniform();
      }
      const LimitImpulseReport report = limit_impulses(model, state.q, v, sides, e, work, after);
      REQUIRE(report.ok());
      CHECK(report.energy_lost >= 0.0);
      impacts += report.rounds > 0;
      in_turn += report.rounds > 1;
      cut_short += report.cut_short;
      const Numbers M = dynamics.mass(state.q);
      Numbers jump(n), scale(n);
      for (std::size_t i = 0; i < n; ++i) {
        // Nothing is left to hit; impulses only push; where there is no joint limit there is no impulse.
        CHECK(!(at_lower_limit(sides[i]) && after[i] < 0.0));
        CHECK(!(at_upper_limit(sides[i]) && after[i] > 0.0));
        if (!at_lower_limit(sides[i])) CHECK(work.impulses[i] <= 0.0);
        if (!at_upper_limit(sides[i])) CHECK(work.impulses[i] >= 0.0);
        // Newton's law, where one round was all.
        const bool hit = (at_lower_limit(sides[i]) && v[i] < 0.0) || (at_upper_limit(sides[i]) && v[i] > 0.0);
        if (report.rounds == 1 && hit && !shut) {
          if (work.impulses[i] != 0.0) CHECK(after[i] == -e[i] * v[i]);
          CHECK(abs(after[i]) >= abs(e[i] * v[i]));
        }
        jump[i] = after[i] - v[i];
        for (std::size_t j = 0; j < n; ++j)
          scale[i] += std::sqrt(M[i * n + i] * M[j * n + j]) * (abs(after[j]) + abs(v[j]));
      }
      max_jump = max(max_jump, worst(times(M, jump), work.impulses, scale) * kEpsilon<double>);
      const double before = kinetic(M, v), left = kinetic(M, after);
      max_energy = max(max_energy, abs(before - left - report.energy_lost) / before);
      gained = max(gained, (left - before) / before);
      // The last round of a rebound that does not end is plastic.
      if (shot % 4 == 0 && !shut && !report.cut_short) CHECK(report.energy_lost == 0.0);
    }
  }
  CHECK(max_jump <= 2e-12);    // the worst seen is 2.8e-13
  CHECK(max_energy <= 1e-12);  // the worst seen is 1.4e-13
  CHECK(gained <= 1e-13);      // by rounding alone; the worst seen is 3.1e-15
  CHECK(impacts >= 9000);
  CHECK(in_turn >= 1000);
  CHECK(cut_short >= 100);
}

TEST_CASE("impact: a slider that is driven does not give way, and works") {
  // A slider of 3 kg at rest is hit by one that is driven with 2 m/s: as by a wall that moves.
  const Model model = sliders({1.0, 3.0});
  const std::vector<unsigned char> given{1, 0};
  LimitImpulseWorkspace work(model);
  for (const double e : {0.0, 0.5, 1.0}) {
    CAPTURE(e);
    Numbers after(2);
    const LimitImpulseReport report = limit_impulses(model, Numbers{0.5, 0.0}, relative({2.0, 0.0}), Sides{kLow, kLow},
                                                     Numbers{0.0, e}, work, after, {.given = given});
    REQUIRE(report.ok());
    const Numbers speeds = absolute(after);
    CHECK(speeds[0] == 2.0);
    CHECK(speeds[1] == doctest::Approx(2.0 + 2.0 * e).epsilon(1e-15));
    const double impulse = 3.0 * speeds[1];
    CHECK(work.impulses[1] == doctest::Approx(impulse).epsilon(1e-15));
    CHECK(work.given_impulses[0] == doctest::Approx(impulse).epsilon(1e-15));
    CHECK(work.given_impulses[1] == 0.0);
    CHECK(report.given_work == doctest::Approx(2.0 * impulse).epsilon(1e-15));
    CHECK(report.energy_lost == doctest::Approx(6.0 * (1.0 - e * e)).epsilon(1e-14));
  }
  // A given dof does not meet its own stop.
  Numbers after(2);
  const LimitImpulseReport none =
      limit_impulses(model, Numbers{0.0, 0.0}, Numbers{-1.0, 0.0}, Sides{kLow, kNo}, {}, work, after, {.given = given});
  CHECK(none.rounds == 0);
  CHECK(after[0] == -1.0);
  CHECK(work.given_impulses == Numbers{0.0, 0.0});
}

TEST_CASE("law: with dofs given, their velocity stays and kinetic energy changes by their work less the loss") {
  double max_jump = 0.0, max_energy = 0.0;
  int impacts = 0, grew = 0;
  for (std::uint64_t run = 0; run < 300; ++run) {
    RandomStream stream(533, run);
    RandomModelOptions options = variety(run, 16);
    options.mass_ratio = 10.0;
    DynamicsOf dynamics(random_spec(stream, options));
    const Model& model = dynamics.model;
    LimitImpulseWorkspace work(model);
    for (int shot = 0; shot < 10; ++shot) {
      CAPTURE(run);
      CAPTURE(shot);
      const RandomState state(model, stream);
      const std::size_t n = state.v.size();
      Numbers after(n), e(n), total(n), jump(n), scale(n);
      Sides sides(n);
      std::vector<unsigned char> given(n);
      for (std::size_t i = 0; i < n; ++i) {
        sides[i] = stream.uniform() < 0.5 ? kNo : stream.uniform() < 0.5 ? kLow : kHigh;
        e[i] = shot % 3 == 0 ? 1.0 : stream.uniform();
        given[i] = stream.below(3) == 0;
      }
      const LimitImpulseReport report =
          limit_impulses(model, state.q, state.v, sides, e, work, after, {.given = given});
      REQUIRE(report.ok());
      CHECK(report.energy_lost >= 0.0);
      impacts += report.rounds > 0;
      const Numbers M = dynamics.mass(state.q);
      for (std::size_t i = 0; i < n; ++i) {
        if (given[i] != 0) {
          CHECK(after[i] == state.v[i]);
          CHECK(work.impulses[i] == 0.0);
        } else {
          CHECK(work.given_impulses[i] == 0.0);
          CHECK(!(at_lower_limit(sides[i]) && after[i] < 0.0));
          CHECK(!(at_upper_limit(sides[i]) && after[i] > 0.0));
        }
        total[i] = work.impulses[i] + work.given_impulses[i];
        jump[i] = after[i] - state.v[i];
        for (std::size_t j = 0; j < n; ++j)
          scale[i] += std::sqrt(M[i * n + i] * M[j * n + j]) * (abs(after[j]) + abs(state.v[j]));
      }
      max_jump = max(max_jump, worst(times(M, jump), total, scale) * kEpsilon<double>);
      const double before = kinetic(M, state.v), left = kinetic(M, after);
      grew += left > 1.01 * before;
      const double sizes = before + left + report.energy_lost + abs(report.given_work);
      max_energy = max(max_energy, abs(left - before + report.energy_lost - report.given_work) / sizes);
    }
  }
  CHECK(max_jump <= 1e-13);    // the worst seen is 1.1e-14
  CHECK(max_energy <= 4e-13);  // the worst seen is 4.1e-14
  CHECK(impacts >= 2000);
  CHECK(grew >= 100);
}

TEST_CASE("impact: v may be overwritten, nothing is allocated, and wrong calls are told") {
  RandomStream stream(532);
  const Model model = compile(random_spec(stream, {.links = 12})).value();
  const RandomState state(model, stream);
  const std::size_t n = state.v.size();
  const Sides sides(n, kLow), few(n - 1, kLow);
  const Numbers e(n, 0.5);
  LimitImpulseWorkspace work(model);
  Numbers after(n), overwritten = state.v;
  bool ok = false;
  const std::size_t before = count_allocations();
  ok = limit_impulses(model, state.q, state.v, sides, e, work, after).ok();
  CHECK(count_allocations() == before);
  CHECK(ok);
  CHECK(limit_impulses(model, state.q, overwritten, sides, e, work, overwritten).ok());
  CHECK(overwritten == after);
  std::vector<unsigned char> given(n), few_given(n - 1);
  given[0] = given[n / 2] = 1;
  const std::size_t before_given = count_allocations();
  ok = limit_impulses(model, state.q, state.v, sides, e, work, after, {.given = given}).ok();
  CHECK(count_allocations() == before_given);
  CHECK(ok);
  CHECK_THROWS_WITH_AS((void)limit_impulses(model, state.q, state.v, sides, e, work, after, {.given = few_given}),
                       doctest::Contains("'options.given'"), UsageError);

  const auto wrong = [&](const Numbers& q, const Numbers& v, const Sides& at, const Numbers& restitution,
                         std::span<double> out, int rounds, const char* argument) {
    CHECK_THROWS_WITH_AS((void)limit_impulses(model, q, v, at, restitution, work, out, {.max_rounds = rounds}),
                         doctest::Contains(argument), UsageError);
  };
  const Numbers short_q(state.q.size() - 1), short_v(n - 1), large(n, 1.0001), negative(n, -0.1),
      not_a_number(n, __builtin_nan(""));
  wrong(short_q, state.v, sides, e, after, 8, "'q'");
  wrong(state.q, short_v, sides, e, after, 8, "'v'");
  wrong(state.q, state.v, few, e, after, 8, "'sides'");
  wrong(state.q, state.v, sides, short_v, after, 8, "'restitution'");
  wrong(state.q, state.v, sides, large, after, 8, "'restitution'");
  wrong(state.q, state.v, sides, negative, after, 8, "'restitution'");
  wrong(state.q, state.v, sides, not_a_number, after, 8, "'restitution'");
  wrong(state.q, state.v, sides, e, std::span<double>(after).first(n - 1), 8, "'v_after'");
  wrong(state.q, state.v, sides, e, after, -1, "'options.max_rounds'");
}
