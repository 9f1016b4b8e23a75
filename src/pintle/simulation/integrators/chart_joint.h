// ChartJoint: a joint whose configurations do not form a vector space, as integrators see it.
#pragma once

#include "pintle/math/vec3.h"
#include "pintle/model/links/joint_kind.h"

namespace pintle {

/// An independent joint with a quaternion (chart_impl.h).
struct ChartJoint {
  JointKind kind;
  int q;            ///< index of its first coordinate
  int v;            ///< index of its first dof
  Vec3<> center{};  ///< of a free joint: its link's centre of mass in the link's frame [m]; the origin if massless
};

}  // namespace pintle
