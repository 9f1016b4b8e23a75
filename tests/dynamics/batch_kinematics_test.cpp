// Batches of all that is asked of the links and of the matrices besides M: against the functions of one state.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "base/count_allocations.h"
#include "pintle/base/thread_pool.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/batch.h"
#include "pintle/dynamics/centroidal_matrix.h"
#include "pintle/dynamics/coriolis_matrix.h"
#include "pintle/dynamics/energies.h"
#include "pintle/dynamics/jacobian.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/mass_matrix.h"
#include "pintle/dynamics/mass_matrix_factor.h"
#include "pintle/dynamics/response.h"
#include "support/random_model.h"

using namespace test;

namespace {

constexpr std::size_t kStates = 21;  // no multiple of any number of lanes

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// What is asked, in the order of the answers below.
enum Asked {
  poses,
  velocities,
  accelerations,
  J,
  columns,
  A_G,
  momentum,
  locked,
  energy,
  C,
  inverse_M,
  solution,
  kAsked
};
template <class Numbers>
using Answers = std::array<Numbers, kAsked>;

/// Random states of a model, and the answers of a batch of them.
template <class T>
struct Batch {
  Batch(const Model& of, RandomStream& stream, const BatchStates& how)
      : model(of),
        states(how),
        place{static_cast<int>(of.links().size()) - 1, random_pose(stream)},
        q(array(of.nq())),
        v(array(of.nv())),
        x(array(of.nv())) {
    for (std::size_t s = 0; s < states.count; ++s) {
      const RandomState state(model, stream);
      put(state.q, s, q);
      put(state.v, s, v);
      put(state.tau, s, x);
    }
    const int links = model.tree().count, n = model.nv();
    const int numbers[] = {12 * links, 6 * links,      6 * links, 6 * n, 6 * n, 6 * n,
                           6,          kLockedNumbers, 2,         n * n, n * n, n};
    for (std::size_t k = 0; k < kAsked; ++k) found[k] = array(numbers[k]);
    also_J = J_again = found[J];
    poses_alone = found[poses];
    velocities_alone = found[velocities];
  }

  std::vector<T> array(int numbers) const { return std::vector<T>(batch_size<T>(states, numbers)); }
  std::size_t entry(std::size_t s, std::size_t k, std::size_t numbers) const {
    const std::size_t lanes = size(batch_lanes<T>());
    return states.layout == BatchLayout::states ? s * numbers + k : (s / lanes * numbers + k) * lanes + s % lanes;
  }
  void put(const std::vector<double>& from, std::size_t s, std::vector<T>& to) const {
    for (std::size_t k = 0; k < from.size(); ++k) to[entry(s, k, from.size())] = static_cast<T>(from[k]);
  }
  /// The numbers of state s.
  std::vector<double> state(const std::vector<T>& of, std::size_t s) const {
    const std::size_t numbers = states.count == 0 ? 0 : of.size() / batch_size<T>(states, 1);
    std::vector<double> one(numbers);
    for (std::size_t k = 0; k < numbers; ++k) one[k] = static_cast<double>(of[entry(s, k, numbers)]);
    return one;
  }

  void ask(BatchWorkspace<T>& work) {
    batch_kinematics(model, states, q, v, x, work, found[poses], found[velocities], found[accelerations]);
    batch_kinematics(model, states, q, v, work, poses_alone, velocities_alone);
    batch_jacobian(model, states, q, place, Axes::local, work, found[J]);
    batch_jacobian(model, states, q, place, Axes::world, work, also_J);
    batch_jacobian(model, states, q, place, Axes::local_world_aligned, work, J_again);
    batch_jacobian_columns(model, states, q, work, found[columns]);
    batch_centroidal_momentum_matrix(model, states, q, v, work, found[A_G], found[momentum], found[locked]);
    batch_energies(model, states, q, v, work, found[energy]);
    batch_coriolis_matrix(model, states, q, v, work, found[C]);
    CHECK(batch_mass_matrix_inverse(model, states, q, work, found[inverse_M]).ok());
    CHECK(batch_solve(model, states, q, x, work, found[solution]).ok());
  }

  const Model& model;
  BatchStates states;
  Place place;
  std::vector<T> q, v, x, also_J, J_again, poses_alone, velocities_alone;
  Answers<std::vector<T>> found;
};

/// The answers of the functions of one state.
class OneState {
 public:
  explicit OneState(const Model& of)
      : model(of),
        moving_(of),
        jacobian_(of),
        centroidal_(of),
        energies_(of),
        coriolis_(of),
        inverse_(of),
        mass_(of),
        factor_(of) {}

  Answers<std::vector<double>> ask(const std::vector<double>& q, const std::vector<double>& v,
                                   const std::vector<double>& x, const Place& place) {
    Answers<std::vector<double>> found;
    const std::size_t n = v.size();
    kinematics(model, q, v, x, moving_);
    for (std::size_t i = 0; i < model.links().size(); ++i) {
      const Pose<>& X = moving_.X_WL[i];
      append(to_array(X.rotation), found[poses]);
      append(to_array(X.translation), found[poses]);
      append(to_array(moving_.motion.view().V[i]), found[velocities]);
      append(to_array(moving_.A[i]), found[accelerations]);
    }
    found[J].resize(6 * n);
    found[columns] = found[A_G] = found[J];
    jacobian(model, q, place, Axes::local, jacobian_, found[J]);
    jacobian_columns(model, q, jacobian_, found[columns]);
    const LockedBodies bodies = centroidal_momentum_matrix(model, q, centroidal_, found[A_G]);
    for (std::size_t row = 0; row < 6; ++row) {
      double sum = 0.0;
      for (std::size_t k = 0; k < n; ++k) sum += found[A_G][row * n + k] * v[k];
      found[momentum].push_back(sum);
    }
    found[locked] = {bodies.mass};
    append(to_array(bodies.center), found[locked]);
    append(to_array(bodies.inertia), found[locked]);
    const MechanismEnergies both = energies(model, q, v, energies_);
    found[energy] = {both.kinetic, both.gravity};
    found[C].resize(n * n);
    found[inverse_M].resize(n * n);
    coriolis_matrix(model, q, v, coriolis_, found[C]);
    CHECK(mass_matrix_inverse(model, q, inverse_, found[inverse_M]).ok());
    M.resize(n * n);
    mass_matrix(model, q, mass_, M);
    CHECK(factor_mass_matrix(model, M, factor_).ok());
    found[solution] = x;
    solve_mass_matrix(model, factor_, found[solution]);
    return found;
  }
  std::vector<double> jacobian_in(Axes axes, const std::vector<double>& q, const Place& place) {
    std::vector<double> numbers(6 * size(model.nv()));
    jacobian(model, q, place, axes, jacobian_, numbers);
    return numbers;
  }

  const Model& model;
  std::vector<double> M;

 private:
  template <std::size_t N>
  static void append(const std::array<double, N>& numbers, std::vector<double>& to) {
    to.insert(to.end(), numbers.begin(), numbers.end());
  }

  KinematicsWorkspace moving_;
  JacobianWorkspace jacobian_;
  CentroidalMatrixWorkspace centroidal_;
  EnergiesWorkspace energies_;
  CoriolisMatrixWorkspace<> coriolis_;
  MassMatrixInverseWorkspace inverse_;
  MassMatrixWorkspace<> mass_;
  MassMatrixFactor<> factor_;
};

double largest(const std::vector<double>& of) {
  double most = 0.0;
  for (const double x : of) most = max(most, abs(x));
  return most;
}

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
      const Answers<std::vector<double>> expected = alone.ask(q, v, x, batch.place);
      for (std::size_t k = 0; k < kAsked; ++k) {
        CAPTURE(k);
        CHECK(batch.state(batch.found[k], s) == expected[k]);
      }
      CHECK(batch.state(batch.also_J, s) == alone.jacobian_in(Axes::world, q, batch.place));
      CHECK(batch.state(batch.J_again, s) == alone.jacobian_in(Axes::local_world_aligned, q, batch.place));
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
    const double n = static_cast<double>(model.nv());
    for (std::size_t s = 0; s < kStates; ++s) {
      const Answers<std::vector<double>> expected =
          alone.ask(batch.state(batch.q, s), batch.state(batch.v, s), batch.state(batch.x, s), batch.place);
      // An error of M, relative to its largest number, is one of M^-1 times this.
      const double condition = n * largest(alone.M) * largest(expected[inverse_M]);
      for (std::size_t k = 0; k < kAsked; ++k) {
        CAPTURE(k);
        // Sums over the links of a branch and over its freedoms, each rounded a few times; of terms as large as one.
        const double scale = max(1.0, largest(expected[k])) * (k == inverse_M || k == solution ? condition : 1.0);
        const std::vector<double> found = batch.state(batch.found[k], s);
        REQUIRE(found.size() == expected[k].size());
        double most = 0.0;
        for (std::size_t i = 0; i < found.size(); ++i) most = max(most, abs(found[i] - expected[k][i]));
        CHECK(most <= 64.0 * n * static_cast<double>(kEpsilon<float>) * scale);
      }
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
    one.place = batch.place;
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
