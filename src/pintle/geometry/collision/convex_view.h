// ConvexView: any convex shape as the queries see it, a core with a rounding radius. It does not own the shape.
#pragma once

#include "pintle/geometry/shapes/contact_shape.h"
#include "pintle/spatial/pose.h"

namespace pintle {

enum class ConvexKind : unsigned char { point, segment, triangle, box, hull, cylinder, cone, ellipsoid };

/// A core and its rounding radius [m]: a sphere is a point, a capsule a segment with a radius.
///
/// | kind | size | vertices | edges | faces |
/// |---|---|---|---|---|
/// | point | - | 0 | - | - |
/// | segment | z: half the length | 0 below, 1 above | 0 | - |
/// | triangle | - | its corners | k from corner k to the next | 0 front, 1 back |
/// | box | half the sides | bits 0, 1, 2 of the number: +x, +y, +z | 4 along x, 4 along y, 4 along z | -x, +x, -y, ...
/// | | hull | - | of the hull | of the hull | of the hull | | cylinder | x: radius, z: half the length | - | - | caps:
/// 0 below, 1 above | | cone | x: radius, z: height | 0 the apex | - | 0 the base | | ellipsoid | semi-axes | - | - | -
/// |
struct ConvexView {
  ConvexKind kind;
  double radius;
  Vec3<> size;
  const ConvexHull* hull;
  const Vec3<>* corners;  ///< of a triangle
};

/// The view of a shape that is neither half-space nor mesh nor height field nor bowl.
ConvexView convex_view(const ContactShape& shape);

/// A two-sided flat triangle; `corners` are three points [m], which must outlive the view.
ConvexView triangle_view(const Vec3<>* corners);

/// Returns a point of the core that is farthest along a direction of any length but 0.
Vec3<> core_support(const ConvexView& view, const Vec3<>& direction);

/// A characteristic length [m] of the shape.
double size_of(const ConvexView& view);

/// The point in the middle of the shape [m].
Vec3<> middle_of(const ConvexView& view);

/// Whether the core is a polyhedron: point, segment, triangle, box and hull.
inline bool is_polyhedral(const ConvexView& view) {
  return view.kind <= ConvexKind::hull;
}

int vertex_count(const ConvexView& view);
int edge_count(const ConvexView& view);
int face_count(const ConvexView& view);
Vec3<> vertex_of(const ConvexView& view, int vertex);
HullEdge edge_of(const ConvexView& view, int edge);

/// The outward unit normal of a face, cap or base.
Vec3<> face_normal(const ConvexView& view, int face);

/// A point in the plane of a face, cap or base.
Vec3<> face_point(const ConvexView& view, int face);

/// The number of corners of a polygonal face; corner k and the edge from it to the next.
int corner_count(const ConvexView& view, int face);
int corner_of(const ConvexView& view, int face, int k);
int side_of(const ConvexView& view, int face, int k);

/// The face whose normal is nearest to a direction; -1 when there is none.
int face_along(const ConvexView& view, const Vec3<>& direction);

}  // namespace pintle
