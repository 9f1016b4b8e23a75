// SlipSteps: steps while contacts slide: how far a fixed step may go, and which slips are over.
//
// The direction of a slow slip settles in a time that gets shorter with its speed. An explicit method must follow it;
// where not even the shortest step could, the slip is over.
#pragma once

#include <vector>

#include "pintle/simulation/run/scene_motion.h"
#include "pintle/simulation/run/step_clock.h"

namespace pintle {

class SlipSteps {
 public:
  SlipSteps(SceneMotion& motion, const StepClock& clock);

  /// What slips do at the present state, before a step.
  enum class Outlook : unsigned char {
    go_on,
    some_end,  ///< some get slower, and their direction settles faster than the shortest step could follow
    unlawful,  ///< no forces were found that obey the laws of friction
  };
  /// `ending` has a mark per active contact for those that end.
  Outlook look(std::vector<FrictionMarks>& ending);

  /// How far the fixed step after that may go [s]. A contact must not migrate too far over surfaces that bend, either.
  double longest_step() const;

  /// Of the slips marked, whose speeds along what was their direction are zero, only those are at rest that have
  /// nothing left across it; the others turn. False: none.
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
