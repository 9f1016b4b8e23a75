#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "base/count_allocations.h"
#include "pintle/base/thread_pool.h"
#include "pintle/base/usage_error.h"
#include "pintle/batch/batch_stepper.h"
#include "simulation/mechanism_system.h"

using namespace test;

namespace {

constexpr double kStep = 2e-3;

/// Pendulums that cannot turn all the way, with masses, lengths, dampers and limits of their own; every third has
/// friction in its last joint.
std::vector<ModelSpec> pendulums(std::size_t count) {
  RandomStream stream(141);
  const ModelSpec first = random_spec(stream, {.links = 4, .branching = 0.0});
  std::vector<ModelSpec> specs(count, first);
  for (std::size_t i = 0; i < count; ++i) {
    for (BodySpec& body : specs[i].bodies) body.inertia = stream.uniform(0.7, 1.4) * body.inertia;
    for (JointSpec& joint : specs[i].joints) {
      joint.kind = JointKind::revolute;
      joint.X_PJ.translation = stream.uniform(0.7, 1.4) * joint.X_PJ.translation;
      joint.limits = {{.lower = stream.uniform(-1.2, -0.8), .upper = stream.uniform(0.8, 1.2)}};
      joint.passive = {{.armature = 0.01, .damping = stream.uniform(0.0, 0.3)}};
    }
    if (i % 3 == 0) specs[i].joints.back().passive[0].friction = 0.05;
  }
  return specs;
}

/// The dof beyond its limits, or -1.
int beyond(const Model& model, const std::vector<double>& q) {
  for (std::size_t i = 0; i < q.size(); ++i) {
    const JointLimits& limits = model.dofs()[i].limits;
    if (q[i] < limits.lower || q[i] > limits.upper) return static_cast<int>(i);
  }
  return -1;
}

/// The dof with friction that turns back, or -1.
int turning_back(const Model& model, const std::vector<double>& before, const std::vector<double>& after) {
  for (std::size_t i = 0; i < before.size(); ++i)
    if (model.dofs()[i].passive.friction > 0.0 && !(before[i] * after[i] > 0.0)) return static_cast<int>(i);
  return -1;
}

/// A state of a mechanism moved alone until it is stopped, and why.
struct Alone {
  MotionState state;
  StoppedState stopped{0, 0, BatchStop::limit, -1};
};

Alone move_alone(MechanismSystem& system, MotionState from, int count) {
  Stepper stepper(system, Method::rk4);
  Alone alone{from};
  MotionState to = from;
  for (int made = 0; made < count; ++made) {
    REQUIRE(stepper.step(from, kStep, to).ok());
    const int limit = beyond(system.model(), to.q), back = turning_back(system.model(), from.v, to.v);
    if (limit >= 0 || back >= 0) {
      alone.stopped = {0, made, limit >= 0 ? BatchStop::limit : BatchStop::friction, limit >= 0 ? limit : back};
      break;
    }
    std::swap(from, to);
  }
  alone.state = from;
  return alone;
}

bool same_bits(const std::vector<double>& a, const double* b) {
  return std::memcmp(a.data(), b, a.size() * sizeof(double)) == 0;
}

void check_models(std::size_t model_count) {
  constexpr int kCount = 150;
  const std::size_t count = 2 * model_count;
  std::vector<Model> models;
  std::vector<Alone> alone;
  std::vector<double> q, v;
  const std::vector<ModelSpec> specs = pendulums(model_count);
  for (const ModelSpec& spec : specs) models.push_back(compile(spec).value());
  RandomStream stream(142);
  std::size_t limits = 0, frictions = 0;
  for (std::size_t s = 0; s < count; ++s) {
    MechanismSystem system(specs[s % model_count]);
    MotionState start = neutral_state(system);
    for (double& x : start.q) x = stream.uniform(-0.7, 0.7);
    for (double& x : start.v) x = stream.uniform(-1.0, 1.0);
    q.insert(q.end(), start.q.begin(), start.q.end());
    v.insert(v.end(), start.v.begin(), start.v.end());
    alone.push_back(move_alone(system, start, kCount));
    const StoppedState& stopped = alone.back().stopped;
    limits += stopped.dof >= 0 && stopped.why == BatchStop::limit ? 1 : 0;
    frictions += stopped.why == BatchStop::friction ? 1 : 0;
  }
  REQUIRE(limits > 10);
  REQUIRE(frictions > 5);
  REQUIRE(limits + frictions < count);
  const ModelBatch<> batch(models);
  for (const Model& model : models) REQUIRE(model.plan().traits() == batch.plan().traits());
  const std::vector<double> tau(v.size());
  ThreadPool two(2);
  for (ThreadPool* const pool : {static_cast<ThreadPool*>(nullptr), &two}) {
    std::vector<double> moved_q = q, moved_v = v;
    BatchStepper<> steps(batch, Method::rk4, count, pool);
    const std::size_t before = count_allocations();
    const std::span<const StoppedState> stopped = steps.step({count}, kStep, kCount, moved_q, moved_v, tau);
    CHECK(count_allocations() == before);
    REQUIRE(stopped.size() == limits + frictions);
    for (const StoppedState& one : stopped) {
      const StoppedState& expected = alone[one.state].stopped;
      CHECK(one.steps == expected.steps);
      CHECK(one.why == expected.why);
      CHECK(one.dof == expected.dof);
    }
    for (std::size_t s = 0; s < count; ++s) {
      CHECK(same_bits(alone[s].state.q, moved_q.data() + s * 4));
      CHECK(same_bits(alone[s].state.v, moved_v.data() + s * 4));
    }
  }
}

}  // namespace

TEST_CASE("batch stepper: every state is moved by its own model, with its own limits and friction") {
  check_models(37);  // no multiple of any number of lanes
  check_models(48);  // of all: packs of models are used as they are until one of their states leaves
}

TEST_CASE("batch stepper: of many models none may have a prescribed joint") {
  std::vector<ModelSpec> specs = pendulums(3);
  specs[2].joints[1].prescribed = true;
  std::vector<Model> models;
  for (const ModelSpec& spec : specs) models.push_back(compile(spec).value());
  const ModelBatch<> batch(models);
  CHECK_THROWS_AS(BatchStepper<>(batch, Method::rk4, 3), UsageError);
}
