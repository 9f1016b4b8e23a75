#include "scene_input.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "coloured_problem.h"
#include "embedded_pages.h"
#include "exit_code.h"
#include "losses_text.h"
#include "pintle/base/nearest_name.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/io/scene/scene_changes.h"
#include "pintle/io/sources/scene_files.h"
#include "pintle/text/json.h"
#include "pintle/text/shell_word.h"
#include "standard_streams.h"

namespace pintle::cli {
namespace {

constexpr std::size_t kMaxQuoted = 64 << 20;

const EmbeddedScene* find_embedded(std::string_view name) {
  for (const EmbeddedScene& scene : embedded_scenes())
    if (scene.name == name) return &scene;
  return nullptr;
}

bool looks_like_file(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".toml") || name.ends_with(".urdf");
}

/// Options that are aliases of settings: "--time 2s" is "run.duration=2 s", which the reader accepts.
struct Option {
  const char* name;
  std::string_view key;
  std::string SceneOverrides::*value;
};
constexpr Option kOptions[] = {{"--time", "run.duration=", &SceneOverrides::time},
                               {"--step", "run.step=", &SceneOverrides::step},
                               {"--integrator", "run.integrator=", &SceneOverrides::integrator},
                               {"--base", "model.base=", &SceneOverrides::base}};

constexpr std::string_view kAllow = "--allow=", kPackage = "--package=", kUnits = "--units=";

/// What the scene may read besides its folder.
FileAccess access_of(const SceneOverrides& overrides) {
  FileAccess access;
  std::error_code error;
  for (const std::string& folder : overrides.allowed) {
    if (!std::filesystem::is_directory(folder, error))
      throw CommandError(ExitCode::usage, fmt::format("--allow '{}': there is no such folder", folder));
    access.allowed.push_back(std::filesystem::absolute(folder, error).lexically_normal().string());
  }
  for (const std::string& package : overrides.packages) {
    const std::size_t equals = package.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == package.size())
      throw CommandError(ExitCode::usage, fmt::format("--package '{}': write NAME=FOLDER", package));
    const std::filesystem::path folder = std::filesystem::absolute(package.substr(equals + 1), error);
    access.packages.push_back({package.substr(0, equals), folder.lexically_normal().string()});
  }
  return access;
}

std::vector<std::string> settings_of(const SceneOverrides& overrides) {
  std::vector<std::string> all = overrides.set;
  for (const Option& option : kOptions)
    if (!(overrides.*option.value).empty()) all.push_back(std::string(option.key) + overrides.*option.value);
  if (overrides.no_meshes) all.push_back("model.meshes=false");
  return all;
}

/// The settings as the user wrote them, by the name under which problems refer to them.
std::map<std::string, std::string> texts_of(const SceneOverrides& overrides) {
  std::map<std::string, std::string> texts;
  for (const std::string& setting : overrides.set) texts[kSettingsFile] += setting + "\n";
  for (const Option& option : kOptions)
    if (!(overrides.*option.value).empty()) texts[option.name] = overrides.*option.value;
  return texts;
}

/// Maps problems of "--time" and so on, which the reader saw as lines of settings, to the option that the user wrote.
Diagnostics placed(Diagnostics problems, const SceneOverrides& overrides) {
  int line = static_cast<int>(overrides.set.size());
  for (const Option& option : kOptions) {
    if ((overrides.*option.value).empty()) continue;
    ++line;
    for (Diagnostic& problem : problems) {
      Origin& origin = problem.origin;
      if (origin.file != kSettingsFile || origin.line != line) continue;
      const int column = origin.column - static_cast<int>(option.key.size());
      origin = Origin(option.name, 1, column > 0 ? column : 1);
    }
  }
  return problems;
}

/// Files of a folder; records each file that is read.
class NotedFiles : public SceneFiles {
 public:
  NotedFiles(std::string folder, FileAccess access, std::vector<SceneSource>& sources)
      : files_(std::move(folder), std::move(access)), sources_(sources) {}

  Result<std::string> read(const std::string& path, std::size_t max_bytes) override {
    Result<std::string> text = files_.read(path, max_bytes);
    const bool is_new =
        std::none_of(sources_.begin(), sources_.end(), [&](const SceneSource& source) { return source.name == path; });
    if (text && is_new) sources_.push_back(scene_source(path, *text));
    return text;
  }

  Result<std::string> path_of(const std::string& name, const std::string& folder, bool by_caller) override {
    return files_.path_of(name, folder, by_caller);
  }

  Result<std::string> find(const std::string& name, const std::string& folder,
                           const std::vector<PackageFolder>& packages, std::size_t max_bytes) override {
    Result<std::string> text = files_.find(name, folder, packages, max_bytes);
    if (text) sources_.push_back(scene_source(name, *text));
    return text;
  }

  std::string place_of(const std::string& name, const std::string& folder,
                       const std::vector<PackageFolder>& packages) override {
    return files_.place_of(name, folder, packages);
  }

 private:
  DiskFiles files_;
  std::vector<SceneSource>& sources_;
};

/// The text of a file that has problems; empty if it cannot be read.
std::string text_of(const std::string& file) {
  if (const EmbeddedScene* const scene = find_embedded(file)) return std::string(scene->text);
  const Result<std::string> text = read_whole_file(file, kMaxQuoted);
  return text ? *text : std::string();
}

/// Compiles the scene of a file and records every file that is read.
Result<Scene> compile_file(const std::string& name, const std::vector<std::string>& settings, FileAccess access,
                           std::vector<SceneSource>& sources, LossReport& losses) {
  std::error_code error;
  if (std::filesystem::status(name, error).type() == std::filesystem::file_type::not_found)
    throw CommandError(ExitCode::io, fmt::format("there is no file '{}'", name));
  const SceneLimits limits;
  const Result<std::string> text = read_whole_file(name, limits.scene_bytes);
  if (!text) throw CommandError(ExitCode::io, format(text.diagnostics()[0]));
  const std::string folder = folder_of(name);
  sources.push_back(scene_source(name.substr(folder.size()), *text));
  NotedFiles files(folder, std::move(access), sources);
  return compile_scene_text(*text, name, files, settings, limits, &losses);
}

Result<Scene> compile_embedded(const std::string& name, const std::vector<std::string>& settings,
                               std::vector<SceneSource>& sources) {
  const EmbeddedScene* const scene = find_embedded(name);
  if (scene == nullptr) no_such_scene(name);
  sources.push_back(scene_source(name + ".toml", scene->text));
  return compile_scene_text(scene->text, name, settings);
}

/// The warnings of a scene that is used: many warnings about its robot are only counted; `check` lists them.
std::string warnings_text(const ReadScene& read) {
  constexpr std::size_t kFew = 3;
  Diagnostics of_robot, others;
  for (const Diagnostic& problem : read.scene.diagnostics()) {
    const bool is_warning = problem.severity == Severity::warning && problem.origin.file == read.losses.file;
    (is_warning ? of_robot : others).push_back(problem);
  }
  if (of_robot.size() <= kFew) return problems_text(read.scene.diagnostics(), read.texts, stderr);
  return problems_text(others, read.texts, stderr) + fmt::format("{}: {} warnings; 'pintle check {}' lists them\n",
                                                                 read.losses.file, of_robot.size(),
                                                                 shell_word(read.name));
}

}  // namespace

void add_run_options(CLI::App& command, SceneOverrides& overrides) {
  command.add_option("--time", overrides.time, "duration, such as '2 s'");
  command.add_option("--step", overrides.step, "step, such as '1 ms'");
  command.add_option("--integrator", overrides.integrator, "rk4, dormand-prince, sdirk, ...");
  command.add_option("--set", overrides.set, "key=value: change the scene, as in body.nut.joint.lead='4 mm/rev'")
      ->allow_extra_args(false);
}

void add_file_options(CLI::App& command, SceneOverrides& overrides) {
  command.add_option("--allow", overrides.allowed, "folder that the scene may read, besides its own and below")
      ->allow_extra_args(false);
  command.add_option("--package", overrides.packages, "NAME=FOLDER: where files of package://NAME are")
      ->allow_extra_args(false);
  command.add_option("--base", overrides.base, "of a URDF: joint of the root link to the world");
  command.add_flag("--no-meshes", overrides.no_meshes, "of a URDF: read no mesh files");
  command.add_flag("--strict", overrides.strict, "of a URDF: anything not used exactly as written is an error");
}

void add_unit_option(CLI::App& command, SceneOverrides& overrides) {
  command.add_option("--units", overrides.units, "of tables and summaries: us, or such as 'mm, deg'; default si");
}

UnitSystem units_of(const SceneOverrides& overrides) {
  if (overrides.units.empty()) return {};
  const Result<UnitSystem> units = UnitSystem::read(overrides.units, Origin("--units", 1, 1));
  if (!units) {
    throw CommandError(ExitCode::usage,
                       problems_text(units.diagnostics(), {{"--units", overrides.units}}, stderr));
  }
  return *units;
}

void add_settings(SceneOverrides& overrides, const std::vector<std::string>& settings) {
  SceneOverrides all;
  for (const std::string& setting : settings) {
    if (setting.starts_with(kAllow)) {
      all.allowed.push_back(setting.substr(kAllow.size()));
    } else if (setting.starts_with(kPackage)) {
      all.packages.push_back(setting.substr(kPackage.size()));
    } else if (setting.starts_with(kUnits)) {
      if (overrides.units.empty()) overrides.units = setting.substr(kUnits.size());
    } else {
      all.set.push_back(setting);
    }
  }
  const auto add = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
    to.insert(to.begin(), from.begin(), from.end());
  };
  add(overrides.set, all.set);
  add(overrides.allowed, all.allowed);
  add(overrides.packages, all.packages);
}

void no_such_scene(const std::string& name) {
  std::vector<std::string> names;
  for (const EmbeddedScene& scene : embedded_scenes()) names.emplace_back(scene.name);
  const std::string nearest = nearest_name(name, names);
  throw CommandError(ExitCode::usage,
                     fmt::format("there is no file and no scene called '{}'{}\nTry 'pintle scenes'.", name,
                                 nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

ReadScene read_input(const std::string& name, const SceneOverrides& overrides) {
  const std::vector<std::string> settings = settings_of(overrides);
  const FileAccess access = access_of(overrides);
  std::error_code error;
  const bool is_file = looks_like_file(name) || std::filesystem::is_regular_file(name, error) ||
                       (find_embedded(name) == nullptr && std::filesystem::exists(name, error));
  std::vector<SceneSource> sources;
  LossReport losses;
  Result<Scene> scene =
      is_file ? compile_file(name, settings, access, sources, losses) : compile_embedded(name, settings, sources);
  Diagnostics problems = placed(scene.diagnostics(), overrides);
  scene = scene ? Result<Scene>(*scene, std::move(problems)) : Result<Scene>(std::move(problems));
  ReadScene read{std::move(scene), name, {}, settings, std::move(sources), std::move(losses), texts_of(overrides)};
  for (const std::string& folder : access.allowed) read.settings.push_back(std::string(kAllow) + folder);
  for (const PackageFolder& package : access.packages)
    read.settings.push_back(std::string(kPackage) + package.name + "=" + package.folder);
  if (const UnitSystem units = units_of(overrides); !units.is_si())
    read.settings.push_back(std::string(kUnits) + units.text());
  if (is_file) read.path = std::filesystem::absolute(name, error).lexically_normal().string();
  return read;
}

ReadScene load_scene(const std::string& name, const SceneOverrides& overrides) {
  ReadScene read = read_input(name, overrides);
  const Diagnostics& problems = read.scene.diagnostics();
  if (read.scene) {
    say(warnings_text(read));
    if (overrides.strict && read.losses.has_losses())
      throw CommandError(ExitCode::bad_model, fmt::format("'{}' is not used exactly as written (--strict)\n{}",
                                                          read.losses.file, losses_text(read.losses)));
    return read;
  }
  const bool usage = std::all_of(problems.begin(), problems.end(), [&](const Diagnostic& problem) {
    return problem.severity != Severity::error || read.texts.contains(problem.origin.file);
  });
  throw CommandError(usage ? ExitCode::usage : ExitCode::bad_model,
                     fmt::format("{}\n{}", usage ? "a setting is wrong" : fmt::format("the scene '{}' is wrong", name),
                                 problems_text(problems, read.texts, stderr)));
}

SceneRunOptions run_options(const ReadScene& scene) {
  SceneRunOptions options;
  options.scene = scene.name;
  options.path = scene.path;
  options.settings = scene.settings;
  options.sources = scene.sources;
  return options;
}

Scene compiled_input(const std::string& name, const SceneOverrides& overrides) {
  return *load_scene(name, overrides).scene;
}

namespace {

/// A text in which "docs/formats/expressions.md" is "pintle help expressions": pages are in the program.
std::string with_help_topics(std::string text) {
  for (const EmbeddedPage& page : embedded_pages()) {
    for (const char* const folder : {"docs/formats/", "docs/"}) {
      const std::string file = folder + std::string(page.topic) + ".md", help = "pintle help " + std::string(page.topic);
      for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file, at + help.size()))
        text.replace(at, file.size(), help);
    }
  }
  return text;
}

}  // namespace

std::string problems_text(const Diagnostics& problems, const std::map<std::string, std::string>& known,
                          std::FILE* stream) {
  const Colors colors(stream);
  std::map<std::string, std::string> texts = known;
  std::string result;
  for (Diagnostic problem : problems) {
    problem.why = with_help_topics(std::move(problem.why));
    problem.fix = with_help_topics(std::move(problem.fix));
    const std::string& file = problem.origin.file;
    if (!file.empty() && !texts.contains(file)) texts[file] = text_of(file);
    result += coloured_problem(problem, file.empty() ? format(problem) : format(problem, texts[file]), colors) + "\n";
  }
  return result;
}

}  // namespace pintle::cli
