// The parts of the comparison that need no other engine: the mechanisms, the conventions, the measure of difference.
#include <doctest/doctest.h>

#include "difference.h"
#include "mechanism_spec.h"
#include "mechanisms.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/model/compiled/model.h"
#include "turned_velocities.h"

using namespace peers;

TEST_CASE("every mechanism is one that Pintle takes, with the numbers of its table") {
  for (const Mechanism& mechanism : all_mechanisms()) {
    CAPTURE(mechanism.name);
    const pintle::Result<pintle::Model> model = pintle::compile(spec_of(mechanism));
    REQUIRE(model.ok());
    CHECK(static_cast<std::size_t>(model.value().nq()) == mechanism.nq());
    CHECK(static_cast<std::size_t>(model.value().nv()) == mechanism.nv());
  }
  CHECK(arm().nv() == 7);
  CHECK(ur_like().nv() == 6);
  CHECK(quadruped().nv() == 12 + 6);
  CHECK(humanoid().nv() == 30 + 6);
  CHECK(hand().nv() == 24);
  CHECK(gantry().nv() == 6);
  CHECK(scara().nv() == 4);
  CHECK(doll().nv() == 34 + 6);
  CHECK(wide_tree().nv() == 60 + 6);
}

TEST_CASE("links are in depth-first order, as other engines need them") {
  for (const Mechanism& mechanism : all_mechanisms()) {
    CAPTURE(mechanism.name);
    std::vector<int> branch;
    for (int i = 0; i < static_cast<int>(mechanism.links.size()); ++i) {
      const int parent = mechanism.links[static_cast<std::size_t>(i)].parent;
      while (!branch.empty() && branch.back() != parent) branch.pop_back();
      CHECK((parent == -1 || !branch.empty()));
      branch.push_back(i);
    }
  }
}

TEST_CASE("random states are configurations") {
  const Mechanism mechanism = all_mechanisms().back();
  const pintle::Model model = pintle::compile(spec_of(mechanism)).value();
  for (const State& state : random_states(mechanism, 20, 1)) {
    std::vector<double> q = state.q;
    pintle::normalize(model, q);
    CHECK(relative_difference(q, state.q) <= 4e-16);
    CHECK(state.v.size() == mechanism.nv());
  }
}

TEST_CASE("a difference is relative to the largest number, and never hides a NaN or a size") {
  CHECK(relative_difference({1.0, 100.0}, {2.0, 100.0}) == 0.01);
  CHECK(relative_difference({0.0}, {0.0}) == 0.0);
  CHECK(std::isinf(relative_difference({1.0, std::nan("")}, {1.0, 1.0})));
  CHECK(std::isinf(relative_difference({1.0}, {1.0, 1.0})));
}

TEST_CASE("velocities in turned axes: there and back, the same power, accelerations with the turning of the axes") {
  const double c = 0.6, s = 0.8;
  TurnedVelocities turned;
  turned.add({.first = 1, .size = 2, .R = {c, s, -s, c}, .R_rate_times_v = {0.3, -0.2, 0.0}});
  const std::vector<double> v = {1.0, 2.0, -3.0, 4.0}, tau = {0.5, -1.0, 2.0, 0.25};
  std::vector<double> v_peer = v, tau_peer = tau, a = v;
  turned.to_peer(v_peer.data());
  turned.to_peer(tau_peer.data());
  CHECK(v_peer[0] == 1.0);
  CHECK(v_peer[1] == doctest::Approx(c * 2.0 - s * 3.0));
  double power = 0, power_peer = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    power += v[i] * tau[i];
    power_peer += v_peer[i] * tau_peer[i];
  }
  CHECK(power_peer == doctest::Approx(power));
  turned.accelerations_to_peer(a.data());
  CHECK(a[1] == doctest::Approx(v_peer[1] + 0.3));
  turned.accelerations_from_peer(a.data());
  CHECK(relative_difference(a, v) <= 1e-15);

  // A Jacobian turns so that J v stays; a square matrix so that v'M v does.
  std::vector<double> J = {1.0, 2.0, 3.0, 4.0};
  double before = 0, after = 0;
  for (std::size_t i = 0; i < 4; ++i) before += J[i] * v_peer[i];
  turned.rows_from_peer(J.data(), 1, 4);
  for (std::size_t i = 0; i < 4; ++i) after += J[i] * v[i];
  CHECK(after == doctest::Approx(before));
  std::vector<double> M(16);
  for (std::size_t i = 0; i < 16; ++i) M[i] = static_cast<double>(i * i % 7);
  const auto form = [](const std::vector<double>& A, const std::vector<double>& x) {
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) sum += x[i] * A[4 * i + j] * x[j];
    return sum;
  };
  before = form(M, v_peer);
  turned.square_from_peer(M.data(), 4);
  CHECK(form(M, v) == doctest::Approx(before));
}
