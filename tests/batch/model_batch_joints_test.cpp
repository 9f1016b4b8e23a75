// Models side by side whose joints have kernels of their own: with and without rotors.
#include <doctest/doctest.h>

#include <cmath>

#include "pintle/batch/model_batch.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/model/edit/model_builder.h"
#include "support/planned_states.h"

using namespace test;

namespace {

ModelSpec tree(RandomStream& stream, bool armature) {
  constexpr JointKind kKinds[] = {JointKind::revolute, JointKind::prismatic, JointKind::spherical, JointKind::screw,
                                  JointKind::cylindrical};
  ModelSpec spec = random_spec(stream, {.links = 9, .mass_ratio = 3.0, .armature = armature});
  for (JointSpec& joint : spec.joints) joint.kind = kKinds[stream.below(std::size(kKinds))];
  return spec;
}

/// The same mechanism with other frames, pitches and inertias.
std::vector<Model> variants(const ModelSpec& spec, RandomStream& stream, std::size_t count) {
  std::vector<Model> models;
  for (std::size_t i = 0; i < count; ++i) {
    ModelSpec other = spec;
    for (BodySpec& body : other.bodies) body.inertia = random_inertia(stream, 3.0);
    for (JointSpec& joint : other.joints) {
      joint.X_PJ = joint.X_PJ * random_pose(stream, 0.2);
      joint.pitch_m_per_rad = i % 4 == 3 ? 0.0 : stream.uniform(-0.3, 0.3);
    }
    models.push_back(compile(other).value());
  }
  return models;
}

}  // namespace

TEST_CASE("model batch: joints with kernels of their own have the bits of one model planned alike") {
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

namespace {

/// A direction this sine away from z.
Vec3<> tilted(RandomStream& stream, double sine) {
  const double angle = stream.uniform(0.0, 6.28);
  return {sine * std::cos(angle), sine * std::sin(angle), std::sqrt(1.0 - sine * sine)};
}

Vec3<> some_place(RandomStream& stream) {
  return {stream.uniform(-0.3, 0.3), stream.uniform(-0.3, 0.3), stream.uniform(-1.0, 1.0)};
}

/// A revolute joint on a prismatic one that stands aside of its own axis, as the plan places it; how far, depends on
/// the first joint, `aside` of which the plan cannot place frames by.
Model on_a_prismatic_joint(RandomStream& stream, bool aside) {
  ModelBuilder builder("on a prismatic joint");
  const auto body = [&](const char* name) -> ModelBuilder& { return builder.body(name, random_inertia(stream, 2.0)); };
  body("turret").revolute({0, 0, 1});
  body("arm").revolute(aside ? tilted(stream, 0.005) : Vec3<>{1, 0, 0}).on("turret").at(some_place(stream));
  body("sledge").prismatic(tilted(stream, 0.009)).on("turret").at(some_place(stream));
  body("wheel").revolute(tilted(stream, stream.uniform(0.05, 0.24))).on("sledge").at(some_place(stream));
  return builder.compile().value();
}

}  // namespace

TEST_CASE("model batch: a link that one model plans otherwise may have others planned otherwise") {
  int otherwise = 0;
  for (std::uint64_t run = 0; run < 4000; ++run) {
    RandomStream stream(137, run);
    const std::vector<Model> models{on_a_prismatic_joint(stream, false), on_a_prismatic_joint(stream, true)};
    const ModelBatch<> batch(models);
    const std::vector<LinkTraits> first = models[0].plan().traits(), second = models[1].plan().traits(),
                                  all = batch.plan().traits();
    otherwise += first[3].common_normal && second[3].common_normal && !all[3].common_normal ? 1 : 0;
    const RandomState states[] = {RandomState(models[0], stream), RandomState(models[1], stream)};
    std::vector<double> q, v, vdot, tau(8), alone(4);
    for (const RandomState& state : states) {
      q.insert(q.end(), state.q.begin(), state.q.end());
      v.insert(v.end(), state.v.begin(), state.v.end());
      vdot.insert(vdot.end(), state.vdot.begin(), state.vdot.end());
    }
    BatchWorkspace<> work(batch);
    batch_inverse_dynamics(batch, {2}, q, v, vdot, work, tau);
    for (std::size_t m = 0; m < 2; ++m) {
      InverseDynamicsWorkspace<> one(models[m]);
      inverse_dynamics(models[m], states[m].q, states[m].v, states[m].vdot, one, alone);
      double size = 0.0;
      for (const double x : alone) size = max(size, abs(x));
      // Another plan is an error of the size of the efforts; rounding is far below this.
      for (std::size_t k = 0; k < 4; ++k) CHECK(abs(tau[4 * m + k] - alone[k]) <= 1e-9 * size);
    }
  }
  CHECK(otherwise > 0);
}
