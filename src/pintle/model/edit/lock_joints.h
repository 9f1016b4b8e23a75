// lock_joints: a mechanism with some of its joints locked.
#pragma once

#include <string>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// The position of a joint: its name and as many coordinates as its kind has (docs/joints.md).
struct JointPosition {
  std::string joint;
  std::vector<double> q;
};

/// Returns the spec with these joints fixed at their positions: the reduced model. Joints, bodies and frames keep their
/// names. A locked joint loses its dofs, passive properties, limits and the flag `prescribed`: since it does not move,
/// they act on nothing, and only the constant energy of its springs is no longer counted.
///
/// Couplings remain in force: a joint coupled to a locked one is locked at ratio q + offset, the driver of a locked one
/// at
/// (q - offset) / ratio, and positions that contradict a coupling are errors. So are unknown joints, a wrong number of
/// coordinates, a quaternion of length zero, and positions outside limits.
Result<ModelSpec> lock_joints(const ModelSpec& spec, const std::vector<JointPosition>& positions);

}  // namespace pintle
