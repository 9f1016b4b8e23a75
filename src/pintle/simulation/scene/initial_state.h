// The initial state of a scene.
#pragma once

#include <span>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/model/compiled/model.h"
#include "pintle/simulation/elements/prescribed_motion.h"
#include "pintle/simulation/scene/scene_spec.h"

namespace pintle {

/// Configuration and velocity of the independent joints.
struct InitialState {
  std::vector<double> q, v;
};

/// The state at time t0 [s]. Refused, each with its cause: joints that do not exist, are fixed, or follow another one;
/// wrong counts; velocities in world axes of anything but a free joint to the world; values that are not finite;
/// quaternions that are not of unit length; positions outside the limits; and values that a prescribed motion sets
/// already (in a joint with several dofs the prescribed motion overrides the value beside it). `joints` of the model's
/// spec, if they are known, tell where joints without an initial state are. Where `unplaced` joints start is unknown
/// for other reasons, so their limits are not checked.
Result<InitialState> initial_state(const Model& model, std::span<const InitialSpec> specs,
                                   std::span<const PrescribedMotion> prescribed, double t0,
                                   std::span<const JointSpec> joints = {}, std::span<const std::string> unplaced = {});

}  // namespace pintle
