// EventFunction: a number of which the instant of its zero matters.
#pragma once

#include <span>

namespace pintle {

/// One instant of a motion.
struct MotionInstant {
  double t;  ///< [s]
  std::span<const double> q, v, extra;
};

class EventFunction {
 public:
  virtual ~EventFunction() = default;

  /// The number that is watched.
  virtual double value(const MotionInstant& at) = 0;

  /// Its rate along the motion, given the accelerations; NaN where it is not known: it is then found by differences.
  virtual double rate(const MotionInstant& at, std::span<const double> vdot);

  /// Whether `rate` reads the accelerations (they cost an evaluation of the system).
  virtual bool rate_needs_accelerations() const { return true; }
};

/// Which zeros count.
enum class EventDirection : unsigned char { both, rising, falling };

/// A function and which of its zeros count.
struct EventWatch {
  EventFunction* function = nullptr;
  EventDirection direction = EventDirection::both;
  /// Also find zeros that the function touches without crossing, and pairs of zeros within a step.
  bool touching = true;
};

}  // namespace pintle
