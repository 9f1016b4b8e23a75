#include "pintle/batch/planned_pack_kernels.h"

#include <doctest/doctest.h>

#include "support/planned_distances.h"
#include "support/planned_trees.h"

using namespace test;

TEST_CASE("planned pack kernels: in float as good as float can be") {
  Distances worst;
  for (std::uint64_t run = 0; run < 500; ++run) {
    RandomStream stream(63, run);
    const Model model = compile(planned_tree(stream, run, static_cast<Joints>(run % 4), 3.0)).value();
    RandomState state(model, stream);
    for (std::vector<double>* numbers : {&state.q, &state.v, &state.tau, &state.vdot})  // such as float has
      for (double& x : *numbers) x = static_cast<double>(static_cast<float>(x));
    worst = worse(worst, distances(planned_pack_kernels<float>(), model, state));
  }
  MESSAGE("worst, in n eps: inverse ", worst.inverse, ", forward ", worst.forward, ", mass ", worst.mass);
  CHECK(worst.inverse < 32.0);
  CHECK(worst.forward < 32.0);
  CHECK(worst.mass < 32.0);
}
