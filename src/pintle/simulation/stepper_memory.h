// What the methods of a Stepper share: the motion as an ordinary differential equation in the chart around a step's
// start. For the files of this layer.
#pragma once

#include <cmath>

#include "pintle/simulation/fixed_step_impl.h"
#include "pintle/simulation/stepper.h"

namespace pintle {

/// z = [xi, v, extra] and dz/dt, with the chart around the configuration of `start`.
class ChartField {
 public:
  explicit ChartField(MotionSystem& system)
      : system_(system),
        nv_(static_cast<std::size_t>(system.model().nv())),
        extra_(static_cast<std::size_t>(system.extra_count())),
        q_(static_cast<std::size_t>(system.model().nq())) {}

  std::size_t size() const { return 2 * nv_ + extra_; }
  std::size_t nv() const { return nv_; }
  std::span<const IndependentJoint> joints() const { return system_.model().independent_joints(); }
  MotionSystem& system() { return system_; }

  /// The chart is around the configuration of this state, which must stay as it is.
  void start_at(const MotionState& start) { start_ = &start; }
  const MotionState& start() const { return *start_; }

  void start_numbers(std::span<double> z) const {
    for (std::size_t i = 0; i < nv_; ++i) z[i] = 0.0;
    for (std::size_t i = 0; i < nv_; ++i) z[nv_ + i] = start_->v[i];
    for (std::size_t i = 0; i < extra_; ++i) z[2 * nv_ + i] = start_->extra[i];
  }

  /// dz/dt; false where the system has none.
  bool operator()(double t, std::span<const double> z, std::span<double> rate) {
    chart_point(joints(), start_->q.data(), z.data(), q_.data());
    chart_rate(joints(), z.data(), z.data() + nv_, rate.data());
    return system_.rates(t, q_, z.subspan(nv_, nv_), z.subspan(2 * nv_, extra_), rate.subspan(nv_, nv_),
                         rate.subspan(2 * nv_, extra_));
  }

  /// The state of the numbers z.
  void state_of(double t, std::span<const double> z, MotionState& out) const {
    out.t = t;
    chart_point(joints(), start_->q.data(), z.data(), out.q.data());
    for (std::size_t i = 0; i < nv_; ++i) out.v[i] = z[nv_ + i];
    for (std::size_t i = 0; i < extra_; ++i) out.extra[i] = z[2 * nv_ + i];
  }

  /// The size that the error of number i is compared with: of a plain coordinate its own, of a rotation 1 rad.
  double scale_of(std::size_t i, double z) const { return i < nv_ ? std::abs(z) + position_size_ : std::abs(z); }

 private:
  MotionSystem& system_;
  std::size_t nv_, extra_;
  std::vector<double> q_;
  const MotionState* start_ = nullptr;
  double position_size_ = 1.0;
};

}  // namespace pintle
