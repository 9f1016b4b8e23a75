#include "pintle/simulation/run/run_outlook.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>

#include "pintle/base/read_number.h"
#include "pintle/math/elementary.h"
#include "pintle/math/number_text.h"
#include "pintle/simulation/run/simulation.h"

namespace pintle {
namespace {

/// Steps of rk4 that nobody waits for: with more of them another method is looked for.
constexpr double kAffordableSteps = 2e5;

/// A method that needs so many times fewer steps is worth a warning.
constexpr double kWorthIt = 10.0;

/// A growth of what oscillates fastest, over a run, that is worth a warning.
constexpr double kNoticedGrowth = 1.1;

/// [rad] of the motion itself that dormand-prince advances in a step at a tolerance of 1e-9, as measured on orbits and
/// pendulums; with the fifth root of the tolerance.
double accurate_angle(const Tolerances& tolerances) {
  return 0.1 * pow(tolerances.relative / 1e-9, 0.2);
}

/// The rates of the motion itself, without what is only stiff.
double slow_rate(const FirstStep& rates) {
  return std::max({rates.turning, rates.onset, rates.driven});
}

/// Steps of dormand-prince: it resolves the motion, and must stay stable for what is faster.
double steps_by_error_control(const FirstStep& rates, const RunSpec& run) {
  const double accurate = run.duration * slow_rate(rates) / accurate_angle(run.tolerances);
  const double stable = run.duration * rates.frequency / stability_limit(Method::dormand_prince);
  return std::max({accurate, stable, 10.0});
}

/// With three digits: an estimate.
std::string brief(double x) {
  if (!(x > 0.0) || !std::isfinite(x)) return number_text(x);
  char digits[32];
  const char* end = std::to_chars(digits, std::end(digits), x, std::chars_format::general, 3).ptr;
  return number_text(read_number(std::string_view(digits, end)).value);
}

/// "5.1 million", "29000".
std::string count_text(double count) {
  if (count >= 1e6) return number_text(std::round(count / 1e5) / 10.0) + " million";
  const double unit = count >= 1e4 ? 1e3 : count >= 1e3 ? 100.0 : 1.0;
  return number_text(std::round(count / unit) * unit);
}

std::string rate_text(const FirstStep& rates) {
  return brief(rates.frequency) + " 1/s";
}

bool has_fixed_steps(const RunSpec& run) {
  return !facts(run.method).estimates_error || run.fixed_step;
}

}  // namespace

double stability_limit(Method method) {
  switch (method) {
    case Method::semi_implicit_euler:
    case Method::explicit_euler:  // of what decays; see oscillation_growth
      return 2.0;
    case Method::rk4:
    case Method::rk4_quaternion:
      return 2.78;
    case Method::dormand_prince:
      return 3.3;
    case Method::symplectic_midpoint:
    case Method::sdirk:
      break;
  }
  return __builtin_inf();
}

double oscillation_growth(Method method, double rate, double step, double duration) {
  if (method != Method::explicit_euler || !(step > 0.0)) return 1.0;
  return pow(1.0 + rate * rate * step * step, 0.5 * duration / step);
}

RunOutlook run_outlook(const Scene& scene) {
  const RunSpec& run = scene.run();
  Simulation simulation(scene);
  RunOutlook outlook;
  outlook.rates = simulation.estimate_step(Method::rk4);
  outlook.smooth = !simulation.touches();
  const double by_error_control = steps_by_error_control(outlook.rates, run), by_rk4 = run.duration / outlook.rates.h;
  outlook.step = has_fixed_steps(run) ? simulation.step_length() : run.duration / by_error_control;
  outlook.steps = has_fixed_steps(run) ? run.duration / outlook.step : by_error_control;
  const bool affordable = !outlook.smooth || by_rk4 <= kAffordableSteps || by_rk4 <= kWorthIt * by_error_control;
  outlook.fitting = affordable ? Method::rk4 : Method::dormand_prince;
  outlook.fitting_steps = affordable ? by_rk4 : by_error_control;
  return outlook;
}

Diagnostics check_outlook(const Scene& scene, const RunOutlook& outlook) {
  const RunSpec& run = scene.run();
  const FirstStep& rates = outlook.rates;
  Diagnostics problems;
  if (!has_fixed_steps(run) || !outlook.smooth) return problems;
  const std::string fastest = "the fastest rate at the start is " + rate_text(rates);
  const double limit = stability_limit(run.method);
  if (outlook.step * rates.frequency > limit) {
    problems.push_back(make_warning(
        "run-unstable", run.origin,
        "the step of " + brief(outlook.step) + " s is too long for " + std::string(facts(run.method).name) +
            ": what oscillates or decays fastest will grow instead",
        fastest + ", at which this method is stable up to a step of " + brief(limit / rates.frequency) + " s",
        "choose a shorter step, dormand-prince, whose steps follow, or sdirk, which is stable at any step"));
  } else if (const double growth = oscillation_growth(run.method, rates.frequency, outlook.step, run.duration);
             growth > kNoticedGrowth) {
    problems.push_back(make_warning(
        "run-unstable", run.origin,
        "explicit-euler makes every oscillation grow: one of the fastest rate " +
            (growth < 1e6 ? "by a factor of " + brief(growth) : std::string("beyond all bounds")) +
            " in this run, unless damping takes it",
        fastest + ", and a step of " + brief(outlook.step) + " s multiplies it by the root of 1 + (rate step)^2",
        "use this method for comparison only; semi-implicit-euler costs the same and does not drift"));
  } else if (outlook.steps > kAffordableSteps && outlook.steps > kWorthIt * outlook.fitting_steps &&
             outlook.fitting != run.method) {
    const std::string name(facts(outlook.fitting).name);
    problems.push_back(make_warning(
        "run-stiff", run.origin,
        "the run takes about " + count_text(outlook.steps) + " steps of " + std::string(facts(run.method).name) +
            "; " + name + " needs about " + count_text(outlook.fitting_steps),
        fastest + ", far from the motion itself: the scene is stiff",
        "integrator = \"" + name + "\" (--integrator " + name + ")"));
  }
  return problems;
}

Diagnostic fitting_method_note(const Scene& scene, const RunOutlook& outlook) {
  const RunSpec& run = scene.run();
  const std::string name(facts(outlook.fitting).name);
  return make_note(
      "run-integrator", run.origin,
      "the scene names no integrator; " + name + " is used, with about " + count_text(outlook.fitting_steps) +
          " steps",
      "it is stiff: its fastest rate at the start is " + rate_text(outlook.rates) + ", for which " +
          std::string(facts(run.method).name) + " would need about " + count_text(run.duration / outlook.rates.h) +
          " steps",
      "name an integrator to choose another one");
}

}  // namespace pintle
