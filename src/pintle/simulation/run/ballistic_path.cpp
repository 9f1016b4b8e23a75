#include "pintle/simulation/run/ballistic_path.h"

#include <utility>

namespace pintle {
namespace {

/// The accuracy, as a factor, of a time that is likely to be clear.
constexpr double kNearly = 1.25;

/// Maximum number of steps that are cleared at a time.
constexpr double kLongestClear = 0x1p20;
/// The same if there are so many bodies that only near pairs are examined: pairs that are near within a longer time
/// cost more.
constexpr double kLongestOfMany = 32.0;

}  // namespace

BallisticPath::BallisticPath(SceneMotion& motion, const ModeWitnesses& witnesses, StepClock& clock)
    : motion_(motion), witnesses_(witnesses), clock_(clock), next_(motion.state) {}

/// `next_` becomes the state after as many of the steps as can be made.
std::int64_t BallisticPath::fly(std::int64_t count) {
  next_ = motion_.state;
  return motion_.system.fly({motion_.run().t0, clock_.h(), clock_.grid(), count}, next_);
}

std::int64_t BallisticPath::advance(double end, std::int64_t max_steps) {
  SceneSystem& system = motion_.system;
  MotionState& state = motion_.state;
  if (motion_.run().method != Method::rk4 || motion_.momentum || !system.flies() || !witnesses_.only_touches())
    return 0;
  const double h = clock_.h();
  max_steps = clock_.steps_until(end - h + 2.0 * kSameTime * h, max_steps);
  if (max_steps == 0 || (touch_at_ > state.t && touch_at_ <= state.t + h)) return 0;
  std::int64_t certain = clock_.steps_until(clear_until_, max_steps), likely = 0;
  if (certain == 0) {
    const FreeFlight::ClearTime clear = system.time_of_impact_bound(state, kLongestClear * h, kLongestOfMany * h);
    clear_until_ = state.t + clear.certain;
    touch_at_ = state.t + clear.touch;
    certain = clock_.steps_until(clear_until_, max_steps);
    likely = clock_.steps_until(state.t + clear.likely, max_steps);
    if (likely == 0 && clock_.steps_until(state.t + kNearly * clear.likely, max_steps) > 0) likely = 1;
  }
  // If it is not certain beforehand, it may be afterwards: of many steps, or of one.
  std::int64_t made = 0;
  for (std::int64_t count = likely; made == 0 && count > certain; count /= 8) {
    made = fly(count);
    if (made > 0 && !system.clear_step(next_.t - state.t, next_)) made = 0;
  }
  if (made == 0 && certain > 0) made = fly(certain);
  if (made == 0 || !all_finite(next_)) return 0;
  std::swap(state, next_);
  clock_.pass_grid(made);
  return made;
}

}  // namespace pintle
