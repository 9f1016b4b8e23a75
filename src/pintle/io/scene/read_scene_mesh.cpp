#include "pintle/io/scene/read_scene_mesh.h"

#include "pintle/geometry/shapes/check_mesh.h"
#include "pintle/geometry/shapes/weld_vertices.h"
#include "pintle/io/mesh/mesh_colors.h"
#include "pintle/io/mesh/read_mesh.h"
#include "pintle/io/scene/scene_paths.h"

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

/// The colours of an MTL file that a mesh names, relative to the mesh.
Result<MaterialColors> read_library(SceneReader& scene, const MeshKey& key, const ObjMaterials::Name& library) {
  const Result<std::string> path = scene.files->path_of(library.name, folder_of(key.path), false);
  if (!path) return path.diagnostics();
  const Result<std::string> text = read_scene_file(scene, *path, {}, scene.limits.bytes);
  if (!text) return text.diagnostics();
  return read_mtl(*text, below(scene.root, *path));
}

/// `colors` receives those of an OBJ file.
Result<TriangleMesh> read_mesh(SceneReader& scene, const MeshKey& key, const Origin& origin, bool stl,
                               std::vector<MeshColor>& colors) {
  const Result<std::string> text = read_scene_file(scene, key.path, origin, scene.limits.bytes);
  if (!text) return text.diagnostics();
  const std::string file = below(scene.root, key.path);
  ObjMaterials materials;
  Result<TriangleMesh> mesh = stl ? read_stl(*text, file) : read_obj(*text, file, &materials);
  if (!mesh) return mesh;
  for (Vec3<>& vertex : mesh->vertices) vertex = key.unit * vertex;
  Diagnostics warnings;
  std::vector<Result<MaterialColors>> libraries;
  for (const ObjMaterials::Name& library : materials.libraries) libraries.push_back(read_library(scene, key, library));
  colors = mesh_colors(*mesh, materials, libraries, warnings);
  TriangleMesh welded = weld_vertices(*mesh);
  if (key.use == MeshUse::surface) return {std::move(welded), std::move(warnings)};
  Diagnostics problems = check(welded);
  for (Diagnostic& problem : problems) {
    problem.origin = origin;
    if (key.use == MeshUse::seen && problem.severity == Severity::error) problem.severity = Severity::warning;
  }
  if (has_errors(problems)) return problems;
  constexpr std::size_t kFew = 3;
  if (problems.size() > kFew) {  // for a visual mesh, one of many open edges is enough
    problems[0].what += ", and " + std::to_string(problems.size() - 1) + " more are wrong";
    problems.resize(1);
  }
  problems.insert(problems.end(), warnings.begin(), warnings.end());
  return {std::move(welded), std::move(problems)};
}

Diagnostic too_many_triangles(const Origin& origin, std::size_t max_triangles) {
  return make_error("scene-limit", origin,
                    "the meshes of the scene have more than " + std::to_string(max_triangles) + " triangles together",
                    "all copies count", "use a coarser mesh, or a plain shape such as a box or a cylinder");
}

/// Moves the problems of a mesh from where it was first named to another place that names it.
Diagnostics moved(Diagnostics problems, const Origin& from, const Origin& to) {
  for (Diagnostic& problem : problems)
    if (problem.origin.file == from.file && problem.origin.line == from.line) problem.origin = to;
  return problems;
}

}  // namespace

Result<TriangleMesh> read_scene_mesh(SceneReader& scene, const std::string& name, const Origin& origin, double unit,
                                     MeshUse use, std::vector<MeshColor>* colors) {
  const bool stl = ends_with(name, ".stl"), obj = ends_with(name, ".obj");
  if (!stl && !obj) {
    return make_error("mesh-kind", origin, "'" + name + "' is neither an .stl nor an .obj file", "",
                      "export the mesh as STL or OBJ");
  }
  const Result<std::string> path = scene_path(scene, name, origin);
  if (!path) return path.diagnostics();
  const MeshKey key{*path, unit, use};
  auto known = scene.meshes.find(key);
  if (known == scene.meshes.end()) {
    std::vector<MeshColor> own;
    Result<TriangleMesh> read = read_mesh(scene, key, origin, stl, own);
    known = scene.meshes.emplace(key, ReadMesh{std::move(read), origin, std::move(own)}).first;
  }
  if (colors != nullptr) *colors = known->second.colors;
  const Result<TriangleMesh>& mesh = known->second.mesh;
  Diagnostics problems = moved(mesh.diagnostics(), known->second.origin, origin);
  if (!mesh) return problems;
  scene.triangles += mesh->triangles.size();
  if (scene.triangles > scene.limits.triangles) return too_many_triangles(origin, scene.limits.triangles);
  return {*mesh, std::move(problems)};
}

}  // namespace pintle
