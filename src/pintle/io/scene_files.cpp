#include "pintle/io/scene_files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

namespace pintle {
namespace {

Diagnostic file_problem(const char* code, const Origin& origin, std::string what, std::string why, std::string fix) {
  Diagnostic problem;
  problem.code = code;
  problem.origin = origin;
  problem.what = std::move(what);
  problem.why = std::move(why);
  problem.fix = std::move(fix);
  return problem;
}

constexpr const char* kWhyBelow = "a scene only reads what lies beside or below it, so that it can be moved as a whole";

/// The path without "." and ".."; false when it leaves its folder.
bool straighten(const std::string& path, std::string& straight) {
  std::vector<std::string> parts;
  std::string part;
  const auto take = [&] {
    if (part == "..") {
      if (parts.empty()) return false;
      parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
    part.clear();
    return true;
  };
  for (const char c : path) {
    if (c != '/') {
      part += c;
    } else if (!take()) {
      return false;
    }
  }
  if (!take() || parts.empty()) return false;
  straight.clear();
  for (const std::string& one : parts) straight += (straight.empty() ? "" : "/") + one;
  return true;
}

}  // namespace

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

Result<std::string> read_whole_file(const std::string& path, std::size_t most_bytes) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    return file_problem("file-open", Origin(path), "'" + path + "' cannot be opened", std::strerror(errno),
                        "check the name and who may read it");
  }
  std::string text;
  char buffer[1 << 16];
  std::size_t count = 0;
  while (text.size() <= most_bytes && (count = std::fread(buffer, 1, sizeof buffer, file)) > 0)
    text.append(buffer, count);
  const bool failed = std::ferror(file) != 0;
  const std::string reason = failed ? std::strerror(errno) : "";
  std::fclose(file);
  if (failed)
    return file_problem("file-read", Origin(path), "'" + path + "' cannot be read", reason,
                        "name a plain file, and check the disk it is on");
  if (text.size() > most_bytes) {
    return file_problem("file-size", Origin(path),
                        "'" + path + "' has more than " + std::to_string(most_bytes) + " bytes",
                        "larger files are not read, so that a wrong name does no harm",
                        "check that it is the right file; make it smaller");
  }
  return text;
}

Result<std::string> DiskFiles::read(const std::string& path, std::size_t most_bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path file = fs::canonical(folder_ + path, error);
  if (error) {
    return file_problem("file-open", {}, "'" + path + "' cannot be opened", error.message(),
                        "check the name: it is relative to the file that names it");
  }
  const fs::path folder = fs::canonical(folder_.empty() ? "." : folder_, error);
  const fs::path relative = file.lexically_relative(folder);
  if (error || relative.empty() || *relative.begin() == "..") {
    return file_problem("file-place", {}, "a link leads from '" + path + "' out of the folder of the scene", kWhyBelow,
                        "copy the file there");
  }
  if (!fs::is_regular_file(file, error))
    return file_problem("file-open", {}, "'" + path + "' is no plain file", "", "name a file");
  return read_whole_file(file.string(), most_bytes);
}

Result<std::string> NoFiles::read(const std::string& path, std::size_t) {
  return file_problem("file-open", {}, "'" + path + "' cannot be read", "this scene is a text without a folder",
                      "put all of it into one text");
}

Result<std::string> scene_path(const SceneReader& scene, const std::string& name, const Origin& origin) {
  std::string path;
  if (name.empty() || name.front() == '/' || name.find('\0') != std::string::npos ||
      !straighten(scene.folder + name, path)) {
    return file_problem("file-place", origin, "the file '" + name + "' is not in the folder of the scene", kWhyBelow,
                        "copy the file there and name it relative to the scene");
  }
  return path;
}

Result<std::string> read_scene_file(SceneReader& scene, const std::string& path, const Origin& origin,
                                    std::size_t most_bytes) {
  const SceneLimits& limits = scene.limits;
  if (const auto known = scene.texts.find(path); known != scene.texts.end()) return known->second;
  if (scene.texts.size() >= static_cast<std::size_t>(limits.files)) {
    return file_problem("file-count", origin, "the scene names more than " + std::to_string(limits.files) + " files",
                        "included scenes, meshes and tables count, each once", "put several of them together");
  }
  Result<std::string> text = scene.files->read(path, most_bytes);
  if (!text) {
    Diagnostics problems = text.diagnostics();
    for (Diagnostic& problem : problems) problem.origin = origin;
    return problems;
  }
  scene.bytes_read += text->size();
  if (scene.bytes_read > limits.all_bytes) {
    return file_problem("file-size", origin,
                        "the files of the scene have more than " + std::to_string(limits.all_bytes) + " bytes together",
                        "included scenes, meshes and tables count, each once", "use coarser meshes and shorter tables");
  }
  scene.texts[path] = *text;
  return text;
}

Result<SceneSpec> read_scene(const std::string& path, const SceneSettings& settings, const SceneLimits& limits) {
  const Result<std::string> text = read_whole_file(path, limits.scene_bytes);
  if (!text) return text.diagnostics();
  DiskFiles files(folder_of(path));
  return read_scene_text(*text, path, files, settings, limits);
}

}  // namespace pintle
