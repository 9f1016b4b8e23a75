// BallisticPath: many fixed steps at once while all bodies fly and nothing can touch.
#pragma once

#include <cstdint>

#include "pintle/simulation/hybrid/mode_witnesses.h"
#include "pintle/simulation/run/scene_motion.h"
#include "pintle/simulation/run/step_clock.h"

namespace pintle {

/// Makes the same steps as HybridStepper, to the bit, but does not search for events that cannot happen: up to a
/// time-of-impact lower bound.
class BallisticPath {
 public:
  BallisticPath(SceneMotion& motion, const ModeWitnesses& witnesses, StepClock& clock);

  /// Makes up to `max_steps` steps that end before `end` [s], except the last one before it: other steppers make that
  /// one, because they know how to end there. Returns the number of steps; the grid of the clock counts them.
  std::int64_t advance(double end, std::int64_t max_steps);

  /// To be called after anything but flight.
  void forget() { clear_until_ = touch_at_ = -__builtin_inf(); }

 private:
  std::int64_t fly(std::int64_t count);

  SceneMotion& motion_;
  const ModeWitnesses& witnesses_;
  StepClock& clock_;
  MotionState next_;
  double clear_until_ = -__builtin_inf();  // [s] nothing touches before
  double touch_at_ = -__builtin_inf();     // [s] an impact is likely then
};

}  // namespace pintle
