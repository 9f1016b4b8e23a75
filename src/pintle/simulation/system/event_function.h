// EventFunction: a witness function, whose zeros are events.
#pragma once

#include <cstdint>
#include <span>

namespace pintle {

/// One instant of a motion.
struct MotionInstant {
  double t;  ///< [s]
  std::span<const double> q, v, auxiliary;
  /// Equal values within one search for events mean equal instants, which then need not be compared; 0 means unknown.
  std::uint64_t number = 0;
};

/// A function of the instant alone: the same value for the same instant, however often it is called.
class EventFunction {
 public:
  virtual ~EventFunction() = default;

  /// The value of the witness function.
  virtual double value(const MotionInstant& at) = 0;

  /// Its time derivative along the motion, given the accelerations; NaN if it is unknown: differences are then used.
  virtual double rate(const MotionInstant& at, std::span<const double> vdot);

  /// Whether `rate` reads the accelerations (they cost an evaluation of the system; a function without a derivative
  /// saves it by returning false).
  virtual bool rate_needs_accelerations() const { return true; }

  /// The size of the terms whose sum or difference the value is: its rounding error is some eps of this. It
  /// distinguishes a grazing zero from a near miss. 0 if it is unknown: the changes of the value are then used instead.
  virtual double size(const MotionInstant& at);
};

/// Which zeros count: all, those reached from below, or those reached from above.
enum class EventDirection : unsigned char { both, rising, falling };

/// A function and which of its zeros count.
struct Witness {
  EventFunction* function = nullptr;
  EventDirection direction = EventDirection::both;
  /// Also find grazing zeros, at which the function does not change its sign, and pairs of zeros within a step.
  bool touching = true;
  /// It may stay near zero after it has left it, like the gap of a pair of shapes that separates at one point and meets
  /// at another: a zero that follows a start from zero counts only if it is clearly passed.
  bool grazes = false;
};

}  // namespace pintle
