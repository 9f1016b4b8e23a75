#include "pintle/geometry/ray/ray_surface.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "pintle/geometry/shapes/surface_features.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

// The distances between which a ray is inside a box, a few ulps wider; empty when out < in.
struct Crossing {
  double in, out;
};

void cut(Crossing& crossing, double origin, double direction, double low, double high) {
  if (direction == 0.0) {
    if (origin < low || origin > high) crossing = {kInfinity<double>, -kInfinity<double>};
    return;
  }
  const double a = (low - origin) / direction, b = (high - origin) / direction;
  // Each difference and quotient is rounded once: 4 eps bounds both, in either direction.
  constexpr double kWider = 4.0 * kEpsilon<double>;
  const double in = std::min(a, b), out = std::max(a, b);
  crossing.in = std::max(crossing.in, in - kWider * abs(in));
  crossing.out = std::min(crossing.out, out + kWider * abs(out));
}

Crossing crossing_through(const BoundingBox& box, const Ray& ray) {
  Crossing crossing{0.0, ray.longest};
  cut(crossing, ray.origin.x, ray.direction.x, box.min.x, box.max.x);
  cut(crossing, ray.origin.y, ray.direction.y, box.min.y, box.max.y);
  cut(crossing, ray.origin.z, ray.direction.z, box.min.z, box.max.z);
  return crossing;
}

// Keeps the nearest hit; of equally near ones that of the triangle with the lowest index.
template <class Surface>
class NearestHit {
 public:
  NearestHit(const Surface& surface, const Ray& ray) : surface_(surface), ray_(ray), nearest_(ray.longest) {}

  void try_triangle(int triangle) {
    const Vec3<> normal = normal_of(surface_, triangle);
    const double rate = dot(normal, ray_.direction);
    if (rate == 0.0 || !passes_between_edges(triangle, rate)) return;
    const double t = dot(normal, vertex(surface_, corners(surface_, triangle)[0]) - ray_.origin) / rate;
    const bool nearer = t < nearest_ || (t == nearest_ && (triangle_ < 0 || triangle < triangle_));
    if (!(t >= 0.0) || !nearer) return;
    nearest_ = t;
    triangle_ = triangle;
  }

  double nearest() const { return nearest_; }

  std::optional<RayHit> hit() const {
    if (triangle_ < 0) return {};
    return RayHit{nearest_, fma(nearest_, ray_.direction, ray_.origin), normal_of(surface_, triangle_)};
  }

 private:
  // Whether the ray passes the line through two vertices on its left, seen against `side` times the direction of the
  // ray; a few ulps on the other side count too, so that no ray slips through between two triangles.
  bool passes_left(int from, int to, double side) const {
    const Vec3<> a = vertex(surface_, from) - ray_.origin, b = vertex(surface_, to) - ray_.origin;
    const double rounding = 4.0 * kEpsilon<double> * (norm_squared(a) + norm_squared(b));
    return side * dot(ray_.direction, cross(a, b)) >= -rounding;
  }

  bool passes_between_edges(int triangle, double rate) const {
    const Corners c = corners(surface_, triangle);
    const double side = rate > 0.0 ? 1.0 : -1.0;
    return passes_left(c[0], c[1], side) && passes_left(c[1], c[2], side) && passes_left(c[2], c[0], side);
  }

  const Surface& surface_;
  const Ray& ray_;
  double nearest_;
  int triangle_ = -1;
};

// The distance at which the ray crosses the next grid line along one axis after cell i.
double next_line(double origin, double direction, double spacing, int i) {
  if (direction == 0.0) return kInfinity<double>;
  const int line = direction > 0.0 ? i + 1 : i;
  return (spacing * line - origin) / direction;
}

}  // namespace

std::optional<RayHit> ray_surface(const SurfaceMesh& mesh, const Ray& ray) {
  NearestHit nearest(mesh, ray);
  struct Waiting {
    int node;
    double in;
  };
  std::array<Waiting, kBoxTreeDepth> waiting;
  std::size_t count = 0;
  const auto wait = [&](int node, const Crossing& crossing) {
    if (crossing.in <= crossing.out) waiting[count++] = {node, crossing.in};
  };
  wait(0, crossing_through(mesh.tree.nodes[0].box, ray));
  while (count > 0) {
    const Waiting now = waiting[--count];
    if (now.in > nearest.nearest()) continue;
    const BoxTreeNode& node = mesh.tree.nodes[at(now.node)];
    if (node.item >= 0) {
      nearest.try_triangle(node.item);
      continue;
    }
    const int first = now.node + 1, second = mesh.tree.nodes[at(first)].next;
    const Crossing through_first = crossing_through(mesh.tree.nodes[at(first)].box, ray);
    const Crossing through_second = crossing_through(mesh.tree.nodes[at(second)].box, ray);
    const bool first_is_nearer = through_first.in <= through_second.in;
    wait(first_is_nearer ? second : first, first_is_nearer ? through_second : through_first);
    wait(first_is_nearer ? first : second, first_is_nearer ? through_first : through_second);
  }
  return nearest.hit();
}

std::optional<RayHit> ray_surface(const HeightField& field, const Ray& ray) {
  const int nx = field.nx - 1, ny = field.ny - 1;
  const double s = field.spacing;
  // The ray is not clipped along z: that would need the heights of all cells.
  Crossing crossing{0.0, ray.longest};
  cut(crossing, ray.origin.x, ray.direction.x, 0.0, s * nx);
  cut(crossing, ray.origin.y, ray.direction.y, 0.0, s * ny);
  if (!(crossing.in <= crossing.out)) return {};
  const Vec3<> entry = fma(crossing.in, ray.direction, ray.origin);
  int i = cell_at(entry.x, s, nx), j = cell_at(entry.y, s, ny);
  NearestHit nearest(field, ray);
  while (i >= 0 && j >= 0 && i < nx && j < ny) {
    nearest.try_triangle(2 * (i + nx * j));
    nearest.try_triangle(2 * (i + nx * j) + 1);
    const double x = next_line(ray.origin.x, ray.direction.x, s, i), y = next_line(ray.origin.y, ray.direction.y, s, j);
    const double leaves = std::min(x, y);
    // A hit within rounding behind the border of this cell counts as one before it.
    if (!(leaves < crossing.out) || nearest.nearest() < leaves) break;
    // Where the ray passes through a grid point, it shares only that point with the two cells beside it.
    if (x <= leaves) i += ray.direction.x > 0.0 ? 1 : -1;
    if (y <= leaves) j += ray.direction.y > 0.0 ? 1 : -1;
  }
  return nearest.hit();
}

}  // namespace pintle
