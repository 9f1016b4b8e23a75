#include "pintle/geometry/collision/convex_view.h"

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

constexpr int kBoxCorners[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
constexpr int kBoxEdges[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                  {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

struct BoxSides {
  int side[6][4] = {};   // the edge from corner k of a face to the next
  int face[12][2] = {};  // left and right of an edge
};

constexpr BoxSides box_sides() {
  BoxSides sides;
  for (int f = 0; f < 6; ++f) {
    for (int k = 0; k < 4; ++k) {
      const int p = kBoxCorners[f][k], q = kBoxCorners[f][(k + 1) % 4];
      for (int e = 0; e < 12; ++e) {
        const bool forward = kBoxEdges[e][0] == p && kBoxEdges[e][1] == q;
        const bool backward = kBoxEdges[e][0] == q && kBoxEdges[e][1] == p;
        if (!forward && !backward) continue;
        sides.side[f][k] = e;
        sides.face[e][forward ? 0 : 1] = f;
      }
    }
  }
  return sides;
}

constexpr BoxSides kBoxSides = box_sides();

Vec3<> hull_support(const ConvexHull& hull, const Vec3<>& d) {
  const Vec3<>* const vertices = hull.vertices.data();
  const int count = static_cast<int>(hull.vertices.size());
  constexpr int kFewEnoughToScan = 32;
  if (count <= kFewEnoughToScan) return vertices[support_vertex(hull, d)];
  int best = 0;
  double farthest = dot(d, vertices[0]);
  for (bool climbing = true; climbing;) {
    climbing = false;
    const int end = hull.first_neighbor.data()[best + 1];
    for (int k = hull.first_neighbor.data()[best]; k < end; ++k) {
      const int other = hull.neighbors.data()[k];
      const double reach = dot(d, vertices[other]);
      if (!(reach > farthest)) continue;
      farthest = reach;
      best = other;
      climbing = true;
    }
  }
  return vertices[best];
}

// The farthest point of the rim of a disc around z.
Vec3<> disc_support(double radius, double z, const Vec3<>& d) {
  const double across = sqrt(d.x * d.x + d.y * d.y);
  if (!(across > 0.0)) return {radius, 0.0, z};
  const double s = radius / across;
  return {s * d.x, s * d.y, z};
}

}  // namespace

ConvexView convex_view(const ContactShape& shape) {
  struct Visitor {
    ConvexView operator()(const Sphere& s) const { return {ConvexKind::point, s.radius, {0, 0, 0}, nullptr, nullptr}; }
    ConvexView operator()(const Capsule& c) const {
      return {ConvexKind::segment, c.radius, {0, 0, 0.5 * c.length}, nullptr, nullptr};
    }
    ConvexView operator()(const Box& b) const { return {ConvexKind::box, 0.0, 0.5 * b.size, nullptr, nullptr}; }
    ConvexView operator()(const ConvexHull& h) const { return {ConvexKind::hull, 0.0, {0, 0, 0}, &h, nullptr}; }
    ConvexView operator()(const Cylinder& c) const {
      return {ConvexKind::cylinder, 0.0, {c.radius, c.radius, 0.5 * c.length}, nullptr, nullptr};
    }
    ConvexView operator()(const Cone& c) const {
      return {ConvexKind::cone, 0.0, {c.radius, c.radius, c.height}, nullptr, nullptr};
    }
    ConvexView operator()(const Ellipsoid& e) const {
      return {ConvexKind::ellipsoid, 0.0, e.semi_axes, nullptr, nullptr};
    }
    ConvexView operator()(const HalfSpace&) const { return none(); }
    ConvexView operator()(const SurfaceMesh&) const { return none(); }
    ConvexView operator()(const HeightField&) const { return none(); }
    ConvexView operator()(const Bowl&) const { return none(); }
    static ConvexView none() { detail::throw_wrong_argument("convex_view", "shape", "is not convex"); }
  };
  return std::visit(Visitor{}, shape);
}

ConvexView triangle_view(const Vec3<>* corners) {
  return {ConvexKind::triangle, 0.0, {0, 0, 0}, nullptr, corners};
}

Vec3<> core_support(const ConvexView& view, const Vec3<>& d) {
  const Vec3<>& size = view.size;
  switch (view.kind) {
    case ConvexKind::point:
      return {0.0, 0.0, 0.0};
    case ConvexKind::segment:
      return {0.0, 0.0, copysign(size.z, d.z)};
    case ConvexKind::triangle: {
      const Vec3<>* const c = view.corners;
      const double u = dot(d, c[0]), v = dot(d, c[1]), w = dot(d, c[2]);
      return u >= v ? (u >= w ? c[0] : c[2]) : (v >= w ? c[1] : c[2]);
    }
    case ConvexKind::box:
      return {copysign(size.x, d.x), copysign(size.y, d.y), copysign(size.z, d.z)};
    case ConvexKind::hull:
      return hull_support(*view.hull, d);
    case ConvexKind::cylinder:
      return disc_support(size.x, copysign(size.z, d.z), d);
    case ConvexKind::cone: {
      const double across = sqrt(d.x * d.x + d.y * d.y);
      if (d.z * size.z > size.x * across) return {0.0, 0.0, size.z};
      return disc_support(size.x, 0.0, d);
    }
    case ConvexKind::ellipsoid: {
      const Vec3<> s = componentwise_product(size, d);
      const double length = norm(s);
      if (!(length > 0.0)) return {0.0, 0.0, size.z};
      return componentwise_product(size, s) / length;
    }
  }
  return {0.0, 0.0, 0.0};
}

double size_of(const ConvexView& view) {
  switch (view.kind) {
    case ConvexKind::triangle:
      return norm(view.corners[1] - view.corners[0]) + norm(view.corners[2] - view.corners[0]);
    case ConvexKind::hull: {
      const Vec3<> o = view.hull->vertices.front();
      double farthest = 0.0;
      for (const Vec3<>& p : view.hull->vertices) farthest = max(farthest, norm_squared(p - o));
      return sqrt(farthest);
    }
    default:
      return view.radius + view.size.x + view.size.y + view.size.z;
  }
}

Vec3<> middle_of(const ConvexView& view) {
  switch (view.kind) {
    case ConvexKind::triangle:
      return (view.corners[0] + view.corners[1] + view.corners[2]) / 3.0;
    case ConvexKind::hull: {
      Vec3<> sum{0.0, 0.0, 0.0};
      const Vec3<> o = view.hull->vertices.front();
      for (const Vec3<>& p : view.hull->vertices) sum += p - o;
      return o + sum / static_cast<double>(view.hull->vertices.size());
    }
    case ConvexKind::cone:
      return {0.0, 0.0, 0.25 * view.size.z};
    default:
      return {0.0, 0.0, 0.0};
  }
}

int vertex_count(const ConvexView& view) {
  switch (view.kind) {
    case ConvexKind::point:
    case ConvexKind::cone:
      return 1;
    case ConvexKind::segment:
      return 2;
    case ConvexKind::triangle:
      return 3;
    case ConvexKind::box:
      return 8;
    case ConvexKind::hull:
      return static_cast<int>(view.hull->vertices.size());
    default:
      return 0;
  }
}

int edge_count(const ConvexView& view) {
  switch (view.kind) {
    case ConvexKind::segment:
      return 1;
    case ConvexKind::triangle:
      return 3;
    case ConvexKind::box:
      return 12;
    case ConvexKind::hull:
      return static_cast<int>(view.hull->edges.size());
    default:
      return 0;
  }
}

int face_count(const ConvexView& view) {
  switch (view.kind) {
    case ConvexKind::triangle:
    case ConvexKind::cylinder:
      return 2;
    case ConvexKind::box:
      return 6;
    case ConvexKind::hull:
      return static_cast<int>(view.hull->faces.size());
    case ConvexKind::cone:
      return 1;
    default:
      return 0;
  }
}

Vec3<> vertex_of(const ConvexView& view, int i) {
  const Vec3<>& size = view.size;
  switch (view.kind) {
    case ConvexKind::segment:
      return {0.0, 0.0, i == 0 ? -size.z : size.z};
    case ConvexKind::triangle:
      return view.corners[i];
    case ConvexKind::box:
      return {i & 1 ? size.x : -size.x, i & 2 ? size.y : -size.y, i & 4 ? size.z : -size.z};
    case ConvexKind::hull:
      return view.hull->vertices.data()[i];
    case ConvexKind::cone:
      return {0.0, 0.0, size.z};
    default:
      return {0.0, 0.0, 0.0};
  }
}

HullEdge edge_of(const ConvexView& view, int e) {
  switch (view.kind) {
    case ConvexKind::triangle:
      return {e, (e + 1) % 3, 0, 1};
    case ConvexKind::box:
      return {kBoxEdges[e][0], kBoxEdges[e][1], kBoxSides.face[e][0], kBoxSides.face[e][1]};
    case ConvexKind::hull:
      return view.hull->edges.data()[e];
    default:
      return {0, 1, -1, -1};
  }
}

Vec3<> face_normal(const ConvexView& view, int face) {
  switch (view.kind) {
    case ConvexKind::triangle: {
      const Vec3<> n = normalized(cross(view.corners[1] - view.corners[0], view.corners[2] - view.corners[0]));
      return face == 0 ? n : -n;
    }
    case ConvexKind::box: {
      const double side = face & 1 ? 1.0 : -1.0;
      return face < 2 ? Vec3<>{side, 0.0, 0.0} : face < 4 ? Vec3<>{0.0, side, 0.0} : Vec3<>{0.0, 0.0, side};
    }
    case ConvexKind::hull:
      return view.hull->faces.data()[face].normal;
    case ConvexKind::cylinder:
      return {0.0, 0.0, face == 0 ? -1.0 : 1.0};
    default:
      return {0.0, 0.0, -1.0};
  }
}

Vec3<> face_point(const ConvexView& view, int face) {
  switch (view.kind) {
    case ConvexKind::triangle:
      return view.corners[0];
    case ConvexKind::box:
      return componentwise_product(view.size, face_normal(view, face));
    case ConvexKind::hull: {
      const HullFace& f = view.hull->faces.data()[face];
      const Vec3<> p = view.hull->vertices.data()[view.hull->face_vertices.data()[f.first]];
      return fma(f.offset - dot(f.normal, p), f.normal, p);
    }
    case ConvexKind::cylinder:
      return {0.0, 0.0, face == 0 ? -view.size.z : view.size.z};
    default:
      return {0.0, 0.0, 0.0};
  }
}

int corner_count(const ConvexView& view, int face) {
  switch (view.kind) {
    case ConvexKind::triangle:
      return 3;
    case ConvexKind::box:
      return 4;
    case ConvexKind::hull:
      return view.hull->faces.data()[face].count;
    default:
      return 0;
  }
}

int corner_of(const ConvexView& view, int face, int k) {
  switch (view.kind) {
    case ConvexKind::triangle:
      return face == 0 ? k : 2 - k;
    case ConvexKind::box:
      return kBoxCorners[face][k];
    default:
      return view.hull->face_vertices.data()[view.hull->faces.data()[face].first + k];
  }
}

int side_of(const ConvexView& view, int face, int k) {
  switch (view.kind) {
    case ConvexKind::triangle:
      return face == 0 ? k : (4 - k) % 3;
    case ConvexKind::box:
      return kBoxSides.side[face][k];
    default:
      return view.hull->face_edges.data()[view.hull->faces.data()[face].first + k];
  }
}

int face_along(const ConvexView& view, const Vec3<>& d) {
  switch (view.kind) {
    case ConvexKind::box: {
      const double x = abs(d.x), y = abs(d.y), z = abs(d.z);
      if (x >= y && x >= z) return d.x > 0.0 ? 1 : 0;
      if (y >= z) return d.y > 0.0 ? 3 : 2;
      return d.z > 0.0 ? 5 : 4;
    }
    case ConvexKind::cylinder:
      return d.z > 0.0 ? 1 : 0;
    default: {
      int best = -1;
      double alignment = -2.0;
      for (int f = 0; f < face_count(view); ++f) {
        const double c = dot(d, face_normal(view, f));
        if (!(c > alignment)) continue;
        alignment = c;
        best = f;
      }
      return best;
    }
  }
}

}  // namespace pintle
