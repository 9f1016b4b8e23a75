#include "pintle/geometry/shapes/weld_vertices.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

// The mesh with vertex i replaced by `kept[i]`; kept[i] <= i.
TriangleMesh with_vertices_replaced(const TriangleMesh& mesh, const std::vector<int>& kept) {
  TriangleMesh welded;
  for (std::array<int, 3> triangle : mesh.triangles) {
    for (int& i : triangle) i = kept[static_cast<std::size_t>(i)];
    const auto [a, b, c] = triangle;
    if (a != b && b != c && c != a) welded.triangles.push_back(triangle);
  }
  constexpr int kUnused = -1, kUsed = 0;
  std::vector<int> renumbered(mesh.vertices.size(), kUnused);
  for (const std::array<int, 3>& triangle : welded.triangles)
    for (const int i : triangle) renumbered[static_cast<std::size_t>(i)] = kUsed;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (renumbered[i] == kUnused) continue;
    renumbered[i] = static_cast<int>(welded.vertices.size());
    welded.vertices.push_back(mesh.vertices[i]);
  }
  for (std::array<int, 3>& triangle : welded.triangles)
    for (int& i : triangle) i = renumbered[static_cast<std::size_t>(i)];
  return welded;
}

// Kept vertices by their cell of a cubic grid. Cell indices are doubles: none overflows.
class VertexGrid {
 public:
  VertexGrid(const std::vector<Vec3<>>& vertices, double cell_size) : vertices_(vertices), cell_size_(cell_size) {}

  // The first kept vertex within one cell size of vertex i; -1 when there is none.
  int first_near(int i) const {
    const Vec3<>& p = vertex(i);
    const Cell home = cell(p);
    int first = -1;
    for (const double dx : {-1.0, 0.0, 1.0})
      for (const double dy : {-1.0, 0.0, 1.0})
        for (const double dz : {-1.0, 0.0, 1.0}) {
          const auto found = kept_.find({home[0] + dx, home[1] + dy, home[2] + dz});
          if (found == kept_.end()) continue;
          for (const int k : found->second) {
            const bool earlier = first < 0 || k < first;
            if (earlier && norm(vertex(k) - p) <= cell_size_) first = k;
          }
        }
    return first;
  }

  void keep(int i) { kept_[cell(vertex(i))].push_back(i); }

 private:
  using Cell = std::array<double, 3>;

  const Vec3<>& vertex(int i) const { return vertices_[static_cast<std::size_t>(i)]; }
  Cell cell(const Vec3<>& p) const {
    return {std::floor(p.x / cell_size_), std::floor(p.y / cell_size_), std::floor(p.z / cell_size_)};
  }

  const std::vector<Vec3<>>& vertices_;
  double cell_size_;
  std::map<Cell, std::vector<int>> kept_;
};

}  // namespace

TriangleMesh weld_vertices(const TriangleMesh& mesh) {
  require(indices_in_range(mesh), "weld_vertices", "mesh", "a triangle refers to a vertex it does not have");
  std::vector<int> kept(mesh.vertices.size());
  std::map<std::array<double, 3>, int> first_at;  // -0 and 0 are equal, so they are one position
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const int index = static_cast<int>(i);
    const bool comparable = is_finite(mesh.vertices[i]);
    kept[i] = comparable ? first_at.try_emplace(to_array(mesh.vertices[i]), index).first->second : index;
  }
  return with_vertices_replaced(mesh, kept);
}

TriangleMesh weld_vertices(const TriangleMesh& mesh, double tolerance) {
  require(indices_in_range(mesh), "weld_vertices", "mesh", "a triangle refers to a vertex it does not have");
  require(std::isfinite(tolerance) && tolerance > 0.0, "weld_vertices", "tolerance", "it must be finite and positive");
  std::vector<int> kept(mesh.vertices.size());
  VertexGrid grid(mesh.vertices, tolerance);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const int index = static_cast<int>(i);
    kept[i] = index;
    if (!is_finite(mesh.vertices[i])) continue;
    const int near = grid.first_near(index);
    if (near >= 0) {
      kept[i] = near;
    } else {
      grid.keep(index);
    }
  }
  return with_vertices_replaced(mesh, kept);
}

}  // namespace pintle
