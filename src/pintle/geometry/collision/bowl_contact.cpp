#include "pintle/geometry/collision/bowl_contact.h"

#include <limits>

#include "pintle/geometry/collision/convex_manifold.h"
#include "pintle/geometry/collision/convex_separation.h"
#include "pintle/geometry/collision/manifold_builder.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr Vec3<> kUp{0.0, 0.0, 1.0};
constexpr Feature kInside = static_cast<Feature>(FeatureKind::bowl) << 28;
constexpr Feature kOutside = kInside + 1;
constexpr Feature kOpening = static_cast<Feature>(FeatureKind::rim) << 28;

Vec3<> center_of(const Bowl& bowl) {
  return {0.0, 0.0, bowl.radius};
}

// The unit vector from the centre of the bowl to a point, downwards from the centre itself; and the distance.
struct Direction {
  Vec3<> u;
  double length;
};
Direction from_center(const Bowl& bowl, const Vec3<>& p) {
  const Vec3<> off = p - center_of(bowl);
  const double length = norm(off);
  return {length > 0.0 ? off / length : -kUp, length};
}

// A point of B with its rounding radius against one side of the shell.
ContactPoint face_contact(const Bowl& bowl, bool inside, const Vec3<>& p, double radius, const Primitive& of_b,
                          Feature f) {
  const auto [u, length] = from_center(bowl, p);
  const double side = inside ? 1.0 : -1.0;
  const Vec3<> n = -side * u, on_b = fma(side * radius, u, p);
  const double bend = -side / bowl.radius;
  return {side * (bowl.radius - length) - radius,
          n,
          fma(bowl.radius, u, center_of(bowl)),
          on_b,
          {any_tangent(n), bend, bend},
          curvature_of(of_b, -n, on_b),
          feature_pair(inside ? kInside : kOutside, f)};
}

ContactPoint vertex_contact(const Bowl& bowl, const ConvexView& b, const Pose<>& X_AB, Feature f, bool inside = true) {
  const Primitive point = X_AB * primitive(b, f);
  return face_contact(bowl, inside, point.p, point.radius, point, f);
}

// A sphere at the edge of the opening.
ContactPoint opening_contact(const Bowl& bowl, const ConvexView& ball, const Pose<>& X_AB) {
  const Feature f = feature(FeatureKind::point);
  const Vec3<> p = X_AB.translation;
  const double across = sqrt(p.x * p.x + p.y * p.y), rim = rim_radius(bowl);
  const Vec3<> radial = across > 0.0 ? Vec3<>{p.x / across, p.y / across, 0.0} : Vec3<>{1.0, 0.0, 0.0};
  const Vec3<> on_a{rim * radial.x, rim * radial.y, bowl.depth}, off = p - on_a;
  const double length = norm(off);
  const Vec3<> n = length > 0.0 ? off / length : kUp;
  const Vec3<> on_b = fma(-ball.radius, n, p);
  return {length - ball.radius,
          n,
          on_a,
          on_b,
          {cross(kUp, radial), dot(n, radial) / rim, kInfinity<double>},
          curvature_of(X_AB * primitive(ball, f), -n, on_b),
          feature_pair(kOpening, f)};
}

// Whether the nearest point of the sphere in this direction is part of the shell.
bool faces_shell(const Bowl& bowl, const Vec3<>& u) {
  return is_closed(bowl) || bowl.radius * (1.0 + u.z) <= bowl.depth;
}

ContactPoint ball_contact(const Bowl& bowl, const ConvexView& ball, const Pose<>& X_AB) {
  const auto [u, length] = from_center(bowl, X_AB.translation);
  if (!faces_shell(bowl, u)) return opening_contact(bowl, ball, X_AB);
  return vertex_contact(bowl, ball, X_AB, feature(FeatureKind::point), length <= bowl.radius);
}

// The vector from the centre of the bowl to the axis of a rim, in A.
Vec3<> off_axis(const Bowl& bowl, const Primitive& rim) {
  const Vec3<> off = rim.p - center_of(bowl);
  return off - dot(off, rim.axis) * rim.axis;
}

bool is_level(const Bowl& bowl, const Primitive& rim) {
  return norm_squared(off_axis(bowl, rim)) <= kFlatAngle * kFlatAngle * bowl.radius * bowl.radius;
}

// The point of a rim that is farthest from the centre of the bowl.
ContactPoint rim_contact(const Bowl& bowl, const Primitive& rim, Feature f) {
  const Vec3<> off = off_axis(bowl, rim);
  return face_contact(bowl, true, fma(rim.radius / norm(off), off, rim.p), 0.0, rim, f);
}

template <class Visit>
void visit_contacts(const Bowl& bowl, const ConvexView& b, const Pose<>& X_AB, const Visit& visit) {
  const int vertices = vertex_count(b), rims = b.kind == ConvexKind::cylinder ? 2 : b.kind == ConvexKind::cone ? 1 : 0;
  if (b.kind == ConvexKind::point) return visit(ball_contact(bowl, b, X_AB));
  for (int v = 0; v < vertices; ++v) visit(vertex_contact(bowl, b, X_AB, feature(FeatureKind::point, v)));
  for (int end = 0; end < rims; ++end) {
    const Feature f = feature(FeatureKind::rim, end);
    const Primitive rim = X_AB * primitive(b, f);
    if (!is_level(bowl, rim)) {
      visit(rim_contact(bowl, rim, f));
      continue;
    }
    for (int k = 0; k < 8; ++k) visit(vertex_contact(bowl, b, X_AB, feature(FeatureKind::rim_point, 8 * end + k)));
  }
}

// From outside a closed bowl is a sphere. The middle of a shape decides on which side of the shell it is.
struct SeenAsBall {
  ConvexView view;
  Pose<> X_CB;  // in axes at the centre

  SeenAsBall(const Bowl& bowl, const Pose<>& X_AB)
      : view{ConvexKind::point, bowl.radius, {0, 0, 0}, nullptr, nullptr},
        X_CB{X_AB.rotation, X_AB.translation - center_of(bowl)} {}
};

bool is_outside(const Bowl& bowl, const ConvexView& b, const Pose<>& X_AB) {
  return b.kind != ConvexKind::point && from_center(bowl, transform_point(X_AB, middle_of(b))).length > bowl.radius;
}

// From axes at the centre to those of the bowl.
template <class Contact>
Contact moved(Contact c, const Bowl& bowl) {
  c.on_a += center_of(bowl);
  c.on_b += center_of(bowl);
  return c;
}

}  // namespace

Separation bowl_separation(const Bowl& a, const ConvexView& b, const Pose<>& X_AB) {
  if (is_outside(a, b, X_AB)) {
    const SeenAsBall seen(a, X_AB);
    return moved(convex_separation(seen.view, b, seen.X_CB).at, a);
  }
  Separation nearest{kInfinity<double>, kUp, {}, {}};
  visit_contacts(a, b, X_AB, [&](const ContactPoint& c) {
    if (c.distance < nearest.distance) nearest = {c.distance, c.normal, c.on_a, c.on_b};
  });
  return nearest;
}

void bowl_manifold(const Bowl& a, const ConvexView& b, const Pose<>& X_AB, double margin, ContactManifold& manifold) {
  if (is_outside(a, b, X_AB)) {
    const SeenAsBall seen(a, X_AB);
    convex_manifold(seen.view, b, seen.X_CB, margin, manifold);
    for (int i = 0; i < manifold.count; ++i) manifold.points.data()[i] = moved(manifold.points.data()[i], a);
    return;
  }
  ManifoldBuilder builder(manifold, margin);
  visit_contacts(a, b, X_AB, [&](const ContactPoint& c) { builder.add(c); });
}

std::optional<ContactPoint> bowl_contact_point(const Bowl& a, const ConvexView& b, const Pose<>& X_AB,
                                               std::uint64_t pair) {
  const Feature fa = feature_of_a(pair), fb = feature_of_b(pair);
  if (!has_feature(b, fb)) return std::nullopt;
  const bool ball = b.kind == ConvexKind::point;
  if (ball && fa == kOpening) {
    if (faces_shell(a, from_center(a, X_AB.translation).u)) return std::nullopt;
    return opening_contact(a, b, X_AB);
  }
  if (ball && (fa == kInside || fa == kOutside)) {
    if (!faces_shell(a, from_center(a, X_AB.translation).u)) return std::nullopt;
    return vertex_contact(a, b, X_AB, fb, fa == kInside);
  }
  if (fa == feature(FeatureKind::point)) {
    const SeenAsBall seen(a, X_AB);
    std::optional<ContactPoint> c = convex_contact_point(seen.view, b, seen.X_CB, pair);
    if (c) c = moved(*c, a);
    return c;
  }
  if (fa != kInside) return std::nullopt;
  switch (kind_of(fb)) {
    case FeatureKind::point:
      return vertex_contact(a, b, X_AB, fb);
    case FeatureKind::rim_point:
    case FeatureKind::rim: {
      const bool is_point = kind_of(fb) == FeatureKind::rim_point;
      const Primitive rim = X_AB * primitive(b, is_point ? feature(FeatureKind::rim, rim_of(fb)) : fb);
      if (is_point) return vertex_contact(a, b, X_AB, fb);
      if (!(norm_squared(off_axis(a, rim)) > 0.0)) return std::nullopt;  // all of it is equally far
      return rim_contact(a, rim, fb);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace pintle
