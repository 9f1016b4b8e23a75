// What bodies weigh together that fixed joints hold together.
#pragma once

#include <vector>

#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// For each body of a spec the inertia of all that it is welded to, itself included, in the frame of the innermost of
/// them. The world is no part of it: what is fixed to the world counts as if it could be loosened. A spec may be wrong
/// in any way; what carries itself in a circle is taken as loose.
std::vector<SpatialInertia<>> welded_inertias(const ModelSpec& spec);

}  // namespace pintle
