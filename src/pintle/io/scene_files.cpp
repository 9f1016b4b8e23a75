#include "pintle/io/scene_files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
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
    return file_problem("file-open", {path}, "'" + path + "' cannot be opened", std::strerror(errno),
                        "check the name and who may read it");
  }
  std::string text;
  char buffer[1 << 16];
  std::size_t count = 0;
  while (text.size() <= most_bytes && (count = std::fread(buffer, 1, sizeof buffer, file)) > 0) text.append(buffer, count);
  const bool failed = std::ferror(file) != 0;
  const std::string reason = failed ? std::strerror(errno) : "";
  std::fclose(file);
  if (failed) return file_problem("file-read", {path}, "'" + path + "' cannot be read", reason, "");
  if (text.size() > most_bytes) {
    return file_problem("file-size", {path}, "'" + path + "' has more than " + std::to_string(most_bytes) + " bytes", "",
                        "is it the right file?");
  }
  return text;
}

Result<std::string> DiskFiles::read(const std::string& path, std::size_t most_bytes) {
  return read_whole_file(folder_ + path, most_bytes);
}

Result<SceneFileText> read_scene_file(SceneReader& scene, const std::string& name, const Origin& origin) {
  std::string path;
  if (name.empty() || name.front() == '/' || name.find('\0') != std::string::npos ||
      !straighten(scene.folder + name, path)) {
    return file_problem("file-place", origin, "the file '" + name + "' is not in the folder of the scene",
                        "a scene only reads what lies beside or below it, so that it can be moved as a whole",
                        "copy the file there and name it relative to the scene");
  }
  if (++scene.files_read > scene.limits.files) {
    return file_problem("file-count", origin, "the scene names more than " + std::to_string(scene.limits.files) + " files",
                        "", "put several of them together");
  }
  Result<std::string> text = scene.files->read(path, scene.limits.bytes);
  if (!text) {
    Diagnostics problems = text.diagnostics();
    for (Diagnostic& problem : problems) problem.origin = origin;
    return problems;
  }
  return SceneFileText{path, *std::move(text)};
}

Result<SceneSpec> read_scene(const std::string& path, const SceneLimits& limits) {
  const Result<std::string> text = read_whole_file(path, limits.bytes);
  if (!text) return text.diagnostics();
  DiskFiles files(folder_of(path));
  return read_scene_text(*text, path, files, limits);
}

}  // namespace pintle
