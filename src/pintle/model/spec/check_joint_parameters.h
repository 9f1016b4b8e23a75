// The checks of one joint of a spec on its own: its axes, its pitch, and what acts on its dofs.
#pragma once

#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// Appends every problem of a joint's parameters, except those of its placement on the two bodies.
void check_joint_parameters(const JointSpec& joint, Diagnostics& problems);

}  // namespace pintle
