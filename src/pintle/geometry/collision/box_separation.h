// Two boxes that overlap or nearly touch: the direction in which they part soonest.
#pragma once

#include "pintle/geometry/collision/convex_view.h"

namespace pintle {

/// The unit normal from A to B along which two boxes overlap least, of the 15 that count, and its features. `edge_a`,
/// `edge_b` are -1 unless two edges touch; else `face` is -1.  [eq. box-box]
struct BoxOverlap {
  Vec3<> normal;
  double depth;  ///< negative where there is a gap
  int face;      ///< its number, of A when `of_a`, else of B
  bool of_a;
  int edge_a, edge_b;
};

inline constexpr double kFarApart = 1e300;

/// The gap along that normal [m]: less than zero the boxes overlap by, else they are at least so far apart. kFarApart,
/// and nothing is filled in, of boxes that are clearly apart.
double box_gap(const Vec3<>& half_a, const Vec3<>& half_b, const Pose<>& X_AB, BoxOverlap& overlap);

/// A point of the box B that lies lowest over a face of the box A that it has sunk into, and above the face: of several
/// the middle of their corners, clipped to the face. In the frame of A.
Vec3<> box_overlap_point(const ConvexView& a, int face, const ConvexView& b, const Pose<>& X_AB);

}  // namespace pintle
