// The checks of a ModelSpec that need no compiled model: names, the tree, and every number.
#pragma once

#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// Every problem of a spec: names that are missing, double or unknown (with the nearest known one), bodies
/// without a joint or with two, cycles, numbers that are not finite, axes of no length, inertias no body can have,
/// limits the wrong way round or of what is no position, properties of dofs a joint does not have, couplings that
/// make no sense. Errors, but for one warning: a body that could not be alone, as part of something welded that can be
/// (inertia-alone; an error where some masses are in doubt, for then it is not known what it is part of).
Diagnostics check_spec(const ModelSpec& spec, bool masses_unknown = false);

}  // namespace pintle
