// SlipSteps: steps while contacts slide: how long a fixed step may be, and which slips have ended.
//
// The direction of a slow slip settles in a time that gets shorter with its speed. Where an explicit method cannot
// follow it, the slip has the settled direction for a whole step; one that ends is followed by shorter steps until it
// has ended up to the tolerance of events.
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
    some_end,  ///< some slow down, and end within the time tolerance of events
    unlawful,  ///< no forces were found that obey the laws of friction
  };
  /// `ending` marks, per active contact, the slips that end. The step that follows has at most a length h [s].
  Outlook look(double h, std::vector<FrictionMarks>& ending);
  /// After the step: slips have the direction of their velocity again.
  void release_directions();

  /// The maximum length [s] of the step that follows. In fixed ones it also limits contact migration over curved
  /// surfaces.
  double longest_step() const;

  /// Of the slips marked, whose speeds along their previous direction are zero, only those stick that have no speed
  /// left across it; the others change direction. False: none sticks.
  bool keep_stiction(std::vector<FrictionMarks>& rests);

  /// Whether a slip keeps its direction in the present step.
  bool any_held() const;

 private:
  bool find_derivatives();
  bool find_derivatives_after(double h);
  void hold_directions(double h);
  double shortest_slip() const;

  SceneMotion& motion_;
  const StepClock& clock_;
  double longest_ = __builtin_inf();                 // [s] the step that follows slow slips
  MotionState after_;                                // at the end of the step, about
  std::vector<double> vdot_, later_vdot_, auxiliary_derivative_;
};

}  // namespace pintle
