#include "pintle/simulation/integrators/step_control.h"

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/math/elementary_impl.h"

namespace pintle {
namespace {

constexpr double kMemory = 0.2;         // fraction of the exponent for the previous error
constexpr double kMinError = 1e-4;      // of a previous step: better ones are luck
constexpr double kMinShrink = 0.9;      // a rejected step becomes at least this much shorter
constexpr double kUnitsOfTime = 4.0;    // in the last place of t, of the shortest step
constexpr double kNegligible = 1e-100;  // a negligible error: the lower bound that keeps its powers finite

}  // namespace

double StepControl::min_step(double t) const {
  const double size = std::abs(t);
  return max(settings.smallest, kUnitsOfTime * (std::nextafter(size, __builtin_inf()) - size));
}

StepVerdict StepControl::judge(const StepReport& report, double h_tried, double t) {
  cause = report.outcome;
  if (order == 0) {
    if (report.ok()) ++accepted;
    return report.ok() ? StepVerdict::accepted : StepVerdict::failed;
  }
  const double tried = std::abs(h_tried), planned = std::abs(h), shortest = min_step(t);
  const double exponent = 1.0 / order, memory = kMemory * exponent;
  if (report.ok() && report.error <= 1.0) {
    ++accepted;
    const double error = max(report.error, kNegligible);
    const double factor = settings.safety * pow(error, 0.75 * memory - exponent) * pow(previous_error, memory);
    // A step that was shortened gives the length that its error would allow, but no more than was planned anyway.
    const double max_step = tried < planned ? planned : (after_rejection ? 1.0 : settings.growth) * tried;
    const double wanted = min(max(factor, settings.shrink) * tried, max_step);
    h = std::copysign(min(max(wanted, shortest), settings.largest), h_tried);
    previous_error = max(report.error, kMinError);
    after_rejection = false;
    return StepVerdict::accepted;
  }
  ++rejected;
  after_rejection = true;
  if (tried <= shortest) return StepVerdict::too_short;
  double factor = settings.shrink;
  if (report.ok() && std::isfinite(report.error)) {
    factor = min(max(settings.safety * pow(report.error, -exponent), settings.shrink), kMinShrink);
  }
  h = std::copysign(max(factor * tried, shortest), h_tried);
  return StepVerdict::rejected;
}

StepControl step_control(Method method, double h, const StepControlSettings& settings) {
  require(std::isfinite(h) && h != 0.0, "step_control", "h", "a step must be finite and not zero");
  require(settings.smallest >= 0.0 && settings.smallest <= settings.largest && settings.largest > 0.0, "step_control",
          "settings", "expected 0 <= smallest <= largest");
  require(settings.safety > 0.0 && settings.safety < 1.0, "step_control", "settings.safety", "expected 0 < safety < 1");
  require(settings.shrink > 0.0 && settings.shrink < 1.0, "step_control", "settings.shrink", "expected 0 < shrink < 1");
  require(settings.growth >= 1.0, "step_control", "settings.growth", "expected growth >= 1");
  StepControl control;
  control.settings = settings;
  control.order = facts(method).estimates_error ? facts(method).order : 0;
  control.h = h;
  if (control.order > 0) control.h = std::copysign(min(std::abs(h), settings.largest), h);
  return control;
}

}  // namespace pintle
