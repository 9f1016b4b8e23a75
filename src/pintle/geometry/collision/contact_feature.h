// The features of shapes that contacts are made of: vertices, edges, faces, circular edges, round sides.
#pragma once

#include <cstdint>

#include "pintle/geometry/collision/contact_manifold.h"
#include "pintle/geometry/collision/convex_view.h"

namespace pintle {

/// The geometric kind of a feature.
enum class FeatureKind : unsigned char {
  plane = 1,  ///< the face with this index, or the surface of a half-space
  point,      ///< the vertex with this index; the centre of a sphere or of an end of a capsule
  line,       ///< the edge with this index; the axis of the side of a capsule or a cylinder
  rim,        ///< the circular edge of a cap: 0 below, 1 above; + 2 for the second of two positions on it
  rim_point,  ///< a corner of a patch polygon inscribed in a circular edge: 8 rim + corner, and its rotation (rim_turn)
  cone_side,
  ellipsoid,
  bowl  ///< the shell of a bowl: 0 inside, 1 outside
};

/// A feature of one shape: its kind in the highest four bits, its index in the others.
using Feature = std::uint32_t;

inline Feature feature(FeatureKind kind, int number = 0) {
  return (static_cast<Feature>(kind) << 28) | static_cast<Feature>(number);
}
inline FeatureKind kind_of(Feature f) {
  return static_cast<FeatureKind>(f >> 28);
}
inline int number_of(Feature f) {
  return static_cast<int>(f & 0x0fffffffu);
}

/// A pair of features as ContactPoint::feature holds it: A's in the upper half.
inline std::uint64_t feature_pair(Feature a, Feature b) {
  return (static_cast<std::uint64_t>(a) << 32) | b;
}
inline Feature feature_of_a(std::uint64_t pair) {
  return static_cast<Feature>(pair >> 32);
}
inline Feature feature_of_b(std::uint64_t pair) {
  return static_cast<Feature>(pair & 0xffffffffu);
}
inline std::uint64_t exchanged(std::uint64_t pair) {
  return (pair >> 32) | (pair << 32);
}

/// The geometry of a feature, in any frame.
struct Primitive {
  FeatureKind kind;  ///< never rim_point, which is a point
  Vec3<> p;          ///< the point; the midpoint of the line; a point of the plane; the centre; the apex
  Vec3<> axis;       ///< unit: along the line; the outward normal of plane and rim; from the base of a cone to its apex
  double radius;     ///< rounding radius of point and line; radius of the rim
  double extent;     ///< half the length of a line; the length of the generating line of a cone
  double sine;       ///< normal . axis on the side of a cone
  SymMat3<> squares;  ///< of an ellipsoid: the matrix with the squared semi-axes as eigenvalues
  bool second;        ///< the second of two positions on a rim
};

/// Whether the shape has this feature.
bool has_feature(const ConvexView& view, Feature f);

/// A feature in the frame of its shape.
Primitive primitive(const ConvexView& view, Feature f);

/// The plane z = 0 with its normal along +z.
Primitive half_space_plane();

/// A primitive in B, expressed in A.
Primitive operator*(const Pose<>& X_AB, const Primitive& p);

/// The curvature of the surface where its outward unit normal is n, at a point of the feature.
/// [eq. ellipsoid-curvature]
SurfaceCurvature curvature_of(const Primitive& p, const Vec3<>& n, const Vec3<>& point);

/// A unit vector perpendicular to a unit vector.
Vec3<> any_tangent(const Vec3<>& n);

/// Corner k = 0 ... 7 of the patch polygon in the unit circle; corner 0 is at x.
Vec3<> patch_corner(int k);

/// The resolution of the rotation of a patch polygon, in parts of 45 degrees; corners keep their names up to a full
/// revolution.
inline constexpr int kRimTurns = 1 << 24;
inline int rim_turn(Feature rim_point) {
  return number_of(rim_point) >> 4;
}
/// The rim of a rim point, 0 or 1.
inline int rim_of(Feature rim_point) {
  return (number_of(rim_point) >> 3) & 1;
}
/// The same corner of the patch polygon rotated by `turn` of kRimTurns.
inline Feature turned(Feature rim_point, int turn) {
  return feature(FeatureKind::rim_point, (number_of(rim_point) & 15) | (turn << 4));
}
/// The position of a rim point on the unit circle.
Vec3<> rim_corner(Feature rim_point);

/// The position of the rim of an end of a cylinder or a cone along its axis [m].
double rim_height(const ConvexView& view, int end);

/// The contact point of two primitives in the frame of A, given their nearest points.
ContactPoint contact_of(const Separation& s, const Primitive& a, const Primitive& b, std::uint64_t pair);

/// The same contact seen from the other shape: A and B exchanged, in the frame that was B's.
ContactPoint exchanged(const ContactPoint& c, const Pose<>& X_AB);
Separation exchanged(const Separation& s, const Pose<>& X_AB);

}  // namespace pintle
