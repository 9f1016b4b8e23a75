// EventFinder: the first instant within a step at which a watched number is zero. docs/events.md tells how.
#pragma once

#include <span>

#include "pintle/simulation/integrators/stepper.h"
#include "pintle/simulation/system/event_function.h"

namespace pintle {

/// How a function goes through its zero. At a touching zero it turns round: it has an extremum there.
enum class EventCrossing : unsigned char { rising, falling, touching };

/// One watch that has its zero at the instant found.
struct EventHit {
  int watch = -1;  ///< its number among the watches
  EventCrossing crossing = EventCrossing::rising;
};

enum class EventOutcome : unsigned char {
  none,          ///< no zero that counts
  found,         ///< at least one
  not_a_number,  ///< a function gave NaN: `watch` and `t` say which and when
  step_failed,   ///< a partial step failed (`step` says why), or the system had no rates within the step
};

/// What a search found.
struct [[nodiscard]] FoundEvent {
  EventOutcome outcome = EventOutcome::none;
  double t = 0.0;                    ///< [s] of the event, or of the failure
  double h = 0.0;                    ///< [s] the length of the partial step that leads to it
  std::span<const EventHit> hits{};  ///< all that have their zero at this instant; valid until the next search
  int partial_steps = 0;             ///< how many were made
  int watch = -1;                    ///< that gave NaN
  StepReport step{};                 ///< of the last partial step

  bool found() const { return outcome == EventOutcome::found; }
  /// Whether the search was completed.
  bool ok() const { return outcome == EventOutcome::none || outcome == EventOutcome::found; }
};

/// The mark of a watch whose function is above zero directly after the start, whatever rounding says
/// (EventFinder::search).
inline constexpr unsigned char kStartsAbove = 2;

struct EventFinderMemory;

/// Searches the steps of one stepper for events. Made once for at most `max_witnesses`; no search allocates.
class EventFinder {
 public:
  EventFinder(MotionSystem& system, Stepper& stepper, int max_witnesses);
  EventFinder(const EventFinder&) = delete;
  EventFinder& operator=(const EventFinder&) = delete;
  ~EventFinder();

  /// The first zero that counts in (from.t, to.t], directly after `stepper.step(from, h, to)` with h > 0. `at` becomes
  /// the state there: that of a real partial step of length FoundEvent::h, at which every function in
  /// FoundEvent::hits has reached or passed its zero, by at most event_time_tolerance. Without an event `at` is left
  /// undefined. Afterwards the last step of the stepper, which `interpolate` is about, is from `from` to `at`, or to
  /// `to` where nothing was found.
  ///
  /// `fired_at_start` (one entry per watch, or none at all): not zero where the watch had its zero at from.t and it has
  /// been dealt with. That zero is not found again, whatever rounding has left of it; nor is one of a function that is
  /// exactly zero at from.t. Where it is kStartsAbove, the function is known to be above zero directly afterwards: the
  /// next zero is found, be the hop as short as it may. Sizes must fit, `at` must be another state than both ends, and
  /// every watch needs its function, else UsageError.  [eq. bracketed-zero]
  FoundEvent search(const MotionState& from, double h, const MotionState& to, std::span<const Witness> watches,
                    std::span<const unsigned char> fired_at_start, MotionState& at);

  /// Room for so many watches: allocates at a new maximum only, and then forgets.
  void make_room(int max_witnesses);

  /// Forgets the values at the end of the last step, which otherwise serve as those at the start of the next: to be
  /// called when a function itself has been changed.
  void forget();

 private:
  EventFinderMemory* memory_;
};

/// How exactly events are located [s], and how near events are simultaneous: 1e-12 s, or 4 ulp of the time.
double event_time_tolerance(double t);

}  // namespace pintle
