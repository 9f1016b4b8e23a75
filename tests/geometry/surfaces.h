// What the tests of contact queries share: surfaces of triangles, contact shapes of every kind, random directions.
#pragma once

#include "geometry/solids.h"
#include "pintle/geometry/shapes/contact_shape.h"

namespace test {

inline Vec3<> random_direction(RandomStream& stream) {
  for (;;) {
    const Vec3<> v = random_vector(stream, 1.0);
    const double length = norm(v);
    if (length > 0.1 && length <= 1.0) return normalized(v);
  }
}

inline ConvexHull random_hull(RandomStream& stream, int points) {
  std::vector<Vec3<>> cloud;
  for (int i = 0; i < points; ++i) cloud.push_back(0.5 * random_direction(stream));
  return *convex_hull(cloud);
}

/// One convex contact shape of every kind.
inline std::vector<ContactShape> one_of_every_convex() {
  RandomStream stream(77);
  return {Sphere{0.4},    Ellipsoid{{0.3, 0.5, 0.8}}, Box{{0.3, 0.5, 0.7}}, Cylinder{0.3, 0.9}, Capsule{0.25, 0.6},
          Cone{0.4, 0.9}, random_hull(stream, 20)};
}

/// A flat square with its middle at the origin, in n by n squares of two triangles, facing up.
inline TriangleMesh flat_floor(double side, int n) {
  TriangleMesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) mesh.vertices.push_back({side * i / n - 0.5 * side, side * j / n - 0.5 * side, 0.0});
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int v = i + (n + 1) * j;
      // Both ways to cut a square.
      if ((i + j) % 2 == 0) {
        mesh.triangles.push_back({v, v + 1, v + n + 2});
        mesh.triangles.push_back({v, v + n + 2, v + n + 1});
      } else {
        mesh.triangles.push_back({v, v + 1, v + n + 1});
        mesh.triangles.push_back({v + 1, v + n + 2, v + n + 1});
      }
    }
  return mesh;
}

/// Hills of up to about `height` on a grid of n by n points.
inline HeightField random_hills(RandomStream& stream, int nx, int ny, double spacing, double height) {
  std::vector<double> heights;
  for (int i = 0; i < nx * ny; ++i) heights.push_back(stream.uniform(0.0, height));
  return *height_field(nx, ny, spacing, heights);
}

/// The triangles of a height field as its documentation gives them.
inline TriangleMesh triangles_of(const HeightField& field) {
  TriangleMesh mesh;
  for (int j = 0; j < field.ny; ++j)
    for (int i = 0; i < field.nx; ++i)
      mesh.vertices.push_back(
          {field.spacing * i, field.spacing * j, field.heights[static_cast<std::size_t>(i + field.nx * j)]});
  for (int j = 0; j + 1 < field.ny; ++j)
    for (int i = 0; i + 1 < field.nx; ++i) {
      const int v = i + field.nx * j;
      mesh.triangles.push_back({v, v + 1, v + field.nx + 1});
      mesh.triangles.push_back({v, v + field.nx + 1, v + field.nx});
    }
  return mesh;
}

}  // namespace test
