// ConvexHull: a convex polyhedron with its faces, edges and adjacency, made of any points.
#pragma once

#include <span>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/geometry/shapes/bounding_box.h"

namespace pintle {

/// A flat face: the points x of the polyhedron with normal . x = offset. Its corners are `count` entries of
/// `face_vertices` from `first` on, counter-clockwise seen from outside.
struct HullFace {
  Vec3<> normal;  ///< unit, outwards
  double offset;  ///< [m]
  int first;
  int count;
};

/// An edge from vertex `from` to vertex `to`; seen from outside the face `left` is on its left, `right` on its right.
struct HullEdge {
  int from, to;
  int left, right;
};

/// A convex polyhedron: what convex_hull makes of points. Faces in one plane are one face.
struct ConvexHull {
  std::vector<Vec3<>> vertices;  ///< [m]; only corners, in the order of the points they come from
  std::vector<HullFace> faces;
  std::vector<int> face_vertices;
  std::vector<int> face_edges;  ///< beside face_vertices: the edge from that corner to the next
  std::vector<HullEdge> edges;
  std::vector<int> first_neighbor;  ///< of vertex i: neighbors[first_neighbor[i]] to before [first_neighbor[i + 1]]
  std::vector<int> neighbors;       ///< the vertices at the other ends of its edges
};

/// The convex hull of points [m] (by Qhull), with faces merged that lie in one plane up to rounding.
///
/// Codes: hull-not-finite, hull-too-few (less than four different points), hull-flat (all points in a plane, on a line
/// or in one place, up to 1e-12 of their spread).
Result<ConvexHull> convex_hull(std::span<const Vec3<>> points);

/// The vertex that is farthest along a direction of any length; of equally far ones the one with the lowest number.
int support_vertex(const ConvexHull& hull, const Vec3<>& direction);

BoundingBox bounding_box(const ConvexHull& hull);

/// What is wrong with a hull; empty for every one that convex_hull made. Codes: hull-not-made (lists that do not fit
/// together), hull-not-finite.
Diagnostics check(const ConvexHull& hull);

}  // namespace pintle
