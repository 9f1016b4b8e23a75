// EventFunction: a number of which the instant of its zero matters.
#pragma once

#include <cstdint>
#include <span>

namespace pintle {

/// One instant of a motion.
struct MotionInstant {
  double t;  ///< [s]
  std::span<const double> q, v, auxiliary;
  /// Equal numbers from one search for events are of equal instants, which then need not be compared; 0 says nothing.
  std::uint64_t number = 0;
};

/// A function of the instant alone: the same number for the same instant, as often as it is asked.
class EventFunction {
 public:
  virtual ~EventFunction() = default;

  /// The number that is watched.
  virtual double value(const MotionInstant& at) = 0;

  /// Its rate along the motion, given the accelerations; NaN where it is not known: it is then found by differences.
  virtual double rate(const MotionInstant& at, std::span<const double> vdot);

  /// Whether `rate` reads the accelerations (they cost an evaluation of the system; a function without a rate saves it
  /// by saying no).
  virtual bool rate_needs_accelerations() const { return true; }

  /// How large the numbers are whose sum or difference the value is: its rounding error is some eps of this. It tells a
  /// zero that is touched from a near miss. 0 where it is not known: the changes of the value then stand for it.
  virtual double size(const MotionInstant& at);
};

/// Which zeros count: all, those reached from below, or those reached from above.
enum class EventDirection : unsigned char { both, rising, falling };

/// A function and which of its zeros count.
struct Witness {
  EventFunction* function = nullptr;
  EventDirection direction = EventDirection::both;
  /// Also find zeros that the function touches without crossing, and pairs of zeros within a step.
  bool touching = true;
  /// It may stay near zero after it has left it, as the gap of a pair of shapes does that parts at one point and meets
  /// at another: a zero that follows a start from zero counts only where it is clearly passed.
  bool grazes = false;
};

}  // namespace pintle
