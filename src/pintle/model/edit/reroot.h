// reroot: another body as the root of a floating tree.
#pragma once

#include <string>

#include "pintle/base/result.h"
#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// The same mechanism with `body` as the root of its tree, which must be attached to the world by a free joint. That
/// joint keeps its name and its frame in the world and carries `body`, at the body's own frame; the joints between the
/// old root and the new one are reversed (docs/joints.md): joints with one dof, cylindrical and universal ones keep the
/// meaning of their coordinates, and their passive properties, limits and couplings. What a reversed joint cannot
/// express (a damper across the axes of a spherical joint, limits of one, anything passive on the root's own joint) is
/// an error. map_state maps a state.  [eq. joint-reversed]
Result<ModelSpec> reroot(const ModelSpec& spec, const std::string& body);

}  // namespace pintle
