// Names and units of the coordinates of a joint: for the columns of recordings and tables.
#pragma once

#include <string_view>

#include "pintle/model/links/joint_kind.h"

namespace pintle {

/// One coordinate of a joint.
struct JointPart {
  std::string_view name;  ///< such as "angle", "travel", "x", "qw"; unique within the joint
  std::string_view unit;  ///< such as "rad", "m/s", "N m"; "1" for the elements of a quaternion
};

/// Coordinate i of a joint, 0 ... nq - 1. Here and below UsageError when i is out of range.
JointPart position_part(JointKind kind, int i);

/// Element i of its velocity, 0 ... nv - 1; likewise of its acceleration and of its efforts.
JointPart velocity_part(JointKind kind, int i);
JointPart acceleration_part(JointKind kind, int i);
JointPart effort_part(JointKind kind, int i);

/// The number of axes of its JointSpec that a kind of joint uses: none, `axis`, or `axis` and `second_axis`.
int axis_count(JointKind kind);

/// Whether it has a pitch.
bool has_pitch(JointKind kind);

}  // namespace pintle
