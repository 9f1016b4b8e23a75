// Whether a drive is smooth enough to prescribe a motion.
#pragma once

#include "pintle/base/result.h"
#include "pintle/simulation/elements/drive.h"

namespace pintle {

/// Refuses a drive that on [t0, t1] (in seconds) leaves its table, is not finite (its second derivative included), or
/// is not continuously differentiable: one error for each instant, in the order of time and at most ten, with the time
/// found to rounding and the values left and right of it. A switch that changes neither value nor derivative, such as
/// that of step(t - 1) * (t - 1)^2 or of max(t, 0)^2, passes.
///
/// For a table that is held at its ends, the derivatives there are checked. For an expression, everything that may
/// switch is examined (the arguments of step, abs, min, max and clamp, denominators, arguments that must not be
/// negative): at 10007 times, between them by bisection where a sign changes, and down to the minimum where its
/// absolute value has one. What can be missed is therefore two switches between neighbouring times with no minimum seen
/// between them, that is, arguments with more than one extremum within (t1 - t0) / 10007; and a jump in value or
/// derivative below 1e-9 of the largest value that occurs in the formula there, which counts as rounding.
///
/// Throws UsageError unless t0 <= t1 and both are finite.
Result<void> check_smooth(const Drive& drive, double t0, double t1);

}  // namespace pintle
