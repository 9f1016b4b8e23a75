#include "pintle/io/scene/scene_paths.h"

#include "pintle/io/scene/scene_changes.h"

namespace pintle {

Result<std::string> scene_path(const SceneReader& scene, const std::string& name, const Origin& origin) {
  const Result<std::string> path = scene.files->path_of(name, scene.folder, origin.file == kSettingsFile);
  if (path) return path;
  Diagnostics problems = path.diagnostics();
  for (Diagnostic& problem : problems) problem.origin = origin;
  return problems;
}

Result<std::string> read_scene_file(SceneReader& scene, const std::string& path, const Origin& origin,
                                    std::size_t max_bytes) {
  const SceneLimits& limits = scene.limits;
  if (const auto known = scene.texts.find(path); known != scene.texts.end()) return known->second;
  if (scene.texts.size() >= static_cast<std::size_t>(limits.files)) {
    return make_error("file-count", origin, "the scene names more than " + std::to_string(limits.files) + " files",
                      "included scenes, meshes and tables count, each once", "merge several of them");
  }
  Result<std::string> text = scene.files->read(path, max_bytes);
  if (!text) {
    Diagnostics problems = text.diagnostics();
    for (Diagnostic& problem : problems) problem.origin = origin;
    return problems;
  }
  scene.bytes_read += text->size();
  if (scene.bytes_read > limits.all_bytes) {
    return make_error("file-size", origin,
                      "the files of the scene have more than " + std::to_string(limits.all_bytes) + " bytes together",
                      "included scenes, meshes and tables count, each once", "use coarser meshes and shorter tables");
  }
  scene.texts[path] = *text;
  return text;
}

}  // namespace pintle
