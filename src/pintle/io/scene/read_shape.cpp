#include <algorithm>

#include "pintle/io/scene/read_scene_mesh.h"
#include "pintle/io/scene/scene_paths.h"
#include "pintle/io/scene/scene_reader.h"
#include "pintle/text/quantity.h"

namespace pintle {
namespace {

/// The unit of a mesh's coordinates [m]: "mm", or "25.4 mm".
double read_mesh_unit(TomlTable& table) {
  const std::string given = table.text("unit", "m");
  const bool begins_with_number = !given.empty() && (given[0] == '.' || (given[0] >= '0' && given[0] <= '9'));
  Origin origin = table.text_origin_of("unit");
  if (!begins_with_number && origin.column > 0) origin.column -= 2;
  const Result<double> unit =
      read_quantity_of((begins_with_number ? "" : "1 ") + given, kLength, table.who() + ": 'unit'", origin);
  table.file().add(unit.diagnostics());
  if (!unit) return 1.0;
  if (!(*unit > 0.0)) table.problem("unit", "scene-range", "'unit' is not above zero", "", "write \"mm\"");
  return *unit > 0.0 ? *unit : 1.0;
}

Shape read_one(SceneReader& scene, TomlTable& table, std::string_view name, MeshUse use, MeshSource& source) {
  if (name == "box") return Box{table.vector("size", {1, 1, 1})};
  if (name == "sphere") return Sphere{table.quantity("radius", 1.0)};
  if (name == "ellipsoid") return Ellipsoid{table.vector("semi_axes", {1, 1, 1})};
  if (name == "cylinder") return Cylinder{table.quantity("radius", 1.0), table.quantity("length", 1.0)};
  if (name == "capsule") return Capsule{table.quantity("radius", 1.0), table.quantity("length", 1.0)};
  if (name == "cone") return Cone{table.quantity("radius", 1.0), table.quantity("height", 1.0)};
  std::optional<TriangleMesh> mesh = read_mesh_table(scene, table, use, source);
  return mesh ? Shape(*std::move(mesh)) : Shape(Sphere{1.0});
}

}  // namespace

void add_all(TomlFile& file, const Diagnostics& problems, const Origin& origin, const std::string& who) {
  for (Diagnostic problem : problems) {
    if (problem.origin.line == 0) problem.origin = origin;
    problem.what = who + ": " + problem.what;
    file.add(std::move(problem));
  }
}

std::optional<TriangleMesh> read_mesh_table(SceneReader& scene, TomlTable& table, MeshUse use, MeshSource& source) {
  const std::string file = table.text("file");
  const double unit = read_mesh_unit(table);
  if (file.empty()) return std::nullopt;
  std::vector<MeshColor> colors;
  Result<TriangleMesh> mesh = read_scene_mesh(scene, file, table.text_origin_of("file"), unit, use, &colors);
  add_all(table.file(), mesh.diagnostics(), table.text_origin_of("file"), table.who());
  if (!mesh) return std::nullopt;
  const Result<std::string> path = scene_path(scene, file, table.text_origin_of("file"));
  source = {below(scene.root, path ? *path : file), {unit, unit, unit}, std::move(colors)};
  return *std::move(mesh);
}

Shape read_solid(SceneReader& scene, TomlTable& table, MeshUse use, MeshSource& source) {
  static constexpr std::string_view kNames[] = {"box", "sphere", "ellipsoid", "cylinder", "capsule", "cone", "mesh"};
  const auto knows = [&](std::string_view name) {
    const std::span<const SceneKey> keys = table.keys().keys;
    return std::any_of(keys.begin(), keys.end(), [&](const SceneKey& key) { return key.name == name; });
  };
  int given = 0;
  Shape shape = Sphere{1.0};
  for (const std::string_view name : kNames) {
    if (!knows(name) || !table.has(name)) continue;
    ++given;
    TomlTable solid = table.table(name);
    shape = read_one(scene, solid, name, use, source);
    solid.finish();
  }
  for (const char* const name : {"plane", "height_field", "bowl"}) {
    if (!knows(name) || !table.has(name)) continue;
    table.ignore(name);
    ++given;
    table.problem(name, "scene-shape", std::string("a ") + (name[0] == 'h' ? "height field" : name) + " cannot move",
                  "it has no volume, and no mass", "put it into a [[ground]], or make a solid of it");
  }
  if (given != 1 && table.is_table()) {
    table.file().add(
        table.origin(), "scene-shape", table.who() + " has " + (given == 0 ? "no shape" : "several shapes"),
        std::string("it is one of box, sphere, ellipsoid, cylinder, capsule, cone") + (knows("mesh") ? ", mesh" : ""),
        given == 0           ? "write { box = { size = [1, 1, 1] } }, say"
        : !knows("mesh") ? "write subtract = [{...}, {...}] for several"
                             : "write shapes = [{...}, {...}] for several");
  }
  return shape;
}

std::vector<Hole> read_holes(SceneReader& scene, TomlTable& shape) {
  std::vector<Hole> holes;
  for (TomlTable& table : shape.tables("subtract", shape.who() + ", subtract")) {
    const Pose<> X_SH = read_pose(table);
    MeshSource none;
    holes.push_back({read_solid(scene, table, MeshUse::solid, none), X_SH});
    table.finish();
  }
  return holes;
}

}  // namespace pintle
