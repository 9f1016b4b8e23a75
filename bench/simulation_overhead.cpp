// The overhead of the simulator over its dynamics calls: RK4, a row every 10 steps, energy balance and certificate on.
// Its dynamics calls are 4 forward_dynamics per step, and for each row one more, reactions, certify and the energies.
// Fails if the overhead is 10 % or more for a mechanism of 12 dofs or more.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "pintle/simulation.h"
#include "robots.h"

namespace {

using namespace pintle;

constexpr double kMaxAdded = 0.10;
constexpr int kFromDofs = 12;
constexpr int kRowEvery = 10;
constexpr int kSteps = 100;  // per sample
constexpr int kRounds = 300;
constexpr double kStep = 1e-4;

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

SceneSpec scene_of(const ModelSpec& model, bool checked) {
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

/// Processor time of the thread so far.
double now_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

/// Medians: microseconds per step, and the overhead, from consecutive samples.
struct Times {
  double simulator, calls, adds, by_steps, bare_by_steps;
};

Times measure(const ModelSpec& model) {
  Runner checked(model, true), bare(model, false);
  checked();
  bare();
  if (checked.sink.rows != kSteps / kRowEvery + 1) std::abort();
  Calls calls(model);
  std::vector<double> simulator, all, adds, by_steps, bare_by_steps;
  for (int round = 0; round < kRounds; ++round) {
    const double t0 = now_us();
    checked();
    const double t1 = now_us();
    calls.steps_and_rows();
    const double t2 = now_us();
    calls.steps();
    const double t3 = now_us();
    bare();
    const double t4 = now_us();
    simulator.push_back((t1 - t0) / kSteps);
    all.push_back((t2 - t1) / kSteps);
    adds.push_back((t1 - t0) / (t2 - t1) - 1.0);
    by_steps.push_back((t1 - t0) / (t3 - t2) - 1.0);
    bare_by_steps.push_back((t4 - t3) / (t3 - t2) - 1.0);
  }
  return {median(simulator), median(all), median(adds), median(by_steps), median(bare_by_steps)};
}

struct Case {
  const char* name;
  ModelSpec model;
};

}  // namespace

int main() {
  const Case cases[] = {
      {"arm 7", chain(7)}, {"chain 12", chain(12)}, {"quadruped 12+6", quadruped()}, {"humanoid 30+6", humanoid()}};
  std::printf(
      "| | dynamics calls | simulator | adds | to forward dynamics alone | without energy balance and certificate |\n");
  std::printf("|---|---|---|---|---|---|\n");
  bool held = true;
  for (const Case& one : cases) {
    const Times times = measure(one.model);
    std::printf("| %s | %.2f us | %.2f us | %.1f %% | %.1f %% | %.1f %% |\n", one.name, times.calls, times.simulator,
                100.0 * times.adds, 100.0 * times.by_steps, 100.0 * times.bare_by_steps);
    std::fflush(stdout);
    held = held && (compile(one.model).value().nv() < kFromDofs || times.adds < kMaxAdded);
  }
  if (held) return 0;
  std::printf("\nit adds %.0f %% or more to a mechanism of %d dofs or more\n", 100.0 * kMaxAdded, kFromDofs);
  return 1;
}
