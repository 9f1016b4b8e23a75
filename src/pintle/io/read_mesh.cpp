#include "pintle/io/read_mesh.h"

#include "pintle/geometry/check_mesh.h"
#include "pintle/geometry/weld_vertices.h"
#include "pintle/io/scene_files.h"

namespace pintle {
namespace {

bool ends_with(const std::string& name, std::string_view ending) {
  if (name.size() < ending.size()) return false;
  for (std::size_t i = 0; i < ending.size(); ++i) {
    const char c = name[name.size() - ending.size() + i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != ending[i]) return false;
  }
  return true;
}

}  // namespace

Result<TriangleMesh> read_scene_mesh(SceneReader& scene, const std::string& name, const Origin& origin, double unit,
                                     bool only_seen) {
  const bool stl = ends_with(name, ".stl"), obj = ends_with(name, ".obj");
  if (!stl && !obj) {
    Diagnostic problem;
    problem.code = "mesh-kind";
    problem.origin = origin;
    problem.what = "'" + name + "' is neither an .stl nor an .obj file";
    problem.fix = "export the mesh as STL or OBJ";
    return problem;
  }
  const Result<std::string> path = scene_path(scene, name, origin);
  if (!path) return path.diagnostics();
  const Result<std::string> text = read_scene_file(scene, *path, origin, scene.limits.bytes);
  if (!text) return text.diagnostics();
  Result<TriangleMesh> mesh = stl ? read_stl(*text, scene.root + *path) : read_obj(*text, scene.root + *path);
  if (!mesh) return mesh;
  for (Vec3<>& vertex : mesh->vertices) vertex = unit * vertex;
  TriangleMesh welded = weld_vertices(*mesh);
  Diagnostics problems = check(welded);
  for (Diagnostic& problem : problems) {
    problem.origin = origin;
    if (only_seen && problem.severity == Severity::error) problem.severity = Severity::warning;
  }
  if (has_errors(problems)) return problems;
  return {std::move(welded), std::move(problems)};
}

}  // namespace pintle
