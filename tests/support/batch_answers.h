// All queries about the links, and about the matrices besides M: by batches and by the functions of one state.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "pintle/batch/model_batch.h"
#include "pintle/dynamics/centroidal_matrix.h"
#include "pintle/dynamics/coriolis_matrix.h"
#include "pintle/dynamics/energies.h"
#include "pintle/dynamics/jacobian.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/mass_matrix.h"
#include "pintle/dynamics/mass_matrix_factor.h"
#include "pintle/dynamics/response.h"
#include "support/random_model.h"

namespace test {

/// The queries, in the order of the answers below.
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

inline std::size_t count_of(const Model&) {
  return 1;
}
inline const Model& one_of(const Model& model, std::size_t) {
  return model;
}
template <class T>
std::size_t count_of(const ModelBatch<T>& models) {
  return models.size();
}
template <class T>
const Model& one_of(const ModelBatch<T>& models, std::size_t i) {
  return models[i];
}

/// Random states of a model, or of alternating models, and the answers of a batch of them.
template <class T, class Models = Model>
struct Batch {
  Batch(const Models& of, RandomStream& stream, const BatchStates& how) : models(of), states(how) {
    const Model& first = one_of(of, 0);
    for (std::size_t i = 0; i < count_of(of); ++i)
      places.push_back({static_cast<int>(first.links().size()) - 1, random_pose(stream)});
    q = array(first.nq());
    v = x = array(first.nv());
    for (std::size_t s = 0; s < states.count; ++s) {
      const RandomState state(model(s), stream);
      put(state.q, s, q);
      put(state.v, s, v);
      put(state.tau, s, x);
    }
    const int links = first.tree().count, n = first.nv();
    const int numbers[] = {12 * links, 6 * links, 6 * links, 6 * n, 6 * n, 6 * n, 6, kLockedValues, 2, n * n, n * n, n};
    for (std::size_t k = 0; k < kAsked; ++k) found[k] = array(numbers[k]);
    also_J = J_again = found[J];
    poses_alone = found[poses];
    velocities_alone = found[velocities];
  }

  std::vector<T> array(int numbers) const { return std::vector<T>(batch_size<T>(states, numbers)); }
  std::size_t entry(std::size_t s, std::size_t k, std::size_t numbers) const {
    const std::size_t lanes = static_cast<std::size_t>(batch_lanes<T>());
    return states.layout == BatchLayout::states ? s * numbers + k : (s / lanes * numbers + k) * lanes + s % lanes;
  }
  void put(const std::vector<double>& from, std::size_t s, std::vector<T>& to) const {
    for (std::size_t k = 0; k < from.size(); ++k) to[entry(s, k, from.size())] = static_cast<T>(from[k]);
  }
  /// The values of state s.
  std::vector<double> state(const std::vector<T>& of, std::size_t s) const {
    const std::size_t numbers = states.count == 0 ? 0 : of.size() / batch_size<T>(states, 1);
    std::vector<double> one(numbers);
    for (std::size_t k = 0; k < numbers; ++k) one[k] = static_cast<double>(of[entry(s, k, numbers)]);
    return one;
  }

  Answers<std::vector<double>> answers(std::size_t s) const {
    Answers<std::vector<double>> one;
    for (std::size_t k = 0; k < kAsked; ++k) one[k] = state(found[k], s);
    return one;
  }

  const Model& model(std::size_t s) const { return one_of(models, s % count_of(models)); }
  const Place& place(std::size_t s) const { return places[s % places.size()]; }

  void ask(BatchWorkspace<T>& work) {
    batch_kinematics(models, states, q, v, x, work, found[poses], found[velocities], found[accelerations]);
    batch_kinematics(models, states, q, v, work, poses_alone, velocities_alone);
    batch_jacobian(models, states, q, where(), Axes::local, work, found[J]);
    batch_jacobian(models, states, q, where(), Axes::world, work, also_J);
    batch_jacobian(models, states, q, where(), Axes::local_world_aligned, work, J_again);
    batch_jacobian_columns(models, states, q, work, found[columns]);
    batch_centroidal_momentum_matrix(models, states, q, v, work, found[A_G], found[momentum], found[locked]);
    batch_energies(models, states, q, v, work, found[energy]);
    batch_coriolis_matrix(models, states, q, v, work, found[C]);
    CHECK(batch_mass_matrix_inverse(models, states, q, work, found[inverse_M]).ok());
    CHECK(batch_solve(models, states, q, x, work, found[solution]).ok());
  }

  /// One place, or one for each model.
  decltype(auto) where() const {
    if constexpr (std::is_same_v<Models, Model>) {
      return (places[0]);
    } else {
      return std::span<const Place>(places);
    }
  }

  const Models& models;
  BatchStates states;
  std::vector<Place> places;
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
    std::vector<double> numbers(6 * static_cast<std::size_t>(model.nv()));
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

inline double largest(const std::vector<double>& of) {
  double most = 0.0;
  for (const double x : of) most = max(most, abs(x));
  return most;
}

/// Checks that answers in float equal those in double up to rounding; M is the mass matrix.
inline void check_rounded(const Answers<std::vector<double>>& found, const Answers<std::vector<double>>& expected,
                          const std::vector<double>& M) {
  const double n = static_cast<double>(expected[solution].size());
  // An error of M, relative to its largest entry, causes an error of M^-1 times this.
  const double condition = n * largest(M) * largest(expected[inverse_M]);
  for (std::size_t k = 0; k < kAsked; ++k) {
    CAPTURE(k);
    // Sums over the links of a branch and over its dofs, each rounded a few times; the terms are as large as one.
    const double scale = max(1.0, largest(expected[k])) * (k == inverse_M || k == solution ? condition : 1.0);
    REQUIRE(found[k].size() == expected[k].size());
    double most = 0.0;
    for (std::size_t i = 0; i < found[k].size(); ++i) most = max(most, abs(found[k][i] - expected[k][i]));
    CHECK(most <= 64.0 * n * static_cast<double>(kEpsilon<float>) * scale);
  }
}

}  // namespace test
