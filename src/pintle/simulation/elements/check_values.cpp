#include "pintle/simulation/elements/check_values.h"

#include <cmath>
#include <vector>

#include "pintle/math/number_text.h"

namespace pintle {
namespace {

constexpr int kTimesLookedAt = 10007;  // a prime, so that no round frequency hides between the sampling times
constexpr int kTimeVariable = 0;           // among the variables of drives and commands

/// The first sampled time at which a formula of time alone is not finite; NaN if there is none.
double time_without_value(const Expression& formula, double t0, double t1) {
  std::vector<double> values(formula.variables().size());  // a formula of time uses none but the first
  for (int i = 0; i <= kTimesLookedAt; ++i) {
    values[kTimeVariable] = t0 + (t1 - t0) * i / kTimesLookedAt;
    if (!std::isfinite(evaluate(formula, values))) return values[kTimeVariable];
  }
  return __builtin_nan("");
}

Diagnostics check_formula(const Expression& formula, double t0, double t1) {
  const double t = time_without_value(formula, t0, t1);
  if (std::isnan(t)) return {};
  return {make_error("drive-not-finite", formula.origin_of(0),
                     "the formula has no finite value at t = " + number_text(t) + " s",
                     "a division by zero, an overflow, or an argument outside the domain of a function",
                     "keep the argument within the domain, for example with clamp")};
}

}  // namespace

Diagnostics check_values(const Drive& drive, double t0, double t1) {
  if (drive.kind() == Drive::Kind::expression) return check_formula(drive.expression(), t0, t1);
  if (drive.covers(t0) && drive.covers(t1)) return {};
  return {make_error("drive-outside-table", drive.origin(),
                     "the table goes from t = " + number_text(drive.first_time()) + " s to " +
                         number_text(drive.last_time()) + " s, the run from " + number_text(t0) + " s to " +
                         number_text(t1) + " s",
                     "there is no value outside the table",
                     "add rows, shorten the run, or hold the end values (outside = \"hold\")")};
}

Diagnostics check_values(const Command& command, double t0, double t1) {
  if (!command.by_expression()) return check_values(command.drive(), t0, t1);
  for (int variable = kTimeVariable + 1; variable < static_cast<int>(command.expression().variables().size());
       ++variable)
    if (command.expression().uses(variable)) return {};
  return check_formula(command.expression(), t0, t1);
}

}  // namespace pintle
