// A run of the simulator, and the same motion by the bare integrator: RK4, a row every 10 steps, which are the 1000 rows
// of a second, energy balance and certificate on. The bare integrator is a Stepper with forward_dynamics alone; for each
// row it makes the dynamics calls that the row needs: forward_dynamics, reactions, certify and the energies.
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

/// A mechanism on which nothing is measured: forward dynamics and nothing else.
class BareSystem : public MotionSystem {
 public:
  /// The model must outlive this object.
  explicit BareSystem(const Model& model)
      : model_(model), forward_(model), tau_(static_cast<std::size_t>(model.nv())) {
    options_.friction = false;
  }

  const Model& model() const override { return model_; }
  bool derivatives(double, std::span<const double> q, std::span<const double> v, std::span<const double>,
                   std::span<double> vdot, std::span<double>) override {
    return forward_dynamics(model_, q, v, tau_, forward_, vdot, options_).ok();
  }
  std::span<const double> tau() const { return tau_; }
  const DynamicsOptions& options() const { return options_; }

 private:
  const Model& model_;
  ForwardDynamicsWorkspace<> forward_;
  std::vector<double> tau_;
  DynamicsOptions options_;
};

/// The same motion by the bare integrator, with the dynamics calls of the rows.
class BareRunner {
 public:
  explicit BareRunner(const ModelSpec& model)
      : scene_(compile(scene_of(model, true)).value()),
        model_(scene_.model()),
        system_(model_),
        stepper_(system_, Method::rk4),
        reactions_(model_),
        checks_(model_),
        vdot_(static_cast<std::size_t>(model_.nv())),
        state_(neutral_state(system_)),
        next_(state_) {
    state_.q = Simulation(scene_).state().q;
    state_.v = Simulation(scene_).state().v;
  }

  /// The integrator alone.
  void steps() {
    for (int i = 0; i < kSteps; ++i) step();
  }

  /// In the order of the run: a row at the start, and one after every 10 steps.
  void steps_and_rows() {
    row();
    for (int i = 0; i < kSteps; ++i) {
      step();
      if ((i + 1) % kRowEvery == 0) row();
    }
  }

 private:
  void step() {
    if (!stepper_.step(state_, kStep, next_).ok()) std::abort();
    swap(state_, next_);
  }

  void row() {
    const MotionState& at = state_;
    if (!system_.derivatives(at.t, at.q, at.v, {}, vdot_, {})) std::abort();
    reactions(model_, at.q, at.v, vdot_, reactions_, system_.options());
    const Certificate certificate = certify(model_,
                                            {.q = at.q,
                                             .v = at.v,
                                             .vdot = vdot_,
                                             .tau = system_.tau(),
                                             .options = system_.options(),
                                             .joint_wrenches = reactions_.on_body},
                                            checks_);
    const KinematicsWorkspace& places = reactions_.kinematics;
    energy = kinetic_energy(model_, places) + gravity_energy(model_, places) + spring_energy(model_, places);
    residual = certificate.worst();
  }

  Scene scene_;
  const Model& model_;
  BareSystem system_;
  Stepper stepper_;
  ReactionsWorkspace reactions_;
  CertificateWorkspace checks_;
  std::vector<double> vdot_;
  MotionState state_, next_;

 public:
  volatile double energy = 0.0, residual = 0.0;  // keeps the compiler from removing them
};

}  // namespace pintle
