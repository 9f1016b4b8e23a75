// Payloads: bodies attached to a mechanism and removed again, such as a part in a gripper.
#pragma once

#include <string>

#include "pintle/base/result.h"
#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// Returns the spec with a payload: a body called `name`, attached by a fixed joint of the same name to a body or a
/// frame. Its frame is that place's, and `inertia` is in it. A payload of that name is replaced, wherever it was
/// attached.
Result<ModelSpec> set_payload(const ModelSpec& spec, const std::string& place, const std::string& name,
                              const SpatialInertia<>& inertia);

/// Returns the spec without that payload. Joints or frames on the payload are an error.
Result<ModelSpec> remove_payload(const ModelSpec& spec, const std::string& name);

}  // namespace pintle
