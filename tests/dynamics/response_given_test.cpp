// The answers of a mechanism some dofs of which have a motion of their own (response.h).
#include <doctest/doctest.h>

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/mass_matrix_factor.h"
#include "pintle/dynamics/response.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

using Marks = std::vector<unsigned char>;

Marks some_dofs(std::size_t n, RandomStream& stream) {
  Marks marks(n);
  for (unsigned char& mark : marks) mark = stream.below(3) == 0;
  return marks;
}

}  // namespace

TEST_CASE("response: given dofs do not answer, and M vdot - J'F is the efforts asked with at all others") {
  double most = 0.0;
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(131, run);
    RandomModelOptions options = variety(run, run % 50 == 0 ? 60 : 16);
    options.mass_ratio = 10.0;
    DynamicsOf dynamics(random_spec(stream, options));
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    const std::size_t n = state.v.size();
    const Marks marks = some_dofs(n, stream);
    ResponseWorkspace work(model);
    REQUIRE(prepare_response(model, state.q, work, marks).ok());
    std::vector<Wrench<>> on_links(model.links().size());
    for (Wrench<>& F : on_links) F = {uniform_direction(stream), uniform_direction(stream)};
    Numbers vdot(n), tau(n), product(n), terms(n);
    // Efforts alone first: the mass matrix says what they come to.
    apply_mass_inverse(model, work, state.tau, {}, {}, vdot);
    response_efforts(model, work, vdot, {}, tau);
    const Numbers M = dynamics.mass(state.q);
    for (std::size_t i = 0; i < n; ++i) {
      if (marks[i] != 0) CHECK(vdot[i] == 0.0);
      for (std::size_t j = 0; j < n; ++j) {
        product[i] += M[i * n + j] * vdot[j];
        terms[i] += std::sqrt(M[i * n + i] * M[j * n + j]) * abs(vdot[j]);
      }
      terms[i] += abs(state.tau[i]);
    }
    const double scale = static_cast<double>(n);
    most = max(most, worst(tau, product, terms) / scale);
    Numbers expected = tau;
    for (std::size_t i = 0; i < n; ++i)
      if (marks[i] == 0) expected[i] = state.tau[i];
    most = max(most, worst(product, expected, terms) / scale);
    // With wrenches too: what they add is J'F, of unit terms.
    apply_mass_inverse(model, work, state.tau, on_links, {}, vdot);
    response_efforts(model, work, vdot, on_links, tau);
    for (std::size_t i = 0; i < n; ++i) {
      if (marks[i] != 0) CHECK(vdot[i] == 0.0);
      terms[i] = abs(state.tau[i]) + 4.0 * static_cast<double>(on_links.size());
      for (std::size_t j = 0; j < n; ++j) terms[i] += std::sqrt(M[i * n + i] * M[j * n + j]) * abs(vdot[j]);
      expected[i] = marks[i] != 0 ? tau[i] : state.tau[i];
    }
    most = max(most, worst(tau, expected, terms) / scale);
    // The next call without marks has none.
    Numbers free(n), plain(n);
    ResponseWorkspace fresh(model);
    REQUIRE(prepare_response(model, state.q, work).ok());
    REQUIRE(prepare_response(model, state.q, fresh).ok());
    apply_mass_inverse(model, work, state.tau, {}, {}, free);
    apply_mass_inverse(model, fresh, state.tau, {}, {}, plain);
    CHECK(free == plain);
  }
  CHECK(most <= 1.8);  // the worst seen is 0.59
}

TEST_CASE("response: sizes of marks and efforts must fit") {
  RandomStream stream(132);
  const Model model = compile(random_spec(stream, {.links = 5})).value();
  const RandomState state(model, stream);
  const std::size_t n = state.v.size();
  ResponseWorkspace work(model);
  Numbers out(n), few(n - 1);
  CHECK_THROWS_WITH_AS((void)prepare_response(model, state.q, work, Marks(n - 1)), doctest::Contains("'given'"),
                       UsageError);
  REQUIRE(prepare_response(model, state.q, work, Marks(n, 1)).ok());
  apply_mass_inverse(model, work, state.tau, {}, {}, out);
  CHECK(out == Numbers(n));
  CHECK_THROWS_WITH_AS(response_efforts(model, work, few, {}, out), doctest::Contains("'vdot'"), UsageError);
  CHECK_THROWS_WITH_AS(response_efforts(model, work, out, {}, few), doctest::Contains("'tau'"), UsageError);
  CHECK_THROWS_WITH_AS(response_efforts(model, work, out, std::vector<Wrench<>>(1), out),
                       doctest::Contains("'on_links'"), UsageError);
  CHECK_THROWS_WITH_AS(cut_out_dofs(Marks(n), few), doctest::Contains("'M'"), UsageError);
}
