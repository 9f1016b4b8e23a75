#include "pintle/dynamics/forward_dynamics.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/mass_matrix.h"
#include "support/random_model.h"

using namespace test;

namespace {

/// Every variety of tree in turn.
RandomModelOptions variety(std::uint64_t run) {
  return {.links = 1 + static_cast<int>(run % 24),
          .branching = run % 3 == 0 ? 0.0 : 0.4,
          .mass_ratio = run % 5 == 0 ? 1e6 : 10.0,
          .armature = run % 2 == 0,
          .passive = run % 4 == 0,
          .couplings = run % 3 == 1,
          .welds = run % 4 == 1};
}

/// |M| |vdot| + |h| + |tau| of each dof: the size of the terms that must balance.
std::vector<double> scale_of(const std::vector<double>& M, const std::vector<double>& vdot,
                             const std::vector<double>& h, const std::vector<double>& tau) {
  const std::size_t n = vdot.size();
  std::vector<double> scale(n);
  for (std::size_t i = 0; i < n; ++i) {
    scale[i] = abs(h[i]) + abs(tau[i]);
    for (std::size_t j = 0; j < n; ++j) scale[i] += abs(M[i * n + j] * vdot[j]);
  }
  return scale;
}

}  // namespace

namespace {

/// The worst |tau - ID(FD(tau))| of a random tree, in n eps of (|M||vdot| + |h| + |tau|) of its joint.
double worst_residual(std::uint64_t seed, std::uint64_t run, bool refine) {
  RandomStream stream(seed, run);
  const Model model = compile(random_spec(stream, variety(run))).value();
  RandomState state(model, stream);
  const std::size_t n = state.v.size();
  ForwardDynamicsWorkspace<> forward(model);
  InverseDynamicsWorkspace<> inverse(model);
  MassMatrixWorkspace<> mass(model);
  std::vector<double> vdot(n), tau(n), h(n), M(n * n);
  REQUIRE(forward_dynamics(model, state.q, state.v, state.tau, forward, vdot, {.refine = refine}).ok());
  inverse_dynamics(model, state.q, state.v, vdot, inverse, tau);
  bias_efforts(model, state.q, state.v, inverse, h);
  mass_matrix(model, state.q, mass, M);
  const std::vector<double> scale = scale_of(M, vdot, h, state.tau);
  double worst = 0.0;
  for (std::size_t i = 0; i < n; ++i) worst = max(worst, abs(tau[i] - state.tau[i]) / scale[i]);
  return worst / (static_cast<double>(model.links().size()) * kEpsilon<double>);
}

}  // namespace

TEST_CASE("forward dynamics: inverse dynamics of its answer gives the efforts back, for 1000 trees of every kind") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    CHECK(worst_residual(21, run, false) < 5.0);
  }
}

TEST_CASE("forward dynamics: refined, the efforts balance for every tree, mass ratios of 1e6 among them") {
  // Without refinement one tree in a thousand with that mass ratio is off by up to a few hundred.
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    for (std::uint64_t run = 0; run < 1000; ++run) {
      CAPTURE(seed);
      CAPTURE(run);
      CHECK(worst_residual(seed, run, true) < 5.0);
    }
  }
}

TEST_CASE("forward dynamics: wrong sizes are wrong calls that name the argument") {
  RandomStream stream(22);
  const Model model = compile(random_spec(stream, {.links = 4})).value();
  RandomState state(model, stream);
  ForwardDynamicsWorkspace<> work(model);
  std::vector<double> vdot(state.v.size()), less(state.v.size() - 1), less_q(state.q.size() - 1);
  const std::vector<Wrench<>> external(model.bodies().size() - 1);
  const auto call = [&](const auto& q, const auto& v, const auto& tau, auto& out, const DynamicsOptions& options = {}) {
    (void)forward_dynamics(model, q, v, tau, work, out, options);
  };
  CHECK_THROWS_WITH_AS(call(less_q, state.v, state.tau, vdot), doctest::Contains("'q'"), UsageError);
  CHECK_THROWS_WITH_AS(call(state.q, less, state.tau, vdot), doctest::Contains("'v'"), UsageError);
  CHECK_THROWS_WITH_AS(call(state.q, state.v, less, vdot), doctest::Contains("'tau'"), UsageError);
  CHECK_THROWS_WITH_AS(call(state.q, state.v, state.tau, less), doctest::Contains("'vdot'"), UsageError);
  CHECK_THROWS_WITH_AS(call(state.q, state.v, state.tau, vdot, {.external = external}), doctest::Contains("external"),
                       UsageError);
}
