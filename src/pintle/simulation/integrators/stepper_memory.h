// The common part of the methods of a Stepper: the motion as an ordinary differential equation in the chart around a
// step's start. For the files of this layer.
#pragma once

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/simulation/integrators/fixed_step_impl.h"
#include "pintle/simulation/integrators/stepper.h"

namespace pintle {

/// z = [xi, u, auxiliary] and dz/dt, with the chart around the configuration of `start` (chart_impl.h).
class ChartField {
 public:
  explicit ChartField(MotionSystem& system)
      : system_(system),
        nv_(static_cast<std::size_t>(system.model().nv())),
        auxiliary_(static_cast<std::size_t>(system.auxiliary_count())),
        q_(static_cast<std::size_t>(system.model().nq())),
        v_(nv_),
        joints_(chart_joints(system.model())),
        free_(any_free(joints_)) {}

  std::size_t size() const { return 2 * nv_ + auxiliary_; }
  std::size_t nv() const { return nv_; }
  /// The joints with a quaternion.
  std::span<const ChartJoint> joints() const { return joints_; }
  int nq() const { return static_cast<int>(q_.size()); }
  MotionSystem& system() { return system_; }

  /// The chart is around the configuration of this state, which must stay as it is.
  void start_at(const MotionState& start) {
    start_ = &start;
    imposed_levels_ = system_.imposed();
    require(imposed_levels_.empty() || imposed_levels_.size() == nv_, "Stepper", "system.imposed()",
            "it needs one entry per dof");
  }
  const MotionState& start() const { return *start_; }

  void start_numbers(std::span<double> z) const {
    for (std::size_t i = 0; i < nv_; ++i) z[i] = 0.0;
    find_velocities(*start_, z);
  }

  /// z of a state that was reached without it.
  void numbers_of(const MotionState& state, std::span<double> z) const {
    for_joints(
        joints(), nq(),
        [&](const ChartJoint& at) {
          chart_coordinates_joint(at.kind, at.center, start_->q.data() + at.q, state.q.data() + at.q, z.data() + at.v);
        },
        [&](int first_q, int first_v, int count) {
          for (int i = 0; i < count; ++i) {
            const std::size_t q = static_cast<std::size_t>(first_q + i);
            z[static_cast<std::size_t>(first_v + i)] = state.q[q] - start_->q[q];
          }
        });
    find_velocities(state, z);
  }

  /// dz/dt; false if the system has none.
  bool operator()(double t, std::span<const double> z, std::span<double> rate) {
    chart_point(joints(), nq(), start_->q.data(), z.data(), q_.data());
    const std::span<const double> u = z.subspan(nv_, nv_), auxiliary = z.subspan(2 * nv_, auxiliary_);
    const bool prescribes = !imposed_levels_.empty();
    std::span<const double> v = u;
    if (free_ || prescribes) {
      velocity_of_chart(joints(), nq(), z.data(), u.data(), v_.data());
      v = v_;
    }
    if (prescribes) {
      system_.prescribe(t, q_, v_, auxiliary);
      chart_velocity(joints(), nq(), z.data(), v_.data(), rate.data() + nv_);
      chart_rate(joints(), nq(), z.data(), rate.data() + nv_, rate.data());
    } else {
      chart_rate(joints(), nq(), z.data(), u.data(), rate.data());
    }
    if (!system_.derivatives(t, q_, v, auxiliary, rate.subspan(nv_, nv_), rate.subspan(2 * nv_, auxiliary_)))
      return false;
    if (free_) to_chart_acceleration(joints(), z.data(), v.data(), rate.data() + nv_);
    return true;
  }

  /// The state of the values z, with what is prescribed.
  void state_of(double t, std::span<const double> z, MotionState& out) {
    out.t = t;
    chart_point(joints(), nq(), start_->q.data(), z.data(), out.q.data());
    velocity_of_chart(joints(), nq(), z.data(), z.data() + nv_, out.v.data());
    for (std::size_t i = 0; i < auxiliary_; ++i) out.auxiliary[i] = z[2 * nv_ + i];
    if (!imposed_levels_.empty()) system_.prescribe(t, out.q, out.v, out.auxiliary);
  }

  /// How many components, the first ones, the motion depends on; the others are integrals that come along.
  std::size_t depended_on() const { return 2 * nv_ + static_cast<std::size_t>(system_.controlled_auxiliary_count()); }

  /// Whether the error of component i counts: whether the motion depends on it. Of what is prescribed, the integral of
  /// its time derivative counts, though the end of the step has the prescribed value: its error shows whether the
  /// stages resolve the prescribed motion, without which they do not resolve what it drives.
  bool counts_for_error(std::size_t i) const { return i < depended_on(); }

  /// The size that the error of component i is relative to: of a scalar coordinate its own, of a rotation 1 rad.
  double scale_of(std::size_t i, double z) const { return i < nv_ ? std::abs(z) + position_size_ : std::abs(z); }

 private:
  /// Velocities and auxiliary state of z, whose xi is that of the state.
  void find_velocities(const MotionState& state, std::span<double> z) const {
    chart_velocity(joints(), nq(), z.data(), state.v.data(), z.data() + nv_);
    for (std::size_t i = 0; i < auxiliary_; ++i) z[2 * nv_ + i] = state.auxiliary[i];
  }

  MotionSystem& system_;
  std::size_t nv_, auxiliary_;
  std::vector<double> q_, v_;
  std::vector<ChartJoint> joints_;
  bool free_;
  std::span<const unsigned char> imposed_levels_;
  const MotionState* start_ = nullptr;
  double position_size_ = 1.0;
};

}  // namespace pintle
