// What the plain recursions leave in a workspace is there after the fast kernels too.
#include <doctest/doctest.h>

#include "pintle/dynamics/articulated_body.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/kernels/kernels.h"
#include "support/random_model.h"

using namespace test;

namespace {

/// Another model of the same sizes: every body twice as heavy.
ModelSpec heavier(ModelSpec spec) {
  for (BodySpec& body : spec.bodies) body.inertia = 2.0 * body.inertia;
  return spec;
}

bool same(const Wrench<>& a, const Wrench<>& b) {
  return to_array(a) == to_array(b);
}

}  // namespace

TEST_CASE("planned workspace: buffers hold what the plain recursion of the last call finds") {
  for (std::uint64_t run = 0; run < 20; ++run) {
    RandomStream stream(91, run);
    const ModelSpec spec = random_spec(stream, {.links = 7});
    const Model model = compile(spec).value(), other = compile(heavier(spec)).value();
    const RandomState state(model, stream);
    std::vector<double> out(state.v.size());
    InverseDynamicsWorkspace<> work(model), plain(model);
    ForwardDynamicsWorkspace<> forward(model), plain_forward(model);
    for (const Model* const asked : {&model, &other, &model}) {
      inverse_dynamics(*asked, state.q, state.v, state.vdot, work, out, {.passive = false});
      dynamics_kernels_in_use().inverse_dynamics(asked->tree(), state.q.data(), state.v.data(), state.vdot.data(),
                                                 nullptr, plain.view(), out.data());
      CHECK(forward_dynamics(*asked, state.q, state.v, state.tau, forward, out, {.passive = false}).ok());
      dynamics_kernels_in_use().forward_dynamics(asked->tree(), state.q.data(), state.v.data(), state.tau.data(),
                                                 nullptr, nullptr, plain_forward.view(), out.data());
      const InverseDynamicsWorkspace<> copy = work;  // a copy remembers the question as well
      InverseDynamicsWorkspace<> looked_at = copy;
      for (std::size_t i = 0; i < asked->links().size(); ++i) {
        CHECK(same(work.view().F[i], plain.view().F[i]));
        CHECK(same(looked_at.view().F[i], plain.view().F[i]));
        CHECK(same(forward.view().p_A[i], plain_forward.view().p_A[i]));
      }
    }
  }
}

TEST_CASE("planned workspace: a call with a wrench from outside leaves its own numbers") {
  RandomStream stream(92);
  const Model model = compile(random_spec(stream, {.links = 5})).value();
  const RandomState state(model, stream);
  std::vector<double> out(state.v.size());
  const std::vector<Wrench<>> external(model.bodies().size(), Wrench<>{{1, 2, 3}, {4, 5, 6}});
  InverseDynamicsWorkspace<> work(model), fresh(model);
  inverse_dynamics(model, state.q, state.v, state.vdot, work, out);
  inverse_dynamics(model, state.q, state.v, state.vdot, work, out, {.external = external});
  inverse_dynamics(model, state.q, state.v, state.vdot, fresh, out, {.external = external});
  for (std::size_t i = 0; i < model.links().size(); ++i) CHECK(same(work.view().F[i], fresh.view().F[i]));
}
