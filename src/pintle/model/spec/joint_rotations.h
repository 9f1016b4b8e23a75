// Rotations of the frames of a joint that make its axes z, as compiled links have them.
#pragma once

#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// The joint's frame on the parent's and on the child's side, both relative to the joint's frame of the spec.
struct JointRotations {
  Mat3<> parent_side, child_side;
};

/// The rotations of a joint whose axes are valid (check_spec).
JointRotations joint_rotations(const JointSpec& joint);

/// X(q): the joint's frame on the child in that on the parent, as the spec has them; q has the kind's nq coordinates,
/// with unit quaternions.  [eq. joint-motion]
Pose<> joint_pose(const JointSpec& joint, const double* q);

}  // namespace pintle
