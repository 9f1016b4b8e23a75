// Where a scene starts.
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

/// The state at time t0 [s]. Refused are, each with its cause: joints that do not exist, are fixed, or follow another
/// one; wrong counts; numbers that are not finite; quaternions that are not of unit length; positions outside the
/// limits; and what a prescribed motion gives already (of a joint with several dofs the motion counts, whatever is
/// given beside it). `joints` of the model's spec, if they are known, tell where joints without an initial state stand.
/// Where `unplaced` joints start is not known for other reasons, so their limits say nothing.
Result<InitialState> initial_state(const Model& model, std::span<const InitialSpec> specs,
                                   std::span<const PrescribedMotion> prescribed, double t0,
                                   std::span<const JointSpec> joints = {}, std::span<const std::string> unplaced = {});

}  // namespace pintle
