#include "pintle/geometry/shapes/triangle_mesh.h"

#include <algorithm>
#include <utility>

#include "pintle/base/usage_error.h"
#include "pintle/geometry/shapes/hull_centroid.h"
#include "pintle/geometry/shapes/support_direction.h"

namespace pintle {
namespace {

// Two unit vectors perpendicular to a unit vector and to each other.
std::pair<Vec3<>, Vec3<>> plane_axes(const Vec3<>& normal) {
  const bool near_x = abs(normal.x) > abs(normal.y);
  const Vec3<> other = near_x ? Vec3<>{0.0, 1.0, 0.0} : Vec3<>{1.0, 0.0, 0.0};
  const Vec3<> u = normalized(cross(other, normal));
  return {u, cross(normal, u)};
}

}  // namespace

VolumeProperties volume_properties(const TriangleMesh& mesh) {
  require(!mesh.vertices.empty(), "volume_properties", "mesh", "it has no vertices");
  require(indices_in_range(mesh), "volume_properties", "mesh", "a triangle refers to a vertex it does not have");
  const Vec3<> o = center(bounding_box(mesh));
  double volume = 0.0;
  Vec3<> first_moment{0.0, 0.0, 0.0};
  SymMat3<> second_moment{};  // the integral of x x'
  for (const std::array<int, 3>& triangle : mesh.triangles) {
    const auto corner = [&](std::size_t i) { return mesh.vertices[static_cast<std::size_t>(triangle[i])] - o; };
    const Vec3<> a = corner(0), b = corner(1), c = corner(2), sum = a + b + c;
    const double tetrahedron = dot(a, cross(b, c)) / 6.0;
    volume += tetrahedron;
    first_moment += tetrahedron / 4.0 * sum;
    second_moment = second_moment + tetrahedron / 20.0 * (outer(a) + outer(b) + outer(c) + outer(sum));
  }
  if (volume == 0.0) return {0.0, o, {}};
  const Vec3<> center = first_moment / volume;
  const SymMat3<> central = second_moment - volume * outer(center);
  const double t = trace(central);
  return {volume, o + center, diagonal(Vec3<>{t, t, t}) - central};
}

Vec3<> support_point(const TriangleMesh& mesh, const Vec3<>& direction) {
  const Vec3<> d = support_direction(direction);
  const BoundingBox box = bounding_box(mesh);
  const Vec3<> o = center(box);
  double farthest = dot(d, mesh.vertices.front() - o);
  for (const Vec3<>& vertex : mesh.vertices) farthest = std::max(farthest, dot(d, vertex - o));

  const double tied_from = farthest - kTieAngle * norm(box.max - box.min);
  const auto [u, v] = plane_axes(d);
  std::vector<PlanePoint> tied;
  Vec3<> last_tied = mesh.vertices.front();
  for (const Vec3<>& vertex : mesh.vertices) {
    if (dot(d, vertex - o) < tied_from) continue;
    tied.push_back({dot(u, vertex - o), dot(v, vertex - o)});
    last_tied = vertex;
  }
  if (tied.size() == 1) return last_tied;
  const PlanePoint center = hull_centroid(std::move(tied));
  return o + fma(farthest, d, fma(center.u, u, center.v * v));
}

BoundingBox bounding_box(const TriangleMesh& mesh) {
  require(!mesh.vertices.empty(), "bounding_box", "mesh", "it has no vertices");
  BoundingBox box{mesh.vertices.front(), mesh.vertices.front()};
  for (const Vec3<>& p : mesh.vertices) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y), std::min(box.min.z, p.z)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y), std::max(box.max.z, p.z)};
  }
  return box;
}

TriangleMesh flipped(TriangleMesh mesh) {
  for (std::array<int, 3>& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  return mesh;
}

bool indices_in_range(const TriangleMesh& mesh) {
  const auto in_range = [&](int i) { return i >= 0 && static_cast<std::size_t>(i) < mesh.vertices.size(); };
  return std::all_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const std::array<int, 3>& triangle) {
    return std::all_of(triangle.begin(), triangle.end(), in_range);
  });
}

}  // namespace pintle
