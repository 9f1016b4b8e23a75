// Pintle's batches as an engine: all states at once when the first one is asked for, so that the time of a call, over
// all states in turn, is that of one state.
#pragma once

#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>

#include "engine.h"
#include "engines/pintle_step.h"
#include "mechanism_spec.h"
#include "pintle/batch.h"

namespace peers {

/// Numbers at an address that is a multiple of 64, where batches are read in place.
template <class T>
class AlignedNumbers {
 public:
  explicit AlignedNumbers(std::size_t size) : data_(new (std::align_val_t(64)) T[size]{}), size_(size) {}
  AlignedNumbers(AlignedNumbers&& other) noexcept : data_(other.data_), size_(other.size_) { other.data_ = nullptr; }
  AlignedNumbers& operator=(AlignedNumbers other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~AlignedNumbers() {
    if (data_ != nullptr) ::operator delete[](data_, std::align_val_t(64));
  }

  T& operator[](std::size_t i) { return data_[i]; }
  operator std::span<T>() { return {data_, size_}; }
  operator std::span<const T>() const { return {data_, size_}; }

 private:
  T* data_;
  std::size_t size_;
};

template <class T>
class PintleBatch final : public Engine {
 public:
  /// Beyond these dofs sixteen mass matrices are a matter of memory, not of arithmetic.
  static constexpr std::size_t kMaxDofs = 100;

  PintleBatch(const Mechanism& mechanism, pintle::BatchLayout layout)
      : model_(pintle::compile(spec_of(mechanism)).value()),
        place_(pintle::body_place(model_, static_cast<int>(model_.bodies().size()) - 1)),
        layout_(layout),
        work_(model_, nullptr, true) {}

  bool has(Function function) const override { return function != kNone; }

  void set_states(const std::vector<State>& states) override {
    states_ = {states.size(), layout_};
    const int links = static_cast<int>(model_.links().size());
    q_ = array(model_.nq());
    v_ = array(model_.nv());
    vdot_ = array(model_.nv());
    tau_ = array(model_.nv());
    vector_ = array(model_.nv());
    six_rows_ = array(6 * model_.nv());
    square_ = array(model_.nv() * model_.nv());
    poses_ = array(links * pintle::kPoseValues);
    velocities_ = array(links * pintle::kTwistValues);
    accelerations_ = array(links * pintle::kTwistValues);
    momentum_ = array(6);
    locked_ = array(pintle::kLockedValues);
    energies_ = array(2);
    after_q_ = array(model_.nq());
    after_v_ = array(model_.nv());
    stepper_.emplace(model_, pintle::Method::semi_implicit_euler, states.size());
    for (std::size_t s = 0; s < states.size(); ++s) {
      put(states[s].q, s, q_);
      put(states[s].v, s, v_);
      put(states[s].vdot, s, vdot_);
      put(states[s].tau, s, tau_);
    }
  }

  void run(Function function, std::size_t k) override {
    if (k != 0 && function == last_) return;
    last_ = function;
    switch (function) {
      case Function::kinematics:
        return pintle::batch_kinematics(model_, states_, q_, v_, vdot_, work_, poses_, velocities_, accelerations_);
      case Function::jacobian:
        return pintle::batch_jacobian(model_, states_, q_, place_, pintle::Axes::local_world_aligned, work_, six_rows_);
      case Function::columns:
        return pintle::batch_jacobian_columns(model_, states_, q_, work_, six_rows_);
      case Function::inverse:
        return pintle::batch_inverse_dynamics(model_, states_, q_, v_, vdot_, work_, vector_);
      case Function::forward:
        report_ = pintle::batch_forward_dynamics(model_, states_, q_, v_, tau_, work_, vector_);
        return;
      case Function::mass:
        return pintle::batch_mass_matrix(model_, states_, q_, work_, square_);
      case Function::solve:
        report_ = pintle::batch_solve(model_, states_, q_, tau_, work_, vector_);
        return;
      case Function::minverse:
        report_ = pintle::batch_mass_matrix_inverse(model_, states_, q_, work_, square_);
        return;
      case Function::coriolis:
        return pintle::batch_coriolis_matrix(model_, states_, q_, v_, work_, square_);
      case Function::centroidal:
        return pintle::batch_centroidal_momentum_matrix(model_, states_, q_, v_, work_, six_rows_, momentum_, locked_);
      case Function::energies:
        return pintle::batch_energies(model_, states_, q_, v_, work_, energies_);
      case Function::step:
        copy(q_, after_q_);
        copy(v_, after_v_);
        if (!stepper_->step(states_, kStep, 1, after_q_, after_v_, tau_).empty())
          throw std::runtime_error("Pintle: a state of a batch made no step");
        return;
      case kNone:
        return;
    }
  }

  void read(Function function, std::size_t k, std::vector<double>& answer) override {
    if (!report_.ok()) throw std::runtime_error("Pintle: a joint has no inertia");
    const std::size_t n = static_cast<std::size_t>(model_.nv());
    switch (function) {
      case Function::kinematics:
        return read_bodies(k, answer);
      case Function::jacobian:
      case Function::centroidal:
        return get(six_rows_, k, 6 * n, answer);
      case Function::columns:
        get(six_rows_, k, 6 * n, answer);
        return shift_columns(k, answer);
      case Function::mass:
      case Function::minverse:
      case Function::coriolis:
        return get(square_, k, n * n, answer);
      case Function::energies:
        return get(energies_, k, 2, answer);
      case Function::step: {
        std::vector<double> before;
        get(v_, k, n, before);
        get(after_v_, k, n, answer);
        accelerations_of_step(model_, before, answer);
        return;
      }
      default:
        return get(vector_, k, n, answer);
    }
  }

 private:
  static constexpr Function kNone = Function::coriolis_v;  ///< not of a batch

  static void copy(std::span<const T> from, std::span<T> to) { std::copy(from.begin(), from.end(), to.begin()); }
  AlignedNumbers<T> array(int numbers) const { return AlignedNumbers<T>(pintle::batch_size<T>(states_, numbers)); }
  std::size_t entry(std::size_t s, std::size_t k, std::size_t numbers) const {
    const std::size_t lanes = static_cast<std::size_t>(pintle::batch_lanes<T>());
    return layout_ == pintle::BatchLayout::states ? s * numbers + k : (s / lanes * numbers + k) * lanes + s % lanes;
  }
  void put(const std::vector<double>& numbers, std::size_t s, AlignedNumbers<T>& array) const {
    for (std::size_t k = 0; k < numbers.size(); ++k) array[entry(s, k, numbers.size())] = static_cast<T>(numbers[k]);
  }
  void get(AlignedNumbers<T>& array, std::size_t s, std::size_t numbers, std::vector<double>& answer) const {
    answer.resize(numbers);
    for (std::size_t k = 0; k < numbers; ++k) answer[k] = static_cast<double>(array[entry(s, k, numbers)]);
  }

  /// Poses and velocities of the bodies from those of the links.
  void read_bodies(std::size_t k, std::vector<double>& answer) {
    const std::size_t links = model_.links().size();
    std::vector<double> X, V;
    get(poses_, k, links * pintle::kPoseValues, X);
    get(velocities_, k, links * pintle::kTwistValues, V);
    answer.clear();
    const auto append = [&](const auto& numbers) { answer.insert(answer.end(), numbers.begin(), numbers.end()); };
    for (const pintle::ModelBody& body : model_.bodies()) {
      const double *const x = &X[static_cast<std::size_t>(body.link) * pintle::kPoseValues],
                          *const u = &V[static_cast<std::size_t>(body.link) * pintle::kTwistValues];
      const pintle::Pose<> X_WL{{x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]}, {x[9], x[10], x[11]}};
      const pintle::Pose<> X_WB = X_WL * body.X_LB;
      const pintle::Twist<> V_B = inverse_times(body.X_LB, pintle::Twist<>{{u[0], u[1], u[2]}, {u[3], u[4], u[5]}});
      append(to_array(X_WB.rotation));
      append(to_array(X_WB.translation));
      append(to_array(X_WB.rotation * V_B.linear));
      append(to_array(X_WB.rotation * V_B.angular));
    }
  }

  /// From the world's origin to that of the first link.
  void shift_columns(std::size_t k, std::vector<double>& answer) {
    run(Function::kinematics, 0);
    std::vector<double> bodies;
    read_bodies(k, bodies);
    const pintle::Vec3<> first{bodies[9], bodies[10], bodies[11]};
    const std::size_t n = static_cast<std::size_t>(model_.nv());
    for (std::size_t j = 0; j < n; ++j) {
      const pintle::Vec3<> more = cross(pintle::Vec3<>{answer[3 * n + j], answer[4 * n + j], answer[5 * n + j]}, first);
      answer[j] += more.x;
      answer[n + j] += more.y;
      answer[2 * n + j] += more.z;
    }
  }

  pintle::Model model_;
  pintle::Place place_;
  pintle::BatchLayout layout_;
  pintle::BatchWorkspace<T> work_;
  pintle::BatchStates states_{0};
  AlignedNumbers<T> q_{0}, v_{0}, vdot_{0}, tau_{0}, vector_{0}, six_rows_{0}, square_{0};
  AlignedNumbers<T> poses_{0}, velocities_{0}, accelerations_{0}, momentum_{0}, locked_{0}, energies_{0};
  AlignedNumbers<T> after_q_{0}, after_v_{0};
  std::optional<pintle::BatchStepper<T>> stepper_;
  pintle::BatchReport report_{};
  Function last_ = kNone;
};

}  // namespace peers
