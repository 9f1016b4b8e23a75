// How the frames of a joint are turned so that its axes are z, as compiled links have them.
#pragma once

#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// The joint's frame on the parent's and on the child's side, both seen from the joint's frame of the spec.
struct JointRotations {
  Mat3<> parent_side, child_side;
};

/// The turns of a joint whose axes are sound (check_spec).
JointRotations joint_rotations(const JointSpec& joint);

/// X(q): the joint's frame on the child in that on the parent, as the spec has them; q has the kind's nq numbers, unit
/// quaternions.  [eq. joint-motion]
Pose<> joint_pose(const JointSpec& joint, const double* q);

}  // namespace pintle
