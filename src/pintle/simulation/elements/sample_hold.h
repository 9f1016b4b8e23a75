// SampleHold: a value that is sampled at given times and held in between, optionally with a delay: what a digital
// controller does between its sensor and its motor.
#pragma once

#include <cstddef>
#include <span>

#include "pintle/base/buffer.h"

namespace pintle {

/// When a discrete element samples and acts. Sample k is read at t_k = start + offset + k period, takes effect at t_k +
/// delay and is held until the next one takes effect; before the first one the value is zero.
struct Sampling {
  double period = 0.0;  ///< [s]; 0: the element is continuous
  double offset = 0.0;  ///< [s] of the first sample after the start of the run
  double delay = 0.0;   ///< [s] from reading to effect; may be longer than the period
};

/// Maximum number of samples that are read but not yet in effect.
inline constexpr double kMaxPendingSamples = 1e5;

/// The samples of one value. All that it keeps between calls is in `memory`.
///
/// A time counts as reached when it is within a few roundings, so that a delay of whole periods does not split one
/// instant in two.
class SampleHold {
 public:
  /// `start` is the time [s] at which the run starts; `further` values are kept with it for its user. The delay is at
  /// most kMaxPendingSamples periods, else UsageError.
  SampleHold(const Sampling& sampling, double start, std::size_t further = 0);

  bool continuous() const { return !(sampling_.period > 0.0); }

  /// Whether a sample is to be taken at time t.
  bool due(double t) const;
  /// Takes the sample that is due at t; samples missed before it get the same value.
  void take(double t, double value);
  /// Lets the samples that are due at t take effect: the last of them is held.
  void release(double t);
  /// The first time after t at which a sample is due or takes effect; infinite if continuous.
  double next(double t) const;

  /// The value that is in effect.
  double held() const { return memory_[kHeld]; }

  std::span<double> memory() { return {memory_.data(), memory_.size()}; }
  /// The user's values, the last ones of `memory`.
  double& further(std::size_t i) { return memory_[kRing + pending_ + i]; }
  double further(std::size_t i) const { return memory_[kRing + pending_ + i]; }
  void reset();

 private:
  static constexpr std::size_t kTaken = 0, kReleased = 1, kHeld = 2, kRing = 3;

  bool reached(double t, double when) const;
  double sample_time(double k) const { return first_ + k * sampling_.period; }
  double effect_time(double k) const { return sample_time(k) + sampling_.delay; }
  /// The first sample, from k on, that is not due at t.
  double first_after(double t, double k) const;
  std::size_t slot(double k) const;

  Sampling sampling_;
  double first_;           // time of sample 0
  std::size_t pending_;    // size of the ring
  Buffer<double> memory_;  // samples taken, samples released, the held one, the ring, the user's values
};

}  // namespace pintle
