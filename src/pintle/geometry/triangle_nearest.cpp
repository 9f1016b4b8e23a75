#include "pintle/geometry/triangle_nearest.h"

#include <limits>

namespace pintle {
namespace {

using Part = TrianglePlace::Part;

template <class Surface>
Vec3<> normal_at(const Surface& surface, int triangle, const TrianglePlace& place) {
  if (place.part == Part::inside) return normal_of(surface, triangle);
  if (place.part == Part::corner) {
    const Vec3<> sum = normal_at_vertex(surface, corners(surface, triangle)[at(place.number)]);
    return norm_squared(sum) > 0.0 ? normalized(sum) : normal_of(surface, triangle);
  }
  const SurfaceEdge side = edge(surface, edges_of(surface, triangle)[at(place.number)]);
  if (side.right < 0 || side.kind == EdgeKind::flat) return normal_of(surface, triangle);
  const Vec3<> sum = normal_of(surface, side.left) + normal_of(surface, side.right);
  return norm_squared(sum) > 0.0 ? normalized(sum) : normal_of(surface, triangle);
}

template <class Surface>
SurfacePlace nearest(const Surface& surface, const Vec3<>& p) {
  SurfacePlace best{-1, {}, {}, std::numeric_limits<double>::infinity()};
  walk_outwards(
      surface, {p, p}, [&] { return best.distance; },
      [&](int triangle) {
        const auto [a, b, c] = corner_points(surface, triangle);
        const TrianglePlace place = nearest_on_triangle(a, b, c, p);
        const double distance = norm(p - place.point);
        const bool nearer = distance < best.distance || (distance == best.distance && triangle < best.triangle);
        if (nearer) best = {triangle, place, {}, distance};
      });
  best.normal = normal_at(surface, best.triangle, best.place);
  if (dot(best.normal, p - best.place.point) < 0.0) best.distance = -best.distance;
  return best;
}

}  // namespace

// By the regions of Voronoi of the corners and edges, as in Ericson 2005, section 5.1.5.
TrianglePlace nearest_on_triangle(const Vec3<>& a, const Vec3<>& b, const Vec3<>& c, const Vec3<>& p) {
  const Vec3<> ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0.0 && d2 <= 0.0) return {Part::corner, 0, a};
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0.0 && d4 <= d3) return {Part::corner, 1, b};
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0.0 && d5 <= d6) return {Part::corner, 2, c};
  const Vec3<> bc = c - b, normal = cross(ab, ac);
  // The side of each edge, times its length and that of the normal.
  const double on_ab = dot(cross(normal, ab), ap), on_bc = dot(cross(normal, bc), bp),
               on_ca = dot(cross(normal, a - c), cp);
  if (on_ab <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return {Part::edge, 0, fma(d1 / (d1 - d3), ab, a)};
  const double b_to_c = d4 - d3, c_to_b = d5 - d6;
  if (on_bc <= 0.0 && b_to_c >= 0.0 && c_to_b >= 0.0) return {Part::edge, 1, fma(b_to_c / (b_to_c + c_to_b), bc, b)};
  if (on_ca <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return {Part::edge, 2, fma(d2 / (d2 - d6), ac, a)};
  return {Part::inside, 0, fma(-dot(normal, ap) / norm_squared(normal), normal, p)};
}

bool is_over_triangle(const std::array<Vec3<>, 3>& corners, const Vec3<>& normal, const Vec3<>& p, double slack) {
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3<>& from = corners[k];
    const Vec3<> along = corners[(k + 1) % 3] - from;
    if (dot(cross(normal, along), p - from) < -slack * norm(along)) return false;
  }
  return true;
}

double distance_between(const BoundingBox& a, const BoundingBox& b) {
  const auto gap = [](double low, double high) { return std::max(low - high, 0.0); };
  const Vec3<> apart{gap(a.min.x, b.max.x) + gap(b.min.x, a.max.x), gap(a.min.y, b.max.y) + gap(b.min.y, a.max.y),
                     gap(a.min.z, b.max.z) + gap(b.min.z, a.max.z)};
  return norm(apart);
}

SurfacePlace nearest_on_surface(const SurfaceMesh& mesh, const Vec3<>& p) {
  return nearest(mesh, p);
}

SurfacePlace nearest_on_surface(const HeightField& field, const Vec3<>& p) {
  return nearest(field, p);
}

}  // namespace pintle
