#include "pintle/geometry/half_space_contact.h"

#include <limits>

#include "pintle/geometry/feature_gap.h"
#include "pintle/geometry/manifold_builder.h"

namespace pintle {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Vec3<> kUp{0.0, 0.0, 1.0};
constexpr SurfaceCurvature kFlat{{1.0, 0.0, 0.0}, 0.0, 0.0};

ContactPoint below(const Vec3<>& low, const SurfaceCurvature& curvature, Feature f) {
  return {low.z, kUp, {low.x, low.y, 0.0}, low, kFlat, curvature, feature_pair(feature(FeatureKind::plane), f)};
}

void add_vertices(ManifoldBuilder& builder, const ConvexView& b, const Pose<>& X_AB, double margin) {
  const double curvature = b.radius > 0.0 ? 1.0 / b.radius : kInfinity;
  const double height = X_AB.translation.z - b.radius;
  const Vec3<> up = row(X_AB.rotation, 2);
  const int vertices = vertex_count(b);
  for (int v = 0; v < vertices; ++v) {
    const Vec3<> p = vertex_of(b, v);
    if (height + dot(up, p) > margin) continue;
    Vec3<> low = transform_point(X_AB, p);
    low.z -= b.radius;
    builder.add(below(low, {{1.0, 0.0, 0.0}, curvature, curvature}, feature(FeatureKind::point, v)));
  }
}

// The lowest point of the circle around the axis of B at height z, unless the circle is level; `across` is the part of
// the upward direction at right angles to the axis, in the frame of B.
void add_rim(ManifoldBuilder& builder, const ConvexView& b, const Pose<>& X_AB, int end, double z, const Vec3<>& up) {
  const double length = sqrt(up.x * up.x + up.y * up.y), r = b.size.x;
  const Vec3<> radial{-up.x / length, -up.y / length, 0.0};
  const Vec3<> low = transform_point(X_AB, {r * radial.x, r * radial.y, z});
  const Vec3<> tangent = X_AB.rotation * Vec3<>{-radial.y, radial.x, 0.0};
  builder.add(below(low, {tangent, length / r, kInfinity}, feature(FeatureKind::rim, end)));
}

void add_octagon(ManifoldBuilder& builder, const ConvexView& b, const Pose<>& X_AB, int end, double z) {
  for (int k = 0; k < 8; ++k) {
    Vec3<> p = b.size.x * octagon_corner(k);
    p.z = z;
    const SurfaceCurvature corner{{1.0, 0.0, 0.0}, kInfinity, kInfinity};
    builder.add(below(transform_point(X_AB, p), corner, feature(FeatureKind::rim_point, 8 * end + k)));
  }
}

}  // namespace

Separation half_space_separation(const ConvexView& b, const Pose<>& X_AB) {
  const Vec3<> up_B = row(X_AB.rotation, 2);
  Vec3<> low = transform_point(X_AB, core_support(b, -up_B));
  low.z -= b.radius;
  return {low.z, kUp, {low.x, low.y, 0.0}, low};
}

void half_space_manifold(const ConvexView& b, const Pose<>& X_AB, double margin, ContactManifold& manifold) {
  ManifoldBuilder builder(manifold, margin);
  const Vec3<> up = row(X_AB.rotation, 2);  // in the frame of B
  const bool level = up.x * up.x + up.y * up.y <= kFlatAngle * kFlatAngle;
  switch (b.kind) {
    case ConvexKind::ellipsoid: {
      const Vec3<> low = transform_point(X_AB, core_support(b, -up));
      const Primitive surface = X_AB * primitive(b, feature(FeatureKind::ellipsoid));
      builder.add(below(low, curvature_of(surface, -kUp, low), feature(FeatureKind::ellipsoid)));
      break;
    }
    case ConvexKind::cylinder: {
      const int end = up.z > 0.0 ? 0 : 1;
      if (level) {
        add_octagon(builder, b, X_AB, end, end == 0 ? -b.size.z : b.size.z);
      } else {
        add_rim(builder, b, X_AB, 0, -b.size.z, up);
        add_rim(builder, b, X_AB, 1, b.size.z, up);
      }
      break;
    }
    case ConvexKind::cone:
      if (level && up.z > 0.0) {
        add_octagon(builder, b, X_AB, 0, 0.0);
      } else {
        add_vertices(builder, b, X_AB, margin);
        if (!level) add_rim(builder, b, X_AB, 0, 0.0, up);
      }
      break;
    default:
      add_vertices(builder, b, X_AB, margin);
  }
}

}  // namespace pintle
