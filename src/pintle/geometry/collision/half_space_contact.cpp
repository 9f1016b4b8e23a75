#include "pintle/geometry/collision/half_space_contact.h"

#include <limits>

#include "pintle/geometry/collision/manifold_builder.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr Vec3<> kNormal{0.0, 0.0, 1.0};
constexpr SurfaceCurvature kFlat{{1.0, 0.0, 0.0}, 0.0, 0.0};

ContactPoint below(const Vec3<>& low, const SurfaceCurvature& curvature, Feature f) {
  return {low.z, kNormal, {low.x, low.y, 0.0}, low, kFlat, curvature, feature_pair(feature(FeatureKind::plane), f)};
}

ContactPoint vertex_contact(const ConvexView& b, const Pose<>& X_AB, int vertex) {
  const double curvature = b.radius > 0.0 ? 1.0 / b.radius : kInfinity<double>;
  Vec3<> low = transform_point(X_AB, vertex_of(b, vertex));
  low.z -= b.radius;
  return below(low, {{1.0, 0.0, 0.0}, curvature, curvature}, feature(FeatureKind::point, vertex));
}

// The lowest point of a rim that is not level.
ContactPoint rim_contact(const ConvexView& b, const Pose<>& X_AB, int end) {
  const Vec3<> up = row(X_AB.rotation, 2);  // in the frame of B
  const double length = sqrt(up.x * up.x + up.y * up.y), r = b.size.x;
  const Vec3<> radial{-up.x / length, -up.y / length, 0.0};
  const Vec3<> low = transform_point(X_AB, {r * radial.x, r * radial.y, rim_height(b, end)});
  const Vec3<> tangent = X_AB.rotation * Vec3<>{-radial.y, radial.x, 0.0};
  return below(low, {tangent, length / r, kInfinity<double>}, feature(FeatureKind::rim, end));
}

ContactPoint rim_point_contact(const ConvexView& b, const Pose<>& X_AB, Feature f) {
  Vec3<> p = b.size.x * rim_corner(f);
  p.z = rim_height(b, rim_of(f));
  const SurfaceCurvature corner{{1.0, 0.0, 0.0}, kInfinity<double>, kInfinity<double>};
  return below(transform_point(X_AB, p), corner, f);
}

ContactPoint ellipsoid_contact(const ConvexView& b, const Pose<>& X_AB) {
  const Vec3<> low = transform_point(X_AB, core_support(b, -row(X_AB.rotation, 2)));
  const Primitive surface = X_AB * primitive(b, feature(FeatureKind::ellipsoid));
  return below(low, curvature_of(surface, -kNormal, low), feature(FeatureKind::ellipsoid));
}

bool is_level(const Pose<>& X_AB) {
  const Vec3<> up = row(X_AB.rotation, 2);
  return up.x * up.x + up.y * up.y <= kFlatAngle * kFlatAngle;
}

void add_vertices(ManifoldBuilder& builder, const ConvexView& b, const Pose<>& X_AB, double margin) {
  const double height = X_AB.translation.z - b.radius;
  const Vec3<> up = row(X_AB.rotation, 2);
  const int vertices = vertex_count(b);
  for (int v = 0; v < vertices; ++v) {
    if (height + dot(up, vertex_of(b, v)) <= margin) builder.add(vertex_contact(b, X_AB, v));
  }
}

void add_patch_polygon(ManifoldBuilder& builder, const ConvexView& b, const Pose<>& X_AB, int end) {
  for (int k = 0; k < 8; ++k) builder.add(rim_point_contact(b, X_AB, feature(FeatureKind::rim_point, 8 * end + k)));
}

}  // namespace

Separation half_space_separation(const ConvexView& b, const Pose<>& X_AB) {
  const Vec3<> up_B = row(X_AB.rotation, 2);
  Vec3<> low = transform_point(X_AB, core_support(b, -up_B));
  low.z -= b.radius;
  return {low.z, kNormal, {low.x, low.y, 0.0}, low};
}

void half_space_manifold(const ConvexView& b, const Pose<>& X_AB, double margin, ContactManifold& manifold) {
  ManifoldBuilder builder(manifold, margin);
  const bool level = is_level(X_AB), upright = X_AB.rotation.zz > 0.0;
  switch (b.kind) {
    case ConvexKind::ellipsoid:
      builder.add(ellipsoid_contact(b, X_AB));
      break;
    case ConvexKind::cylinder:
      if (level) {
        add_patch_polygon(builder, b, X_AB, upright ? 0 : 1);
      } else {
        builder.add(rim_contact(b, X_AB, 0));
        builder.add(rim_contact(b, X_AB, 1));
      }
      break;
    case ConvexKind::cone:
      if (level && upright) {
        add_patch_polygon(builder, b, X_AB, 0);
      } else {
        add_vertices(builder, b, X_AB, margin);
        if (!level) builder.add(rim_contact(b, X_AB, 0));
      }
      break;
    default:
      add_vertices(builder, b, X_AB, margin);
  }
}

std::optional<ContactPoint> half_space_contact_point(const ConvexView& b, const Pose<>& X_AB, std::uint64_t pair) {
  const Feature f = feature_of_b(pair);
  if (feature_of_a(pair) != feature(FeatureKind::plane) || !has_feature(b, f)) return std::nullopt;
  switch (kind_of(f)) {
    case FeatureKind::point:
      return vertex_contact(b, X_AB, number_of(f));
    case FeatureKind::rim:
      if (X_AB.rotation.zx == 0.0 && X_AB.rotation.zy == 0.0) return std::nullopt;  // all of it is equally low
      return rim_contact(b, X_AB, number_of(f) & 1);
    case FeatureKind::rim_point:
      return rim_point_contact(b, X_AB, f);
    case FeatureKind::ellipsoid:
      return ellipsoid_contact(b, X_AB);
    default:
      return std::nullopt;
  }
}

}  // namespace pintle
