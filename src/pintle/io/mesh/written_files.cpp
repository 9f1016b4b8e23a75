#include "pintle/io/mesh/written_files.h"

#include <algorithm>
#include <filesystem>

#include "pintle/text/exact_numbers.h"

namespace pintle {
namespace {

namespace fs = std::filesystem;

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// A file name that is valid on every system.
std::string plain_name(const std::string& wish) {
  std::string name;
  for (const char c : wish) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    name += plain ? c : '_';
  }
  return name.empty() ? "file" : name;
}

TriangleMesh triangles_of(const ConvexHull& hull) {
  TriangleMesh mesh;
  mesh.vertices = hull.vertices;
  for (const HullFace& face : hull.faces) {
    const auto corner = [&](int i) { return hull.face_vertices[static_cast<std::size_t>(face.first + i)]; };
    for (int i = 2; i < face.count; ++i) mesh.triangles.push_back({corner(0), corner(i - 1), corner(i)});
  }
  return mesh;
}

}  // namespace

std::string relative_name(const std::string& file, const WritePlace& place) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(place.folder.empty() ? "." : place.folder, error);
  const fs::path target = fs::weakly_canonical(file, error);
  const fs::path relative = target.lexically_relative(folder);
  return relative.empty() ? target.generic_string() : relative.generic_string();
}

std::string obj_text(const TriangleMesh& mesh) {
  std::string text;
  for (const Vec3<>& v : mesh.vertices)
    text += "v " + exact_text(v.x) + " " + exact_text(v.y) + " " + exact_text(v.z) + "\n";
  for (const auto& [a, b, c] : mesh.triangles)
    text += "f " + std::to_string(a + 1) + " " + std::to_string(b + 1) + " " + std::to_string(c + 1) + "\n";
  return text;
}

bool WrittenFiles::may_be_named(const MeshSource& source) const {
  const std::string file = lower(source.file);
  const Vec3<>& scale = source.scale;
  return (file.ends_with(".stl") || file.ends_with(".obj")) && scale.x > 0.0 && scale.x == scale.y &&
         scale.x == scale.z && !relative_name(source.file, place_).starts_with("..");
}

std::string WrittenFiles::add(const std::string& wish, const std::string& ending, std::string copy_of,
                              std::string bytes) {
  const std::string name = place_.companions + "/" + plain_name(wish);
  std::string path = name + ending;
  const auto is_taken = [&](const CompanionFile& other) { return other.path == path; };
  for (int i = 2; std::any_of(files_.begin(), files_.end(), is_taken); ++i)
    path = name + "_" + std::to_string(i) + ending;
  files_.push_back({path, std::move(copy_of), std::move(bytes)});
  return path;
}

WrittenFiles::Name WrittenFiles::mesh(const TriangleMesh& mesh, const MeshSource& source, const std::string& wish) {
  if (may_be_named(source)) return {relative_name(source.file, place_), source.scale.x};
  std::string bytes = obj_text(mesh);
  const auto known = by_bytes_.find(bytes);
  if (known != by_bytes_.end()) return {known->second, 1.0, true};
  const std::string stem = source.file.empty() ? wish : fs::path(source.file).stem().string();
  const std::string path = add(stem, ".obj", "", bytes);
  by_bytes_.emplace(std::move(bytes), path);
  return {path, 1.0, true};
}

WrittenFiles::Name WrittenFiles::mesh(const ConvexHull& hull, const MeshSource& source, const std::string& wish) {
  if (may_be_named(source)) return {relative_name(source.file, place_), source.scale.x};
  MeshSource own;
  own.file = source.file.empty() ? "" : fs::path(source.file).stem().string() + "_hull";
  return mesh(triangles_of(hull), own, wish + "_hull");
}

WrittenFiles::Name WrittenFiles::mesh(const SurfaceMesh& surface, const MeshSource& source, const std::string& wish) {
  return mesh(TriangleMesh{surface.vertices, surface.triangles}, source, wish);
}

std::string WrittenFiles::table(const std::string& file) {
  const std::string name = relative_name(file, place_);
  if (!name.starts_with("..")) return name;
  const auto [known, is_new] = by_source_.try_emplace(file);
  const fs::path path(file);
  if (is_new) known->second = add(path.stem().string(), path.extension().string(), file, "");
  return known->second;
}

}  // namespace pintle
