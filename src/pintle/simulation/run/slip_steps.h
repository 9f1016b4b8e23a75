// SlipSteps: steps while contacts slide: how long a fixed step may be, and which slips have ended.
//
// The direction of a slow slip settles in a time that gets shorter with its speed. An explicit method must follow it;
// where not even the shortest step can, the slip has ended.
#pragma once

#include <vector>

#include "pintle/simulation/run/scene_motion.h"
#include "pintle/simulation/run/step_clock.h"

namespace pintle {

class SlipSteps {
 public:
  SlipSteps(SceneMotion& motion, const StepClock& clock);

  /// The slips at the present state, before a step.
  enum class Outlook : unsigned char {
    go_on,
    some_end,  ///< some slow down, and their direction settles faster than the shortest step can follow
    unlawful,  ///< no forces were found that obey the laws of friction
  };
  /// `ending` marks, per active contact, the slips that end.
  Outlook look(std::vector<FrictionMarks>& ending);

  /// The maximum length [s] of the fixed step that follows. It also limits contact migration over curved surfaces.
  double longest_step() const;

  /// Of the slips marked, whose speeds along their previous direction are zero, only those stick that have no speed
  /// left across it; the others change direction. False: none sticks.
  bool keep_stiction(std::vector<FrictionMarks>& rests);

 private:
  bool find_derivatives();
  double shortest_slip() const;

  SceneMotion& motion_;
  const StepClock& clock_;
  double slip_time_ = __builtin_inf();               // [s] in which the direction of the slowest slip settles
  std::vector<double> vdot_, auxiliary_derivative_;  // not used
};

}  // namespace pintle
