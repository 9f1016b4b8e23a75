// The kinds of joints and what their coordinates mean: one table (docs/joints.md shows it with pictures in words).
#pragma once

#include <string_view>

namespace pintle {

/// How a body may move relative to its parent. A closed set: `joint_motion`, its inverse `joint_coordinates`, its axes
/// `joint_rotations`, `configuration` and the names of its coordinates in `joint_parts` are the only code that depends
/// on the kind.
enum class JointKind : unsigned char {
  fixed,          ///< not at all
  revolute,       ///< q: angle about the axis [rad]
  prismatic,      ///< q: displacement along the axis [m]
  screw,          ///< q: angle about the axis [rad]; the translation is pitch [m/rad] times q
  cylindrical,    ///< q: [displacement along the axis [m], angle about it [rad]]
  universal,      ///< q: [angle about the parent-side axis, angle about the child-side axis] [rad]
  planar,         ///< q: [x, y [m], angle about the normal [rad]]; v: in the parent's axes
  spherical,      ///< q: quaternion xyzw; v: angular velocity in the child's axes [rad/s]
  translational,  ///< q: [x, y, z] [m]
  free,           ///< q: [position [m], quaternion xyzw]; v: [linear, angular] in the child's axes
};

inline constexpr int kJointKinds = 10;
inline constexpr int kMaxDofs = 6;

/// The sizes of a kind of joint.
struct JointFacts {
  JointKind kind;
  std::string_view name;
  int nq;  ///< the number of coordinates
  int nv;  ///< the number of degrees of freedom
};

inline constexpr JointFacts kJointFacts[kJointKinds] = {
    {JointKind::fixed, "fixed", 0, 0},
    {JointKind::revolute, "revolute", 1, 1},
    {JointKind::prismatic, "prismatic", 1, 1},
    {JointKind::screw, "screw", 1, 1},
    {JointKind::cylindrical, "cylindrical", 2, 2},
    {JointKind::universal, "universal", 2, 2},
    {JointKind::planar, "planar", 3, 3},
    {JointKind::spherical, "spherical", 4, 3},
    {JointKind::translational, "translational", 3, 3},
    {JointKind::free, "free", 7, 6},
};

constexpr const JointFacts& facts(JointKind kind) {
  return kJointFacts[static_cast<int>(kind)];
}

}  // namespace pintle
