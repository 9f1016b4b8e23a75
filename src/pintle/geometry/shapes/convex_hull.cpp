#include "pintle/geometry/shapes/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "pintle/base/usage_error.h"
#include "pintle/math/number_text.h"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace pintle {
namespace {

constexpr double kFlattest = 1e-12;

Diagnostic flat(const char* what) {
  return make_error("hull-flat", {}, what, "a convex hull without thickness has no inside",
                    "give points that span a volume, or use another shape such as a thin box");
}

// The maximum distances of the points from the first one, from the line through the farthest, and from the plane
// through these.
struct Spread {
  double length = 0.0, width = 0.0, thickness = 0.0;
};

Spread spread(std::span<const Vec3<>> points) {
  const auto farthest = [&](auto measure) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
      if (measure(points[i]) > measure(points[best])) best = i;
    return points[best];
  };
  Spread s;
  const Vec3<> o = points.front();
  const Vec3<> a = farthest([&](const Vec3<>& p) { return norm(p - o); });
  s.length = norm(a - o);
  if (s.length == 0.0) return s;
  const Vec3<> u = (a - o) / s.length;
  const auto off_line = [&](const Vec3<>& p) { return (p - o) - dot(p - o, u) * u; };
  const Vec3<> b = farthest([&](const Vec3<>& p) { return norm(off_line(p)); });
  s.width = norm(off_line(b));
  if (s.width == 0.0) return s;
  const Vec3<> n = cross(u, off_line(b) / s.width);
  s.thickness = abs(dot(n, farthest([&](const Vec3<>& p) { return abs(dot(n, p - o)); }) - o));
  return s;
}

// A face as Qhull returns it: indices into the points, counter-clockwise seen from outside.
using Ring = std::vector<int>;

// Returns the faces of the hull, or nothing when Qhull reports no volume. Points are shifted to their middle: Qhull's
// rounding bounds grow with the coordinates.
std::vector<Ring> rings_by_qhull(std::span<const Vec3<>> points, const Vec3<>& middle) {
  std::vector<coordT> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec3<>& p : points) {
    for (const double c : to_array(p - middle)) coordinates.push_back(c);
  }
  std::vector<Ring> rings;
  std::FILE* const silence = std::fopen("/dev/null", "w");
  if (silence == nullptr) return rings;
  qhT context;
  qhT* const qh = &context;
  qh_zero(qh, silence);
  // Faces are merged when their centres lie in one plane up to the rounding of the given coordinates.
  double largest = 0.0;
  for (const Vec3<>& p : points) largest = max(largest, max(abs(p.x), max(abs(p.y), abs(p.z))));
  char command[64];
  std::snprintf(command, sizeof command, "qhull C-%.3g", 8.0 * kEpsilon<double> * largest);
  const int failed =
      qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), False, command, silence, silence);
  if (failed == 0) {
    facetT* facet;
    FORALLfacets {
      setT* const corners = qh_facet3vertex(qh, facet);
      Ring ring;
      vertexT *vertex, **vertexp;
      FOREACHvertex_(corners) ring.push_back(qh_pointid(qh, vertex->point));
      qh_settempfree(qh, const_cast<setT**>(&corners));
      std::reverse(ring.begin(), ring.end());  // Qhull's order is clockwise
      rings.push_back(std::move(ring));
    }
  }
  qh_freeqhull(qh, !qh_ALL);
  int blocks = 0, bytes = 0;
  qh_memfreeshort(qh, &blocks, &bytes);
  std::fclose(silence);
  return rings;
}

// Corners belong to at least three faces; a point with fewer lies inside an edge or a face and is dropped.
void drop_false_corners(std::vector<Ring>& rings, std::size_t point_count) {
  std::vector<int> faces_at(point_count, 0);
  for (const Ring& ring : rings)
    for (const int i : ring) ++faces_at[static_cast<std::size_t>(i)];
  for (Ring& ring : rings) std::erase_if(ring, [&](int i) { return faces_at[static_cast<std::size_t>(i)] < 3; });
  std::erase_if(rings, [](const Ring& ring) { return ring.size() < 3; });
}

// Each ring starts at its lowest index and the rings are sorted: the order does not depend on Qhull's.
void bring_in_order(std::vector<Ring>& rings) {
  for (Ring& ring : rings) std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
  std::sort(rings.begin(), rings.end());
}

// Newell's normal; the plane is moved out to the farthest corner, so that no corner is outside.
HullFace face_of(const std::vector<Vec3<>>& vertices, const Ring& ring) {
  const Vec3<> o = vertices[static_cast<std::size_t>(ring.front())];
  Vec3<> area{0.0, 0.0, 0.0};
  for (std::size_t k = 1; k + 1 < ring.size(); ++k) {
    area += cross(vertices[static_cast<std::size_t>(ring[k])] - o, vertices[static_cast<std::size_t>(ring[k + 1])] - o);
  }
  HullFace face{normalized(area), 0.0, 0, static_cast<int>(ring.size())};
  face.offset = dot(face.normal, o);
  for (const int i : ring) face.offset = max(face.offset, dot(face.normal, vertices[static_cast<std::size_t>(i)]));
  return face;
}

void connect(ConvexHull& hull) {
  struct Side {
    int low, high, face, place;
    bool forward;
  };
  std::vector<Side> sides;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const HullFace& face = hull.faces[f];
    for (int k = 0; k < face.count; ++k) {
      const int p = hull.face_vertices[static_cast<std::size_t>(face.first + k)];
      const int q = hull.face_vertices[static_cast<std::size_t>(face.first + (k + 1) % face.count)];
      sides.push_back({std::min(p, q), std::max(p, q), static_cast<int>(f), face.first + k, p < q});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.forward > b.forward;
  });
  hull.face_edges.assign(hull.face_vertices.size(), -1);
  for (std::size_t i = 0; i + 1 < sides.size(); i += 2) {
    const Side &left = sides[i], &right = sides[i + 1];
    const int edge = static_cast<int>(hull.edges.size());
    hull.edges.push_back({left.low, left.high, left.face, right.face});
    hull.face_edges[static_cast<std::size_t>(left.place)] = edge;
    hull.face_edges[static_cast<std::size_t>(right.place)] = edge;
  }
  const std::size_t n = hull.vertices.size();
  hull.first_neighbor.assign(n + 1, 0);
  for (const HullEdge& e : hull.edges) {
    ++hull.first_neighbor[static_cast<std::size_t>(e.from) + 1];
    ++hull.first_neighbor[static_cast<std::size_t>(e.to) + 1];
  }
  for (std::size_t i = 0; i < n; ++i) hull.first_neighbor[i + 1] += hull.first_neighbor[i];
  hull.neighbors.resize(2 * hull.edges.size());
  std::vector<int> next(hull.first_neighbor.begin(), hull.first_neighbor.end() - 1);
  for (const HullEdge& e : hull.edges) {
    hull.neighbors[static_cast<std::size_t>(next[static_cast<std::size_t>(e.from)]++)] = e.to;
    hull.neighbors[static_cast<std::size_t>(next[static_cast<std::size_t>(e.to)]++)] = e.from;
  }
}

ConvexHull hull_of(std::span<const Vec3<>> points, std::vector<Ring> rings) {
  ConvexHull hull;
  std::vector<int> number(points.size(), -1);
  for (const Ring& ring : rings)
    for (const int i : ring) number[static_cast<std::size_t>(i)] = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = static_cast<int>(hull.vertices.size());
    hull.vertices.push_back(points[i]);
  }
  for (Ring& ring : rings) {
    for (int& i : ring) i = number[static_cast<std::size_t>(i)];
    HullFace face = face_of(hull.vertices, ring);
    face.first = static_cast<int>(hull.face_vertices.size());
    hull.face_vertices.insert(hull.face_vertices.end(), ring.begin(), ring.end());
    hull.faces.push_back(face);
  }
  connect(hull);
  return hull;
}

// Checks Euler's formula and that every edge has two faces: what Qhull's merging of faces could break.
bool is_closed(const ConvexHull& hull) {
  const auto missing = [](int i) { return i < 0; };
  return hull.vertices.size() + hull.faces.size() == hull.edges.size() + 2 &&
         2 * hull.edges.size() == hull.face_vertices.size() &&
         std::none_of(hull.face_edges.begin(), hull.face_edges.end(), missing);
}

}  // namespace

Result<ConvexHull> convex_hull(std::span<const Vec3<>> points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_finite(points[i])) continue;
    return make_error("hull-not-finite", {}, "a coordinate of point " + std::to_string(i) + " is not finite",
                      "every result that depends on it would be meaningless",
                      "check where this value was computed or read");
  }
  if (points.size() < 4) {
    return make_error("hull-too-few", {}, "the convex hull has only " + std::to_string(points.size()) + " points",
                      "fewer than four points span no volume", "give at least four points that do not lie in a plane");
  }
  const Spread size = spread(points);
  if (size.length == 0.0) return flat("all points of the convex hull coincide");
  if (size.width <= kFlattest * size.length) return flat("all points of the convex hull lie on a line");
  if (size.thickness <= kFlattest * size.length) return flat("all points of the convex hull lie in a plane");

  Vec3<> low = points.front(), high = low;
  for (const Vec3<>& p : points) {
    low = {min(low.x, p.x), min(low.y, p.y), min(low.z, p.z)};
    high = {max(high.x, p.x), max(high.y, p.y), max(high.z, p.z)};
  }
  std::vector<Ring> rings = rings_by_qhull(points, 0.5 * low + 0.5 * high);
  drop_false_corners(rings, points.size());
  if (rings.size() < 4) return flat("the points of the convex hull lie in a plane, up to rounding");
  bring_in_order(rings);
  ConvexHull hull = hull_of(points, std::move(rings));
  if (!is_closed(hull)) return flat("the convex hull is too thin to distinguish its faces");
  return hull;
}

int support_vertex(const ConvexHull& hull, const Vec3<>& direction) {
  std::size_t best = 0;
  double farthest = dot(direction, hull.vertices.front());
  for (std::size_t i = 1; i < hull.vertices.size(); ++i) {
    const double d = dot(direction, hull.vertices[i]);
    if (!(d > farthest)) continue;
    farthest = d;
    best = i;
  }
  return static_cast<int>(best);
}

BoundingBox bounding_box(const ConvexHull& hull) {
  require(!hull.vertices.empty(), "bounding_box", "hull", "has no vertices");
  BoundingBox box{hull.vertices.front(), hull.vertices.front()};
  for (const Vec3<>& p : hull.vertices) {
    box.min = {min(box.min.x, p.x), min(box.min.y, p.y), min(box.min.z, p.z)};
    box.max = {max(box.max.x, p.x), max(box.max.y, p.y), max(box.max.z, p.z)};
  }
  return box;
}

Diagnostics check(const ConvexHull& hull) {
  const char* const fix = "construct it with convex_hull(points)";
  for (const Vec3<>& p : hull.vertices) {
    if (!is_finite(p)) {
      return {make_error("hull-not-finite", {}, "a vertex of the hull is not finite",
                         "every result that depends on it would be meaningless", fix)};
    }
  }
  bool fits = hull.vertices.size() >= 4 && hull.first_neighbor.size() == hull.vertices.size() + 1 &&
              hull.face_edges.size() == hull.face_vertices.size() && hull.neighbors.size() == 2 * hull.edges.size() &&
              is_closed(hull);
  const auto in_range = [](int i, std::size_t count) { return i >= 0 && static_cast<std::size_t>(i) < count; };
  for (const int i : hull.face_vertices) fits = fits && in_range(i, hull.vertices.size());
  for (const int i : hull.face_edges) fits = fits && in_range(i, hull.edges.size());
  for (const int i : hull.neighbors) fits = fits && in_range(i, hull.vertices.size());
  for (const int i : hull.first_neighbor) fits = fits && in_range(i, hull.neighbors.size() + 1);
  for (const HullEdge& e : hull.edges) {
    fits = fits && in_range(e.from, hull.vertices.size()) && in_range(e.to, hull.vertices.size()) &&
           in_range(e.left, hull.faces.size()) && in_range(e.right, hull.faces.size());
  }
  for (const HullFace& f : hull.faces) {
    fits = fits && f.count >= 3 && in_range(f.first, hull.face_vertices.size()) &&
           in_range(f.first + f.count - 1, hull.face_vertices.size());
  }
  if (fits) return {};
  return {make_error("hull-not-made", {}, "the arrays of the hull are inconsistent",
                     "a hull needs faces, edges and neighbours in addition to its vertices", fix)};
}

}  // namespace pintle
