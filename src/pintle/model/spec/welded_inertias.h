// The combined inertia of bodies welded by fixed joints.
#pragma once

#include <vector>

#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// Returns for each body of a spec the inertia of all bodies welded to it, itself included, in the frame of the
/// innermost of them. The world is not part of it: what is fixed to the world counts as if it were free. The spec may
/// be invalid in any way; bodies in a cycle count as not welded.
std::vector<SpatialInertia<>> welded_inertias(const ModelSpec& spec);

}  // namespace pintle
