// The centroid of what some points of a plane span.
#pragma once

#include <vector>

namespace pintle {

/// A point of a plane by its coordinates along two axes at right angles [m].
struct PlanePoint {
  double u, v;
};

/// The centroid of the convex hull of at least one point: of a polygon that of its area, of points on a line the middle
/// of the outermost two.
PlanePoint hull_centroid(std::vector<PlanePoint> points);

}  // namespace pintle
