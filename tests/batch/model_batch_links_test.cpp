// Batches of models, all that is asked of the links and of the matrices besides M: against the functions of one state.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/count_allocations.h"
#include "pintle/base/thread_pool.h"
#include "pintle/base/usage_error.h"
#include "support/batch_answers.h"
#include "support/model_variants.h"

using namespace test;

namespace {

constexpr std::size_t kModels = 21;  // no multiple of any number of lanes

/// Trees of every kind of joint, every other pair of revolute joints alone; and a body that is welded to the world.
ModelSpec random_tree(RandomStream& stream, std::uint64_t tree) {
  ModelSpec spec = random_spec(
      stream, {.links = 6 + static_cast<int>(tree % 12), .couplings = tree % 4 == 0, .welds = tree % 3 == 0});
  spec.bodies.push_back({.name = "pedestal", .inertia = random_inertia(stream, 10.0)});
  JointSpec weld;
  weld.name = "weld";
  weld.kind = JointKind::fixed;
  weld.parent = kWorld;
  weld.child = "pedestal";
  weld.X_PJ = random_pose(stream);
  spec.joints.push_back(weld);
  return tree % 4 < 2 ? spec : with_revolute_joints(spec, tree % 4 == 3);
}

/// Whether a model goes through the kernels of one state as it does among the others: link after link, on a plan that
/// takes each link for the same.
bool planned_alike(const Model& model, const Plan& common) {
  return model.plan().layout() != KernelLayout::bodies_in_lanes && model.plan().traits() == common.traits();
}

/// Whether M x = tau holds to what M itself may be off on another plan (1e-13; shared/reference-cases.md, F) and to
/// what factors of M, or articulated inertias, are rounded: n eps, of the terms that are added up.
void check_solution(const std::vector<double>& M, const double* x, std::size_t stride, const std::vector<double>& tau) {
  const std::size_t n = tau.size();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0, terms = abs(tau[i]);
    for (std::size_t k = 0; k < n; ++k) {
      sum += M[i * n + k] * x[k * stride];
      terms += sqrt(M[i * n + i] * M[k * n + k]) * abs(x[k * stride]);
    }
    CHECK(abs(sum - tau[i]) <= (1e-13 + static_cast<double>(n) * kEpsilon<double>)*terms);
  }
}

}  // namespace

TEST_CASE("model batch: links and matrices of every state have the bits of the functions of one state") {
  ThreadPool two(2);
  std::size_t couplings = 0, alike = 0, others = 0;
  for (std::uint64_t tree = 0; tree < 24; ++tree) {
    CAPTURE(tree);
    RandomStream stream(141, tree);
    const std::vector<Model> variety = variants(random_tree(stream, tree), stream, kModels);
    const ModelBatch<> models(variety);
    couplings += variety[0].couplings().size();
    const BatchLayout layout = tree % 8 < 4 ? BatchLayout::states : BatchLayout::packs;
    Batch<double, ModelBatch<>> batch(models, stream, {kModels, layout});
    BatchWorkspace<> work(models, tree % 3 == 0 ? &two : nullptr, true);
    batch.ask(work);
    for (std::size_t s = 0; s < kModels; ++s) {
      OneState alone(models[s]);
      const std::vector<double> q = batch.state(batch.q, s), v = batch.state(batch.v, s), x = batch.state(batch.x, s);
      const Answers<std::vector<double>> expected = alone.ask(q, v, x, batch.place(s)), found = batch.answers(s);
      const bool planned = planned_alike(models[s], models.plan());
      for (std::size_t k = 0; k < kAsked; ++k) {
        CAPTURE(k);
        if (planned || (k != inverse_M && k != solution)) CHECK(found[k] == expected[k]);
      }
      CHECK(batch.state(batch.also_J, s) == alone.jacobian_in(Axes::world, q, batch.place(s)));
      CHECK(batch.state(batch.J_again, s) == alone.jacobian_in(Axes::local_world_aligned, q, batch.place(s)));
      CHECK(batch.state(batch.poses_alone, s) == expected[poses]);
      CHECK(batch.state(batch.velocities_alone, s) == expected[velocities]);
      ++(planned ? alike : others);
      if (planned) continue;
      check_solution(alone.M, found[solution].data(), 1, x);
      for (std::size_t j = 0; j < x.size(); ++j) {
        std::vector<double> unit(x.size());
        unit[j] = 1.0;
        check_solution(alone.M, found[inverse_M].data() + j, x.size(), unit);
      }
    }
  }
  CHECK(couplings >= 3);
  CHECK(alike >= 100);
  CHECK(others >= 100);
}

TEST_CASE("model batch: in float links and matrices are those of double to rounding") {
  for (std::uint64_t tree = 0; tree < 8; ++tree) {
    CAPTURE(tree);
    RandomStream stream(142, tree);
    const std::vector<Model> variety = variants(random_tree(stream, tree), stream, kModels);
    const ModelBatch<float> models(variety);
    const BatchLayout layout = tree % 3 == 0 ? BatchLayout::states : BatchLayout::packs;
    Batch<float, ModelBatch<float>> batch(models, stream, {kModels, layout});
    BatchWorkspace<float> work(models, nullptr, true);
    batch.ask(work);
    for (std::size_t s = 0; s < kModels; ++s) {
      OneState alone(models[s]);
      const Answers<std::vector<double>> expected =
          alone.ask(batch.state(batch.q, s), batch.state(batch.v, s), batch.state(batch.x, s), batch.place(s));
      check_rounded(batch.answers(s), expected, alone.M);
    }
  }
}

TEST_CASE_TEMPLATE("model batch: links and matrices are the same in every lane and round, on any number of threads", T,
                   double, float) {
  RandomStream stream(143);
  const std::size_t count = 4 * static_cast<std::size_t>(batch_lanes<T>());
  std::vector<Model> variety = variants(random_tree(stream, 8), stream, count);
  const ModelBatch<T> models(variety);
  ThreadPool two(2);
  BatchWorkspace<T> work(models, nullptr, true), shared(models, &two, true);
  Batch<T, ModelBatch<T>> rounds(models, stream, {3 * count});
  rounds.ask(work);
  Batch<T, ModelBatch<T>> again = rounds;
  const std::size_t before = count_allocations();
  again.ask(shared);
  again.ask(work);
  CHECK(count_allocations() == before);
  again.ask(shared);
  CHECK(again.found == rounds.found);
  // One model farther on, with its states and its place.
  std::rotate(variety.begin(), variety.begin() + 1, variety.end());
  const ModelBatch<T> turned_models(variety);
  Batch<T, ModelBatch<T>> turned(turned_models, stream, {2 * count});
  turned.places = rounds.places;
  std::rotate(turned.places.begin(), turned.places.begin() + 1, turned.places.end());
  for (std::size_t s = 0; s < turned.states.count; ++s) {
    turned.put(rounds.state(rounds.q, s + 1), s, turned.q);
    turned.put(rounds.state(rounds.v, s + 1), s, turned.v);
    turned.put(rounds.state(rounds.x, s + 1), s, turned.x);
  }
  turned.ask(work);
  for (std::size_t s = 0; s < turned.states.count; ++s) CHECK(turned.answers(s) == rounds.answers(s + 1));
}

TEST_CASE("model batch: places on the world have no Jacobian; what does not fit is refused") {
  RandomStream stream(144);
  const std::vector<Model> variety = variants(random_tree(stream, 5), stream, kModels);
  const ModelBatch<> models(variety);
  Batch<double, ModelBatch<>> batch(models, stream, {kModels});
  const BatchStates &states = batch.states, more{2 * kModels};  // the models do not fill whole packs
  const std::vector<double>&q = batch.q, &v = batch.v, &x = batch.x;
  Answers<std::vector<double>>& found = batch.found;
  BatchWorkspace<> work(models, nullptr, true), small(models);
  const std::vector<Place> on_world(kModels, {-1, identity_pose()}), beyond(kModels, {99, identity_pose()});
  batch_jacobian(models, states, q, on_world, Axes::world, work, found[J]);
  CHECK(largest(found[J]) == 0.0);
  std::vector<Place> apart = batch.places;
  apart[4].link -= 1;
  std::vector<double>& short_one = found[momentum];
  const auto twice = [](int numbers) { return std::vector<double>(2 * kModels * static_cast<std::size_t>(numbers)); };
  const int nq = models[0].nq(), n = models[0].nv(), links = models[0].tree().count;
  std::vector<double> q2 = twice(nq), v2 = twice(n), x2 = v2, matrix = twice(n * n), rows = twice(6 * n),
                      six = twice(6), ten = twice(kLockedValues), both = twice(2), X2 = twice(12 * links),
                      V2 = twice(6 * links);
  const auto refused = [](auto call) { CHECK_THROWS_AS(call(), UsageError); };
  refused([&] { batch_coriolis_matrix(models, states, q, v, small, found[C]); });
  refused([&] { batch_coriolis_matrix(models, more, q2, v2, work, matrix); });
  refused([&] { (void)batch_mass_matrix_inverse(models, states, q, small, found[inverse_M]); });
  refused([&] { (void)batch_mass_matrix_inverse(models, states, q, work, short_one); });
  refused([&] { (void)batch_mass_matrix_inverse(models, more, q2, work, matrix); });
  refused([&] { (void)batch_solve(models, states, q, x, small, found[solution]); });
  refused([&] { (void)batch_solve(models, states, q, short_one, work, found[solution]); });
  refused([&] { (void)batch_solve(models, more, q2, v2, work, x2); });
  refused([&] { batch_kinematics(models, states, q, v, work, short_one, found[velocities]); });
  refused([&] { batch_kinematics(models, states, q, v, x, work, found[poses], found[velocities], short_one); });
  refused([&] { batch_kinematics(models, more, q2, v2, work, X2, V2); });
  refused([&] { batch_jacobian_columns(models, states, q, work, short_one); });
  refused([&] { batch_jacobian_columns(models, more, q2, work, rows); });
  refused([&] { batch_energies(models, states, q, v, work, short_one); });
  refused([&] { batch_energies(models, more, q2, v2, work, both); });
  refused([&] { batch_jacobian(models, states, q, beyond, Axes::world, work, found[J]); });
  refused([&] { batch_jacobian(models, states, q, apart, Axes::world, work, found[J]); });
  refused([&] { batch_jacobian(models, states, q, {batch.places.data(), 1}, Axes::world, work, found[J]); });
  refused([&] { batch_jacobian(models, more, q2, batch.places, Axes::world, work, rows); });
  refused(
      [&] { batch_centroidal_momentum_matrix(models, states, q, v, work, found[A_G], found[locked], found[locked]); });
  refused([&] { batch_centroidal_momentum_matrix(models, more, q2, v2, work, rows, six, ten); });
}

TEST_CASE("model batch: a model whose moving bodies have no mass has no centre of mass") {
  ModelSpec spec;
  spec.bodies = {{.name = "wheel", .inertia = spatial_inertia(2.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{1, 1, 1}))}};
  JointSpec joint;
  joint.name = "axle";
  joint.kind = JointKind::revolute;
  joint.parent = kWorld;
  joint.child = "wheel";
  joint.passive = {{.armature = 0.1}};
  spec.joints = {joint};
  const Model heavy = compile(spec).value();
  spec.bodies[0].inertia = zero_inertia<double>();
  const std::vector<Model> variety{heavy, heavy, compile(spec).value()};
  const ModelBatch<> models(variety);
  BatchWorkspace<> work(models);
  std::vector<double> q(3), v(3), A_G(18), momentum(18), locked(30);
  CHECK_THROWS_AS(batch_centroidal_momentum_matrix(models, {3}, q, v, work, A_G, momentum, locked), UsageError);
}
