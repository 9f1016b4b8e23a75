// Two boxes that overlap or nearly touch: the direction of least penetration.
#pragma once

#include "pintle/geometry/collision/convex_view.h"

namespace pintle {

/// The unit normal from A to B of least overlap among the 15 candidate axes, and its features. `edge_a`, `edge_b` are
/// -1 unless two edges touch; else `face` is -1.  [eq. box-box]
struct BoxOverlap {
  Vec3<> normal;
  double depth;  ///< negative where there is a gap
  int face;      ///< its index, on A when `of_a`, else on B
  bool of_a;
  int edge_a, edge_b;
};

inline constexpr double kFarApart = 1e300;

/// The gap along that normal [m]: if negative, the boxes overlap by this much, else they are at least this far apart.
/// kFarApart, with nothing filled in, for boxes that are clearly apart.
double box_gap(const Vec3<>& half_a, const Vec3<>& half_b, const Pose<>& X_AB, BoxOverlap& overlap);

/// The deepest point of the box B below a face of the box A that it penetrates, within the face; for several the mean
/// of their corners, clipped to the face. In the frame of A.
Vec3<> box_overlap_point(const ConvexView& a, int face, const ConvexView& b, const Pose<>& X_AB);

}  // namespace pintle
