// A mechanism with force elements, as a system to integrate.
#pragma once

#include <utility>

#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/simulation/integrators/stepper.h"
#include "simulation/element_bench.h"

namespace test {

class ElementSystem : public MotionSystem {
 public:
  explicit ElementSystem(const ModelSpec& spec)
      : model_(compile(spec).value()),
        work_(model_),
        places_(model_),
        tau_(size(model_.nv())),
        zero_(tau_.size()),
        external_(model_.bodies().size()) {}

  void add(ForceElementPointer element) {
    states_ += element->state_count();
    elements_.push_back(std::move(element));
  }

  const Model& model() const override { return model_; }
  int auxiliary_count() const override { return states_; }
  ForceElement& element(std::size_t i) { return *elements_[i]; }

  ForceInput input(double t, std::span<const double> q, std::span<const double> v) {
    kinematics(model_, q, v, zero_, places_);
    return {.t = t, .q = q, .v = v, .states = {}, .kinematics = &places_};
  }

  bool derivatives(double t, std::span<const double> q, std::span<const double> v, std::span<const double> auxiliary,
                   std::span<double> vdot, std::span<double> auxiliary_derivative) override {
    for (double& x : tau_) x = 0.0;
    for (Wrench<>& F : external_) F = zero_wrench();
    ForceInput in = input(t, q, v);
    std::size_t first = 0;
    for (const ForceElementPointer& element : elements_) {
      const std::size_t count = size(element->state_count());
      in.states = auxiliary.subspan(first, count);
      if (!element->apply(model_, in, {tau_, external_, auxiliary_derivative.subspan(first, count)}).ok) return false;
      first += count;
    }
    return forward_dynamics(model_, q, v, tau_, work_, vdot, {.external = external_}).ok();
  }

  /// n steps of h with RK4.
  MotionState run(const MotionState& start, double h, int n) {
    Stepper stepper(*this, Method::rk4);
    MotionState from = start, to = start;
    for (int i = 0; i < n; ++i) {
      from.t = start.t + i * h;
      REQUIRE(stepper.step(from, h, to).ok());
      std::swap(from, to);
    }
    return from;
  }

 private:
  Model model_;
  ForwardDynamicsWorkspace<> work_;
  KinematicsWorkspace places_;
  Numbers tau_, zero_;
  std::vector<Wrench<>> external_;
  std::vector<ForceElementPointer> elements_;
  int states_ = 0;
};

}  // namespace test
