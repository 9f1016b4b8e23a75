// The centroid of the convex hull of points of a plane.
#pragma once

#include <vector>

namespace pintle {

/// A point of a plane by its coordinates along two axes that are perpendicular [m].
struct PlanePoint {
  double u, v;
};

/// Returns the centroid of the convex hull of at least one point: for a polygon that of its area, for collinear points
/// the midpoint of the outermost two.
PlanePoint hull_centroid(std::vector<PlanePoint> points);

}  // namespace pintle
