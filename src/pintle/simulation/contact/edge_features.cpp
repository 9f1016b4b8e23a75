#include "pintle/simulation/contact/edge_features.h"

#include <cmath>

#include "pintle/geometry/collision/manifold_builder.h"
#include "pintle/math/elementary.h"

namespace pintle {
namespace {

bool is_face(Feature f) {
  return kind_of(f) == FeatureKind::plane || kind_of(f) == FeatureKind::bowl;
}

bool is_edge_of_b(std::uint64_t pair) {
  const FeatureKind kind = kind_of(feature_of_b(pair));
  return kind == FeatureKind::rim || kind == FeatureKind::rim_point;
}

/// The frame of the flat end as seen from A.
Pose<> rim_frame(std::uint64_t pair, const Pose<>& X_AB) {
  return is_edge_of_b(pair) ? X_AB : identity_pose<double>();
}

}  // namespace

bool has_edge_point(std::uint64_t pair) {
  return (kind_of(feature_of_a(pair)) == FeatureKind::rim_point && is_face(feature_of_b(pair))) ||
         (kind_of(feature_of_b(pair)) == FeatureKind::rim_point && is_face(feature_of_a(pair)));
}

bool is_tilted_edge(std::uint64_t pair) {
  return (kind_of(feature_of_a(pair)) == FeatureKind::rim && is_face(feature_of_b(pair))) ||
         (kind_of(feature_of_b(pair)) == FeatureKind::rim && is_face(feature_of_a(pair)));
}

std::uint64_t rotated_pair(std::uint64_t pair, int rotation) {
  if (!has_edge_point(pair)) return pair;
  if (is_edge_of_b(pair)) return feature_pair(feature_of_a(pair), turned(feature_of_b(pair), rotation));
  return feature_pair(turned(feature_of_a(pair), rotation), feature_of_b(pair));
}

int corner_number(std::uint64_t pair) {
  return number_of(is_edge_of_b(pair) ? feature_of_b(pair) : feature_of_a(pair)) & 7;
}

std::uint64_t with_corner(std::uint64_t pair, int number) {
  const Feature of = is_edge_of_b(pair) ? feature_of_b(pair) : feature_of_a(pair);
  const Feature corner = (of & ~Feature{7}) | static_cast<Feature>(number);
  return is_edge_of_b(pair) ? feature_pair(feature_of_a(pair), corner) : feature_pair(corner, feature_of_b(pair));
}

bool same_edge(std::uint64_t pair, std::uint64_t other) {
  if (!has_edge_contact(pair) || !has_edge_contact(other) || is_edge_of_b(pair) != is_edge_of_b(other)) return false;
  return tilted(pair) == tilted(other);
}

std::uint64_t tilted(std::uint64_t pair) {
  if (!has_edge_point(pair)) return pair;
  if (is_edge_of_b(pair))
    return feature_pair(feature_of_a(pair), feature(FeatureKind::rim, rim_of(feature_of_b(pair))));
  return feature_pair(feature(FeatureKind::rim, rim_of(feature_of_a(pair))), feature_of_b(pair));
}

bool on_plane(std::uint64_t pair) {
  return kind_of(is_edge_of_b(pair) ? feature_of_a(pair) : feature_of_b(pair)) == FeatureKind::plane;
}

bool is_flat(const ContactPoint& on_rim, const Pose<>& X_AB) {
  const Vec3<> up = transpose_times(rim_frame(on_rim.feature, X_AB).rotation, on_rim.normal);
  return up.x * up.x + up.y * up.y <= kFlatAngle * kFlatAngle;
}

int rotation_to(double x, double y) {
  if (x == 0.0 && y == 0.0) return 0;
  const double parts = atan2(y, x) * (4.0 / kPi<double>);  // of 45 degrees
  return static_cast<int>(std::floor((parts - std::floor(parts)) * kRimTurns + 0.5)) % kRimTurns;
}

std::uint64_t corner_at(std::uint64_t pair, const Vec3<>& direction) {
  const double parts = atan2(direction.y, direction.x) * (4.0 / kPi<double>);
  const int place = static_cast<int>(std::floor(parts * kRimTurns + 0.5)) + 8 * kRimTurns;
  const Feature rim = is_edge_of_b(pair) ? feature_of_b(pair) : feature_of_a(pair);
  const int number = 8 * (number_of(rim) & 1) + ((place / kRimTurns) & 7);
  const Feature corner = turned(feature(FeatureKind::rim_point, number), place % kRimTurns);
  return is_edge_of_b(pair) ? feature_pair(feature_of_a(pair), corner) : feature_pair(corner, feature_of_b(pair));
}

int rotation_of(const ActiveContact& contact) {
  if (is_tilted_edge(contact.feature)) return rotation_to(contact.edge_at.x, contact.edge_at.y);
  const std::uint64_t pair = contact.feature;
  return rim_turn(is_edge_of_b(pair) ? feature_of_b(pair) : feature_of_a(pair));
}

Vec3<> edge_before(const ActiveContact& contact) {
  if (!has_edge_point(contact.feature)) return contact.edge_at;
  return rim_corner(is_edge_of_b(contact.feature) ? feature_of_b(contact.feature) : feature_of_a(contact.feature));
}

Vec3<> edge_direction(const ContactPoint& point, const Pose<>& X_AB) {
  if (!is_tilted_edge(point.feature)) return {};
  const Vec3<> on = is_edge_of_b(point.feature) ? inverse_transform_point(X_AB, point.on_b) : point.on_a;
  const double length = std::sqrt(on.x * on.x + on.y * on.y);
  return length > 0.0 ? Vec3<>{on.x / length, on.y / length, 0.0} : Vec3<>{};
}

std::optional<ContactPoint> opposite_of_edge(const ContactShape& a, const ContactShape& b, const Pose<>& X_AB,
                                             const ActiveContact& contact) {
  if (!has_edge_contact(contact.feature)) return std::nullopt;
  const auto touched = contact_point(a, b, X_AB, tilted(contact.feature));
  if (!touched) return std::nullopt;
  const bool of_b = is_edge_of_b(contact.feature);
  const Pose<> X_AR = rim_frame(contact.feature, X_AB);
  const Vec3<> on = inverse_transform_point(X_AR, of_b ? touched->on_b : touched->on_a);
  const double radius = std::sqrt(on.x * on.x + on.y * on.y);
  const Vec3<> now{on.x / radius, on.y / radius, 0.0};
  const Vec3<> known = edge_before(contact), before = norm_squared(known) > 0.0 ? known : now;
  const Vec3<> far = transform_point(X_AR, Vec3<>{-radius * before.x, -radius * before.y, on.z});
  // The height of the point above the one that touched, away from the face.
  const Vec3<> up = of_b ? touched->normal : -touched->normal;
  const double height = -2.0 * radius * dot(up, X_AR.rotation * before);
  ContactPoint point = *touched;
  point.distance = height;
  point.on_a = of_b ? far - height * touched->normal : far;
  point.on_b = of_b ? far : far + height * touched->normal;
  return point;
}

int rotation_towards_approach(const ContactManifold& points, const Pose<>& X_AB, const Vec3<>& omega_B) {
  for (int k = 0; k < points.count; ++k) {
    const ContactPoint& point = points.points[static_cast<std::size_t>(k)];
    if (!has_edge_point(point.feature)) continue;
    const bool of_b = is_edge_of_b(point.feature);
    const Mat3<> R = rim_frame(point.feature, X_AB).rotation;
    // Angular velocity of the shape with the edge relative to the other, and the outward normal of the other, in the
    // axes of the edge.
    const Vec3<> w_A = X_AB.rotation * omega_B, w = transpose_times(R, of_b ? w_A : -w_A);
    const Vec3<> up = transpose_times(R, of_b ? point.normal : -point.normal);
    const Vec3<> rise = cross(up, w);  // gradient of the speed away from the face over the end's disc
    constexpr double kSlow = 1e-12;
    if (std::sqrt(rise.x * rise.x + rise.y * rise.y) <= kSlow * norm(w)) return 0;
    return rotation_to(-rise.x, -rise.y);
  }
  return 0;
}

}  // namespace pintle
