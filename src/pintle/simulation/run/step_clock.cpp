#include "pintle/simulation/run/step_clock.h"

#include "pintle/simulation/integrators/first_step.h"

namespace pintle {

StepClock::StepClock(const RunSpec& run) : run_(run), adaptive_(facts(run.method).estimates_error && !run.fixed_step) {}

void StepClock::reset() {
  memory_.steps = memory_.rejected = memory_.grid = 0;
}

void StepClock::start(MotionSystem& system, const MotionState& state) {
  memory_.h = run_.step > 0.0 ? run_.step : first_step(system, state, run_.method, run_.tolerances).h;
  memory_.control = step_control(run_.method, min(memory_.h, run_.largest_step),
                                 {.smallest = run_.smallest_step, .largest = run_.largest_step});
}

StepClock::Target StepClock::next_target(double end) const {
  const double h = memory_.h;
  const double next = run_.t0 + static_cast<double>(memory_.grid + 1) * h;
  const bool on_grid = next <= end + kSameTime * h;
  return {on_grid && next < end - kSameTime * h ? next : end, on_grid};
}

std::int64_t StepClock::steps_until(double time, std::int64_t max_steps) const {
  const double count = (time - run_.t0) / memory_.h - static_cast<double>(memory_.grid) - kSameTime;
  return count >= static_cast<double>(max_steps) ? max_steps : static_cast<std::int64_t>(max(count, 0.0));
}

double StepClock::length_towards(double t, double goal, double longest) const {
  const double rest = goal - t, h = min(memory_.control.h, longest);
  if (!adaptive_) return min(rest, longest);
  return rest <= h ? rest : rest < 2.0 * h ? 0.5 * rest : h;  // avoids a tiny last step
}

StepVerdict StepClock::judge(const StepReport& report, double length, double t) {
  if (!adaptive_) return report.ok() ? StepVerdict::accepted : StepVerdict::failed;
  const StepVerdict verdict = memory_.control.judge(report, length, t);
  if (verdict == StepVerdict::rejected) ++memory_.rejected;
  return verdict;
}

}  // namespace pintle
