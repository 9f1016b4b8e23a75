#include "pintle/io/scene/scene_paths.h"

namespace pintle {

Result<std::string> scene_path(const SceneReader& scene, const std::string& name, const Origin& origin) {
  std::string path;
  if (name.empty() || name.front() == '/' || name.find('\0') != std::string::npos ||
      !straighten(scene.folder + name, path)) {
    return make_error("file-place", origin, "the file '" + name + "' is not in the folder of the scene", kWhyBelow,
                      "copy the file there and name it relative to the scene");
  }
  return path;
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
