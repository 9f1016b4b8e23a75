// Pintle's batches as an engine: all states at once when the first one is asked for, so that the time of a call, over
// all states in turn, is that of one state.
#pragma once

#include <new>
#include <stdexcept>

#include "engine.h"
#include "mechanism_spec.h"
#include "pintle/pintle.h"

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
  /// Beyond these freedoms sixteen mass matrices are a matter of memory, not of arithmetic.
  static constexpr std::size_t kMostFreedoms = 100;

  PintleBatch(const Mechanism& mechanism, pintle::BatchLayout layout)
      : model_(pintle::compile(spec_of(mechanism)).value()), layout_(layout), work_(model_, nullptr, true) {}

  bool has(Function function) const override {
    return function == Function::inverse || function == Function::forward || function == Function::mass;
  }

  void set_states(const std::vector<State>& states) override {
    states_ = {states.size(), layout_};
    q_ = array(model_.nq());
    v_ = array(model_.nv());
    vdot_ = array(model_.nv());
    tau_ = array(model_.nv());
    vector_ = array(model_.nv());
    square_ = array(model_.nv() * model_.nv());
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
    if (function == Function::inverse) {
      pintle::batch_inverse_dynamics(model_, states_, q_, v_, vdot_, work_, vector_);
    } else if (function == Function::forward) {
      report_ = pintle::batch_forward_dynamics(model_, states_, q_, v_, tau_, work_, vector_);
    } else {
      pintle::batch_mass_matrix(model_, states_, q_, work_, square_);
    }
  }

  void read(Function function, std::size_t k, std::vector<double>& answer) override {
    if (!report_.ok()) throw std::runtime_error("Pintle: a joint has no inertia");
    const std::size_t n = static_cast<std::size_t>(model_.nv()), numbers = function == Function::mass ? n * n : n;
    answer.clear();
    for (std::size_t i = 0; i < numbers; ++i)
      answer.push_back((function == Function::mass ? square_ : vector_)[entry(k, i, numbers)]);
  }

 private:
  AlignedNumbers<T> array(int numbers) const { return AlignedNumbers<T>(pintle::batch_size<T>(states_, numbers)); }
  std::size_t entry(std::size_t s, std::size_t k, std::size_t numbers) const {
    const std::size_t lanes = static_cast<std::size_t>(pintle::batch_lanes<T>());
    return layout_ == pintle::BatchLayout::states ? s * numbers + k : (s / lanes * numbers + k) * lanes + s % lanes;
  }
  void put(const std::vector<double>& numbers, std::size_t s, AlignedNumbers<T>& array) const {
    for (std::size_t k = 0; k < numbers.size(); ++k) array[entry(s, k, numbers.size())] = static_cast<T>(numbers[k]);
  }

  pintle::Model model_;
  pintle::BatchLayout layout_;
  pintle::BatchWorkspace<T> work_;
  pintle::BatchStates states_{0};
  AlignedNumbers<T> q_{0}, v_{0}, vdot_{0}, tau_{0}, vector_{0}, square_{0};
  pintle::BatchReport report_{};
  Function last_ = Function::energies;  // none of a batch
};

}  // namespace peers
