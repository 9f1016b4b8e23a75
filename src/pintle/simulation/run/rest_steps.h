// RestSteps: many fixed steps at once while everything is at rest.
//
// Where held contacts and joints leave no dof, J v = 0 has no solution but v = 0. If nothing that acts depends on time,
// the forces are constant, and so is the state, but for the impulses of constant forces.
#pragma once

#include <cstdint>
#include <vector>

#include "pintle/simulation/hybrid/mode_witnesses.h"
#include "pintle/simulation/run/scene_motion.h"
#include "pintle/simulation/run/step_clock.h"

namespace pintle {

class RestSteps {
 public:
  RestSteps(SceneMotion& motion, const ModeWitnesses& witnesses, StepClock& clock);

  /// Makes up to `max_steps` steps up to `end` [s]. Returns the number of steps; the grid of the clock counts them.
  /// `asleep`: everything sleeps (TimeStepping), so that nothing need be looked at but what could change with time.
  std::int64_t advance(double end, std::int64_t max_steps, bool asleep);
  /// To be called before anything but rest.
  void forget() { known_ = false; }

 private:
  bool is_undisturbed() const;
  bool may_rest() const;
  bool rests(bool asleep);

  SceneMotion& motion_;
  const ModeWitnesses& witnesses_;
  StepClock& clock_;
  std::vector<double> vdot_, auxiliary_derivative_;
  std::vector<double> q_, v_;  // where it was found to rest
  bool known_ = false;
};

}  // namespace pintle
