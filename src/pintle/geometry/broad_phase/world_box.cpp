#include "pintle/geometry/broad_phase/world_box.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "pintle/geometry/shapes/surface_features.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

Extent both_ways(double high) {
  return {-high, high};
}

Extent extent(const HalfSpace&, const Vec3<>& d) {
  if (d.x != 0.0 || d.y != 0.0) return both_ways(kInfinity<double>);
  return d.z > 0.0 ? Extent{-kInfinity<double>, 0.0} : Extent{0.0, kInfinity<double>};
}

Extent extent(const Sphere& sphere, const Vec3<>&) {
  return both_ways(sphere.radius);
}

Extent extent(const Ellipsoid& ellipsoid, const Vec3<>& d) {
  return both_ways(norm(componentwise_product(ellipsoid.semi_axes, d)));
}

Extent extent(const Box& box, const Vec3<>& d) {
  return both_ways(0.5 * (box.size.x * abs(d.x) + box.size.y * abs(d.y) + box.size.z * abs(d.z)));
}

Extent extent(const Cylinder& cylinder, const Vec3<>& d) {
  return both_ways(0.5 * cylinder.length * abs(d.z) + cylinder.radius * sqrt(d.x * d.x + d.y * d.y));
}

Extent extent(const Capsule& capsule, const Vec3<>& d) {
  return both_ways(0.5 * capsule.length * abs(d.z) + capsule.radius);
}

Extent extent(const Cone& cone, const Vec3<>& d) {
  const double apex = cone.height * d.z, rim = cone.radius * sqrt(d.x * d.x + d.y * d.y);
  return {std::min(apex, -rim), std::max(apex, rim)};
}

Extent extent(const ConvexHull& hull, const Vec3<>& d) {
  Extent all{kInfinity<double>, -kInfinity<double>};
  for (const Vec3<>& p : hull.vertices) {
    const double place = dot(d, p);
    all = {std::min(all.low, place), std::max(all.high, place)};
  }
  return all;
}

// The maximum of a box along d.
double highest(const BoundingBox& box, const Vec3<>& d) {
  return (d.x > 0.0 ? box.max.x : box.min.x) * d.x + (d.y > 0.0 ? box.max.y : box.min.y) * d.y +
         (d.z > 0.0 ? box.max.z : box.min.z) * d.z;
}

double highest(const SurfaceMesh& mesh, const Vec3<>& d) {
  // A bound of the rounding error of a box, so that no part that contains the highest vertex is left out.
  const double slack =
      8.0 * kEpsilon<double> * (abs(highest(bounding_box(mesh), d)) + abs(highest(bounding_box(mesh), -d)));
  double best = -kInfinity<double>;
  std::array<int, kBoxTreeDepth> waiting;
  std::size_t count = 0;
  waiting[count++] = 0;
  while (count > 0) {
    const int i = waiting[--count];
    const BoxTreeNode& node = mesh.tree.nodes[at(i)];
    if (highest(node.box, d) + slack <= best) continue;
    if (node.item >= 0) {
      for (const Vec3<>& p : corner_points(mesh, node.item)) best = std::max(best, dot(d, p));
      continue;
    }
    const int first = i + 1, second = mesh.tree.nodes[at(first)].next;
    const bool first_is_higher =
        highest(mesh.tree.nodes[at(first)].box, d) >= highest(mesh.tree.nodes[at(second)].box, d);
    waiting[count++] = first_is_higher ? second : first;
    waiting[count++] = first_is_higher ? first : second;
  }
  return best;
}

Extent extent(const SurfaceMesh& mesh, const Vec3<>& d) {
  return {-highest(mesh, -d), highest(mesh, d)};
}

Extent extent(const HeightField& field, const Vec3<>& d) {
  Extent all{kInfinity<double>, -kInfinity<double>};
  for (int v = 0; v < vertex_count(field); ++v) {
    const double place = dot(d, vertex(field, v));
    all = {std::min(all.low, place), std::max(all.high, place)};
  }
  return all;
}

// The farthest point along d is that of the sphere, if the shell contains it, else on the edge of the opening.
double highest(const Bowl& bowl, const Vec3<>& d) {
  if (is_closed(bowl) || bowl.radius * (1.0 + d.z) <= bowl.depth) return bowl.radius * (1.0 + d.z);
  return bowl.depth * d.z + rim_radius(bowl) * sqrt(d.x * d.x + d.y * d.y);
}

Extent extent(const Bowl& bowl, const Vec3<>& d) {
  return {-highest(bowl, -d), highest(bowl, d)};
}

// An upper bound of the distance of the shape's points from the origin of its frame.
double reach(const ContactShape& shape) {
  const BoundingBox box = bounding_box(shape);
  return norm(
      Vec3<>{std::max(-box.min.x, box.max.x), std::max(-box.min.y, box.max.y), std::max(-box.min.z, box.max.z)});
}

}  // namespace

Extent extent_along(const ContactShape& shape, const Vec3<>& direction) {
  return std::visit([&](const auto& s) { return extent(s, direction); }, shape);
}

BoundingBox world_box(const ContactShape& shape, const Pose<>& X_WS, double margin) {
  const Vec3<>& p = X_WS.translation;
  const Extent x = extent_along(shape, row(X_WS.rotation, 0)), y = extent_along(shape, row(X_WS.rotation, 1)),
               z = extent_along(shape, row(X_WS.rotation, 2));
  return inflated({{p.x + x.low, p.y + y.low, p.z + z.low}, {p.x + x.high, p.y + y.high, p.z + z.high}}, margin);
}

BoundingBox swept_box(const ContactShape& shape, const Pose<>& X_WS_before, const Pose<>& X_WS_after, double margin) {
  const BoundingBox box = enclosing(world_box(shape, X_WS_before, margin), world_box(shape, X_WS_after, margin));
  if (std::holds_alternative<Sphere>(shape) || std::holds_alternative<HalfSpace>(shape)) return box;
  // sin^2(angle/2) of the rotation; the arc of a point at a distance r from the axis rises r (1 - cos(angle/2)) above
  // its chord.
  double sum = 0.0;
  for (const double entry : to_array(X_WS_after.rotation - X_WS_before.rotation)) sum += entry * entry;
  const double sine2 = std::min(sum / 8.0, 1.0);
  return inflated(box, reach(shape) * (sine2 / (1.0 + sqrt(1.0 - sine2))));
}

}  // namespace pintle
