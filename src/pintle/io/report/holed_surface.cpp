#include "pintle/io/report/holed_surface.h"

#include <algorithm>
#include <array>
#include <vector>

#include "pintle/math/elementary.h"

namespace pintle {
namespace {

constexpr int kAround = 96;    // segments of a circle
constexpr int kMeridian = 24;  // of half a circle from pole to pole

/// A flat convex polygon, counter-clockwise from outside.
using Polygon = std::vector<Vec3<>>;

/// The plane normal . x = offset.
struct FacePlane {
  Vec3<> normal;  // unit, outwards
  double offset;
};

FacePlane plane_of(const Polygon& polygon) {
  Vec3<> area{0, 0, 0};
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    area = area + cross(polygon[i] - polygon[0], polygon[i + 1] - polygon[0]);
  const Vec3<> normal = area / norm(area);
  return {normal, dot(normal, polygon[0])};
}

/// A point of the outline of a solid of revolution.
struct ProfilePoint {
  double radius, z;
};

/// A solid of revolution about z, from its outline from bottom to top; the ends are on the axis, or flat discs.
std::vector<Polygon> revolved(const std::vector<ProfilePoint>& outline) {
  const auto at = [](const ProfilePoint& point, int i) -> Vec3<> {
    const double angle = 2.0 * kPi<double> * (i % kAround) / kAround;
    return {point.radius * pintle::cos(angle), point.radius * pintle::sin(angle), point.z};
  };
  std::vector<Polygon> faces;
  const auto disc = [&](const ProfilePoint& point, bool up) {
    if (point.radius == 0.0) return;
    Polygon face;
    for (int i = 0; i < kAround; ++i) face.push_back(at(point, up ? i : kAround - i));
    faces.push_back(std::move(face));
  };
  disc(outline.front(), false);
  for (std::size_t k = 0; k + 1 < outline.size(); ++k) {
    const ProfilePoint &low = outline[k], &high = outline[k + 1];
    for (int i = 0; i < kAround; ++i) {
      Polygon face{at(low, i)};
      if (low.radius > 0.0) face.push_back(at(low, i + 1));
      if (high.radius > 0.0) face.push_back(at(high, i + 1));
      face.push_back(at(high, i));
      faces.push_back(std::move(face));
    }
  }
  disc(outline.back(), true);
  return faces;
}

std::vector<Polygon> faces_of(const Box& box) {
  const Vec3<> h = 0.5 * box.size;
  std::vector<Polygon> faces;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1.0, 1.0}) {
      Polygon face;
      constexpr double kCorners[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
      for (const auto& at : kCorners) {
        const double u = at[0] * sign, b = at[1];
        const std::array<double, 3> corner = axis == 0   ? std::array{sign, u, b}
                                             : axis == 1 ? std::array{b, sign, u}
                                                         : std::array{u, b, sign};
        face.push_back({corner[0] * h.x, corner[1] * h.y, corner[2] * h.z});
      }
      faces.push_back(std::move(face));
    }
  }
  return faces;
}

/// Half a circle from pole to pole, each half moved along z by `half`.
std::vector<Polygon> round_ends(double radius, double half) {
  std::vector<ProfilePoint> outline;
  for (int k = 0; k <= kMeridian; ++k) {
    const double angle = kPi<double> * k / kMeridian;
    const double side = 2 * k < kMeridian ? -half : half;
    const bool pole = k == 0 || k == kMeridian;
    if (2 * k == kMeridian && half > 0.0) outline.push_back({radius, -half});
    outline.push_back({pole ? 0.0 : radius * pintle::sin(angle), side - radius * pintle::cos(angle)});
  }
  return revolved(outline);
}
std::vector<Polygon> faces_of(const Sphere& sphere) {
  return round_ends(sphere.radius, 0.0);
}
std::vector<Polygon> faces_of(const Ellipsoid& ellipsoid) {
  std::vector<Polygon> faces = round_ends(1.0, 0.0);
  const Vec3<>& a = ellipsoid.semi_axes;
  for (Polygon& face : faces)
    for (Vec3<>& x : face) x = {a.x * x.x, a.y * x.y, a.z * x.z};
  return faces;
}
std::vector<Polygon> faces_of(const Cylinder& cylinder) {
  return revolved({{cylinder.radius, -0.5 * cylinder.length}, {cylinder.radius, 0.5 * cylinder.length}});
}
std::vector<Polygon> faces_of(const Capsule& capsule) {
  return round_ends(capsule.radius, 0.5 * capsule.length);
}
std::vector<Polygon> faces_of(const Cone& cone) {
  return revolved({{cone.radius, 0.0}, {0.0, cone.height}});
}
std::vector<Polygon> faces_of(const TriangleMesh&) {
  return {};
}

/// The parts of a polygon below and above a plane; empty ones have no points.
void split(const Polygon& polygon, const FacePlane& plane, double tolerance, Polygon& below, Polygon& above) {
  below.clear();
  above.clear();
  const std::size_t n = polygon.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3<>&p = polygon[i], &q = polygon[(i + 1) % n];
    const double at_p = dot(plane.normal, p) - plane.offset, at_q = dot(plane.normal, q) - plane.offset;
    if (at_p <= tolerance) below.push_back(p);
    if (at_p >= -tolerance) above.push_back(p);
    const bool crosses = (at_p < -tolerance && at_q > tolerance) || (at_p > tolerance && at_q < -tolerance);
    if (!crosses) continue;
    const Vec3<> x = p + (at_p / (at_p - at_q)) * (q - p);
    below.push_back(x);
    above.push_back(x);
  }
  const auto has_above = [&] {
    return std::any_of(polygon.begin(), polygon.end(),
                       [&](const Vec3<>& x) { return dot(plane.normal, x) - plane.offset > tolerance; });
  };
  const auto has_below = [&] {
    return std::any_of(polygon.begin(), polygon.end(),
                       [&](const Vec3<>& x) { return dot(plane.normal, x) - plane.offset < -tolerance; });
  };
  if (!has_above()) above.clear();  // what lies in the plane is below
  if (above.empty()) {
    below = polygon;
  } else if (!has_below()) {
    below.clear();
    above = polygon;
  }
}

/// A convex polyhedron: the planes of its faces.
struct Convex {
  std::vector<FacePlane> planes;
};

Convex convex_of(const std::vector<Polygon>& faces) {
  Convex convex;
  for (const Polygon& face : faces) convex.planes.push_back(plane_of(face));
  return convex;
}

/// Takes from polygons what lies within a convex polyhedron or on its surface.
std::vector<Polygon> cut(std::vector<Polygon> polygons, const Convex& convex, double tolerance) {
  std::vector<Polygon> left;
  Polygon below, above;
  for (Polygon& polygon : polygons) {
    const bool apart = std::any_of(convex.planes.begin(), convex.planes.end(), [&](const FacePlane& plane) {
      return std::all_of(polygon.begin(), polygon.end(), [&](const Vec3<>& x) {
               return dot(plane.normal, x) - plane.offset >= -tolerance;
             }) && std::any_of(polygon.begin(), polygon.end(), [&](const Vec3<>& x) {
               return dot(plane.normal, x) - plane.offset > tolerance;
             });
    });
    if (apart) {
      left.push_back(std::move(polygon));
      continue;
    }
    for (const FacePlane& plane : convex.planes) {
      split(polygon, plane, tolerance, below, above);
      if (!above.empty()) left.push_back(above);
      polygon = below;
      if (polygon.empty()) break;
    }
  }
  return left;
}

bool lies_on(const Polygon& polygon, const Convex& convex, double tolerance) {
  return std::any_of(convex.planes.begin(), convex.planes.end(), [&](const FacePlane& plane) {
    return std::all_of(polygon.begin(), polygon.end(),
                       [&](const Vec3<>& x) { return abs(dot(plane.normal, x) - plane.offset) <= tolerance; });
  });
}

void add_face(TriangleMesh& mesh, const Polygon& polygon) {
  const int first = static_cast<int>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), polygon.begin(), polygon.end());
  for (int i = 1; i + 1 < static_cast<int>(polygon.size()); ++i)
    mesh.triangles.push_back({first, first + i, first + i + 1});
}

std::vector<Polygon> faces_of_any(const Shape& shape) {
  return std::visit([](const auto& one) { return faces_of(one); }, shape);
}

}  // namespace

TriangleMesh holed_surface(const Shape& shape, std::span<const Hole> holes) {
  if (const TriangleMesh* const mesh = std::get_if<TriangleMesh>(&shape)) return *mesh;
  const BoundingBox box = bounding_box(shape);
  const double tolerance = 1e-6 * norm(box.max - box.min);  // above that of holes, below what a picture shows
  std::vector<Polygon> outer = faces_of_any(shape);
  const Convex solid = convex_of(outer);
  std::vector<std::vector<Polygon>> walls;
  std::vector<Convex> hollows;
  for (const Hole& hole : holes) {
    std::vector<Polygon> faces = faces_of_any(hole.shape);
    for (Polygon& face : faces)
      for (Vec3<>& x : face) x = transform_point(hole.X_SH, x);
    hollows.push_back(convex_of(faces));
    outer = cut(std::move(outer), hollows.back(), tolerance);
    walls.push_back(std::move(faces));
  }
  TriangleMesh mesh;
  for (const Polygon& face : outer) add_face(mesh, face);
  for (std::size_t i = 0; i < walls.size(); ++i) {
    std::vector<Polygon> faces = std::move(walls[i]);
    for (std::size_t k = 0; k < hollows.size(); ++k)
      if (k != i) faces = cut(std::move(faces), hollows[k], tolerance);
    for (Polygon& face : faces) {
      if (lies_on(face, solid, tolerance)) continue;  // the opening
      std::reverse(face.begin(), face.end());
      add_face(mesh, face);
    }
  }
  return mesh;
}

}  // namespace pintle
