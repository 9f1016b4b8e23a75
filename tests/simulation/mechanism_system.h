// A mechanism under gravity, its passive elements and constant efforts, as a system to integrate.
#pragma once

#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/passive_efforts.h"
#include "pintle/simulation/system/motion.h"
#include "support/random_model.h"

namespace test {

class MechanismSystem : public MotionSystem {
 public:
  /// `work_of_dampers`: one further number, the work that passive elements have done.
  explicit MechanismSystem(const ModelSpec& spec, bool work_of_passive = false)
      : model_(compile(spec).value()),
        tau(static_cast<std::size_t>(model_.nv())),
        work_(model_),
        passive_(model_.dofs().size()),
        further_(work_of_passive ? 1 : 0) {}

  const Model& model() const override { return model_; }
  int auxiliary_count() const override { return further_; }
  bool derivatives(double, std::span<const double> q, std::span<const double> v, std::span<const double>,
                   std::span<double> vdot, std::span<double> auxiliary_derivative) override {
    ++evaluations;
    const DynamicsReport report = forward_dynamics(model_, q, v, tau, work_, vdot);
    singular_ = report.singular_joint;
    if (further_ > 0) {
      passive_efforts(model_, q, v, work_.inverse, passive_);
      auxiliary_derivative[0] = 0.0;
      for (std::size_t i = 0; i < v.size(); ++i) auxiliary_derivative[0] += passive_[i] * v[i];
    }
    return report.ok();
  }
  int failed_joint() const override { return singular_; }

  long evaluations = 0;

 private:
  Model model_;

 public:
  std::vector<double> tau;

 private:
  ForwardDynamicsWorkspace<> work_;
  std::vector<double> passive_;
  int further_;
  int singular_ = -1;
};

/// A random state of a system.
inline MotionState random_state(const MotionSystem& system, RandomStream& stream, double speed = 1.0) {
  MotionState state = neutral_state(system);
  random_configuration(system.model(), stream, state.q);
  for (double& x : state.v) x = stream.uniform(-speed, speed);
  return state;
}

/// How far two states are apart: the largest over all numbers, configurations along the manifold.
inline double distance(const MotionSystem& system, const MotionState& a, const MotionState& b) {
  std::vector<double> d(a.v.size());
  difference(system.model(), a.q, b.q, d);
  double most = 0.0;
  for (std::size_t i = 0; i < d.size(); ++i) most = max(most, max(abs(d[i]), abs(a.v[i] - b.v[i])));
  for (std::size_t i = 0; i < a.auxiliary.size(); ++i) most = max(most, abs(a.auxiliary[i] - b.auxiliary[i]));
  return most;
}

}  // namespace test
