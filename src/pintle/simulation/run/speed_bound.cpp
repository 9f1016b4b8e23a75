#include "pintle/simulation/run/speed_bound.h"

#include <cmath>

#include "pintle/dynamics/energy.h"

namespace pintle {
namespace {

/// Accelerations may grow by this factor within a step.
constexpr double kMaxGrowth = 8.0;

/// Of velocities: a change by integration where nothing accelerates.
constexpr double kRounding = 1e-6;

}  // namespace

SpeedBound::SpeedBound(const SceneMotion& motion)
    : motion_(motion), places_(motion.model()), zero_(motion.state.v.size()), change_(zero_.size()) {
  double mass = 0.0;
  for (const ModelBody& body : motion.model().bodies()) mass += body.inertia.mass;
  weight_ = std::sqrt(mass) * norm(motion.model().gravity());
}

/// |v|_M at the present configuration.
double SpeedBound::size(std::span<const double> v) {
  kinematics(motion_.model(), motion_.state.q, v, zero_, places_);
  return std::sqrt(2.0 * kinetic_energy(motion_.model(), places_));
}

void SpeedBound::begin(std::span<const double> vdot) {
  acceleration_ = size(vdot) + weight_;
  speed_ = size(motion_.state.v);
}

bool SpeedBound::allows(const MotionState& end) {
  const MotionState& start = motion_.state;
  for (std::size_t i = 0; i < change_.size(); ++i) change_[i] = end.v[i] - start.v[i];
  return size(change_) <= kMaxGrowth * (end.t - start.t) * acceleration_ + kRounding * speed_;
}

}  // namespace pintle
