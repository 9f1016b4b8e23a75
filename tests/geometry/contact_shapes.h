// What the tests of contact geometry share: random shapes, and independent measures of what is inside and how far.
#pragma once

#include "geometry/solids.h"
#include "pintle/geometry/collision/contact_manifold.h"

namespace test {

/// Convex kinds by their names in ContactShape.
inline constexpr int kConvexKinds = 7;

inline ConvexHull random_hull(RandomStream& stream, double size, int points) {
  std::vector<Vec3<>> cloud;
  for (int i = 0; i < points; ++i) cloud.push_back(random_vector(stream, size));
  return *convex_hull(cloud);
}

/// A shape of kind 0 ... 6: sphere, ellipsoid, box, cylinder, capsule, cone, hull; sizes between 0.1 and 1.
inline ContactShape random_convex(RandomStream& stream, int kind) {
  const double u = stream.uniform(0.1, 1.0), v = stream.uniform(0.1, 1.0), w = stream.uniform(0.1, 1.0);
  switch (kind) {
    case 0:
      return Sphere{u};
    case 1:
      return Ellipsoid{{u, v, w}};
    case 2:
      return Box{{u, v, w}};
    case 3:
      return Cylinder{u, v};
    case 4:
      return Capsule{u, v};
    case 5:
      return Cone{u, v};
    default:
      return random_hull(stream, u, 6 + static_cast<int>(20.0 * v));
  }
}

/// The largest coordinate along a unit direction, from the formulas of textbooks.
inline double reach(const ContactShape& shape, const Vec3<>& n) {
  const double across = std::hypot(n.x, n.y);
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius;
  if (const auto* e = std::get_if<Ellipsoid>(&shape)) return norm(componentwise_product(e->semi_axes, n));
  if (const auto* b = std::get_if<Box>(&shape))
    return 0.5 * (abs(n.x) * b->size.x + abs(n.y) * b->size.y + abs(n.z) * b->size.z);
  if (const auto* c = std::get_if<Cylinder>(&shape)) return c->radius * across + 0.5 * c->length * abs(n.z);
  if (const auto* c = std::get_if<Capsule>(&shape)) return c->radius + 0.5 * c->length * abs(n.z);
  if (const auto* c = std::get_if<Cone>(&shape)) return std::max(c->radius * across, c->height * n.z);
  double farthest = -1e300;
  for (const Vec3<>& p : std::get<ConvexHull>(shape).vertices) farthest = std::max(farthest, dot(n, p));
  return farthest;
}

/// How far a point is outside of a shape, by a measure that is 0 exactly on the surface and not below the distance
/// outside.
inline double outside(const ContactShape& shape, const Vec3<>& p) {
  const double across = std::hypot(p.x, p.y);
  if (const auto* s = std::get_if<Sphere>(&shape)) return norm(p) - s->radius;
  if (const auto* e = std::get_if<Ellipsoid>(&shape)) {
    const Vec3<> a = e->semi_axes;
    return (norm(Vec3<>{p.x / a.x, p.y / a.y, p.z / a.z}) - 1.0) * std::max({a.x, a.y, a.z});
  }
  if (const auto* b = std::get_if<Box>(&shape))
    return std::max({abs(p.x) - 0.5 * b->size.x, abs(p.y) - 0.5 * b->size.y, abs(p.z) - 0.5 * b->size.z});
  if (const auto* c = std::get_if<Cylinder>(&shape)) return std::max(across - c->radius, abs(p.z) - 0.5 * c->length);
  if (const auto* c = std::get_if<Capsule>(&shape)) {
    const double z = std::clamp(p.z, -0.5 * c->length, 0.5 * c->length);
    return norm(p - Vec3<>{0, 0, z}) - c->radius;
  }
  if (const auto* c = std::get_if<Cone>(&shape)) {
    const double slant = std::hypot(c->radius, c->height);
    return std::max(-p.z, (c->height * across + c->radius * (p.z - c->height)) / slant);
  }
  double farthest = -1e300;
  for (const HullFace& f : std::get<ConvexHull>(shape).faces)
    farthest = std::max(farthest, dot(f.normal, p) - f.offset);
  return farthest;
}

inline double gap_along(const ContactShape& a, const ContactShape& b, const Pose<>& X_AB, const Vec3<>& n) {
  return dot(n, X_AB.translation) - reach(b, -transpose_times(X_AB.rotation, n)) - reach(a, n);
}

/// The largest gap along any normal, by climbing from `starts` random directions and a given one: the signed distance,
/// from below.
inline double largest_gap(const ContactShape& a, const ContactShape& b, const Pose<>& X_AB, RandomStream& stream,
                          int starts) {
  double best = -1e300;
  std::vector<std::pair<double, Vec3<>>> tried;
  for (int i = 0; i < starts; ++i) {
    const Vec3<> n = uniform_direction(stream);
    tried.push_back({gap_along(a, b, X_AB, n), n});
  }
  std::sort(tried.begin(), tried.end(), [](const auto& p, const auto& q) { return p.first > q.first; });
  for (std::size_t i = 0; i < 4 && i < tried.size(); ++i) {
    auto [gap, n] = tried[i];
    for (double step = 0.3; step > 1e-7;) {
      const Vec3<> m = normalized(n + step * uniform_direction(stream));
      const double g = gap_along(a, b, X_AB, m);
      if (g > gap) {
        gap = g;
        n = m;
        step *= 1.5;
      } else {
        step *= 0.93;
      }
    }
    best = std::max(best, gap);
  }
  return best;
}

}  // namespace test
