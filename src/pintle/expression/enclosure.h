// Enclosures: bounds of a formula of one variable and of its derivatives over a range, and where it switches.
#pragma once

#include "pintle/expression/expression.h"
#include "pintle/expression/interval.h"

namespace pintle {

/// A formula over a range of one variable: all its values, first and second derivatives, up to rounding. Where the
/// formula switches (step, sign, abs, min, max, clamp), the derivatives are those of both sides: the jump itself has none.
struct Enclosure {
  Interval value, rate, second;
};

/// The enclosure of a formula over a range of its variable number `variable`; its other variables are zero. The
/// narrower the range, the tighter: over a short one the excess is proportional to its width. Allocates nothing.
/// [eq. enclosure]
Enclosure enclosure_over(const Expression& expression, int variable, const Interval& range);

/// Two neighbouring doubles between which a formula switches; infinite: it does not.
struct SwitchPlace {
  double before = __builtin_inf(), after = __builtin_inf();
};

/// The first place in (from, to] at which the formula, as a function of one variable, may jump or have a kink: where an
/// argument of step, sign, abs or cbrt, a difference of the arguments of min, max or clamp, or a denominator changes its sign.
/// Ranges over which an argument certainly keeps its sign are skipped, the others halved, so that no change is missed
/// but between two that are less than (to - from)/2^48 apart. Arguments that contain another variable do not count.
/// Allocates nothing.  [eq. enclosure]
SwitchPlace next_switch(const Expression& expression, int variable, double from, double to);

}  // namespace pintle
