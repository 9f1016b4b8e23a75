#include "pintle/batch/batch.h"

#include <doctest/doctest.h>

#include "base/count_allocations.h"
#include "pintle/base/thread_pool.h"
#include "pintle/base/usage_error.h"
#include "pintle/batch/planned_pack_kernels.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/mass_matrix.h"
#include "support/planned_states.h"

using namespace test;

namespace {

constexpr std::size_t kStates = 37;  // no multiple of any number of lanes

ModelSpec tree(RandomStream& stream, bool revolute) {
  ModelSpec spec = random_spec(stream, {.links = 9});
  for (JointSpec& joint : spec.joints)
    if (revolute) joint.kind = JointKind::revolute;
  return spec;
}

/// Random states, their answers by the kernels of one state, and where the numbers of a batch stand.
template <class T>
struct Batch {
  Batch(const Model& model_of_all, const BatchStates& how, RandomStream& stream)
      : model(model_of_all), states(how), q(array(model.nq())), v(array(model.nv())), x(array(model.nv())), out(x) {
    M.resize(batch_size<T>(states, model.nv() * model.nv()));
    for (std::size_t s = 0; s < states.count; ++s) {
      RandomState state(model, stream);
      put(state.q, s, q);
      put(state.v, s, v);
      put(state.tau, s, x);
      state.vdot = state.tau;
      if (model.couplings().empty()) alone.push_back(answers(state));
    }
  }

  std::vector<T> array(int numbers) const { return std::vector<T>(batch_size<T>(states, numbers)); }

  PlannedAnswers<T> answers(const RandomState& state) const {
    if constexpr (sizeof(T) == sizeof(double)) {
      return planned_answers(planned_kernels_in_use().one, model, {state});
    } else {
      return answers_in_every_lane(planned_pack_kernels<T>(), model, state);
    }
  }

  std::size_t entry(std::size_t s, std::size_t k, std::size_t numbers) const {
    const std::size_t lanes = static_cast<std::size_t>(batch_lanes<T>());
    return states.layout == BatchLayout::states ? s * numbers + k : (s / lanes * numbers + k) * lanes + s % lanes;
  }
  void put(const std::vector<double>& numbers, std::size_t s, std::vector<T>& array) const {
    for (std::size_t k = 0; k < numbers.size(); ++k) array[entry(s, k, numbers.size())] = static_cast<T>(numbers[k]);
  }
  std::vector<T> state(const std::vector<T>& array, std::size_t s, std::size_t numbers) const {
    std::vector<T> found;
    for (std::size_t k = 0; k < numbers; ++k) found.push_back(array[entry(s, k, numbers)]);
    return found;
  }

  void check(ThreadPool* pool) {
    BatchWorkspace<T> work(model, pool, true);
    const std::size_t n = static_cast<std::size_t>(model.nv());
    batch_inverse_dynamics(model, states, q, v, x, work, out);
    for (std::size_t s = 0; s < states.count; ++s) CHECK(state(out, s, n) == alone[s].tau);
    CHECK(batch_forward_dynamics(model, states, q, v, x, work, out).ok());
    for (std::size_t s = 0; s < states.count; ++s) CHECK(state(out, s, n) == alone[s].vdot);
    batch_mass_matrix(model, states, q, work, M);
    for (std::size_t s = 0; s < states.count; ++s) CHECK(state(M, s, n * n) == alone[s].M);
    out = x;
    CHECK(batch_forward_dynamics(model, states, q, v, out, work, out).ok());  // over the efforts themselves
    for (std::size_t s = 0; s < states.count; ++s) CHECK(state(out, s, n) == alone[s].vdot);
  }

  const Model& model;
  BatchStates states;
  std::vector<T> q, v, x, out, M;
  std::vector<PlannedAnswers<T>> alone;
};

}  // namespace

TEST_CASE_TEMPLATE("batch: every state has the bits of the kernel of one state, on any number of threads", T, double,
                   float) {
  ThreadPool two(2), three(3);
  for (const BatchLayout layout : {BatchLayout::states, BatchLayout::packs}) {
    for (const bool revolute : {true, false}) {
      for (const std::size_t count : {kStates, std::size_t(1), std::size_t(0)}) {
        RandomStream stream(81, revolute ? 1 : 0);
        const Model model = compile(tree(stream, revolute)).value();
        Batch<T> batch(model, {count, layout}, stream);
        batch.check(nullptr);
        batch.check(&two);
        batch.check(&three);
      }
    }
  }
}

TEST_CASE("batch: arrays of packs may stand anywhere") {
  RandomStream stream(82);
  const Model model = compile(tree(stream, true)).value();
  Batch<double> batch(model, {kStates, BatchLayout::packs}, stream);
  BatchWorkspace<> work(model);
  KernelScratch memory((batch.q.size() + 8) * sizeof(double)), out((batch.x.size() + 8) * sizeof(double));
  for (const std::size_t offset : {0U, 1U, 4U}) {
    double *const q = memory.numbers<double>() + offset, *const vdot = out.numbers<double>() + offset;
    std::copy(batch.q.begin(), batch.q.end(), q);
    CHECK(
        batch_forward_dynamics(model, batch.states, {q, batch.q.size()}, batch.v, batch.x, work, {vdot, batch.x.size()})
            .ok());
    const std::vector<double> found(vdot, vdot + batch.x.size());
    for (std::size_t s = 0; s < kStates; ++s)
      CHECK(batch.state(found, s, batch.alone[s].vdot.size()) == batch.alone[s].vdot);
  }
}

TEST_CASE("batch: states without an answer are counted, the others have theirs") {
  // A gimbal of bodies with inertia about their own axes alone: at q = 0 of its middle joint the outer axes coincide.
  RandomStream stream(83);
  ModelSpec spec;
  const Vec3<> axes[] = {{0, 0, 1}, {1, 0, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; ++i) {
    const std::string name = "body" + std::to_string(i);
    const double J = i == 2 ? 1.0 : 1e-30;
    spec.bodies.push_back(
        {.name = name, .inertia = spatial_inertia(i == 2 ? 1.0 : 1e-30, Vec3<>{0, 0, 0}, diagonal(Vec3<>{J, J, J}))});
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.kind = JointKind::revolute;
    joint.parent = i == 0 ? kWorld : spec.bodies[static_cast<std::size_t>(i) - 1].name;
    joint.child = name;
    joint.axis = axes[i];
    spec.joints.push_back(joint);
  }
  const Model model = compile(spec).value();
  Batch<double> batch(model, {kStates}, stream);
  batch.q[3 * 11 + 1] = 0.0;
  batch.q[3 * 30 + 1] = 0.0;
  for (const int threads : {1, 2}) {
    ThreadPool pool(threads);
    BatchWorkspace<> work(model, &pool);
    const BatchReport report = batch_forward_dynamics(model, batch.states, batch.q, batch.v, batch.x, work, batch.out);
    CHECK(report.singular == 2);
    CHECK(report.first == 11);
    for (const std::size_t s : {std::size_t(10), std::size_t(12), std::size_t(36)})
      CHECK(batch.state(batch.out, s, 3) == batch.alone[s].vdot);
    BatchWorkspace<> with_matrices(model, &pool, true);
    for (const BatchReport& of_matrices :
         {batch_mass_matrix_inverse(model, batch.states, batch.q, with_matrices, batch.M),
          batch_solve(model, batch.states, batch.q, batch.x, with_matrices, batch.out)}) {
      CHECK(of_matrices.singular == 2);
      CHECK(of_matrices.first == 11);
    }
  }
  ForwardDynamicsWorkspace<> forward(model);
  std::vector<double> vdot(3);
  const std::vector<double> q = batch.state(batch.q, 11, 3), v = batch.state(batch.v, 11, 3);
  CHECK_FALSE(forward_dynamics(model, q, v, v, forward, vdot, {.passive = false}).ok());
}

/// Whether every state of a batch in double has the numbers of the functions of one state.
void check_against_one_state(const Model& model, const BatchStates& states, ThreadPool* pool, RandomStream& stream,
                             const BatchOptions& options) {
  Batch<double> batch(model, states, stream);
  BatchWorkspace<> work(model, pool, true);
  InverseDynamicsWorkspace<> inverse(model);
  ForwardDynamicsWorkspace<> forward(model);
  MassMatrixWorkspace<> mass(model);
  const std::size_t nq = static_cast<std::size_t>(model.nq()), n = static_cast<std::size_t>(model.nv());
  std::vector<double> one(n), M(n * n), vdot = batch.out;
  batch_inverse_dynamics(model, states, batch.q, batch.v, batch.x, work, batch.out, options);
  CHECK(batch_forward_dynamics(model, states, batch.q, batch.v, batch.x, work, vdot, options).ok());
  batch_mass_matrix(model, states, batch.q, work, batch.M);
  const DynamicsOptions as_there{.passive = options.passive, .friction = options.friction};
  for (std::size_t s = 0; s < states.count; ++s) {
    const std::vector<double> q = batch.state(batch.q, s, nq), v = batch.state(batch.v, s, n),
                              x = batch.state(batch.x, s, n);
    inverse_dynamics(model, q, v, x, inverse, one, as_there);
    CHECK(batch.state(batch.out, s, n) == one);
    REQUIRE(forward_dynamics(model, q, v, x, forward, one, as_there).ok());
    CHECK(batch.state(vdot, s, n) == one);
    mass_matrix(model, q, mass, M);
    CHECK(batch.state(batch.M, s, n * n) == M);
  }
  batch.out = batch.x;
  CHECK(batch_forward_dynamics(model, states, batch.q, batch.v, batch.out, work, batch.out, options).ok());
  for (std::size_t s = 0; s < states.count; ++s)
    CHECK(batch.state(batch.out, s, n) == batch.state(vdot, s, n));  // over the efforts themselves
}

TEST_CASE("batch: passive efforts and couplings give the bits of the functions of one state") {
  ThreadPool two(2);
  int couplings = 0;
  for (std::uint64_t tree = 0; tree < 12; ++tree) {
    RandomStream stream(85, tree);
    const Model model =
        compile(random_spec(stream, {.links = tree % 2 == 0 ? 16 : 9, .passive = true, .couplings = tree % 2 == 0}))
            .value();
    couplings += static_cast<int>(model.couplings().size());
    const BatchStates states{kStates, tree % 3 == 0 ? BatchLayout::packs : BatchLayout::states};
    check_against_one_state(model, states, tree % 4 < 2 ? nullptr : &two, stream, {});
    check_against_one_state(model, states, nullptr, stream, {.friction = false});
    check_against_one_state(model, states, nullptr, stream, {.passive = false});
  }
  CHECK(couplings >= 6);
}

TEST_CASE("batch: states of a chain whose bodies are in lanes alone have the bits of link after link") {
  RandomStream stream(86);
  ModelSpec spec = random_spec(stream, {.links = 7, .branching = 0.0, .mass_ratio = 2.0});
  for (JointSpec& joint : spec.joints) joint.kind = JointKind::revolute;
  const Model model = compile(spec).value();
  REQUIRE(model.plan().layout() == KernelLayout::bodies_in_lanes);
  std::vector<RandomState> states;
  std::vector<double> q, v, x, out(7 * kStates);
  for (std::size_t s = 0; s < kStates; ++s) {
    const RandomState& state = states.emplace_back(model, stream);
    q.insert(q.end(), state.q.begin(), state.q.end());
    v.insert(v.end(), state.v.begin(), state.v.end());
    x.insert(x.end(), state.tau.begin(), state.tau.end());
  }
  BatchWorkspace<> work(model);
  REQUIRE(batch_forward_dynamics(model, {kStates}, q, v, x, work, out).ok());
  const PlanView<double> plan = one_by_one(model.plan().view<double>());
  for (std::size_t s = 0; s < kStates; ++s) {
    const std::vector<double> alone = planned_answers(planned_kernels_in_use().one, model, plan, {states[s]}).vdot;
    CHECK(std::vector<double>(out.begin() + static_cast<std::ptrdiff_t>(7 * s),
                              out.begin() + static_cast<std::ptrdiff_t>(7 * s + 7)) == alone);
  }
}

TEST_CASE("batch: wrong sizes are refused, and no call allocates") {
  RandomStream stream(84);
  const Model model = compile(tree(stream, true)).value();
  Batch<double> batch(model, {kStates}, stream);
  BatchWorkspace<> work(model);
  std::vector<double> small(batch.x.size() - 1);
  CHECK_THROWS_AS(batch_inverse_dynamics(model, batch.states, batch.q, batch.v, small, work, batch.out), UsageError);
  CHECK_THROWS_AS(batch_inverse_dynamics(model, batch.states, small, batch.v, batch.x, work, batch.out), UsageError);
  CHECK_THROWS_AS(batch_mass_matrix(model, batch.states, batch.q, work, batch.M), UsageError);
  const Model coupled = compile(random_spec(stream, {.links = 12, .couplings = true})).value();
  REQUIRE(!coupled.couplings().empty());
  BatchWorkspace<> coupled_work(coupled);
  CHECK_THROWS_AS(batch_inverse_dynamics(model, batch.states, batch.q, batch.v, batch.x, coupled_work, batch.out),
                  UsageError);
  ThreadPool two(2);
  BatchWorkspace<> shared(model, &two, true);
  BatchWorkspace<> shared_coupled(coupled, &two);
  Batch<double> of_coupled(coupled, {kStates}, stream);
  const std::size_t before = count_allocations();
  batch_inverse_dynamics(model, batch.states, batch.q, batch.v, batch.x, shared, batch.out);
  CHECK(batch_forward_dynamics(model, batch.states, batch.q, batch.v, batch.x, shared, batch.out).ok());
  batch_mass_matrix(model, batch.states, batch.q, shared, batch.M);
  CHECK(batch_forward_dynamics(coupled, of_coupled.states, of_coupled.q, of_coupled.v, of_coupled.x, shared_coupled,
                               of_coupled.out)
            .ok());
  CHECK(count_allocations() == before);
}
