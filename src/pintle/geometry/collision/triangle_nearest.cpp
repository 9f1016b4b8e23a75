#include "pintle/geometry/collision/triangle_nearest.h"

#include <limits>

namespace pintle {
namespace {

using Part = TrianglePlace::Part;

// The normal that distinguishes front from back where this is the nearest point.
template <class Surface>
Vec3<> normal_at(const Surface& surface, int triangle, const TrianglePlace& place) {
  if (place.part == Part::inside) return normal_of(surface, triangle);
  Vec3<> sum = normal_of(surface, triangle);
  if (place.part == Part::corner) {
    sum = normal_at_vertex(surface, corners(surface, triangle)[at(place.number)]);
  } else {
    const SurfaceEdge side = edge(surface, edges_of(surface, triangle)[at(place.number)]);
    if (side.kind == EdgeKind::flat || side.right < 0) return sum;
    sum = normal_of(surface, side.left) + normal_of(surface, side.right);
  }
  return norm_squared(sum) > 0.0 ? normalized(sum) : normal_of(surface, triangle);
}

template <class Surface>
bool is_at_border(const Surface& surface, int triangle, const TrianglePlace& place) {
  if (place.part == Part::inside) return false;
  if (place.part == Part::edge) return edge(surface, edges_of(surface, triangle)[at(place.number)]).right < 0;
  bool border = false;
  for_each_edge_at(surface, corners(surface, triangle)[at(place.number)],
                   [&](int e) { border = border || edge(surface, e).right < 0; });
  return border;
}

// Beyond the border of a mesh nothing is inside. A height field compares the height at the point.
bool is_behind_border(const SurfaceMesh&, const Vec3<>&) {
  return false;
}

bool is_behind_border(const HeightField& field, const Vec3<>& p) {
  const int nx = field.nx - 1, ny = field.ny - 1;
  if (p.x < 0.0 || p.y < 0.0 || p.x > nx * field.spacing || p.y > ny * field.spacing) return false;
  const int i = cell_at(p.x, field.spacing, nx), j = cell_at(p.y, field.spacing, ny);
  const bool lower_right = p.x - i * field.spacing >= p.y - j * field.spacing;
  const int triangle = 2 * (i + nx * j) + (lower_right ? 0 : 1);
  return dot(normal_of(field, triangle), p - vertex(field, corners(field, triangle)[0])) < 0.0;
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
  const bool behind = is_at_border(surface, best.triangle, best.place) ? is_behind_border(surface, p)
                                                                       : dot(best.normal, p - best.place.point) < 0.0;
  if (behind) best.distance = -best.distance;
  return best;
}

}  // namespace

// By the Voronoi regions of the corners and edges, as in Ericson 2005, section 5.1.5.
TrianglePlace nearest_on_triangle(const Vec3<>& a, const Vec3<>& b, const Vec3<>& c, const Vec3<>& p) {
  const Vec3<> ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0.0 && d2 <= 0.0) return {Part::corner, 0, a};
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0.0 && d4 <= d3) return {Part::corner, 1, b};
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0.0 && d5 <= d6) return {Part::corner, 2, c};
  const Vec3<> bc = c - b, normal = cross(ab, ac);
  // The signed distance from each edge, times its length and that of the normal.
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
