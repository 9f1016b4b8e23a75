// What the tests of geometry share: meshes of known solids, of any fineness, and comparisons.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "pintle/geometry/shapes/shape.h"
#include "pintle/math/distributions.h"

namespace test {

using namespace pintle;

inline constexpr double kEps = kEpsilon<double>;

// ---- meshes

inline TriangleMesh box_mesh(const Vec3<>& size) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    const Vec3<> corner{i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5};
    mesh.vertices.push_back(componentwise_product(corner, size));
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

/// A tetrahedron with these corners; the first three are clockwise seen from the last.
inline TriangleMesh tetrahedron(const Vec3<>& a, const Vec3<>& b, const Vec3<>& c, const Vec3<>& d) {
  return {{a, b, c, d}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
}

/// A point of the outline of a solid of revolution about z.
struct ProfilePoint {
  double radius, z;
};

/// The solid whose outline runs from the axis below to the axis above, with n corners around.
inline TriangleMesh revolved(const std::vector<ProfilePoint>& profile, int n) {
  TriangleMesh mesh;
  mesh.vertices.push_back({0.0, 0.0, profile.front().z});
  const int rings = static_cast<int>(profile.size()) - 2;
  for (int k = 1; k <= rings; ++k) {
    const ProfilePoint p = profile[static_cast<std::size_t>(k)];
    for (int i = 0; i < n; ++i) {
      const double angle = 2.0 * kPi<double> * i / n;
      mesh.vertices.push_back({p.radius * std::cos(angle), p.radius * std::sin(angle), p.z});
    }
  }
  mesh.vertices.push_back({0.0, 0.0, profile.back().z});
  const int top = 1 + rings * n;
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    mesh.triangles.push_back({0, 1 + j, 1 + i});
    for (int k = 0; k + 1 < rings; ++k) {
      const int low = 1 + k * n, high = low + n;
      mesh.triangles.push_back({low + i, low + j, high + j});
      mesh.triangles.push_back({low + i, high + j, high + i});
    }
    mesh.triangles.push_back({top - n + i, top - n + j, top});
  }
  return mesh;
}

/// A quarter circle per half: n steps from pole to pole of a ball of this radius, cut at the equator and drawn apart.
inline std::vector<ProfilePoint> round_profile(double radius, double drawn_apart, int n) {
  std::vector<ProfilePoint> profile;
  for (int k = 0; k <= n; ++k) {
    const double latitude = kPi<double> * (static_cast<double>(k) / n - 0.5);
    const ProfilePoint p{radius * std::cos(latitude), radius * std::sin(latitude)};
    if (2 * k <= n) profile.push_back({p.radius, p.z - 0.5 * drawn_apart});
    if (2 * k >= n && (2 * k > n || drawn_apart > 0.0)) profile.push_back({p.radius, p.z + 0.5 * drawn_apart});
  }
  return profile;
}

/// A mesh with its vertices on the surface of the shape, n corners around and, where it is round, n/2 from pole to pole
/// (n a multiple of 4).
inline TriangleMesh inscribed(const Shape& shape, int n) {
  if (const auto* box = std::get_if<Box>(&shape)) return box_mesh(box->size);
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return revolved(round_profile(sphere->radius, 0.0, n / 2), n);
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) {
    TriangleMesh mesh = revolved(round_profile(1.0, 0.0, n / 2), n);
    for (Vec3<>& p : mesh.vertices) p = componentwise_product(p, ellipsoid->semi_axes);
    return mesh;
  }
  if (const auto* c = std::get_if<Cylinder>(&shape)) {
    const double z = 0.5 * c->length;
    return revolved({{0.0, -z}, {c->radius, -z}, {c->radius, z}, {0.0, z}}, n);
  }
  if (const auto* c = std::get_if<Capsule>(&shape)) return revolved(round_profile(c->radius, c->length, n / 2), n);
  if (const auto* c = std::get_if<Cone>(&shape)) return revolved({{0.0, 0.0}, {c->radius, 0.0}, {0.0, c->height}}, n);
  return std::get<TriangleMesh>(shape);
}

/// One shape of every kind, of sizes that are not alike.
inline std::vector<Shape> one_of_every_shape() {
  return {Box{{0.3, 0.5, 0.7}}, Sphere{0.4},    Ellipsoid{{0.3, 0.5, 0.8}}, Cylinder{0.3, 0.9},
          Capsule{0.25, 0.6},   Cone{0.4, 0.9}, box_mesh({0.2, 0.4, 0.9})};
}

/// The mesh seen from another frame.
inline TriangleMesh moved(const Pose<>& X, TriangleMesh mesh) {
  for (Vec3<>& p : mesh.vertices) p = transform_point(X, p);
  return mesh;
}

// ---- comparisons

inline double difference(double a, double b) {
  return abs(a - b);
}
inline double difference(const Vec3<>& a, const Vec3<>& b) {
  return norm(a - b);
}
inline double difference(const SymMat3<>& a, const SymMat3<>& b) {
  double largest = 0.0;
  for (const double entry : to_array(a - b)) largest = std::max(largest, abs(entry));
  return largest;
}

/// |a - b| <= k eps scale
template <class V>
void check_close(const V& a, const V& b, double k, double scale) {
  const double d = difference(a, b), allowed = k * kEps * scale;
  CHECK_MESSAGE(d <= allowed, "differs by ", d, ", allowed ", allowed);
}

/// Mass, first moment and inertia of a body of unit size and this mass agree within k roundings.
inline void check_close(const SpatialInertia<>& a, const SpatialInertia<>& b, double k, double mass) {
  check_close(a.mass, b.mass, k, mass);
  check_close(a.first_moment, b.first_moment, k, mass);
  check_close(a.inertia, b.inertia, k, mass);
}

inline Vec3<> random_vector(RandomStream& stream, double size) {
  const double x = stream.uniform(-size, size), y = stream.uniform(-size, size), z = stream.uniform(-size, size);
  return {x, y, z};
}

inline Pose<> random_pose(RandomStream& stream, double size = 1.0) {
  const Quaternion<> q = uniform_rotation(stream);
  return pose(q, random_vector(stream, size));
}

// ---- diagnostics

/// The first problem with this code; a failed check when there is none.
inline Diagnostic problem_with_code(const Diagnostics& problems, const std::string& code) {
  for (const Diagnostic& problem : problems)
    if (problem.code == code) return problem;
  FAIL_CHECK("no problem has the code " << code);
  return {};
}

inline bool contains(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("'" << part << "' is not in: " << text);
  return found;
}

}  // namespace test
