#include "pintle/geometry/shapes/check_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "pintle/geometry/shapes/weld_vertices.h"
#include "pintle/math/number_text.h"
#include "pintle/spatial/check_inertia.h"

namespace pintle {
namespace {

// Problems of one kind: the first few, and their number.
class ProblemsOfAKind {
 public:
  explicit ProblemsOfAKind(const char* code, Severity severity = Severity::error) : code_(code), severity_(severity) {}

  void add(std::string what, const char* why, const char* fix) {
    if (count_++ >= kMaxListed) return;
    listed_.push_back(make_error(code_, {}, std::move(what), why, fix));
    listed_.back().severity = severity_;
  }

  std::size_t count() const { return count_; }

  void append_to(Diagnostics& problems) const {
    problems.insert(problems.end(), listed_.begin(), listed_.end());
    if (count_ <= kMaxListed) return;
    problems.push_back(make_note(code_, {}, "and " + std::to_string(count_ - kMaxListed) + " more of this kind"));
  }

 private:
  static constexpr std::size_t kMaxListed = 10;

  const char* code_;
  Severity severity_;
  std::size_t count_ = 0;
  Diagnostics listed_;
};

// One side of a triangle: its edge from the lower to the higher vertex, and whether the triangle traverses it in that
// direction.
struct TriangleSide {
  int low, high;
  bool upwards;
  int triangle;
};

const Vec3<>& vertex(const TriangleMesh& mesh, int i) {
  return mesh.vertices[static_cast<std::size_t>(i)];
}

std::string vertex_text(const TriangleMesh& mesh, int i) {
  return "vertex " + std::to_string(i) + " " + point_text(vertex(mesh, i));
}

// The edge in the direction in which the triangle of `side` traverses it.
std::string edge_text(const TriangleMesh& mesh, const TriangleSide& side) {
  const int from = side.upwards ? side.low : side.high, to = side.upwards ? side.high : side.low;
  return "the edge from " + vertex_text(mesh, from) + " to " + vertex_text(mesh, to);
}

std::string triangle_text(const TriangleMesh& mesh, std::size_t t) {
  const auto [a, b, c] = mesh.triangles[t];
  return "triangle " + std::to_string(t) + " (vertices " + std::to_string(a) + ", " + std::to_string(b) + ", " +
         std::to_string(c) + ")";
}

// Checks that vertices are finite and used. Returns how many are not used.
std::size_t check_vertices(const TriangleMesh& mesh, Diagnostics& problems) {
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const std::array<int, 3>& triangle : mesh.triangles)
    for (const int i : triangle)
      if (i >= 0 && static_cast<std::size_t>(i) < used.size()) used[static_cast<std::size_t>(i)] = true;
  ProblemsOfAKind not_finite("mesh-vertex-not-finite"), unused("mesh-vertex-unused");
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3<>& p = mesh.vertices[i];
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
      not_finite.add(vertex_text(mesh, static_cast<int>(i)) + " is not finite",
                     "every result that depends on it would be meaningless",
                     "check where its coordinates were computed or read");
    }
    if (!used[i]) {
      unused.add(vertex_text(mesh, static_cast<int>(i)) + " belongs to no triangle",
                 "it is not on the surface, but bounding boxes and support points would include it",
                 "remove it; weld_vertices does so");
    }
  }
  not_finite.append_to(problems);
  unused.append_to(problems);
  return unused.count();
}

// Twice the area of a triangle is zero up to rounding, relative to its longest side.
bool has_no_area(const Vec3<>& a, const Vec3<>& b, const Vec3<>& c) {
  const double longest = std::max({norm_squared(b - a), norm_squared(c - b), norm_squared(a - c)});
  return norm(cross(b - a, c - a)) <= 4.0 * kEpsilon<double> * longest;
}

// Checks each triangle on its own. Returns whether their sides can be checked.
bool check_triangles(const TriangleMesh& mesh, Diagnostics& problems) {
  ProblemsOfAKind index("mesh-index"), repeated("mesh-degenerate-triangle");
  ProblemsOfAKind flat("mesh-degenerate-triangle", Severity::warning);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto [a, b, c] = mesh.triangles[t];
    const auto [low, high] = std::minmax({a, b, c});
    if (low < 0 || static_cast<std::size_t>(high) >= mesh.vertices.size()) {
      index.add(triangle_text(mesh, t) + " refers to a vertex that does not exist; there are " +
                    std::to_string(mesh.vertices.size()) + " vertices",
                "indices count from 0", "correct the index; some file formats count from 1");
    } else if (a == b || b == c || c == a) {
      repeated.add(triangle_text(mesh, t) + " uses a vertex twice", "it is a line or a point, not a triangle",
                   "remove it; weld_vertices does so");
    } else if (has_no_area(vertex(mesh, a), vertex(mesh, b), vertex(mesh, c))) {
      flat.add(triangle_text(mesh, t) + " has no area: its vertices are collinear",
               "mass properties do not depend on it, but it has no normal", "remove it where the surface stays closed");
    }
  }
  for (const ProblemsOfAKind* kind : {&index, &repeated, &flat}) kind->append_to(problems);
  return index.count() == 0 && repeated.count() == 0;
}

// All sides of all triangles, those of one edge next to each other and in the order of their triangles.
std::vector<TriangleSide> sorted_sides(const TriangleMesh& mesh) {
  std::vector<TriangleSide> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto [a, b, c] = mesh.triangles[t];
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}})
      sides.push_back({std::min(from, to), std::max(from, to), from < to, static_cast<int>(t)});
  }
  std::stable_sort(sides.begin(), sides.end(), [](const TriangleSide& p, const TriangleSide& q) {
    return p.low != q.low ? p.low < q.low : p.high < q.high;
  });
  return sides;
}

void check_edges(const TriangleMesh& mesh, std::size_t unused_vertices, Diagnostics& problems) {
  ProblemsOfAKind open("mesh-open-edge"), orientation("mesh-edge-orientation"), crowded("mesh-crowded-edge");
  const char* const close_it = "add the triangles that are missing on its other side";
  const char* const weld_it = "some vertices coincide: weld_vertices merges them";
  const std::vector<TriangleSide> sides = sorted_sides(mesh);
  const char* open_fix = nullptr;
  for (auto first = sides.begin(); first != sides.end();) {
    const auto last = std::find_if(first, sides.end(), [first](const TriangleSide& side) {
      return side.low != first->low || side.high != first->high;
    });
    const auto count = last - first;
    if (count == 1) {
      if (open_fix == nullptr) {
        const bool duplicates = weld_vertices(mesh).vertices.size() + unused_vertices < mesh.vertices.size();
        open_fix = duplicates ? weld_it : close_it;
      }
      open.add(edge_text(mesh, *first) + " belongs to triangle " + std::to_string(first->triangle) + " only",
               "the surface is not closed there, so it bounds no volume", open_fix);
    } else if (count > 2) {
      std::string triangles = std::to_string(first->triangle);
      for (auto side = first + 1; side != last; ++side) triangles += ", " + std::to_string(side->triangle);
      crowded.add(edge_text(mesh, *first) + " belongs to " + std::to_string(count) + " triangles: " + triangles,
                  "the surface of a solid has one triangle on each side of an edge",
                  "remove duplicate and interior triangles; give solids that only touch separate vertices");
    } else if (first->upwards == (first + 1)->upwards) {
      orientation.add("the triangles " + std::to_string(first->triangle) + " and " +
                          std::to_string((first + 1)->triangle) + " traverse " + edge_text(mesh, *first) +
                          " in the same direction",
                      "one of them faces inwards, the other outwards",
                      "swap two vertices of the one that is not counter-clockwise seen from outside");
    }
    first = last;
  }
  for (const ProblemsOfAKind* kind : {&open, &orientation, &crowded}) kind->append_to(problems);
}

// The volume as a sum over the triangles, up to rounding: each tetrahedron is rounded by a few epsilon of area times
// height.
double volume_rounding(const TriangleMesh& mesh) {
  double area = 0.0;
  for (const auto& [a, b, c] : mesh.triangles)
    area += 0.5 * norm(cross(vertex(mesh, b) - vertex(mesh, a), vertex(mesh, c) - vertex(mesh, a)));
  const BoundingBox box = bounding_box(mesh);
  return 16.0 * kEpsilon<double> * area * norm(box.max - box.min);
}

void check_solid(const TriangleMesh& mesh, Diagnostics& problems) {
  const VolumeProperties solid = volume_properties(mesh);
  const bool overflowed = !std::isfinite(solid.volume) || !std::isfinite(trace(solid.inertia));
  if (overflowed) return;  // reported when the mass is computed
  const double rounding = volume_rounding(mesh);
  if (solid.volume < -rounding) {
    problems.push_back(
        make_error("mesh-inverted", {},
                   "the triangles face inwards: the mesh has a volume of " + number_text(solid.volume) + " m^3",
                   "vertices are counter-clockwise seen from outside", "flip every triangle: flipped(mesh)"));
  } else if (solid.volume <= rounding) {
    problems.push_back(
        make_error("mesh-no-volume", {},
                   "the mesh has a volume of " + number_text(solid.volume) + " m^3, which is zero within rounding",
                   "its surface is flat or partly inverted, so it bounds no solid", "give the solid a thickness"));
  } else {
    const Diagnostics impossible = check_inertia(spatial_inertia(solid.volume, Vec3<>{0.0, 0.0, 0.0}, solid.inertia));
    if (impossible.empty()) return;
    problems.push_back(
        make_error("mesh-inverted-part", {},
                   "a part of the mesh faces inwards: with a density of 1 kg/m^3, " + impossible.front().what,
                   impossible.front().why, "flip the triangles of that part, and separate parts that intersect"));
  }
}

}  // namespace

Diagnostics check(const TriangleMesh& mesh) {
  Diagnostics problems;
  if (mesh.triangles.empty()) {
    problems.push_back(make_error(
        "mesh-empty", {}, "the mesh has " + std::to_string(mesh.vertices.size()) + " vertices and no triangle",
        "a solid needs a closed surface", "give at least the four triangles of a tetrahedron"));
    return problems;
  }
  const std::size_t unused_vertices = check_vertices(mesh, problems);
  if (check_triangles(mesh, problems)) check_edges(mesh, unused_vertices, problems);
  if (!has_errors(problems)) check_solid(mesh, problems);
  return problems;
}

}  // namespace pintle
