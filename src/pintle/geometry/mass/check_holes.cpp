#include "pintle/geometry/mass/check_holes.h"

#include <cmath>

#include "pintle/geometry/collision/separation.h"
#include "pintle/math/elementary.h"
#include "pintle/math/number_text.h"

namespace pintle {
namespace {

/// How far a point is outside of a convex shape [m], or minus how far inside, up to a factor: a convex function that is
/// zero on the surface, and the direction in which it grows.
struct Outside {
  double distance;
  Vec3<> direction;  // of any length but zero
};

Outside outside(const Box& box, const Vec3<>& x) {
  const Vec3<> over{abs(x.x) - 0.5 * box.size.x, abs(x.y) - 0.5 * box.size.y, abs(x.z) - 0.5 * box.size.z};
  if (over.x >= over.y && over.x >= over.z) return {over.x, {std::copysign(1.0, x.x), 0, 0}};
  if (over.y >= over.z) return {over.y, {0, std::copysign(1.0, x.y), 0}};
  return {over.z, {0, 0, std::copysign(1.0, x.z)}};
}
Outside outside(const Sphere& sphere, const Vec3<>& x) {
  const double r = norm(x);
  return {r - sphere.radius, r > 0.0 ? x : Vec3<>{1, 0, 0}};
}
Outside outside(const Ellipsoid& ellipsoid, const Vec3<>& x) {
  const Vec3<>& a = ellipsoid.semi_axes;
  const Vec3<> scaled{x.x / a.x, x.y / a.y, x.z / a.z};
  const double size = norm(scaled);
  if (!(size > 0.0)) return {-min(a.x, min(a.y, a.z)), {1, 0, 0}};
  return {(size - 1.0) * min(a.x, min(a.y, a.z)), {scaled.x / a.x, scaled.y / a.y, scaled.z / a.z}};
}
Outside outside(const Cylinder& cylinder, const Vec3<>& x) {
  const double r = pintle::sqrt(x.x * x.x + x.y * x.y), over = abs(x.z) - 0.5 * cylinder.length;
  if (over > r - cylinder.radius) return {over, {0, 0, std::copysign(1.0, x.z)}};
  return {r - cylinder.radius, r > 0.0 ? Vec3<>{x.x, x.y, 0} : Vec3<>{1, 0, 0}};
}
Outside outside(const Capsule& capsule, const Vec3<>& x) {
  const double half = 0.5 * capsule.length, along = max(-half, min(half, x.z));
  return outside(Sphere{capsule.radius}, {x.x, x.y, x.z - along});
}
Outside outside(const Cone& cone, const Vec3<>& x) {
  const double r = pintle::sqrt(x.x * x.x + x.y * x.y);
  const double slant = pintle::sqrt(cone.radius * cone.radius + cone.height * cone.height);
  const double over = (r * cone.height + cone.radius * (x.z - cone.height)) / slant;
  if (-x.z > over) return {-x.z, {0, 0, -1}};
  if (!(r > 0.0)) return {over, {cone.height, 0, cone.radius}};
  return {over, {x.x / r * cone.height, x.y / r * cone.height, cone.radius}};
}
Outside outside(const TriangleMesh&, const Vec3<>&) {
  return {0.0, {1, 0, 0}};
}

Vec3<> support_point(const Hole& hole, const Vec3<>& direction) {
  return transform_point(hole.X_SH, support_point(hole.shape, transpose_times(hole.X_SH.rotation, direction)));
}

/// The largest value of `outside` that an ascent from a direction reaches. The function is convex, so that a support
/// point in its direction is never farther inside.
double ascend(const Shape& shape, const Hole& hole, Vec3<> direction) {
  constexpr int kMaxSteps = 200;
  double distance = -__builtin_inf();
  for (int step = 0; step < kMaxSteps; ++step) {
    const Vec3<> x = support_point(hole, direction);
    const Outside at = std::visit([&](const auto& one) { return outside(one, x); }, shape);
    const bool grows = at.distance > distance + 1e-12 * abs(distance);
    distance = max(distance, at.distance);
    direction = at.direction;
    if (!grows) break;
  }
  return distance;
}

bool is_mesh(const Shape& shape) {
  return std::holds_alternative<TriangleMesh>(shape);
}

ContactShape contact_shape(const Shape& shape) {
  return std::visit(
      [](const auto& one) -> ContactShape {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, TriangleMesh>) {
          return ConvexHull();
        } else {
          return one;
        }
      },
      shape);
}

std::string numbered(std::span<const Hole> holes, std::size_t i) {
  return holes.size() == 1 ? "the hole" : "hole " + std::to_string(i);
}

Diagnostics check_kinds(const Shape& shape, std::span<const Hole> holes) {
  Diagnostics problems;
  if (is_mesh(shape) && !holes.empty()) {
    problems.push_back(make_error("hole-mesh", {}, "a mesh cannot have holes besides those of its own surface",
                                  "whether a hole lies within any surface is not decided here",
                                  "cut the hole into the mesh itself"));
  }
  for (std::size_t i = 0; i < holes.size(); ++i) {
    for (Diagnostic problem : check(holes[i].shape)) {
      problem.what = numbered(holes, i) + ": " + problem.what;
      problems.push_back(std::move(problem));
    }
    if (!is_mesh(holes[i].shape)) continue;
    problems.push_back(make_error("hole-mesh", {}, numbered(holes, i) + " is a mesh",
                                  "holes are boxes, spheres, ellipsoids, cylinders, capsules and cones",
                                  "cut it into a mesh of the whole solid"));
  }
  return problems;
}

}  // namespace

double protrusion(const Shape& shape, const Hole& hole) {
  double most = -__builtin_inf();
  for (const Vec3<>& axis : {Vec3<>{1, 0, 0}, Vec3<>{0, 1, 0}, Vec3<>{0, 0, 1}})
    for (const double sign : {-1.0, 1.0}) most = max(most, ascend(shape, hole, sign * axis));
  // Directions spread evenly, none of them along an edge or a face of anything: an ascent begins in every corner.
  constexpr int kDirections = 200;
  const double golden = kPi<double> * (3.0 - pintle::sqrt(5.0));
  for (int i = 0; i < kDirections; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / kDirections, r = pintle::sqrt(1.0 - z * z);
    most = max(most, ascend(shape, hole, {r * pintle::cos(golden * i), r * pintle::sin(golden * i), z}));
  }
  return most;
}

Diagnostics check_holes(const Shape& shape, std::span<const Hole> holes) {
  Diagnostics problems = check_kinds(shape, holes);
  if (has_errors(problems)) return problems;
  const BoundingBox box = bounding_box(shape);
  const double tolerance = kHoleTolerance * norm(box.max - box.min);
  for (std::size_t i = 0; i < holes.size(); ++i) {
    const double out = protrusion(shape, holes[i]);
    if (!(out <= tolerance)) {
      problems.push_back(make_error(
          "hole-outside", {},
          numbered(holes, i) + " (" + name(holes[i].shape) + ") extends " + number_text(out) + " m beyond the " +
              name(shape),
          "what lies outside would be subtracted from the mass too",
          "shorten or move it so that it ends in the surface; 'at' is in the frame of the shape it is cut from"));
    }
    for (std::size_t k = 0; k < i; ++k) {
      const Pose<> X_KI = inverse(holes[k].X_SH) * holes[i].X_SH;
      const double depth = -separation(contact_shape(holes[k].shape), contact_shape(holes[i].shape), X_KI).distance;
      if (depth <= tolerance) continue;
      problems.push_back(make_error("hole-overlap", {},
                                    "holes " + std::to_string(k) + " and " + std::to_string(i) + " overlap by " +
                                        number_text(depth) + " m",
                                    "what they have in common would be subtracted twice",
                                    "let one end where the other begins, or use a mesh"));
    }
  }
  return problems;
}

}  // namespace pintle
