#include "pintle/model/spec/joint_rotations.h"

#include "pintle/math/elementary_impl.h"
#include "pintle/model/links/joint_motion.h"
#include "pintle/model/links/unit_axis.h"

namespace pintle {
namespace {

/// A rotation of z to the given unit vector: the identity, exactly, when it already points there.
Mat3<> rotation_from_z_to(const Vec3<>& a) {
  if (a.z < 0.0) {  // via -z, so that the formula below stays far from its singularity
    const Mat3<> half_turn{1, 0, 0, 0, -1, 0, 0, 0, -1};
    return half_turn * rotation_from_z_to(half_turn * a);
  }
  const Vec3<> k{-a.y, a.x, 0.0};  // z x a
  return identity3<double>() + skew(k) - (1.0 / (1.0 + a.z)) * full(minus_skew_squared(k));
}

/// The rotation whose z is the unit vector n and whose x is the component of `x` perpendicular to it.
Mat3<> frame_of(const Vec3<>& n, const Vec3<>& x) {
  Vec3<> across = normalized(x - dot(x, n) * n);
  across = normalized(across - dot(across, n) * n);  // once more: an x almost along n leaves a small component
  return from_columns(across, cross(n, across), n);
}

}  // namespace

JointRotations joint_rotations(const JointSpec& joint) {
  switch (joint.kind) {
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::screw:
    case JointKind::cylindrical: {
      const Mat3<> R = rotation_from_z_to(unit_axis(joint.axis));
      return {R, R};
    }
    case JointKind::universal:
      return {rotation_from_z_to(unit_axis(joint.axis)), rotation_from_z_to(unit_axis(joint.second_axis))};
    case JointKind::planar: {
      const Mat3<> R = frame_of(unit_axis(joint.axis), unit_axis(joint.second_axis));
      return {R, R};
    }
    case JointKind::fixed:
    case JointKind::spherical:
    case JointKind::translational:
    case JointKind::free:
      break;
  }
  return {identity3<double>(), identity3<double>()};
}

Pose<> joint_pose(const JointSpec& joint, const double* q) {
  const JointRotations rotations = joint_rotations(joint);
  const Link alone{.parent = -1,
                   .kind = joint.kind,
                   .q = 0,
                   .v = 0,
                   .nv = facts(joint.kind).nv,
                   .pitch = joint.pitch_m_per_rad,
                   .X_PJ = identity_pose<double>(),
                   .axis_rotation = transpose_times(rotations.parent_side, rotations.child_side),
                   .inertia = zero_inertia<double>()};
  Twist<> S[kMaxDofs];
  const Pose<> X = joint_motion(alone, q, S);
  return {rotations.parent_side * X.rotation * transpose(rotations.child_side), rotations.parent_side * X.translation};
}

}  // namespace pintle
