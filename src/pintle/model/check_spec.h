// The checks of a ModelSpec that need no compiled model: names, the tree, and every number.
#pragma once

#include "pintle/model/model_spec.h"

namespace pintle {

/// Every problem of a spec, errors only: names that are missing, double or unknown (with the nearest known one), bodies
/// without a joint or with two, cycles, numbers that are not finite, axes of no length, inertias no body can have,
/// limits the wrong way round or of what is no position, properties of freedoms a joint does not have, couplings that
/// make no sense.
Diagnostics check_spec(const ModelSpec& spec);

}  // namespace pintle
