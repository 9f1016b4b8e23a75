#include "pintle/batch/batch_stepper.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "base/count_allocations.h"
#include "pintle/base/thread_pool.h"
#include "pintle/base/usage_error.h"
#include "simulation/mechanism_system.h"

using namespace test;

namespace {

constexpr std::size_t kStates = 37;  // no multiple of any number of lanes
constexpr double kStep = 2e-3;

/// Dampers and springs, but no friction of joints.
ModelSpec tree(RandomStream& stream, bool couplings) {
  ModelSpec spec = random_spec(stream, {.links = 8, .passive = true, .couplings = couplings});
  for (JointSpec& joint : spec.joints)
    for (JointPassive& passive : joint.passive) passive.friction = 0.0;
  return spec;
}

/// States of a model in the arrays of a batch.
template <class T>
struct States {
  States(const Model& model, const BatchStates& how)
      : states(how),
        nq(static_cast<std::size_t>(model.nq())),
        nv(static_cast<std::size_t>(model.nv())),
        q(batch_size<T>(how, model.nq())),
        v(batch_size<T>(how, model.nv())),
        tau(v) {}

  std::size_t entry(std::size_t s, std::size_t k, std::size_t numbers) const {
    const std::size_t lanes = static_cast<std::size_t>(batch_lanes<T>());
    return states.layout == BatchLayout::states ? s * numbers + k : (s / lanes * numbers + k) * lanes + s % lanes;
  }
  void put(std::size_t s, const MotionState& state, const std::vector<double>& efforts) {
    for (std::size_t k = 0; k < nq; ++k) q[entry(s, k, nq)] = static_cast<T>(state.q[k]);
    for (std::size_t k = 0; k < nv; ++k) v[entry(s, k, nv)] = static_cast<T>(state.v[k]);
    for (std::size_t k = 0; k < nv; ++k) tau[entry(s, k, nv)] = static_cast<T>(efforts[k]);
  }
  MotionState get(std::size_t s) const {
    MotionState state;
    for (std::size_t k = 0; k < nq; ++k) state.q.push_back(static_cast<double>(q[entry(s, k, nq)]));
    for (std::size_t k = 0; k < nv; ++k) state.v.push_back(static_cast<double>(v[entry(s, k, nv)]));
    return state;
  }

  BatchStates states;
  std::size_t nq, nv;
  std::vector<T> q, v, tau;
};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Where a joint of a model, all of one dof and without couplings, is beyond its limits; -1: nowhere.
int beyond(const Model& model, const std::vector<double>& q) {
  for (std::size_t i = 0; i < q.size(); ++i) {
    const JointLimits& limits = model.dofs()[i].limits;
    if (q[i] < limits.lower || q[i] > limits.upper) return static_cast<int>(i);
  }
  return -1;
}

/// A pendulum of revolute joints that cannot turn all the way.
ModelSpec pendulum(double friction = 0.0) {
  RandomStream stream(91);
  ModelSpec spec = random_spec(stream, {.links = 3, .branching = 0.0});
  for (JointSpec& joint : spec.joints) {
    joint.kind = JointKind::revolute;
    joint.limits = {{.lower = -1.0, .upper = 1.5}};
    joint.passive = {{.friction = friction}};
  }
  return spec;
}

}  // namespace

TEST_CASE("batch stepper: every state has the bits that a stepper gives it alone") {
  ThreadPool two(2), three(3);
  for (const Method method : {Method::semi_implicit_euler, Method::rk4}) {
    for (const bool couplings : {false, true}) {
      for (std::uint64_t number = 0; number < 4; ++number) {
        RandomStream stream(92, number);
        MechanismSystem system(tree(stream, couplings));
        const Model& model = system.model();
        for (const BatchLayout layout : {BatchLayout::states, BatchLayout::packs}) {
          States<double> batch(model, {kStates, layout});
          std::vector<MotionState> alone;
          Stepper stepper(system, method);
          for (std::size_t s = 0; s < kStates; ++s) {
            MotionState from = random_state(system, stream), to = from;
            for (double& x : system.tau) x = stream.uniform(-1, 1);
            batch.put(s, from, system.tau);
            for (int i = 0; i < 5; ++i) {
              REQUIRE(stepper.step(from, kStep, to).ok());
              std::swap(from, to);
            }
            alone.push_back(from);
          }
          for (ThreadPool* const pool : {static_cast<ThreadPool*>(nullptr), &two, &three}) {
            States<double> moved = batch;
            BatchStepper<> steps(model, method, kStates, pool);
            CHECK(steps.step(moved.states, kStep, 2, moved.q, moved.v, moved.tau).empty());
            CHECK(steps.step(moved.states, kStep, 3, moved.q, moved.v, moved.tau).empty());
            for (std::size_t s = 0; s < kStates; ++s) {
              CHECK(same_bits(moved.get(s).q, alone[s].q));
              CHECK(same_bits(moved.get(s).v, alone[s].v));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("batch stepper: float follows double") {
  RandomStream stream(93);
  MechanismSystem system(tree(stream, false));
  States<double> in_double(system.model(), {kStates});
  States<float> in_float(system.model(), {kStates, BatchLayout::packs});
  for (std::size_t s = 0; s < kStates; ++s) {
    const MotionState state = random_state(system, stream);
    in_double.put(s, state, system.tau);
    in_float.put(s, state, system.tau);
  }
  CHECK(BatchStepper<double>(system.model(), Method::rk4, kStates)
            .step(in_double.states, kStep, 20, in_double.q, in_double.v, in_double.tau)
            .empty());
  CHECK(BatchStepper<float>(system.model(), Method::rk4, kStates)
            .step(in_float.states, kStep, 20, in_float.q, in_float.v, in_float.tau)
            .empty());
  // 20 steps of some roundings each, at accelerations of up to 1e3 that feel q.
  for (std::size_t s = 0; s < kStates; ++s) CHECK(distance(system, in_double.get(s), in_float.get(s)) < 2e-3);
}

TEST_CASE("batch stepper: states that reach a limit are given back before it, the others go on") {
  MechanismSystem system(pendulum());
  const Model& model = system.model();
  constexpr int kCount = 200;
  RandomStream stream(94);
  States<double> batch(model, {kStates});
  std::vector<MotionState> alone;
  std::vector<StoppedState> expected;
  Stepper stepper(system, Method::rk4);
  for (std::size_t s = 0; s < kStates; ++s) {
    MotionState from = neutral_state(system);
    for (double& x : from.q) x = stream.uniform(-0.9, 1.4);
    MotionState to = from;
    batch.put(s, from, system.tau);
    int made = 0;
    for (; made < kCount; ++made) {
      REQUIRE(stepper.step(from, kStep, to).ok());
      if (beyond(model, to.q) >= 0) break;
      std::swap(from, to);
    }
    if (made < kCount) expected.push_back({s, made, BatchStop::limit, beyond(model, to.q)});
    alone.push_back(from);
  }
  REQUIRE(expected.size() > 10);
  REQUIRE(expected.size() < kStates);
  ThreadPool two(2);
  for (ThreadPool* const pool : {static_cast<ThreadPool*>(nullptr), &two}) {
    States<double> moved = batch;
    BatchStepper<> steps(model, Method::rk4, kStates, pool);
    const std::span<const StoppedState> stopped = steps.step(moved.states, kStep, kCount, moved.q, moved.v, moved.tau);
    REQUIRE(stopped.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(stopped[i].state == expected[i].state);
      CHECK(stopped[i].steps == expected[i].steps);
      CHECK(stopped[i].why == expected[i].why);
      CHECK(stopped[i].dof == expected[i].dof);
    }
    for (std::size_t s = 0; s < kStates; ++s) {
      CHECK(same_bits(moved.get(s).q, alone[s].q));
      CHECK(same_bits(moved.get(s).v, alone[s].v));
    }
  }
}

TEST_CASE("batch stepper: joints with friction that stand or turn back, and numbers that are none, stop their states") {
  MechanismSystem system(pendulum(0.05));
  States<double> batch(system.model(), {3});
  MotionState state = neutral_state(system);
  state.v = {0.5, -0.5, 0.25};
  batch.put(0, state, {100.0, -100.0, 100.0});  // all go on as they move
  batch.put(1, state, {100.0, -100.0, 100.0});
  batch.v[batch.entry(1, 1, 3)] = 0.0;
  batch.put(2, state, {100.0, -100.0, std::nan("")});
  const std::vector<double> before = batch.v;
  BatchStepper<> steps(system.model(), Method::semi_implicit_euler, 3);
  std::span<const StoppedState> stopped = steps.step(batch.states, 1e-6, 1, batch.q, batch.v, batch.tau);
  REQUIRE(stopped.size() == 2);
  CHECK(stopped[0].state == 1);
  CHECK(stopped[0].why == BatchStop::friction);
  CHECK(stopped[0].dof == 1);
  CHECK(stopped[1].state == 2);
  CHECK(stopped[1].why == BatchStop::not_finite);
  CHECK(stopped[1].dof == -1);
  CHECK(std::equal(before.begin() + 3, before.end(), batch.v.begin() + 3));
  CHECK(batch.v[0] != before[0]);
  // Against its effort until it turns back: that many whole steps.
  batch.put(0, state, {-10.0, 0.0, 0.0});
  batch.states.count = 1;
  for (std::vector<double>* const numbers : {&batch.q, &batch.v, &batch.tau}) numbers->resize(3);
  stopped = steps.step(batch.states, 1e-3, 100000, batch.q, batch.v, batch.tau);
  REQUIRE(stopped.size() == 1);
  CHECK(stopped[0].steps > 0);
  CHECK(stopped[0].steps < 100000);
}

TEST_CASE("batch stepper: what it is not made for is refused, and no step allocates") {
  RandomStream stream(95);
  MechanismSystem system(tree(stream, true));
  const Model& model = system.model();
  CHECK_THROWS_AS(BatchStepper<>(model, Method::dormand_prince, 4), UsageError);
  ThreadPool two(2);
  BatchStepper<> steps(model, Method::rk4, kStates, &two);
  States<double> batch(model, {kStates}), more(model, {kStates + 1});
  for (std::size_t s = 0; s < kStates; ++s) batch.put(s, random_state(system, stream), system.tau);
  CHECK_THROWS_AS((void)steps.step(more.states, kStep, 1, more.q, more.v, more.tau), UsageError);
  CHECK_THROWS_AS((void)steps.step(batch.states, kStep, 1, batch.v, batch.v, batch.tau), UsageError);
  CHECK_THROWS_AS((void)steps.step(batch.states, kStep, -1, batch.q, batch.v, batch.tau), UsageError);
  const std::size_t before = count_allocations();
  CHECK(steps.step(batch.states, kStep, 3, batch.q, batch.v, batch.tau).empty());
  CHECK(count_allocations() == before);
  ModelSpec driven = pendulum();
  driven.joints[1].prescribed = true;
  CHECK_THROWS_AS(BatchStepper<>(compile(driven).value(), Method::rk4, 4), UsageError);
}
