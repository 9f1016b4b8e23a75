#include "pintle/io/urdf/urdf_shapes.h"

#include <algorithm>
#include <cstdio>

#include "pintle/geometry/shapes/weld_vertices.h"
#include "pintle/io/mesh/mesh_colors.h"
#include "pintle/io/mesh/read_collada.h"
#include "pintle/io/mesh/read_mesh.h"
#include "pintle/io/sources/scene_files.h"

namespace pintle {
namespace {

/// The collision groups of a robot's shapes: they collide with everything but each other.
constexpr ContactGroups kRobotOnly{2, ~2u};

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// Reads triangles according to the file name extension.
Result<TriangleMesh> read_triangles(std::string_view bytes, const std::string& file) {
  if (lower(file).ends_with(".dae")) return read_collada(bytes, file);
  return lower(file).ends_with(".obj") ? read_obj(bytes, file) : read_stl(bytes, file);
}

/// "arm" of "package://arm/meshes/hand.stl"; empty for other names.
std::string package_of(const std::string& name) {
  constexpr std::string_view kScheme = "package://";
  if (!name.starts_with(kScheme)) return {};
  return name.substr(kScheme.size(), name.find('/', kScheme.size()) - kScheme.size());
}

TriangleMesh scaled(TriangleMesh mesh, const Vec3<>& scale) {
  for (Vec3<>& v : mesh.vertices) v = {scale.x * v.x, scale.y * v.y, scale.z * v.z};
  return scale.x * scale.y * scale.z < 0.0 ? flipped(std::move(mesh)) : mesh;
}

}  // namespace

UrdfShapes::UrdfShapes(const UrdfRobot& robot, const UrdfSceneSettings& settings, MeshFiles& files, LossReport& losses,
                       SceneSpec& spec)
    : robot_(robot), settings_(settings), files_(files), losses_(losses), spec_(spec) {
  note_materials();
}

/// Materials at the top level take precedence over those of visuals; of several with one name the first that has a
/// colour.
void UrdfShapes::note_materials() {
  const auto note = [&](const UrdfMaterial& material) {
    if (material.rgba.given) materials_.emplace(material.name.value, &material);
    if (material.texture.given) losses_.mark(material.texture.origin, ElementStatus::ignored, "textures are not shown");
  };
  for (const UrdfMaterial& material : robot_.materials) note(material);
  for (const UrdfLink& link : robot_.links)
    for (const UrdfBodyShape& visual : link.visuals)
      if (visual.material) note(*visual.material);
  for (const auto& [name, material] : materials_) {
    if (material->rgba.value[3] != 1.0)
      losses_.mark(material->rgba.origin, ElementStatus::approximated, "without its opacity");
  }
}

std::string UrdfShapes::color_of(const UrdfBodyShape& visual) {
  if (!visual.material) return {};
  const UrdfMaterial* material = &*visual.material;
  if (!material->rgba.given) {
    const auto found = materials_.find(material->name.value);
    if (found == materials_.end()) {
      if (!material->texture.given)
        losses_.mark(material->origin, ElementStatus::ignored, "no material of that name has a colour");
      return {};
    }
    material = found->second;
  }
  if (material->rgba.value[3] != 1.0)
    losses_.mark(material->rgba.origin, ElementStatus::approximated, "without its opacity");
  char text[8];
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned>(255.0 * std::clamp(material->rgba.value[i], 0.0, 1.0) + 0.5);
  };
  std::snprintf(text, sizeof text, "#%02x%02x%02x", byte(0) & 255u, byte(1) & 255u, byte(2) & 255u);
  return text;
}

const UrdfShapes::Mesh& UrdfShapes::mesh_of(const Placed<std::string>& name) {
  const std::string& file = name.value;
  const auto [at, is_new] = meshes_.try_emplace(file);
  Mesh& mesh = at->second;
  if (!is_new) return mesh;
  const std::string ending = lower(file.substr(std::min(file.rfind('.'), file.size())));
  if (ending != ".stl" && ending != ".obj" && ending != ".dae") {
    mesh.why = "files of this kind are not read; export it as .stl, .obj or .dae";
    return mesh;
  }
  if (meshes_.size() > settings_.mesh_files || bytes_ > settings_.all_bytes) {
    mesh.why = "too many meshes, or too large ones, were read already";
    return mesh;
  }
  const Result<std::string> bytes = files_.read_mesh(file, settings_.mesh_bytes);
  if (!bytes) {
    mesh.why = "the file was not found";
    Missing& missing = missing_[package_of(file)];
    if (missing.count++ == 0) {
      missing.first = bytes.diagnostics()[0];
      missing.first.origin = name.origin;
    }
    return mesh;
  }
  mesh.file = files_.place_of(file);
  bytes_ += bytes->size();
  ObjMaterials materials;
  Result<TriangleMesh> triangles =
      ending == ".obj" ? read_obj(*bytes, file, &materials) : read_triangles(*bytes, file);
  if (triangles) {
    Diagnostics warnings;
    std::vector<Result<MaterialColors>> libraries;
    for (const ObjMaterials::Name& library : materials.libraries) {
      const Result<std::string> text = files_.read_mesh(folder_of(file) + library.name, settings_.mesh_bytes);
      if (text) bytes_ += text->size();
      libraries.push_back(text ? read_mtl(*text, library.name) : Result<MaterialColors>(text.diagnostics()));
    }
    mesh.colors = mesh_colors(*triangles, materials, libraries, warnings);
    if (!warnings.empty()) mesh.colorless = warnings[0].what;
    mesh.triangles = weld_vertices(*triangles);
  } else {
    const Diagnostic& problem = triangles.diagnostics()[0];
    mesh.why = problem.what + (problem.origin.line > 0 ? " in line " + std::to_string(problem.origin.line) : "");
  }
  if (mesh.triangles && mesh.triangles->triangles.empty()) {
    mesh.triangles.reset();
    mesh.why = "the file has no triangles";
  }
  return mesh;
}

/// The solid of a geometry; empty, with the reason, if it is a mesh that cannot be loaded.
std::optional<Shape> UrdfShapes::solid_of(const UrdfGeometry& geometry, std::string& why) {
  const double radius = geometry.radius.value, length = geometry.length.value;
  switch (geometry.shape) {
    case UrdfShape::box:
      return Box{geometry.size.value};
    case UrdfShape::sphere:
      return Sphere{radius};
    case UrdfShape::cylinder:
      return Cylinder{radius, length};
    case UrdfShape::capsule:
      return Capsule{radius, length};
    case UrdfShape::mesh:
      break;
  }
  const Vec3<>& scale = geometry.scale.value;
  if (!settings_.meshes) {
    why = "meshes are switched off";
  } else if (scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0) {
    why = "a scale of zero leaves nothing of it";
  } else {
    const Mesh& mesh = mesh_of(geometry.file);
    why = mesh.why;
    if (!mesh.triangles) return std::nullopt;
    triangles_ += mesh.triangles->triangles.size();
    if (triangles_ <= settings_.triangles) return Shape(scaled(*mesh.triangles, scale));
    why = "the meshes of the robot have too many triangles";
  }
  return std::nullopt;
}

MeshSource UrdfShapes::source_of(const UrdfGeometry& geometry) const {
  const auto mesh = meshes_.find(geometry.file.value);
  if (geometry.shape != UrdfShape::mesh || mesh == meshes_.end()) return {};
  return {mesh->second.file, geometry.scale.value, mesh->second.colors};
}

void UrdfShapes::add_contact(const UrdfBodyShape& collision, const std::string& body, const Pose<>& X_BS,
                             const Shape& shape) {
  ContactShapeSpec touched{body, HalfSpace{}, X_BS};
  touched.material = settings_.material;
  touched.origin = collision.geometry.origin;
  touched.mesh = source_of(collision.geometry);
  if (!settings_.self_contact) touched.groups = kRobotOnly;
  if (const TriangleMesh* const mesh = std::get_if<TriangleMesh>(&shape)) {
    Result<ConvexHull> hull = convex_hull(mesh->vertices);
    if (!hull) {
      losses_.mark(collision.origin, ElementStatus::ignored, "it has no convex hull: " + hull.diagnostics()[0].what);
      return;
    }
    losses_.mark(collision.geometry.origin, ElementStatus::approximated, "its convex hull is used for collision");
    touched.shape = *std::move(hull);
  } else {
    std::visit(
        [&](const auto& one) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(one)>, TriangleMesh>) touched.shape = one;
        },
        shape);
  }
  spec_.contact.shapes.push_back(std::move(touched));
}

Diagnostics UrdfShapes::missing_files() const {
  Diagnostics problems;
  for (const auto& [package, missing] : missing_) {
    Diagnostic problem = missing.first;
    problem.code = "urdf-mesh";
    problem.severity = Severity::warning;
    if (missing.count > 1)
      problem.what += ", and " + std::to_string(missing.count - 1) + " more " +
                      (package.empty() ? "files were not" : "of package '" + package + "' were not");
    problem.fix = package.empty() ? "check the name: it is relative to the robot's file"
                                  : "name the folder of the package: --package " + package + "=FOLDER";
    problem.fix += "; or leave all meshes out: --no-meshes";
    problems.push_back(std::move(problem));
  }
  return problems;
}

std::vector<UrdfMeshRoom> UrdfShapes::mesh_rooms() const {
  constexpr std::size_t kFine = 20000;  // triangles; testing whether a mesh is closed takes longer than reading it
  std::vector<UrdfMeshRoom> rooms;
  for (const auto& [file, mesh] : meshes_) {
    if (!mesh.triangles) continue;
    const Shape shape = *mesh.triangles;
    const bool is_solid = mesh.triangles->triangles.size() <= kFine && !has_errors(check(shape));
    rooms.push_back({file, {is_solid ? volume(shape) : 0.0, bounding_box(shape)}});
  }
  return rooms;
}

/// A colour that is given takes precedence over those of the mesh.
void UrdfShapes::add_seen(const std::string& body, Shape shape, const Pose<>& X_BS, const std::string& color,
                          const UrdfGeometry& geometry) {
  BodyShape seen{body, std::move(shape), X_BS, color, geometry.origin, source_of(geometry)};
  if (!color.empty()) seen.mesh.colors.clear();
  spec_.shapes.push_back(std::move(seen));
}

void UrdfShapes::add(const UrdfLink& link, const std::string& body, const Pose<>& X_BL) {
  const auto idle_name = [&](const UrdfBodyShape& shape) {
    if (shape.name.given) losses_.mark(shape.name.origin, ElementStatus::idle, "");
  };
  std::vector<const UrdfBodyShape*> unseen;
  bool seen = false;
  for (const UrdfBodyShape& visual : link.visuals) {
    idle_name(visual);
    std::string why;
    const std::string color = color_of(visual);
    std::optional<Shape> solid = solid_of(visual.geometry, why);
    if (!solid) losses_.mark(visual.origin, ElementStatus::ignored, why);
    if (!solid) unseen.push_back(&visual);
    if (!solid) continue;
    seen = true;
    if (color.empty() && lower(visual.geometry.file.value).ends_with(".dae"))
      losses_.mark(visual.geometry.origin, ElementStatus::approximated, "without the colours of the file");
    if (color.empty() && visual.geometry.shape == UrdfShape::mesh) {
      const std::string& colorless = mesh_of(visual.geometry.file).colorless;
      if (!colorless.empty()) losses_.mark(visual.geometry.origin, ElementStatus::approximated, colorless);
    }
    add_seen(body, *std::move(solid), X_BL * pose_of(visual.pose), color, visual.geometry);
  }
  // A link without visual shapes shows its collision shapes.
  const std::string color = unseen.empty() ? std::string() : color_of(*unseen.front());
  bool stood_in = false;
  for (const UrdfBodyShape& collision : link.collisions) {
    idle_name(collision);
    if (!settings_.contact) losses_.mark(collision.origin, ElementStatus::idle, "");
    if (!settings_.contact && (seen || link.visuals.empty())) continue;
    std::string why;
    const std::optional<Shape> solid = solid_of(collision.geometry, why);
    const Pose<> X_BS = X_BL * pose_of(collision.pose);
    if (!solid && settings_.contact) losses_.mark(collision.origin, ElementStatus::ignored, why);
    if (solid && settings_.contact) add_contact(collision, body, X_BS, *solid);
    if (!solid || seen) continue;
    stood_in = true;
    add_seen(body, *solid, X_BS, color, collision.geometry);
  }
  if (!stood_in) return;
  for (const UrdfBodyShape* const visual : unseen) {
    std::string why;
    solid_of(visual->geometry, why);
    losses_.mark(visual->origin, ElementStatus::approximated, "the collision shapes are shown: " + why);
  }
}

}  // namespace pintle
