// The checks of a ModelSpec that need no compiled model: names, the tree, and every value.
#pragma once

#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// Returns every problem of a spec: names that are missing, duplicate or unknown (with the nearest known one), bodies
/// without a joint or with two, cycles, values that are not finite, axes of length zero, inertias that no body can
/// have, limits in the wrong order or on dofs that are not positions, properties of dofs that a joint does not have,
/// invalid couplings. All are errors except one warning: an inertia that is impossible for the body alone but possible
/// for the welded bodies it is part of (inertia-alone; an error when some masses are unknown, because then the welded
/// inertia is unknown too).
Diagnostics check_spec(const ModelSpec& spec, bool masses_unknown = false);

}  // namespace pintle
