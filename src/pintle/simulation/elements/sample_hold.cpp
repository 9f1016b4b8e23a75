#include "pintle/simulation/elements/sample_hold.h"

#include "pintle/base/usage_error.h"
#include "pintle/math/elementary.h"

namespace pintle {
namespace {

/// Times that differ by so many roundings are equal.
constexpr double kTimeRoundings = 8.0 * kEpsilon<double>;

std::size_t ring_size(const Sampling& sampling) {
  if (!(sampling.period > 0.0)) return 0;
  require(sampling.delay >= 0.0 && sampling.delay <= kMaxPendingSamples * sampling.period, "SampleHold", "delay",
          "is negative or more than 100000 periods");
  return static_cast<std::size_t>(sampling.delay / sampling.period) + 2;  // rounding may keep one more pending
}

}  // namespace

SampleHold::SampleHold(const Sampling& sampling, double start, std::size_t further)
    : sampling_(sampling),
      first_(start + sampling.offset),
      pending_(ring_size(sampling)),
      memory_(kRing + pending_ + further) {}

bool SampleHold::reached(double t, double when) const {
  return t >= when - kTimeRoundings * max(abs(when), abs(first_));
}

double SampleHold::first_after(double t, double k) const {
  if (!reached(t, sample_time(k))) return k;
  k = max(k, pintle::floor((t - first_) / sampling_.period));
  while (reached(t, sample_time(k))) k += 1.0;
  return k;
}

std::size_t SampleHold::slot(double k) const {
  return kRing + static_cast<std::size_t>(k) % pending_;
}

bool SampleHold::due(double t) const {
  return !continuous() && reached(t, sample_time(memory_[kTaken]));
}

void SampleHold::take(double t, double value) {
  const double end = first_after(t, memory_[kTaken]);
  const double begin = max(memory_[kTaken], end - static_cast<double>(pending_));
  for (double k = begin; k < end; k += 1.0) memory_[slot(k)] = value;
  memory_[kReleased] = max(memory_[kReleased], end - static_cast<double>(pending_));
  memory_[kTaken] = end;
}

void SampleHold::release(double t) {
  if (continuous()) return;
  while (memory_[kReleased] < memory_[kTaken] && reached(t, effect_time(memory_[kReleased]))) {
    memory_[kHeld] = memory_[slot(memory_[kReleased])];
    memory_[kReleased] += 1.0;
  }
}

double SampleHold::next(double t) const {
  if (continuous()) return __builtin_inf();
  const double sample = sample_time(first_after(t, memory_[kTaken]));
  for (double k = memory_[kReleased]; k < memory_[kTaken]; k += 1.0)
    if (!reached(t, effect_time(k))) return min(sample, effect_time(k));
  return sample;
}

void SampleHold::reset() {
  for (double& x : memory_) x = 0.0;
}

}  // namespace pintle
