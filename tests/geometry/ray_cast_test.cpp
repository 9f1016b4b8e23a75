#include "pintle/geometry/ray/ray_cast.h"

#include <limits>

#include "geometry/surfaces.h"
#include "pintle/base/usage_error.h"

using namespace test;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Negative inside a solid, positive outside, 0 on its surface, growing about as fast as the distance: from the
/// definition of each shape.
double level(const ContactShape& shape, const Vec3<>& p) {
  const double rho = std::hypot(p.x, p.y);
  if (std::holds_alternative<HalfSpace>(shape)) return p.z;
  if (const auto* s = std::get_if<Sphere>(&shape)) return norm(p) - s->radius;
  if (const auto* s = std::get_if<Box>(&shape)) {
    const Vec3<> h = 0.5 * s->size;
    return std::max({abs(p.x) - h.x, abs(p.y) - h.y, abs(p.z) - h.z});
  }
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) {
    const Vec3<> a = s->semi_axes, q{p.x / a.x, p.y / a.y, p.z / a.z}, g{q.x / a.x, q.y / a.y, q.z / a.z};
    return norm(q) > 0.0 ? (norm(q) - 1.0) * norm(q) / norm(g) : -1.0;
  }
  if (const auto* s = std::get_if<Cylinder>(&shape)) return std::max(rho - s->radius, abs(p.z) - 0.5 * s->length);
  if (const auto* s = std::get_if<Capsule>(&shape))
    return std::hypot(rho, std::max(abs(p.z) - 0.5 * s->length, 0.0)) - s->radius;
  if (const auto* s = std::get_if<Cone>(&shape)) {
    const double slant = std::hypot(s->radius, s->height);
    return std::max(-p.z, (rho * s->height + (p.z - s->height) * s->radius) / slant);
  }
  double most = -kInf;
  for (const HullFace& face : std::get<ConvexHull>(shape).faces)
    most = std::max(most, dot(face.normal, p) - face.offset);
  return most;
}

std::vector<ContactShape> solids() {
  std::vector<ContactShape> all = one_of_every_convex();
  all.push_back(HalfSpace{});
  return all;
}

/// The first triangle that a ray meets, by Cramer's rule on each.
std::optional<double> brute_force(const TriangleMesh& mesh, const Vec3<>& o, const Vec3<>& d, double longest) {
  std::optional<double> nearest;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3<> a = mesh.vertices[static_cast<std::size_t>(i)], ab = mesh.vertices[static_cast<std::size_t>(j)] - a,
                 ac = mesh.vertices[static_cast<std::size_t>(k)] - a;
    const double det = dot(-d, cross(ab, ac));
    const double t = dot(o - a, cross(ab, ac)) / det, u = dot(-d, cross(o - a, ac)) / det,
                 v = dot(-d, cross(ab, o - a)) / det;
    if (t >= 0.0 && t <= longest && u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (!nearest || t < *nearest)) nearest = t;
  }
  return nearest;
}

}  // namespace

TEST_CASE("ray cast: every solid is met on its surface, and nowhere before") {
  RandomStream stream(12);
  double worst = 0.0, worst_normal = 0.0;
  for (const ContactShape& shape : solids()) {
    CAPTURE(std::string(name(shape)));
    int hits = 0, from_inside = 0;
    for (int i = 0; i < 4000; ++i) {
      const Vec3<> o = random_vector(stream, i % 2 == 0 ? 2.0 : 0.4);
      const Vec3<> d = i % 3 == 0 ? random_direction(stream) : normalized(random_vector(stream, 0.3) - o);
      const bool inside = level(shape, o) < 0.0;
      const auto hit = ray_cast(shape, o, d, 10.0);
      const double end = hit ? hit->distance : 10.0;
      for (int k = 0; k < 50; ++k) {
        const double t = end * k / 50.0;
        if ((level(shape, o + t * d) < 0.0) != inside) CHECK(abs(level(shape, o + t * d)) < 1e-12);
      }
      if (!hit) {
        CHECK_FALSE((inside && !std::holds_alternative<HalfSpace>(shape)));
        continue;
      }
      ++hits;
      from_inside += inside ? 1 : 0;
      worst = std::max(worst, abs(level(shape, hit->point)));
      CHECK((dot(hit->normal, d) >= 0.0) == inside);
      CHECK(norm(hit->point - (o + hit->distance * d)) < 1e-14);
      // The normal is the gradient of the level, away from edges.
      const double h = 1e-6;
      const auto slope = [&](const Vec3<>& e) {
        return (level(shape, hit->point + h * e) - level(shape, hit->point - h * e)) / (2.0 * h);
      };
      const Vec3<> gradient{slope({1, 0, 0}), slope({0, 1, 0}), slope({0, 0, 1})};
      if (abs(norm(gradient) - 1.0) < 1e-6) worst_normal = std::max(worst_normal, norm(gradient - hit->normal));
    }
    CHECK(hits > 1000);
    CHECK(from_inside > 100);
  }
  CHECK(worst < 2e-14);  // 1e-15 seen
  CHECK(worst_normal < 1e-5);
}

TEST_CASE("ray cast: exact distances along the axes") {
  struct Case {
    ContactShape shape;
    Vec3<> size;  // where rays from outside along x, y and z meet it
  };
  for (const Case& c :
       {Case{Sphere{0.5}, {0.5, 0.5, 0.5}}, Case{Box{{1, 2, 3}}, {0.5, 1, 1.5}}, Case{Ellipsoid{{1, 2, 3}}, {1, 2, 3}},
        Case{Cylinder{0.5, 3}, {0.5, 0.5, 1.5}}, Case{Capsule{0.5, 3}, {0.5, 0.5, 2}}, Case{Cone{1, 2}, {1, 1, 2}}}) {
    CAPTURE(std::string(name(c.shape)));
    CHECK(ray_cast(c.shape, {8, 0, 0}, {-1, 0, 0}, kInf)->distance == 8.0 - c.size.x);
    CHECK(ray_cast(c.shape, {0, 8, 0}, {0, -1, 0}, kInf)->distance == 8.0 - c.size.y);
    CHECK(ray_cast(c.shape, {0, 0, 8}, {0, 0, -1}, kInf)->distance == 8.0 - c.size.z);
    CHECK_FALSE(ray_cast(c.shape, {0, 0, 8}, {0, 0, 1}, kInf));
    CHECK_FALSE(ray_cast(c.shape, {8, 0, 0}, {-1, 0, 0}, 1.0));
    CHECK(norm(ray_cast(c.shape, {0, 0, 8}, {0, 0, -1}, kInf)->normal - Vec3<>{0, 0, 1}) < 1e-15);
  }
  CHECK(ray_cast(HalfSpace{}, {0, 0, 2}, {0, 0.6, -0.8}, kInf)->distance == 2.5);
  CHECK(ray_cast(HalfSpace{}, {0, 0, -2}, {0, 0.6, 0.8}, kInf)->normal.z == 1.0);
  CHECK_FALSE(ray_cast(HalfSpace{}, {0, 0, -2}, {0, 0.6, -0.8}, kInf));
  CHECK_FALSE(ray_cast(HalfSpace{}, {0, 0, 2}, {1, 0, 0}, kInf));
  CHECK_THROWS_AS(ray_cast(HalfSpace{}, {0, 0, 2}, {1, 1, 0}, 1.0), UsageError);
  CHECK_THROWS_AS(ray_cast(HalfSpace{}, {0, 0, 2}, {1, 0, 0}, -1.0), UsageError);
}

TEST_CASE("ray cast: small things far away are met") {
  RandomStream stream(13);
  for (const ContactShape& shape : one_of_every_convex()) {
    CAPTURE(std::string(name(shape)));
    const Vec3<> o = 1e6 * random_direction(stream);
    const auto hit = ray_cast(shape, o, normalized(Vec3<>{0, 0, 0.1} - o), kInf);
    REQUIRE(hit);
    CHECK(abs(level(shape, hit->point)) < 1e-9);
  }
}

TEST_CASE("ray cast: a placed shape is the shape in its frame") {
  RandomStream stream(14);
  for (const ContactShape& shape : one_of_every_convex()) {
    const Pose<> X = random_pose(stream);
    const Vec3<> o = 3.0 * random_direction(stream), d = normalized(X.translation - o);
    const auto hit = ray_cast(shape, X, o, d, kInf);
    REQUIRE(hit);
    CHECK(abs(level(shape, inverse_transform_point(X, hit->point))) < 1e-14);
    CHECK(dot(hit->normal, d) < 0.0);
  }
}

TEST_CASE("ray cast: meshes and height fields as brute force") {
  RandomStream stream(15);
  const HeightField field = random_hills(stream, 12, 9, 0.2, 0.6);
  const TriangleMesh hills = triangles_of(field), round = inscribed(Ellipsoid{{0.7, 1.0, 0.5}}, 16);
  const ContactShape surfaces[] = {field, *surface_mesh(hills), *surface_mesh(round)};
  const TriangleMesh* const triangles[] = {&hills, &hills, &round};
  double worst = 0.0;
  int hits = 0;
  for (int i = 0; i < 30000; ++i) {
    const std::size_t k = static_cast<std::size_t>(i % 3);
    const Vec3<> o = random_vector(stream, 2.5);
    Vec3<> d = i % 2 == 0 ? random_direction(stream) : normalized(Vec3<>{1.1, 0.8, 0.3} - o);
    if (i % 7 == 0) d = {0.0, 0.0, o.z > 0.0 ? -1.0 : 1.0};
    if (i % 11 == 0) d = {o.x > 0.0 ? -1.0 : 1.0, 0.0, 0.0};
    const double longest = i % 5 == 0 ? 1.0 : kInf;
    const auto hit = ray_cast(surfaces[k], o, d, longest);
    const auto expected = brute_force(*triangles[k], o, d, longest);
    REQUIRE(hit.has_value() == expected.has_value());
    if (!hit) continue;
    ++hits;
    worst = std::max(worst, abs(hit->distance - *expected));
  }
  CHECK(hits > 5000);
  CHECK(worst < 1e-12);  // 8e-15 seen
}

TEST_CASE("ray cast: nothing slips through between triangles") {
  RandomStream stream(16);
  const TriangleMesh round = inscribed(Sphere{1.0}, 24);
  const ContactShape mesh = *surface_mesh(round);
  const HeightField field = random_hills(stream, 8, 8, 0.25, 0.1);
  const ContactShape ground = field;
  const TriangleMesh hills = triangles_of(field);
  const auto aim = [&](const TriangleMesh& triangles, std::size_t i) {  // at a vertex or at a place on an edge
    const auto& triangle = triangles.triangles[i % triangles.triangles.size()];
    const Vec3<> a = triangles.vertices[static_cast<std::size_t>(triangle[0])],
                 b = triangles.vertices[static_cast<std::size_t>(triangle[1])];
    return i % 4 == 0 ? a : a + stream.uniform() * (b - a);
  };
  for (std::size_t i = 0; i < 20000; ++i) {
    const Vec3<> o = 5.0 * random_direction(stream), target = aim(round, i);
    const auto hit = ray_cast(mesh, o, normalized(target - o), kInf);
    if (dot(target - o, target) < -0.2) CHECK(hit.has_value());
    // The border of the ground may be missed.
    const Vec3<> on_ground = aim(hills, i), from{stream.uniform(0.1, 1.6), stream.uniform(0.1, 1.6), 3.0};
    const bool border = on_ground.x < 0.1 || on_ground.y < 0.1 || on_ground.x > 1.65 || on_ground.y > 1.65;
    if (!border) CHECK(ray_cast(ground, from, normalized(on_ground - from), kInf).has_value());
  }
}
