// EventFinder: the first zero of a witness function within a step. docs/events.md explains how.
#pragma once

#include <span>

#include "pintle/simulation/integrators/stepper.h"
#include "pintle/simulation/system/event_function.h"

namespace pintle {

/// The direction of a crossing. At a grazing zero the function has an extremum.
enum class EventCrossing : unsigned char { rising, falling, touching };

/// One witness function that has its zero at the instant found.
struct EventHit {
  int witness = -1;  ///< its index among the witnesses
  EventCrossing crossing = EventCrossing::rising;
};

enum class EventOutcome : unsigned char {
  none,          ///< no zero that counts
  found,         ///< at least one
  not_a_number,  ///< a function gave NaN: `witness` and `t` say which and when
  step_failed,   ///< a partial step failed (`step` says why), or the system had no derivatives within the step
};

/// The result of a search.
struct [[nodiscard]] FoundEvent {
  EventOutcome outcome = EventOutcome::none;
  double t = 0.0;                    ///< [s] of the event, or of the failure
  double h = 0.0;                    ///< [s] the length of the partial step that leads to it
  std::span<const EventHit> hits{};  ///< all that have their zero at this instant; valid until the next search
  int partial_steps = 0;             ///< how many were made
  int witness = -1;                  ///< that gave NaN
  StepReport step{};                 ///< of the last partial step

  bool found() const { return outcome == EventOutcome::found; }
  /// Whether the search was completed.
  bool ok() const { return outcome == EventOutcome::none || outcome == EventOutcome::found; }
};

/// The mark of a witness whose function is above zero directly after the start, whatever rounding says
/// (EventFinder::search).
inline constexpr unsigned char kStartsAbove = 2;

struct EventFinderMemory;

/// Searches the steps of one stepper for events. Constructed once for at most `max_witnesses`; no search allocates.
class EventFinder {
 public:
  EventFinder(MotionSystem& system, Stepper& stepper, int max_witnesses);
  EventFinder(const EventFinder&) = delete;
  EventFinder& operator=(const EventFinder&) = delete;
  ~EventFinder();

  /// The first zero that counts in (from.t, to.t], directly after `stepper.step(from, h, to)` with h > 0. `at` becomes
  /// the state there: that of a real partial step of length FoundEvent::h, at which every function in FoundEvent::hits
  /// has reached or passed its zero, by at most event_time_tolerance. Without an event `at` is left undefined.
  /// Afterwards the last step of the stepper, which `interpolate` uses, is from `from` to `at`, or to `to` where
  /// nothing was found.
  ///
  /// `fired_at_start` (one entry per witness, or empty): not zero where the witness had its zero at from.t and it has
  /// been handled. That zero is not found again, whatever rounding has left of it; nor is one of a function that is
  /// exactly zero at from.t. Where it is kStartsAbove, the function is known to be above zero directly afterwards: the
  /// next zero is found, however short the rebound is. Sizes must fit, `at` must be another state than both ends, and
  /// every witness needs its function, else UsageError.  [eq. bracketed-zero]
  FoundEvent search(const MotionState& from, double h, const MotionState& to, std::span<const Witness> witnesses,
                    std::span<const unsigned char> fired_at_start, MotionState& at);

  /// Reserves memory for so many witnesses: allocates only at a new maximum, and then forgets.
  void make_room(int max_witnesses);

  /// Discards the values at the end of the last step, which otherwise serve as those at the start of the next: to be
  /// called after a function itself has changed.
  void forget();

 private:
  EventFinderMemory* memory_;
};

/// How exactly events are located [s], and how close simultaneous events are: 1e-12 s, or 4 ulp of the time.
double event_time_tolerance(double t);

}  // namespace pintle
