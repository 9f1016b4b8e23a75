// Payloads: bodies put on a mechanism and taken off again, as a gripper does with a part.
#pragma once

#include <string>

#include "pintle/base/result.h"
#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// The spec with a payload: a body called `name`, held by a fixed joint of the same name at a body or a frame. Its
/// frame is that place's, and `inertia` is in it. A payload that is already there is replaced, wherever it was.
Result<ModelSpec> set_payload(const ModelSpec& spec, const std::string& place, const std::string& name,
                              const SpatialInertia<>& inertia);

/// The spec without that payload. What hangs on it, joints or frames, is an error.
Result<ModelSpec> remove_payload(const ModelSpec& spec, const std::string& name);

}  // namespace pintle
