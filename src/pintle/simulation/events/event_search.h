// A search for events: the memory of an EventFinder, and the steps of a search. For the files of this layer.
#pragma once

#include <algorithm>
#include <cmath>

#include "pintle/base/buffer.h"
#include "pintle/math/scalar.h"
#include "pintle/simulation/events/event_finder.h"

namespace pintle {

namespace event_search {

inline constexpr int kPieces = 8;  // in which a step is sampled
inline constexpr double kRounding =
    32 * kEpsilon<double>;                      // of a value relative to the size of its terms, after a step
inline constexpr double kDifference = 0x1p-17;  // of a step, near eps^(1/3): for derivatives by differences
// The fraction of the tolerance to which a zero is located: its error adds up where events follow each other.
inline constexpr double kFine = 0x1p-9;
inline constexpr double kNever = __builtin_inf();

inline int sign_of(double x) {
  return (x > 0.0) - (x < 0.0);
}

inline bool is_nan(double x) {
  return x != x;
}

/// What is known of one witness function within a step.
struct Watched {
  const EventFunction* function = nullptr;
  double end_value = 0.0, end_rate = 0.0;  ///< at the end of the last step searched
  bool touching = false;
  bool fresh = false;           ///< at the start it is zero or has fired: a zero there does not count
  bool starts_above = false;    ///< directly after the start it is known to be above zero
  bool by_differences = false;  ///< its derivative is not known
  bool looked_at = false;
  double level = 0.0;  ///< added to its values: if it must start above zero but is below, its value there becomes zero
  double value[kPieces + 1], rate[kPieces + 1];  ///< at the ends, and on the interpolant between them
  double scale = 0.0;                            ///< of its terms
  double noise = 0.0;                            ///< values within it count as zero for grazing
  int start_sign = 0;                            ///< just after the start
  double zero = kNever;                          ///< [s] after the start
  EventCrossing crossing = EventCrossing::rising;
};

/// What is followed along real steps: a function, its time derivative, or how it changes with the length of the step.
/// The last two differ by the error of the integrator.
enum class Number : unsigned char { value, rate, slope };

/// A zero to be located on real steps.
struct Sought {
  Number of;
  std::size_t i;        ///< of which witness
  int sign;             ///< its sign before the zero
  double low, high;     ///< where it should be, according to the samples
  double lower, upper;  ///< where it may be at all
  double guess;
  double slope;  ///< its slope there
};

}  // namespace event_search

/// The memory of a search, and the search. Every function that returns a bool returns false after a failure, which
/// `result` describes.
struct EventFinderMemory {
  using Watched = event_search::Watched;
  using Sought = event_search::Sought;
  using Number = event_search::Number;

  EventFinderMemory(MotionSystem& mechanism, Stepper& steps, std::size_t max_witnesses)
      : system(mechanism),
        stepper(steps),
        watched(max_witnesses),
        hits(max_witnesses),
        probe(neutral_state(mechanism)),
        last(probe),
        vdot(probe.v.size()),
        auxiliary_derivative(probe.auxiliary.size()) {}

  bool read_ends(std::span<const unsigned char> fired);
  bool end_numbers(const MotionState& state, bool start);
  bool worth_a_look(const Watched& w) const;
  bool crosses_once(const Watched& w) const;
  bool sample();
  bool start_slopes();
  void complete(std::size_t i);
  bool first_zero(std::size_t i);
  bool crossing(std::size_t i, int a, int b, int sign);
  bool turning(std::size_t i, int a, int b, int sign);
  bool locate(const Sought& sought, double& place);
  bool locate_crossing(const Sought& sought, bool from_zero, double shift, double& place);
  bool step_past(const Sought& sought, double shift, double& x, double& number, bool& there);
  bool conclude(MotionState& at);

  // States within the step: real partial steps, and the interpolant.
  bool real(double s);
  bool between(double part);
  bool real_number(Number of, std::size_t i, double s, double& out);

  // Functions at a state: one of the ends, or `probe`.
  MotionInstant numbered(const MotionState& state) const;
  bool value_at(std::size_t i, const MotionState& state, double& out);
  bool rate_at(std::size_t i, const MotionState& state, double& out);
  bool no_derivatives(double t);

  double time(int j) const {
    return j == event_search::kPieces ? h : h * (static_cast<double>(j) / event_search::kPieces);
  }
  /// Whether the derivative of a function and the slope along partial steps differ enough to matter.
  bool rough() const { return facts(stepper.method()).order <= 2; }
  /// Later zeros do not matter.
  double limit() const { return std::min(h, earliest + tolerance); }
  bool counts(std::size_t i, int sign) const {
    const EventDirection direction = witnesses[i].direction;
    return direction == EventDirection::both || (direction == EventDirection::falling) == (sign > 0);
  }

  MotionSystem& system;
  Stepper& stepper;
  Buffer<Watched> watched;
  Buffer<EventHit> hits;
  MotionState probe, last;  ///< a state within the step; the end of the last step searched
  bool last_known = false;
  Buffer<double> vdot, auxiliary_derivative;
  double last_length = 0.0;  ///< [s] of the stepper's last step, where that led from `from` to `probe`; else 0
  bool vdot_known = false;   ///< of the state at hand
  std::uint64_t instants = 0, from_number = 0, to_number = 0, probe_number = 0;  ///< MotionInstant::number

  const MotionState* from = nullptr;
  const MotionState* to = nullptr;
  double h = 0.0, tolerance = 0.0;
  double earliest = event_search::kNever;  ///< zero so far [s after the start]
  std::span<const Witness> witnesses;
  FoundEvent result;
};

}  // namespace pintle
