// BallisticPath: many fixed steps in one go while all bodies fly and nothing can touch.
#pragma once

#include <cstdint>

#include "pintle/simulation/hybrid/mode_witnesses.h"
#include "pintle/simulation/run/scene_motion.h"
#include "pintle/simulation/run/step_clock.h"

namespace pintle {

/// The same steps to the bit as HybridStepper makes, without looking for what cannot happen: up to a lower bound of the
/// time of impact.
class BallisticPath {
 public:
  BallisticPath(SceneMotion& motion, const ModeWitnesses& watches, StepClock& clock);

  /// Makes up to `most` steps that end before `end` [s], but for the last one before it, which others make: they know
  /// how to end there. Gives their number, of which the grid of the clock knows.
  std::int64_t advance(double end, std::int64_t most);

  /// To be called when anything has happened but flight.
  void forget() { clear_until_ = touch_at_ = -__builtin_inf(); }

 private:
  std::int64_t fly(std::int64_t count);

  SceneMotion& motion_;
  const ModeWitnesses& watches_;
  StepClock& clock_;
  MotionState next_;
  double clear_until_ = -__builtin_inf();  // [s] nothing touches before
  double touch_at_ = -__builtin_inf();     // [s] then something is likely to touch
};

}  // namespace pintle
