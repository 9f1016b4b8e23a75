// Where two shapes touch: a few points, with the normal, the gap and the curvatures of the surfaces.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "pintle/geometry/collision/separation.h"

namespace pintle {

/// The surface at a contact point, to second order. `direction` is a unit vector in the tangent plane; the normal
/// curvatures [1/m] along it and perpendicular to it are > 0 where convex, 0 where flat, < 0 where concave (inside of a
/// bowl), +infinity across an edge or at a corner.
///
/// Face: 0, 0. Vertex: infinity, infinity. Straight edge: along it 0, across infinity. Circular edge of a cylinder:
/// along it (normal . radial)/R, across infinity. Sphere: 1/r, 1/r. Cylinder side: along the axis 0, across 1/r.
struct SurfaceCurvature {
  Vec3<> direction;
  double along;
  double across;
};

/// A pair of features, one of each shape, and the points where they are nearest, in the frame of A.
struct ContactPoint {
  double distance;    ///< [m]; negative = depth of penetration
  Vec3<> normal;      ///< unit, from A towards B
  Vec3<> on_a, on_b;  ///< [m] on_b - on_a = distance * normal
  SurfaceCurvature curvature_a, curvature_b;
  std::uint64_t feature;  ///< the same for a pair of features in every call: identifies the contact over time
};

/// The contact points of a pair of shapes: the first `count` of `points`.
struct ContactManifold {
  std::array<ContactPoint, 8> points;
  int count;
};

/// Returns the points in which A and B touch, or would touch when moved along the common normal: every one with a gap
/// of at most `margin` [m]; none when the shapes are farther apart. Smooth pairs have one point, a box on its face
/// four, a lying cylinder two (on its circular edges), an upright one eight points of its edge. Of more than eight it
/// keeps the deepest and those that span the largest area. Throws UsageError when the pair is not supported
/// (can_touch).
ContactManifold contact_manifold(const ContactShape& a, const ContactShape& b, const Pose<>& X_AB, double margin);

/// Returns the exact gap of one known pair of features, also where it is not the nearest; d(distance)/dt is normal .
/// (velocity of on_b - velocity of on_a) of the material points. Empty when the features do not face each other, or the
/// shapes have no such features.
std::optional<ContactPoint> contact_point(const ContactShape& a, const ContactShape& b, const Pose<>& X_AB,
                                          std::uint64_t feature);

}  // namespace pintle
