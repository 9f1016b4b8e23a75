// RunOutlook: what a run will cost and whether its step is stable, estimated at its start.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/simulation/integrators/first_step.h"
#include "pintle/simulation/scene/scene.h"

namespace pintle {

/// The largest product of a rate [1/s] and a step [s] at which a method stays stable: explicit methods amplify what
/// decays or oscillates faster. Infinite for implicit ones.  [eq. stable-step]
double stability_limit(Method method);

/// The factor by which an undamped oscillation of a rate [1/s] grows over a run, however short its steps: above 1 for
/// explicit Euler alone.  [eq. explicit-euler]
double oscillation_growth(Method method, double rate, double step, double duration);

struct RunOutlook {
  FirstStep rates{};  ///< at the start
  /// Whether nothing touches there. Contact forces that jump when bodies are displaced look like enormous rates:
  /// nothing is concluded from those.
  bool smooth = true;
  double step = 0.0;  ///< [s] of the run, if its steps are fixed; else the longest stable one
  double steps = 0.0;  ///< about so many
  /// The method that gets by with the fewest evaluations at its estimated steps, and its steps: rk4 while those are
  /// affordable, otherwise dormand-prince, which needs no more than stability and accuracy ask for.
  Method fitting = Method::rk4;
  double fitting_steps = 0.0;
};

/// Sets a scene to its start and estimates from the rates there; they may change on the way. About 20 evaluations.
RunOutlook run_outlook(const Scene& scene);

/// Warnings of a run: `run-stiff` if its fixed steps are far more than another integrator needs, `run-unstable` if an
/// explicit method is unstable at its step, or makes oscillations grow noticeably.
Diagnostics check_outlook(const Scene& scene, const RunOutlook& outlook);

/// A note (`run-integrator`) that the fitting method replaces that of a scene, and why.
Diagnostic fitting_method_note(const Scene& scene, const RunOutlook& outlook);

}  // namespace pintle
