#include "pintle/geometry/shapes/surface_features.h"

#include "pintle/math/elementary.h"

namespace pintle {
namespace {

// Vertices farther from the plane of a face than this fraction of the surface's size are not in it.
constexpr double kFlatPart = 1e-12;

// A vertex is pointed when the directions from which it is the nearest point fill a cone at least this wide [rad].
constexpr double kMinCone = 1e-9;

// For vertices with more edges only the mean normal is tried as a direction in the cone.
constexpr std::size_t kMaxForPairs = 32;

// Triangles connected by flat edges that lie in the plane of the first of them.
template <class Surface>
std::vector<int> flat_faces(const Surface& surface) {
  const BoundingBox box = bounding_box(surface);
  const double thickness = kFlatPart * norm(box.max - box.min);
  std::vector<int> faces(at(triangle_count(surface)), -1), waiting;
  for (int first = 0; first < triangle_count(surface); ++first) {
    if (faces[at(first)] >= 0) continue;
    const Vec3<> normal = normal_of(surface, first), origin = vertex(surface, corners(surface, first)[0]);
    const auto lies_in_plane = [&](int triangle) {
      const auto points = corner_points(surface, triangle);
      return norm(cross(normal, normal_of(surface, triangle))) <= kFlatEdgeAngle &&
             std::all_of(points.begin(), points.end(),
                         [&](const Vec3<>& p) { return abs(dot(normal, p - origin)) <= thickness; });
    };
    faces[at(first)] = first;
    waiting.assign(1, first);
    while (!waiting.empty()) {
      const int triangle = waiting.back();
      waiting.pop_back();
      for (const int e : edges_of(surface, triangle)) {
        const SurfaceEdge side = edge(surface, e);
        if (side.kind != EdgeKind::flat) continue;
        const int other = side.left == triangle ? side.right : side.left;
        if (faces[at(other)] >= 0 || !lies_in_plane(other)) continue;
        faces[at(other)] = first;
        waiting.push_back(other);
      }
    }
  }
  return faces;
}

// Whether some direction d has d . g < 0 for all g, with a margin, and points to the free side, as `normal` does; at
// the border both sides are free. If one exists, the mean of the extreme rays of their cone is one.
bool has_wide_cone(const std::vector<Vec3<>>& bounds, const Vec3<>& normal, bool at_border) {
  const auto within = [&](const Vec3<>& d, double tolerance) {
    return std::all_of(bounds.begin(), bounds.end(), [&](const Vec3<>& g) { return dot(d, g) <= tolerance; });
  };
  if (within(normal, -kMinCone)) return true;
  if (bounds.size() > kMaxForPairs) return false;
  // At a corner of the border of a flat part the cone has no extreme rays: the direction away from all bounds lies in
  // it.
  Vec3<> away{0.0, 0.0, 0.0};
  for (const Vec3<>& g : bounds) away -= g;
  if (at_border && norm_squared(away) > 0.0 && within(normalized(away), -kMinCone)) return true;
  Vec3<> sum{0.0, 0.0, 0.0};
  for (std::size_t i = 0; i < bounds.size(); ++i)
    for (std::size_t j = i + 1; j < bounds.size(); ++j) {
      const Vec3<> ray = cross(bounds[i], bounds[j]);
      const double length = norm(ray);
      if (length < kMinCone) continue;
      for (const double side : {1.0, -1.0})
        if (within((side / length) * ray, 1e-12)) sum += (side / length) * ray;
    }
  const double length = norm(sum);
  return length > 0.0 && within(sum / length, -kMinCone) && (at_border || dot(sum, normal) > 0.0);
}

// The angle between two vectors; accurate for small angles too.
double angle_between(const Vec3<>& a, const Vec3<>& b) {
  return pintle::atan2(norm(cross(a, b)), dot(a, b));
}

// The angle-weighted sum of the normals of the triangles around a vertex. Every triangle is reached through its edge
// that leaves the vertex.
template <class Surface>
Vec3<> vertex_normal(const Surface& surface, int v) {
  Vec3<> sum{0.0, 0.0, 0.0};
  const auto add = [&](int triangle) {
    const Corners c = corners(surface, triangle);
    const std::size_t k = c[0] == v ? 0 : c[1] == v ? 1 : 2;
    const Vec3<> p = vertex(surface, v);
    const Vec3<> to_next = vertex(surface, c[(k + 1) % 3]) - p, to_last = vertex(surface, c[(k + 2) % 3]) - p;
    sum += angle_between(to_next, to_last) * normal_of(surface, triangle);
  };
  for_each_edge_at(surface, v, [&](int e) {
    const SurfaceEdge side = edge(surface, e);
    if (side.from == v) add(side.left);
    if (side.to == v && side.right >= 0) add(side.right);
  });
  return sum;
}

template <class Surface>
std::vector<unsigned char> pointed_vertices(const Surface& surface) {
  std::vector<unsigned char> pointed(at(vertex_count(surface)), 0);
  std::vector<Vec3<>> bounds;
  for (int v = 0; v < vertex_count(surface); ++v) {
    bounds.clear();
    bool smooth = true, at_border = false;
    for_each_edge_at(surface, v, [&](int e) {
      const SurfaceEdge side = edge(surface, e);
      smooth = smooth && side.kind == EdgeKind::flat;
      at_border = at_border || side.kind == EdgeKind::open;
      const int other = side.from == v ? side.to : side.from;
      bounds.push_back(normalized(vertex(surface, other) - vertex(surface, v)));
    });
    if (smooth) continue;
    const Vec3<> normal = normal_at_vertex(surface, v);
    pointed[at(v)] = norm_squared(normal) > 0.0 && has_wide_cone(bounds, normalized(normal), at_border) ? 1 : 0;
  }
  return pointed;
}

}  // namespace

Vec3<> normal_of(const HeightField& field, int triangle) {
  const Corners c = corners(field, triangle);
  const double a = field.heights[at(c[0])], b = field.heights[at(c[1])], d = field.heights[at(c[2])];
  const double rise_x = triangle % 2 == 0 ? b - a : b - d, rise_y = triangle % 2 == 0 ? d - b : d - a;
  return normalized(Vec3<>{-rise_x, -rise_y, field.spacing});
}

std::array<int, 3> edges_of(const HeightField& field, int triangle) {
  const int cell = triangle / 2, i = cell % (field.nx - 1), j = cell / (field.nx - 1);
  const int v = i + field.nx * j;
  if (triangle % 2 == 0) return {3 * v, 3 * (v + 1) + 1, 3 * v + 2};
  return {3 * v + 2, 3 * (v + field.nx), 3 * v + 1};
}

bool has_edge(const HeightField& field, int i) {
  const int v = i / 3, x = v % field.nx, y = v / field.nx;
  if (i < 0 || v >= vertex_count(field)) return false;
  return (i % 3 == 1 || x + 1 < field.nx) && (i % 3 == 0 || y + 1 < field.ny);
}

SurfaceEdge edge(const HeightField& field, int e) {
  const int v = e / 3, kind = e % 3, i = v % field.nx, j = v / field.nx, cells = field.nx - 1;
  const auto cell = [&](int x, int y) {
    return x < 0 || y < 0 || x >= cells || y >= field.ny - 1 ? -1 : x + cells * y;
  };
  const int to = kind == 0 ? v + 1 : kind == 1 ? v + field.nx : v + field.nx + 1;
  const int left_cell = kind == 1 ? cell(i - 1, j) : cell(i, j), right_cell = kind == 0 ? cell(i, j - 1) : cell(i, j);
  const int left = left_cell < 0 ? -1 : 2 * left_cell + (kind == 2 ? 1 : 0);
  const int right = right_cell < 0 ? -1 : 2 * right_cell + (kind == 2 ? 0 : 1);
  if (left < 0) return {to, v, right, -1, EdgeKind::open};
  if (right < 0) return {v, to, left, -1, EdgeKind::open};
  const Vec3<> along = normalized(vertex(field, to) - vertex(field, v));
  return {v, to, left, right, edge_kind(normal_of(field, left), normal_of(field, right), along)};
}

EdgeKind edge_kind(const Vec3<>& left_normal, const Vec3<>& right_normal, const Vec3<>& along) {
  const double sine = dot(cross(left_normal, right_normal), along);
  const bool folded = dot(left_normal, right_normal) < 0.0;
  if (abs(sine) <= kFlatEdgeAngle) return folded ? EdgeKind::convex : EdgeKind::flat;
  return sine > 0.0 ? EdgeKind::convex : EdgeKind::concave;
}

Vec3<> normal_at_vertex(const SurfaceMesh& mesh, int v) {
  return vertex_normal(mesh, v);
}

Vec3<> normal_at_vertex(const HeightField& field, int v) {
  return vertex_normal(field, v);
}

void find_features(SurfaceMesh& mesh) {
  mesh.faces = flat_faces(mesh);
  mesh.pointed = pointed_vertices(mesh);
}

void find_features(HeightField& field) {
  field.faces = flat_faces(field);
  field.pointed = pointed_vertices(field);
}

}  // namespace pintle
