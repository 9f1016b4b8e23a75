#include "pintle/batch/model_batch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "base/count_allocations.h"
#include "pintle/base/thread_pool.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/mass_matrix.h"
#include "support/model_variants.h"

using namespace test;

namespace {

constexpr std::size_t kModels = 21;  // no multiple of any number of lanes

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// Two plans of a model say the same in other frames. A number that passes a joint is rounded some eight times on its
/// way outwards, eight times on its way back and eight times in the wrench that a link needs, each time by half an eps
/// of the terms: 12 n eps, and twice that between two plans, if all errors were as large as they can be and of one
/// sign.
constexpr double kMaxRoundings = 24.0;

/// Random states, state after state, of models that take turns, and the answers of a batch.
template <class T>
struct Answers {
  Answers(const std::vector<Model>& models, RandomStream& stream, std::size_t count)
      : of(models),
        states{count},
        nq(size(models[0].nq())),
        n(size(models[0].nv())),
        q(count * nq),
        v(count * n),
        x(v),
        tau(v),
        vdot(v),
        M(count * n * n) {
    for (std::size_t s = 0; s < count; ++s) {
      const RandomState state(models[s % models.size()], stream);
      for (std::size_t k = 0; k < nq; ++k) q[s * nq + k] = static_cast<T>(state.q[k]);
      for (std::size_t k = 0; k < n; ++k) v[s * n + k] = static_cast<T>(state.v[k]);
      for (std::size_t k = 0; k < n; ++k) x[s * n + k] = static_cast<T>(state.tau[k]);
    }
  }

  void find(const ModelBatch<T>& models, BatchWorkspace<T>& work, const BatchOptions& options = {}) {
    batch_inverse_dynamics(models, states, q, v, x, work, tau, options);
    CHECK(batch_forward_dynamics(models, states, q, v, x, work, vdot, options).ok());
    batch_mass_matrix(models, states, q, work, M);
  }

  bool operator==(const Answers& other) const { return tau == other.tau && vdot == other.vdot && M == other.M; }

  const Model& model(std::size_t s) const { return of[s % of.size()]; }

  const std::vector<Model>& of;
  BatchStates states;
  std::size_t nq, n;
  std::vector<T> q, v, x, tau, vdot, M;
};

template <class T>
std::vector<double> part(const std::vector<T>& array, std::size_t i, std::size_t count) {
  return std::vector<double>(array.begin() + static_cast<std::ptrdiff_t>(i * count),
                             array.begin() + static_cast<std::ptrdiff_t>((i + 1) * count));
}

/// What the functions of one state say of a state of a batch.
struct Alone {
  template <class T>
  Alone(const Answers<T>& batch, std::size_t s, const BatchOptions& options)
      : model(batch.model(s)),
        q(part(batch.q, s, batch.nq)),
        v(part(batch.v, s, batch.n)),
        x(part(batch.x, s, batch.n)),
        tau(batch.n),
        vdot(batch.n),
        M(batch.n * batch.n) {
    const DynamicsOptions as_there{.passive = options.passive, .friction = options.friction};
    InverseDynamicsWorkspace<> inverse(model);
    inverse_dynamics(model, q, v, x, inverse, tau, as_there);
    ForwardDynamicsWorkspace<> forward(model);
    REQUIRE(forward_dynamics(model, q, v, x, forward, vdot, as_there).ok());
    MassMatrixWorkspace<> mass(model);
    mass_matrix(model, q, mass, M);
  }

  /// The efforts that an acceleration needs.
  std::vector<double> efforts(const std::vector<double>& of, const BatchOptions& options) const {
    InverseDynamicsWorkspace<> inverse(model);
    std::vector<double> found(of.size());
    inverse_dynamics(model, q, v, of, inverse, found, {.passive = options.passive, .friction = options.friction});
    return found;
  }

  const Model& model;
  std::vector<double> q, v, x, tau, vdot, M;
};

double largest(const std::vector<double>& of) {
  double most = 0.0;
  for (const double x : of) most = max(most, abs(x));
  return most;
}

/// Whether M is that of one state to the 1e-13 that laws of mass matrices are held to in double
/// (shared/reference-cases.md, F), of the terms that an entry is the sum of.
template <class T>
void check_mass_matrix(const std::vector<double>& M, const std::vector<double>& expected) {
  const std::size_t n = static_cast<std::size_t>(sqrt(static_cast<double>(M.size())) + 0.5);
  const double most = 1e-13 / kEpsilon<double> * static_cast<double>(kEpsilon<T>);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      CHECK(abs(M[i * n + j] - expected[i * n + j]) <= most * sqrt(expected[i * n + i] * expected[j * n + j]));
}

/// The largest |a - b| of efforts over the terms that those for vdot are the sum of: |M||vdot| + |h| + |tau|, as in
/// shared/reference-cases.md, F; but of all joints' h the largest, since in one of them its terms may cancel.
double distance(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& M,
                const std::vector<double>& h, const std::vector<double>& vdot) {
  const std::size_t n = a.size();
  double worst = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double scale = largest(h) + abs(a[i]);
    for (std::size_t j = 0; j < n; ++j) scale += sqrt(M[i * n + i] * M[j * n + j]) * abs(vdot[j]);
    worst = max(worst, abs(a[i] - b[i]) / scale);
  }
  return worst;
}

/// How far efforts of a batch, and those that its accelerations need, are from those of the functions of one state, in
/// n eps of the terms.
template <class T>
double worst_distance(const Answers<T>& batch, const BatchOptions& options) {
  double worst = 0.0;
  const std::size_t n = batch.n;
  for (std::size_t s = 0; s < batch.states.count; ++s) {
    const Alone alone(batch, s, options);
    const std::vector<double> h = alone.efforts(std::vector<double>(n), options), vdot = part(batch.vdot, s, n);
    worst = max(worst, distance(part(batch.tau, s, n), alone.tau, alone.M, h, alone.x));
    worst = max(worst, distance(alone.efforts(vdot, options), alone.x, alone.M, h, vdot));
    check_mass_matrix<T>(part(batch.M, s, n * n), alone.M);
  }
  return worst / (static_cast<double>(n) * static_cast<double>(kEpsilon<T>));
}

}  // namespace

TEST_CASE_TEMPLATE("model batch: every state is moved by its own model, of every kind of joint", T, double, float) {
  ThreadPool two(2);
  double worst = 0.0;
  for (std::uint64_t tree = 0; tree < 24; ++tree) {
    RandomStream stream(131, tree);
    ModelSpec spec = random_spec(
        stream, {.links = 4 + static_cast<int>(tree), .passive = tree % 3 != 0, .couplings = tree % 4 == 1});
    if (tree % 4 >= 2) spec = with_revolute_joints(spec, tree % 4 == 3);
    const std::vector<Model> models = variants(spec, stream, kModels);
    const ModelBatch<T> batch(models);
    const BatchOptions options{.passive = tree % 5 != 0, .friction = tree % 2 == 0};
    Answers<T> answers(models, stream, kModels);
    BatchWorkspace<T> work(batch, tree % 3 == 0 ? &two : nullptr, true);
    answers.find(batch, work, options);
    worst = max(worst, worst_distance(answers, options));
  }
  MESSAGE("worst, in n eps: ", worst);
  CHECK(worst < kMaxRoundings);
}

TEST_CASE("model batch: a model that is planned alone as with the others has the bits of the functions of one state") {
  std::size_t alike = 0;
  for (std::uint64_t tree = 0; tree < 32; ++tree) {
    RandomStream stream(132, tree);
    ModelSpec spec = random_spec(stream, {.links = 9, .passive = tree % 2 == 0, .couplings = tree % 4 == 0});
    if (tree % 4 >= 2) spec = with_revolute_joints(spec, tree % 4 == 3);
    const std::vector<Model> models = variants(spec, stream, kModels);
    const ModelBatch<> batch(models);
    Answers<double> answers(models, stream, kModels);
    BatchWorkspace<> work(batch, nullptr, true);
    answers.find(batch, work);
    for (std::size_t s = 0; s < kModels; ++s) {
      if (models[s].plan().traits() != batch.plan().traits()) continue;
      ++alike;
      const Alone alone(answers, s, {});
      CHECK(part(answers.tau, s, answers.n) == alone.tau);
      CHECK(part(answers.vdot, s, answers.n) == alone.vdot);
      CHECK(part(answers.M, s, answers.n * answers.n) == alone.M);
    }
  }
  CHECK(alike >= 100);
}

TEST_CASE_TEMPLATE("model batch: a state has the same bits in every lane and round, on any number of threads", T,
                   double, float) {
  RandomStream stream(133);
  const ModelSpec spec = random_spec(stream, {.links = 12, .passive = true, .couplings = true});
  const std::size_t count = 4 * size(batch_lanes<T>());
  std::vector<Model> models = variants(spec, stream, count);
  const ModelBatch<T> batch(models);
  ThreadPool two(2);
  BatchWorkspace<T> work(batch, nullptr, true), shared(batch, &two, true);
  Answers<T> rounds(models, stream, 3 * count);
  rounds.find(batch, work);
  Answers<T> again = rounds;
  const std::size_t before = count_allocations();
  again.find(batch, shared);
  CHECK(count_allocations() == before);
  CHECK(again == rounds);
  // One model farther on, and its state with it.
  std::rotate(models.begin(), models.begin() + 1, models.end());
  const ModelBatch<T> turned_batch(models);
  Answers<T> turned(models, stream, count);
  for (std::size_t s = 0; s < count; ++s) {
    std::copy_n(rounds.q.data() + (s + 1) * rounds.nq, rounds.nq, turned.q.data() + s * rounds.nq);
    std::copy_n(rounds.v.data() + (s + 1) * rounds.n, rounds.n, turned.v.data() + s * rounds.n);
    std::copy_n(rounds.x.data() + (s + 1) * rounds.n, rounds.n, turned.x.data() + s * rounds.n);
  }
  // The last one comes from the second round, where its model is the first one again.
  turned.find(turned_batch, work);
  CHECK(part(turned.tau, 0, count * rounds.n) ==
        part(std::vector<T>(rounds.tau.begin() + static_cast<std::ptrdiff_t>(rounds.n), rounds.tau.end()), 0,
             count * rounds.n));
  for (std::size_t s = 0; s < count; ++s) {
    CHECK(part(turned.vdot, s, rounds.n) == part(rounds.vdot, s + 1, rounds.n));
    CHECK(part(turned.M, s, rounds.n * rounds.n) == part(rounds.M, s + 1, rounds.n * rounds.n));
  }
}

TEST_CASE("model batch: packs of states are read as they lie") {
  RandomStream stream(134);
  const std::vector<Model> models = variants(random_spec(stream, {.links = 7}), stream, kModels);
  const ModelBatch<> batch(models);
  Answers<double> answers(models, stream, kModels);
  BatchWorkspace<> work(batch, nullptr, true);
  answers.find(batch, work);
  const BatchStates packs{kModels, BatchLayout::packs};
  const std::size_t lanes = size(batch_lanes<double>());
  const auto packed = [&](const std::vector<double>& from, std::size_t numbers) {
    std::vector<double> to(batch_size<double>(packs, static_cast<int>(numbers)));
    for (std::size_t s = 0; s < kModels; ++s)
      for (std::size_t k = 0; k < numbers; ++k)
        to[(s / lanes * numbers + k) * lanes + s % lanes] = from[s * numbers + k];
    return to;
  };
  const std::size_t n = answers.n;
  std::vector<double> vdot = packed(answers.x, n);  // lanes beyond the last state hold anything finite
  CHECK(batch_forward_dynamics(batch, packs, packed(answers.q, answers.nq), packed(answers.v, n), vdot, work, vdot)
            .singular == 0);
  for (std::size_t s = 0; s < kModels; ++s)
    for (std::size_t k = 0; k < n; ++k) CHECK(vdot[(s / lanes * n + k) * lanes + s % lanes] == answers.vdot[s * n + k]);
}

// One model has axes that are almost parallel, one a screw without pitch, one a heavy link on a light one, one a rotor
// on its free joint: each would be planned otherwise than the rest.
TEST_CASE("model batch: all models are planned as the one that allows least") {
  for (std::uint64_t tree = 0; tree < 8; ++tree) {
    RandomStream stream(135, tree);
    ModelSpec spec =
        with_revolute_joints(random_spec(stream, {.links = 12, .branching = 0.0, .mass_ratio = 2.0}), true);
    spec.joints[5].kind = JointKind::screw;
    std::vector<Model> models = variants(spec, stream, kModels - 4);
    std::vector<ModelSpec> odd(4, varied(spec, stream));
    odd[0].joints[3].X_PJ.rotation = identity3<double>();
    odd[0].joints[3].X_CJ.rotation = odd[0].joints[2].X_CJ.rotation = identity3<double>();
    odd[0].joints[2].axis = {0, 0, 1};
    odd[0].joints[3].axis = {0, 0.001, 1};
    odd[1].joints[5].pitch_m_per_rad = 0.0;
    odd[2].bodies[7].inertia = 1000.0 * odd[2].bodies[7].inertia;
    odd[3].joints[0].passive = {{.armature = 0.1}};
    for (const ModelSpec& one : odd) models.insert(models.begin() + 2, compile(one).value());
    const ModelBatch<> batch(models);
    const std::vector<LinkTraits> common = batch.plan().traits();
    for (const Model& model : models) CHECK(Plan(model.tree(), common).traits() == common);
    const auto some = [&](int link, bool LinkTraits::*trait) {
      return std::ranges::any_of(models, [&](const Model& model) { return model.plan().traits()[size(link)].*trait; });
    };
    CHECK(some(0, &LinkTraits::bare));
    CHECK(some(3, &LinkTraits::common_normal));
    CHECK(some(5, &LinkTraits::revolute));
    CHECK(some(7, &LinkTraits::base_parameters));
    CHECK_FALSE(common[0].bare);
    CHECK_FALSE(common[3].common_normal);
    CHECK_FALSE(common[5].revolute);
    CHECK_FALSE(common[7].base_parameters);
    Answers<double> answers(models, stream, kModels);
    BatchWorkspace<> work(batch, nullptr, true);
    answers.find(batch, work);
    CHECK(worst_distance(answers, {}) < kMaxRoundings);
  }
}

TEST_CASE("model batch: states without an answer are counted, by their own models") {
  // A gimbal of bodies with inertia about their own axes alone; that of models 3 and 11 is in its singular pose at q =
  // 0.
  RandomStream stream(136);
  const auto gimbal = [](double tilt) {
    ModelSpec spec;
    const Vec3<> axes[] = {{0, 0, 1}, {1, 0, 0}, {0, tilt, 1}};
    for (int i = 0; i < 3; ++i) {
      const std::string name = "body" + std::to_string(i);
      const double J = i == 2 ? 1.0 : 1e-30;
      spec.bodies.push_back({.name = name, .inertia = spatial_inertia(J, Vec3<>{0, 0, 0}, diagonal(Vec3<>{J, J, J}))});
      JointSpec joint;
      joint.name = "joint" + std::to_string(i);
      joint.kind = JointKind::revolute;
      joint.parent = i == 0 ? kWorld : "body" + std::to_string(i - 1);
      joint.child = name;
      joint.axis = axes[i];
      spec.joints.push_back(joint);
    }
    return compile(spec).value();
  };
  std::vector<Model> models;
  for (std::size_t i = 0; i < kModels; ++i) models.push_back(gimbal(i == 3 || i == 11 ? 0.0 : 0.5));
  const ModelBatch<> batch(models);
  const std::vector<double> q(3 * kModels), v(q), tau(3 * kModels, 1.0);
  std::vector<double> vdot(q), inverse(9 * kModels);
  for (const int threads : {1, 2}) {
    ThreadPool pool(threads);
    BatchWorkspace<> work(batch, &pool, true);
    for (const BatchReport report : {batch_forward_dynamics(batch, {kModels}, q, v, tau, work, vdot),
                                     batch_mass_matrix_inverse(batch, {kModels}, q, work, inverse),
                                     batch_solve(batch, {kModels}, q, tau, work, vdot)}) {
      CHECK(report.singular == 2);
      CHECK(report.first == 3);
    }
  }
}

namespace {

/// What is said of a batch of two models.
std::string complaint(const ModelSpec& first, const ModelSpec& second) {
  const Model models[] = {compile(first).value(), compile(second).value()};
  try {
    const ModelBatch<> batch(models);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("model batch: models of another topology and wrong sizes are refused, and where they differ is told") {
  RandomStream stream(137);
  const ModelSpec spec = with_revolute_joints(random_spec(stream, {.links = 6, .branching = 0.0}), false);
  ModelSpec other = spec;
  other.joints[3].kind = JointKind::prismatic;
  CHECK(says(complaint(spec, other),
             "model 1 differs in topology from the first: link 3 (joint 'joint3') has a "
             "prismatic joint, that of the first model a revolute one"));
  other = spec;
  other.joints[4].parent = "body2";
  CHECK(says(complaint(spec, other), "link 4 (joint 'joint4') has the parent link 2, that of the first model link 3"));
  other = spec;
  other.joints.pop_back();
  other.bodies.pop_back();
  CHECK(says(complaint(spec, other), "it has 5 links, the first model 6"));
  other = spec;
  std::swap(other.joints[2], other.joints[3]);
  CHECK(complaint(spec, other).empty());  // links come in the order of the tree
  other = spec;
  other.couplings.push_back({.joint = "joint4", .driver = "joint2", .ratio = 2.0, .offset = 0.5});
  CHECK(says(complaint(spec, other), "joint 'joint4' is coupled as q = 2 q[2] + 0.5"));
  ModelSpec third = other;
  third.couplings[0].offset = 0.25;
  CHECK(says(complaint(other, third), "couplings must be the same"));
  CHECK(complaint(other, other).empty());
  CHECK_THROWS_AS(ModelBatch<>(std::span<const Model>()), UsageError);

  const std::vector<Model> models = variants(spec, stream, kModels);
  const ModelBatch<> batch(models);
  Answers<double> answers(models, stream, kModels);
  BatchWorkspace<> work(batch);
  CHECK_THROWS_AS(batch_mass_matrix(batch, {kModels}, answers.q, work, answers.M), UsageError);
  CHECK_THROWS_AS(batch_inverse_dynamics(batch, {kModels}, answers.q, answers.v, answers.q, work, answers.M),
                  UsageError);
  Answers<double> more(models, stream, 2 * kModels);  // the models do not fill whole packs
  CHECK_THROWS_AS(batch_inverse_dynamics(batch, more.states, more.q, more.v, more.x, work, more.tau), UsageError);
  const Model larger = compile(random_spec(stream, {.links = 9})).value();
  BatchWorkspace<> other_work(larger);
  CHECK_THROWS_AS(
      batch_inverse_dynamics(batch, answers.states, answers.q, answers.v, answers.x, other_work, answers.tau),
      UsageError);
}
