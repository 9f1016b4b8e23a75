// Models side by side whose joints have kernels of their own: hinges, sliders and balls, with and without rotors.
#include <doctest/doctest.h>

#include "pintle/dynamics/model_batch.h"
#include "support/planned_states.h"

using namespace test;

namespace {

ModelSpec tree(RandomStream& stream, bool armature) {
  constexpr JointKind kKinds[] = {JointKind::revolute, JointKind::prismatic, JointKind::spherical};
  ModelSpec spec = random_spec(stream, {.links = 9, .mass_ratio = 3.0, .armature = armature});
  for (JointSpec& joint : spec.joints) joint.kind = kKinds[stream.below(3)];
  return spec;
}

/// The same mechanism with other frames and inertias.
std::vector<Model> variants(const ModelSpec& spec, RandomStream& stream, std::size_t count) {
  std::vector<Model> models;
  for (std::size_t i = 0; i < count; ++i) {
    ModelSpec other = spec;
    for (BodySpec& body : other.bodies) body.inertia = random_inertia(stream, 3.0);
    for (JointSpec& joint : other.joints) joint.X_PJ = joint.X_PJ * random_pose(stream, 0.2);
    models.push_back(compile(other).value());
  }
  return models;
}

}  // namespace

TEST_CASE("model batch: hinges, sliders and balls have the bits of one model planned alike") {
  std::size_t compared = 0;
  for (std::uint64_t run = 0; run < 20; ++run) {
    RandomStream stream(136, run);
    const std::size_t count = 11;
    const std::vector<Model> models = variants(tree(stream, run % 2 == 0), stream, count);
    const std::size_t nq = static_cast<std::size_t>(models[0].nq()), n = static_cast<std::size_t>(models[0].nv());
    std::vector<RandomState> states;
    std::vector<double> q, v, tau, vdot(count * n), efforts(count * n), M(count * n * n);
    for (const Model& model : models) {
      states.emplace_back(model, stream);
      q.insert(q.end(), states.back().q.begin(), states.back().q.end());
      v.insert(v.end(), states.back().v.begin(), states.back().v.end());
      states.back().tau = states.back().vdot;
      tau.insert(tau.end(), states.back().tau.begin(), states.back().tau.end());
    }
    REQUIRE(q.size() == count * nq);
    const ModelBatch<> batch(models);
    BatchWorkspace<> work(batch, nullptr, true);
    const BatchStates all{.count = count};
    REQUIRE(batch_forward_dynamics(batch, all, q, v, tau, work, vdot).ok());
    batch_inverse_dynamics(batch, all, q, v, tau, work, efforts);
    batch_mass_matrix(batch, all, q, work, M);
    const std::vector<LinkTraits> traits = batch.plan().traits();
    for (std::size_t s = 0; s < count; ++s) {
      const Plan plan(models[s].tree(), traits);
      const PlannedAnswers<double> alone =
          planned_answers(planned_kernels_in_use().one, models[s], one_by_one(plan.view<double>()), {states[s]});
      const auto part = [s](const std::vector<double>& of, std::size_t size) {
        return std::vector<double>(of.begin() + static_cast<std::ptrdiff_t>(s * size),
                                   of.begin() + static_cast<std::ptrdiff_t>((s + 1) * size));
      };
      CHECK(part(vdot, n) == alone.vdot);
      CHECK(part(efforts, n) == alone.tau);
      CHECK(part(M, n * n) == alone.M);
      ++compared;
    }
  }
  CHECK(compared == 220);
}
