// What the numbers of a joint are called, and their units: for the columns of recordings and tables.
#pragma once

#include <string_view>

#include "pintle/model/links/joint_kind.h"

namespace pintle {

/// One number of a joint.
struct JointPart {
  std::string_view name;  ///< such as "angle", "travel", "x", "qw"; of its own within the joint
  std::string_view unit;  ///< such as "rad", "m/s", "N m"; "1" for the numbers of a quaternion
};

/// Number i of a joint's configuration, 0 ... nq - 1. Here and below UsageError when there is no such number.
JointPart position_part(JointKind kind, int i);

/// Number i of its velocity, 0 ... nv - 1; likewise of its acceleration and of its efforts.
JointPart velocity_part(JointKind kind, int i);
JointPart acceleration_part(JointKind kind, int i);
JointPart effort_part(JointKind kind, int i);

/// How many axes of its JointSpec a kind of joint has: none, `axis`, or `axis` and `second_axis`.
int axis_count(JointKind kind);

/// Whether it has a pitch.
bool has_pitch(JointKind kind);

}  // namespace pintle
