// Where a scene starts.
#pragma once

#include <span>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/model/model.h"
#include "pintle/simulation/prescribed_motion.h"
#include "pintle/simulation/scene_spec.h"

namespace pintle {

/// Configuration and velocity of the independent joints.
struct InitialState {
  std::vector<double> q, v;
};

/// The state at time t0 [s]. Refused are, each with its cause: joints that do not exist, are fixed, or follow another
/// one; wrong counts; numbers that are not finite; quaternions that are not of unit length; positions outside the
/// limits; and what a prescribed motion gives already.
Result<InitialState> initial_state(const Model& model, std::span<const InitialSpec> specs,
                                   std::span<const PrescribedMotion> prescribed, double t0);

}  // namespace pintle
