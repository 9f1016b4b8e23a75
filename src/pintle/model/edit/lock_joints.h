// lock_joints: a mechanism with some of its joints held fast.
#pragma once

#include <string>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// Where a joint stands: its name and as many numbers as its kind has in a configuration (docs/joints.md).
struct JointPosition {
  std::string joint;
  std::vector<double> q;
};

/// The spec with these joints fixed where they stand: the reduced model. Joints keep their names, bodies and frames
/// theirs. Dofs, passive properties, limits and the mark `prescribed` of a locked joint are gone: since it does not
/// move, they act on nothing, and only the constant energy of its springs is no longer counted.
///
/// A coupling holds on: a joint coupled to a locked one is locked at ratio q + offset, the driver of a locked one at
/// (q - offset) / ratio, and positions that contradict a coupling are errors. So are unknown joints, a wrong count of
/// numbers, a quaternion without direction, and positions outside limits.
Result<ModelSpec> lock_joints(const ModelSpec& spec, const std::vector<JointPosition>& positions);

}  // namespace pintle
