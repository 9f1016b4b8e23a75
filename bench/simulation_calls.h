// A run of the simulator, and the dynamics calls that such a run makes: RK4, a row every 10 steps, energy balance and
// certificate on. The calls are 4 forward_dynamics per step, and for each row one more, reactions, certify and the
// energies.
#pragma once

#include <cstdlib>
#include <vector>

#include "pintle/simulation.h"

namespace pintle {

inline constexpr int kRowEvery = 10;
inline constexpr int kSteps = 100;  // at a time
inline constexpr double kStep = 1e-4;

/// Accepts every row and keeps none.
class CountRows : public RecordSink {
 public:
  RecordReport begin(std::span<const Column>) override { return {}; }
  RecordReport row(std::span<const double>) override {
    ++rows;
    return {};
  }
  RecordReport event(const EventRecord&) override { return {}; }

  int rows = 0;
};

inline SceneSpec scene_of(const ModelSpec& model, bool checked) {
  SceneSpec spec;
  spec.model = model;
  for (JointSpec& joint : spec.model.joints)
    if (joint.kind != JointKind::free) joint.passive = {{.damping = 0.5}};
  spec.run.step = kStep;
  spec.run.row_every = kRowEvery;
  spec.run.energy_balance = checked;
  spec.run.certificate = checked;
  return spec;
}

/// Advances by kSteps steps at a time.
class Runner {
 public:
  Runner(const ModelSpec& model, bool checked) : simulation_(compile(scene_of(model, checked)).value()) {}

  void operator()() {
    steps_ += kSteps;
    sink.rows = 0;
    if (!simulation_.run({.until = static_cast<double>(steps_) * kStep, .sink = &sink}).ok()) std::abort();
  }
  const Simulation& simulation() const { return simulation_; }

  CountRows sink;

 private:
  Simulation simulation_;
  int steps_ = 0;
};

/// The dynamics calls of such a run, at states of that run.
class Calls {
 public:
  explicit Calls(const ModelSpec& model)
      : simulation_(compile(scene_of(model, true)).value()),
        model_(simulation_.scene().model()),
        forward_(model_),
        reactions_(model_),
        checks_(model_),
        tau_(static_cast<std::size_t>(model_.nv())),
        vdot_(tau_.size()) {
    for (int i = 0; i < kRowEvery; ++i) {
      if (!simulation_.step().ok()) std::abort();
      states_.push_back(simulation_.state());
    }
    options_.friction = false;
  }

  /// Those of the steps only.
  void steps() {
    for (int i = 0; i < kSteps; ++i) step(i);
  }

  /// In the order of the run: a row at the start, and one after every 10 steps.
  void steps_and_rows() {
    row(states_[0]);
    for (int i = 0; i < kSteps; ++i) {
      step(i);
      if ((i + 1) % kRowEvery == 0) row(states_[static_cast<std::size_t>(i % kRowEvery)]);
    }
  }

 private:
  void step(int i) {
    for (int stage = 0; stage < 4; ++stage) forward(states_[static_cast<std::size_t>(i % kRowEvery)]);
  }

  void forward(const MotionState& at) {
    if (!forward_dynamics(model_, at.q, at.v, tau_, forward_, vdot_, options_).ok()) std::abort();
  }

  void row(const MotionState& at) {
    forward(at);
    reactions(model_, at.q, at.v, vdot_, reactions_, options_);
    const Certificate certificate = certify(
        model_,
        {.q = at.q, .v = at.v, .vdot = vdot_, .tau = tau_, .options = options_, .joint_wrenches = reactions_.on_body},
        checks_);
    const KinematicsWorkspace& places = reactions_.kinematics;
    energy = kinetic_energy(model_, places) + gravity_energy(model_, places) + spring_energy(model_, places);
    residual = certificate.worst();
  }

  Simulation simulation_;
  const Model& model_;
  ForwardDynamicsWorkspace<> forward_;
  ReactionsWorkspace reactions_;
  CertificateWorkspace checks_;
  std::vector<double> tau_, vdot_;
  std::vector<MotionState> states_;
  DynamicsOptions options_;

 public:
  volatile double energy = 0.0, residual = 0.0;  // keeps the compiler from removing them
};

}  // namespace pintle
