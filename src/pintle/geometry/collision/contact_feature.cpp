#include "pintle/geometry/collision/contact_feature.h"

#include <limits>

#include "pintle/math/elementary.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr double kHalfRoot = 0.70710678118654752440;

Primitive point(const Vec3<>& p, double radius) {
  return {FeatureKind::point, p, {0, 0, 0}, radius, 0, 0, {}, false};
}

// The 2x2 eigenvalue problem of the radii of curvature: the curvatures are their inverses.
SurfaceCurvature ellipsoid_curvature(const Primitive& p, const Vec3<>& n) {
  const Vec3<> Sn = p.squares * n;
  const double s = sqrt(dot(n, Sn));
  const Vec3<> u = any_tangent(n), v = cross(n, u);
  const Vec3<> Su = p.squares * u, Sv = p.squares * v;
  const double cu = dot(u, Sn) / s, cv = dot(v, Sn) / s;
  const double uu = (dot(u, Su) - cu * cu) / s, vv = (dot(v, Sv) - cv * cv) / s, uv = (dot(u, Sv) - cu * cv) / s;
  double c = 1.0, t = 0.0;  // cosine and tangent of the rotation to the principal axes
  if (abs(uv) > 0.0) {
    const double tau = (vv - uu) / (2.0 * uv);
    t = copysign(1.0, tau) / (abs(tau) + sqrt(1.0 + tau * tau));
    c = 1.0 / sqrt(1.0 + t * t);
  }
  return {c * u - (c * t) * v, 1.0 / (uu - t * uv), 1.0 / (vv + t * uv)};
}

}  // namespace

double rim_height(const ConvexView& view, int end) {
  if (view.kind == ConvexKind::cone) return 0.0;
  return end == 0 ? -view.size.z : view.size.z;
}

Vec3<> any_tangent(const Vec3<>& n) {
  const double x = abs(n.x), y = abs(n.y), z = abs(n.z);
  const Vec3<> smallest = x <= y && x <= z ? Vec3<>{1, 0, 0} : y <= z ? Vec3<>{0, 1, 0} : Vec3<>{0, 0, 1};
  return normalized(cross(n, smallest));
}

Vec3<> patch_corner(int k) {
  constexpr double kCosine[8] = {1, kHalfRoot, 0, -kHalfRoot, -1, -kHalfRoot, 0, kHalfRoot};
  return {kCosine[k & 7], kCosine[(k + 6) & 7], 0.0};
}

Vec3<> rim_corner(Feature rim_point) {
  const Vec3<> corner = patch_corner(number_of(rim_point));
  const int turn = rim_turn(rim_point);
  if (turn == 0) return corner;
  const auto [s, c] = sincos((0.25 * kPi<double> / kRimTurns) * turn);
  return {c * corner.x - s * corner.y, s * corner.x + c * corner.y, 0.0};
}

bool has_feature(const ConvexView& view, Feature f) {
  const int i = number_of(f);
  const bool round = view.kind == ConvexKind::cylinder || view.kind == ConvexKind::cone;
  const int rims = view.kind == ConvexKind::cylinder ? 2 : 1;
  switch (kind_of(f)) {
    case FeatureKind::plane:
      return i < face_count(view);
    case FeatureKind::point:
      return i < vertex_count(view);
    case FeatureKind::line:
      return i < edge_count(view) || (view.kind == ConvexKind::cylinder && i == 0);
    case FeatureKind::rim:
      return round && i < 4 && (i & 1) < rims;
    case FeatureKind::rim_point:
      return round && rim_of(f) < rims;
    case FeatureKind::cone_side:
      return view.kind == ConvexKind::cone && i == 0;
    case FeatureKind::ellipsoid:
      return view.kind == ConvexKind::ellipsoid && i == 0;
    case FeatureKind::bowl:
      break;
  }
  return false;
}

Primitive primitive(const ConvexView& view, Feature f) {
  const int i = number_of(f);
  switch (kind_of(f)) {
    case FeatureKind::plane:
      return {FeatureKind::plane, face_point(view, i), face_normal(view, i), 0, 0, 0, {}, false};
    case FeatureKind::point:
      return point(vertex_of(view, i), view.radius);
    case FeatureKind::line: {
      if (view.kind == ConvexKind::cylinder)
        return {FeatureKind::line, {0, 0, 0}, {0, 0, 1}, view.size.x, view.size.z, 0, {}, false};
      const HullEdge e = edge_of(view, i);
      const Vec3<> p = vertex_of(view, e.from), d = vertex_of(view, e.to) - p;
      const double length = norm(d);
      return {FeatureKind::line, fma(0.5, d, p), d / length, view.radius, 0.5 * length, 0, {}, false};
    }
    case FeatureKind::rim: {
      const int end = i & 1;
      const double side = view.kind == ConvexKind::cylinder && end == 1 ? 1.0 : -1.0;
      return {FeatureKind::rim, {0, 0, rim_height(view, end)}, {0, 0, side}, view.size.x, 0, 0, {}, (i & 2) != 0};
    }
    case FeatureKind::rim_point: {
      Vec3<> p = view.size.x * rim_corner(f);
      p.z = rim_height(view, rim_of(f));
      return point(p, 0.0);
    }
    case FeatureKind::cone_side: {
      const double slant = sqrt(view.size.x * view.size.x + view.size.z * view.size.z);
      return {FeatureKind::cone_side, {0, 0, view.size.z}, {0, 0, 1}, 0, slant, view.size.x / slant, {}, false};
    }
    case FeatureKind::ellipsoid:
    case FeatureKind::bowl:
      break;
  }
  const Vec3<> squares = componentwise_product(view.size, view.size);
  return {FeatureKind::ellipsoid, {0, 0, 0}, {0, 0, 0}, 0, 0, 0, diagonal(squares), false};
}

Primitive half_space_plane() {
  return {FeatureKind::plane, {0, 0, 0}, {0, 0, 1}, 0, 0, 0, {}, false};
}

Primitive operator*(const Pose<>& X_AB, const Primitive& p) {
  Primitive moved = p;
  moved.p = transform_point(X_AB, p.p);
  moved.axis = X_AB.rotation * p.axis;
  if (p.kind == FeatureKind::ellipsoid) moved.squares = congruence(X_AB.rotation, p.squares);
  return moved;
}

SurfaceCurvature curvature_of(const Primitive& p, const Vec3<>& n, const Vec3<>& at) {
  switch (p.kind) {
    case FeatureKind::plane:
      return {any_tangent(n), 0.0, 0.0};
    case FeatureKind::line: {
      const Vec3<> direction = p.axis - dot(p.axis, n) * n;
      return {normalized(direction), 0.0, 1.0 / p.radius};
    }
    case FeatureKind::rim: {
      const Vec3<> off = at - p.p, radial = off - dot(off, p.axis) * p.axis;
      const double length = norm(radial);
      const Vec3<> tangent = length > 0.0 ? cross(p.axis, radial / length) : any_tangent(p.axis);
      const double along = length > 0.0 ? dot(n, radial) / (length * p.radius) : 0.0;
      const Vec3<> direction = tangent - dot(tangent, n) * n;
      return {normalized(direction), along, kInfinity<double>};
    }
    case FeatureKind::cone_side: {
      const Vec3<> off = at - p.p, radial = off - dot(off, p.axis) * p.axis;
      const Vec3<> around = cross(p.axis, n);
      return {normalized(cross(n, around)), 0.0, sqrt(1.0 - p.sine * p.sine) / norm(radial)};
    }
    case FeatureKind::ellipsoid:
      return ellipsoid_curvature(p, n);
    default: {
      const double curvature = p.radius > 0.0 ? 1.0 / p.radius : kInfinity<double>;
      return {any_tangent(n), curvature, curvature};
    }
  }
}

ContactPoint contact_of(const Separation& s, const Primitive& a, const Primitive& b, std::uint64_t pair) {
  return {s.distance, s.normal, s.on_a, s.on_b, curvature_of(a, s.normal, s.on_a), curvature_of(b, -s.normal, s.on_b),
          pair};
}

Separation exchanged(const Separation& s, const Pose<>& X_AB) {
  return {s.distance, -transpose_times(X_AB.rotation, s.normal), inverse_transform_point(X_AB, s.on_b),
          inverse_transform_point(X_AB, s.on_a)};
}

ContactPoint exchanged(const ContactPoint& c, const Pose<>& X_AB) {
  const Separation s = exchanged(Separation{c.distance, c.normal, c.on_a, c.on_b}, X_AB);
  const auto turned = [&](SurfaceCurvature k) {
    k.direction = transpose_times(X_AB.rotation, k.direction);
    return k;
  };
  return {s.distance, s.normal, s.on_a, s.on_b, turned(c.curvature_b), turned(c.curvature_a), exchanged(c.feature)};
}

}  // namespace pintle
