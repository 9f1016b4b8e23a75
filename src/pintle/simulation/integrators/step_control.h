// StepControl: whether a step is accepted, and the length of the next one.
#pragma once

#include "pintle/simulation/integrators/stepper.h"

namespace pintle {

struct StepControlSettings {
  double smallest = 1e-14;  ///< [s] shorter steps are not tried, nor steps below a few units in the last place of t
  double largest = __builtin_inf();  ///< [s] no step is longer
  double safety = 0.9;               ///< of the length at which the error would just meet the tolerance
  double shrink = 0.2;               ///< minimum ratio of a step to the one before
  double growth = 5.0;               ///< maximum ratio
};

enum class StepVerdict : unsigned char {
  accepted,
  rejected,   ///< try again from the same state with `h`
  too_short,  ///< rejected, and a shorter step would be below the smallest: a singularity; `cause` is the outcome
  failed,     ///< a method of fixed step had no end state; `cause` says why
};

/// Accepts or rejects steps of methods with an error estimate, by a proportional-integral rule; for methods of fixed
/// step it returns the same length. Plain data: saving and restoring its members saves and restores it.  [eq.
/// step-control]
struct StepControl {
  StepControlSettings settings{};
  int order = 0;                          ///< of the method; 0 if it has no error estimate
  double h = 0.0;                         ///< [s] to try next; negative backwards in time
  double previous_error = 1e-4;           ///< of the last accepted step
  bool after_rejection = false;           ///< no growth right after a rejection
  StepOutcome cause = StepOutcome::done;  ///< of the step judged last
  long accepted = 0;
  long rejected = 0;

  /// Judges the step of length h_tried from the time t, which may be shorter than `h` (the end of a run, an event), and
  /// sets `h`. Steps without an end state (no derivatives, not finite, not converged) are tried again shorter, too.
  StepVerdict judge(const StepReport& report, double h_tried, double t);

  /// The shortest step [s] from the time t: the larger of the smallest and 4 units in the last place of t.
  double min_step(double t) const;
};

/// The control for a method, starting with the length h [s]. UsageError for settings out of range: 0 <= smallest <=
/// largest, 0 < safety < 1, 0 < shrink < 1 <= growth, h finite and not zero.
StepControl step_control(Method method, double h, const StepControlSettings& settings = {});

}  // namespace pintle
