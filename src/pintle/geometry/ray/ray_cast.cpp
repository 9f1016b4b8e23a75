#include "pintle/geometry/ray/ray_cast.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "pintle/base/usage_error.h"
#include "pintle/geometry/ray/ray_surface.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

using Hit = std::optional<RayHit>;

// The part of a line inside a convex region: from the distance `in` to `out`, and the normals of the surface there.
// Empty when out < in.
struct Stretch {
  double in = -kInfinity<double>, out = kInfinity<double>;
  Vec3<> normal_in{0.0, 0.0, 0.0}, normal_out{0.0, 0.0, 0.0};

  void enter(double t, const Vec3<>& normal) {
    if (t > in) {
      in = t;
      normal_in = normal;
    }
  }
  void leave(double t, const Vec3<>& normal) {
    if (t < out) {
      out = t;
      normal_out = normal;
    }
  }
  void miss() { out = -kInfinity<double>, in = kInfinity<double>; }
  bool empty() const { return !(in <= out); }
};

Hit first_hit(const Ray& ray, const Stretch& stretch) {
  if (stretch.empty()) return {};
  const bool outside = stretch.in >= 0.0;
  const double t = outside ? stretch.in : stretch.out;
  if (!(t >= 0.0) || t > ray.longest || t == kInfinity<double>) return {};
  return RayHit{t, fma(t, ray.direction, ray.origin), outside ? stretch.normal_in : stretch.normal_out};
}

// Keeps the part with normal . x <= offset.
void cut_by_plane(Stretch& stretch, const Ray& ray, const Vec3<>& normal, double offset) {
  const double height = dot(normal, ray.origin) - offset, rate = dot(normal, ray.direction);
  if (rate == 0.0) {
    if (height > 0.0) stretch.miss();
  } else if (rate < 0.0) {
    stretch.enter(-height / rate, normal);
  } else {
    stretch.leave(-height / rate, normal);
  }
}

void cut_by_slab(Stretch& stretch, const Ray& ray, const Vec3<>& axis, double low, double high) {
  cut_by_plane(stretch, ray, axis, high);
  cut_by_plane(stretch, ray, -axis, -low);
}

// The roots of a t^2 + 2 b t + c for a != 0, of which `discriminant` = b^2 - a c >= 0, the lower one first; without
// cancellation.
struct Roots {
  double low, high;
};
Roots roots(double a, double b, double c, double discriminant) {
  const double q = -(b + copysign(sqrt(discriminant), b));
  const double first = q / a, second = q == 0.0 ? first : c / q;
  return {std::min(first, second), std::max(first, second)};
}

// Keeps the part with a t^2 + 2 b t + c <= 0, a >= 0; `normal_at(t)` is the normal of the surface.
template <class NormalAt>
void cut_by_quadric(Stretch& stretch, double a, double b, double c, double discriminant, const NormalAt& normal_at) {
  if (a <= 0.0) {
    if (c > 0.0) stretch.miss();
    return;
  }
  if (!(discriminant >= 0.0)) return stretch.miss();
  const Roots t = roots(a, b, c, discriminant);
  stretch.enter(t.low, normal_at(t.low));
  stretch.leave(t.high, normal_at(t.high));
}

Vec3<> point_at(const Ray& ray, double t) {
  return fma(t, ray.direction, ray.origin);
}

// ---- one stretch per shape

Stretch stretch_of(const HalfSpace&, const Ray& ray) {
  Stretch stretch;
  cut_by_plane(stretch, ray, {0.0, 0.0, 1.0}, 0.0);
  return stretch;
}

Stretch ball(const Vec3<>& center, double radius, const Ray& ray) {
  Stretch stretch;
  const Vec3<> o = ray.origin - center;
  const double size = norm(o), c = (size - radius) * (size + radius), across = norm(cross(o, ray.direction));
  cut_by_quadric(stretch, 1.0, dot(o, ray.direction), c, (radius - across) * (radius + across),
                 [&](double t) { return normalized(fma(t, ray.direction, o)); });
  return stretch;
}

Stretch stretch_of(const Sphere& sphere, const Ray& ray) {
  return ball({0.0, 0.0, 0.0}, sphere.radius, ray);
}

Stretch stretch_of(const Ellipsoid& ellipsoid, const Ray& ray) {
  const Vec3<>& s = ellipsoid.semi_axes;
  const auto scaled = [&](const Vec3<>& v) { return Vec3<>{v.x / s.x, v.y / s.y, v.z / s.z}; };
  // The ellipsoid scaled to a unit sphere.
  const Vec3<> o = scaled(ray.origin), d = scaled(ray.direction);
  const double size = norm(o), along = norm(d), across = norm(cross(o, d));
  Stretch stretch;
  cut_by_quadric(stretch, along * along, dot(o, d), (size - 1.0) * (size + 1.0), (along - across) * (along + across),
                 [&](double t) { return normalized(scaled(fma(t, d, o))); });
  return stretch;
}

Stretch stretch_of(const Box& box, const Ray& ray) {
  const Vec3<> half = 0.5 * box.size;
  Stretch stretch;
  cut_by_slab(stretch, ray, {1.0, 0.0, 0.0}, -half.x, half.x);
  cut_by_slab(stretch, ray, {0.0, 1.0, 0.0}, -half.y, half.y);
  cut_by_slab(stretch, ray, {0.0, 0.0, 1.0}, -half.z, half.z);
  return stretch;
}

Stretch round_bar(double radius, double length, const Ray& ray) {
  const Vec3<> o{ray.origin.x, ray.origin.y, 0.0}, d{ray.direction.x, ray.direction.y, 0.0};
  const double rho = norm(o), along = norm(d), across = abs(o.x * d.y - o.y * d.x);
  Stretch stretch;
  cut_by_quadric(stretch, along * along, dot(o, d), (rho - radius) * (rho + radius),
                 (along * radius - across) * (along * radius + across),
                 [&](double t) { return normalized(fma(t, d, o)); });
  cut_by_slab(stretch, ray, {0.0, 0.0, 1.0}, -0.5 * length, 0.5 * length);
  return stretch;
}

Stretch stretch_of(const Cylinder& cylinder, const Ray& ray) {
  return round_bar(cylinder.radius, cylinder.length, ray);
}

// A capsule is a cylinder and two spheres; the part of a line inside is connected.
Stretch stretch_of(const Capsule& capsule, const Ray& ray) {
  Stretch all;
  all.miss();
  const double half = 0.5 * capsule.length;
  for (const Stretch& part :
       {round_bar(capsule.radius, capsule.length, ray), ball({0.0, 0.0, half}, capsule.radius, ray),
        ball({0.0, 0.0, -half}, capsule.radius, ray)}) {
    if (part.empty()) continue;
    if (part.in < all.in) all.in = part.in, all.normal_in = part.normal_in;
    if (part.out > all.out) all.out = part.out, all.normal_out = part.normal_out;
  }
  return all;
}

Stretch stretch_of(const Cone& cone, const Ray& ray) {
  // x^2 + y^2 <= (k w)^2 with w, the depth below the apex, not negative.
  const double k = cone.radius / cone.height, k2 = k * k, w = cone.height - ray.origin.z;
  const Vec3<>&o = ray.origin, &d = ray.direction;
  const double a = d.x * d.x + d.y * d.y - k2 * d.z * d.z, b = o.x * d.x + o.y * d.y + k2 * w * d.z;
  const double rho = sqrt(o.x * o.x + o.y * o.y), c = (rho - k * w) * (rho + k * w);
  const auto normal_at = [&](double t) {
    const Vec3<> p = point_at(ray, t), normal{p.x, p.y, k2 * (cone.height - p.z)};
    const double length = norm(normal);
    return length > 0.0 ? normal / length : Vec3<>{0.0, 0.0, 1.0};
  };
  Stretch stretch;
  // b^2 - a c without the parts that cancel.
  const Vec3<> m{o.y * d.z + w * d.y, -(w * d.x + o.x * d.z), o.x * d.y - o.y * d.x};
  const double discriminant = k2 * (m.x * m.x + m.y * m.y) - m.z * m.z;
  if (a > 0.0) {
    cut_by_quadric(stretch, a, b, c, discriminant, normal_at);
  } else if (a < 0.0) {
    // The line passes through both halves of the double cone; the shape is the lower one.
    const Roots t = roots(a, b, c, std::max(discriminant, 0.0));
    if (d.z > 0.0) {
      stretch.leave(t.low, normal_at(t.low));
    } else {
      stretch.enter(t.high, normal_at(t.high));
    }
  } else if (b != 0.0) {
    const double t = -0.5 * c / b;
    if (b > 0.0) {
      stretch.leave(t, normal_at(t));
    } else {
      stretch.enter(t, normal_at(t));
    }
  } else if (c > 0.0) {
    stretch.miss();
  }
  cut_by_slab(stretch, ray, {0.0, 0.0, 1.0}, 0.0, cone.height);
  return stretch;
}

Stretch stretch_of(const ConvexHull& hull, const Ray& ray) {
  Stretch stretch;
  for (const HullFace& face : hull.faces) cut_by_plane(stretch, ray, face.normal, face.offset);
  return stretch;
}

Hit cast(const SurfaceMesh& mesh, const Ray& ray) {
  return ray_surface(mesh, ray);
}

Hit cast(const HeightField& field, const Ray& ray) {
  return ray_surface(field, ray);
}

// The ray hits the sphere at most twice; hits above the opening do not count. The normal points towards the ray.
Hit cast(const Bowl& bowl, const Ray& ray) {
  const Stretch sphere = ball({0.0, 0.0, bowl.radius}, bowl.radius, ray);
  if (sphere.empty()) return {};
  for (const bool first : {true, false}) {
    const double t = first ? sphere.in : sphere.out;
    if (!(t >= 0.0) || t > ray.longest) continue;
    const Vec3<> point = point_at(ray, t);
    if (!is_closed(bowl) && point.z > bowl.depth) continue;
    return RayHit{t, point, first ? sphere.normal_in : -sphere.normal_out};
  }
  return {};
}

template <class Solid>
Hit cast(const Solid& solid, const Ray& ray) {
  return first_hit(ray, stretch_of(solid, ray));
}

}  // namespace

std::optional<RayHit> ray_cast(const ContactShape& shape, const Vec3<>& origin, const Vec3<>& direction,
                               double longest) {
  require(abs(norm_squared(direction) - 1.0) <= 1e-9, "ray_cast", "direction", "its length must be 1");
  require(longest >= 0.0, "ray_cast", "longest", "it must not be negative");
  const Ray ray{origin, direction, longest};
  return std::visit([&](const auto& s) { return cast(s, ray); }, shape);
}

std::optional<RayHit> ray_cast(const ContactShape& shape, const Pose<>& X_WS, const Vec3<>& origin,
                               const Vec3<>& direction, double longest) {
  const Vec3<> direction_S = transpose_times(X_WS.rotation, direction);
  Hit hit = ray_cast(shape, inverse_transform_point(X_WS, origin), normalized(direction_S), longest);
  if (!hit) return {};
  return RayHit{hit->distance, fma(hit->distance, direction, origin), X_WS.rotation * hit->normal};
}

}  // namespace pintle
