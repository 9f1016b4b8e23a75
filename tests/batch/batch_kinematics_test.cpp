// Batches of all that is asked of the links and of the matrices besides M: against the functions of one state.
#include <doctest/doctest.h>

#include "base/count_allocations.h"
#include "pintle/base/thread_pool.h"
#include "pintle/base/usage_error.h"
#include "pintle/batch/batch.h"
#include "support/batch_answers.h"

using namespace test;

namespace {

constexpr std::size_t kStates = 21;  // no multiple of any number of lanes

Model random_tree(RandomStream& stream, std::uint64_t tree) {
  return compile(random_spec(stream, {.links = 14, .couplings = tree % 2 == 0, .welds = tree % 3 == 0})).value();
}

}  // namespace

TEST_CASE("batch: links and matrices of every state have the bits of the functions of one state") {
  ThreadPool two(2);
  int couplings = 0;
  for (std::uint64_t tree = 0; tree < 12; ++tree) {
    CAPTURE(tree);
    RandomStream stream(111, tree);
    const Model model = random_tree(stream, tree);
    couplings += static_cast<int>(model.couplings().size());
    const BatchLayout layout = tree % 4 < 2 ? BatchLayout::states : BatchLayout::packs;
    Batch<double> batch(model, stream, {tree == 5 ? 1 : kStates, layout});
    BatchWorkspace<> work(model, tree % 3 == 0 ? &two : nullptr, true);
    batch.ask(work);
    OneState alone(model);
    for (std::size_t s = 0; s < batch.states.count; ++s) {
      const std::vector<double> q = batch.state(batch.q, s), v = batch.state(batch.v, s), x = batch.state(batch.x, s);
      const Answers<std::vector<double>> expected = alone.ask(q, v, x, batch.place(s));
      for (std::size_t k = 0; k < kAsked; ++k) {
        CAPTURE(k);
        CHECK(batch.state(batch.found[k], s) == expected[k]);
      }
      CHECK(batch.state(batch.also_J, s) == alone.jacobian_in(Axes::world, q, batch.place(s)));
      CHECK(batch.state(batch.J_again, s) == alone.jacobian_in(Axes::local_world_aligned, q, batch.place(s)));
      CHECK(batch.state(batch.poses_alone, s) == expected[poses]);
      CHECK(batch.state(batch.velocities_alone, s) == expected[velocities]);
    }
  }
  CHECK(couplings >= 6);
}

TEST_CASE("batch: in float the answers are those of double to rounding") {
  for (std::uint64_t tree = 0; tree < 6; ++tree) {
    CAPTURE(tree);
    RandomStream stream(113, tree);
    const Model model = random_tree(stream, tree);
    Batch<float> batch(model, stream, {kStates, tree % 4 < 2 ? BatchLayout::states : BatchLayout::packs});
    BatchWorkspace<float> work(model, nullptr, true);
    batch.ask(work);
    OneState alone(model);
    for (std::size_t s = 0; s < kStates; ++s) {
      const Answers<std::vector<double>> expected =
          alone.ask(batch.state(batch.q, s), batch.state(batch.v, s), batch.state(batch.x, s), batch.place(s));
      check_rounded(batch.answers(s), expected, alone.M);
    }
  }
}

TEST_CASE_TEMPLATE("batch: a state has the same links and matrices in every lane and on any number of threads", T,
                   double, float) {
  RandomStream stream(112);
  const Model model = random_tree(stream, 0);
  Batch<T> batch(model, stream, {kStates});
  ThreadPool two(2);
  BatchWorkspace<T> work(model, nullptr, true), shared(model, &two, true);
  batch.ask(work);
  Batch<T> again = batch;
  again.ask(shared);
  CHECK(again.found == batch.found);
  for (std::size_t s = 0; s < kStates; ++s) {
    Batch<T> one(model, stream, {1});
    one.places = batch.places;
    one.put(batch.state(batch.q, s), 0, one.q);
    one.put(batch.state(batch.v, s), 0, one.v);
    one.put(batch.state(batch.x, s), 0, one.x);
    one.ask(work);
    for (std::size_t k = 0; k < kAsked; ++k) CHECK(one.state(one.found[k], 0) == batch.state(batch.found[k], s));
  }
  again.found[solution] = again.x;
  CHECK(batch_solve(model, again.states, again.q, again.found[solution], work, again.found[solution]).ok());
  CHECK(again.found[solution] == batch.found[solution]);  // over the efforts themselves
  const std::size_t before = count_allocations();
  again.ask(shared);
  again.ask(work);
  CHECK(count_allocations() == before);
  Batch<T> none(model, stream, {0});
  none.ask(work);
}

TEST_CASE("batch: places on the world have no Jacobian, wrong sizes and workspaces are refused") {
  RandomStream stream(114);
  const Model model = random_tree(stream, 1);
  Batch<double> batch(model, stream, {kStates});
  BatchWorkspace<> work(model, nullptr, true), small(model);
  batch_jacobian(model, batch.states, batch.q, {-1, identity_pose()}, Axes::world, work, batch.found[J]);
  CHECK(largest(batch.found[J]) == 0.0);
  std::vector<double>& short_one = batch.found[momentum];
  const auto refused = [](auto call) { CHECK_THROWS_AS(call(), UsageError); };
  refused([&] { batch_coriolis_matrix(model, batch.states, batch.q, batch.v, small, batch.found[C]); });
  refused([&] { (void)batch_mass_matrix_inverse(model, batch.states, batch.q, small, batch.found[inverse_M]); });
  refused([&] { (void)batch_mass_matrix_inverse(model, batch.states, batch.q, work, short_one); });
  refused([&] { (void)batch_solve(model, batch.states, batch.q, batch.x, small, batch.found[solution]); });
  refused([&] { (void)batch_solve(model, batch.states, batch.q, short_one, work, batch.found[solution]); });
  refused([&] { batch_kinematics(model, batch.states, batch.q, batch.v, work, short_one, batch.found[velocities]); });
  refused([&] { batch_jacobian_columns(model, batch.states, batch.q, work, short_one); });
  refused([&] { batch_energies(model, batch.states, batch.q, batch.v, work, short_one); });
  refused([&] {
    batch_jacobian(model, batch.states, batch.q, {99, identity_pose()}, Axes::world, work, batch.found[J]);
  });
  refused([&] {
    batch_centroidal_momentum_matrix(model, batch.states, batch.q, batch.v, work, batch.found[A_G], batch.found[locked],
                                     batch.found[locked]);
  });
}
