#include "scene_input.h"

#include <fmt/core.h>

#include <filesystem>
#include <map>

#include "exit_code.h"
#include "pintle/base/nearest_name.h"
#include "pintle/io/read_scene.h"
#include "pintle/io/scene_files.h"

namespace pintle::cli {
namespace {

constexpr std::size_t kMostQuoted = 64 << 20;

const EmbeddedScene* find_embedded(std::string_view name) {
  for (const EmbeddedScene& scene : embedded_scenes())
    if (scene.name == name) return &scene;
  return nullptr;
}

bool looks_like_file(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".toml");
}

/// "--time 2s" as "run.duration=2 s": what the reader takes.
std::vector<std::string> settings(const SceneOverrides& overrides) {
  std::vector<std::string> all = overrides.set;
  if (!overrides.time.empty()) all.push_back("run.duration=" + overrides.time);
  if (!overrides.step.empty()) all.push_back("run.step=" + overrides.step);
  if (!overrides.integrator.empty()) all.push_back("run.integrator=" + overrides.integrator);
  return all;
}

[[noreturn]] void no_such_scene(const std::string& name) {
  std::vector<std::string> names;
  for (const EmbeddedScene& scene : embedded_scenes()) names.emplace_back(scene.name);
  const std::string nearest = nearest_name(name, names);
  throw CommandError(ExitCode::usage,
                     fmt::format("there is no file and no scene called '{}'{}\nTry 'pintle scenes'.", name,
                                 nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

/// The text of a file that problems are in; empty where it cannot be had.
std::string text_of(const std::string& file) {
  if (const EmbeddedScene* const scene = find_embedded(file)) return std::string(scene->text);
  const Result<std::string> text = read_whole_file(file, kMostQuoted);
  return text ? *text : std::string();
}

}  // namespace

std::string about(const EmbeddedScene& scene) {
  std::string line;
  std::string_view text = scene.text;
  while (text.starts_with("#")) {
    const std::size_t end = text.find('\n');
    std::string_view part = text.substr(1, end - 1);
    while (part.starts_with(" ")) part.remove_prefix(1);
    line += (line.empty() ? "" : " ") + std::string(part);
    text.remove_prefix(end + 1);
  }
  return line;
}

ReadScene read_input(const std::string& name, const SceneOverrides& overrides) {
  const std::vector<std::string> set = settings(overrides);
  std::error_code error;
  if (looks_like_file(name) || std::filesystem::is_regular_file(name, error)) {
    if (!std::filesystem::exists(name, error)) {
      if (!looks_like_file(name)) no_such_scene(name);
      throw CommandError(ExitCode::io, fmt::format("there is no file '{}'", name));
    }
    return {read_scene(name, set), name};
  }
  const EmbeddedScene* const scene = find_embedded(name);
  if (scene == nullptr) no_such_scene(name);
  return {read_scene_text(scene->text, std::string(scene->name), set), name};
}

std::string problems_text(const Diagnostics& problems) {
  std::map<std::string, std::string> texts;
  std::string result;
  for (const Diagnostic& problem : problems) {
    const std::string& file = problem.origin.file;
    if (!file.empty() && !texts.contains(file)) texts[file] = text_of(file);
    result += (file.empty() ? format(problem) : format(problem, texts[file])) + "\n";
  }
  return result;
}

}  // namespace pintle::cli
