// A scene from the command line: a file, or one of the embedded scenes.
#pragma once

#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/io/diagnostics/loss_report.h"
#include "pintle/run/scene_run.h"
#include "pintle/simulation/scene/scene.h"
#include "pintle/text/unit_system.h"

namespace CLI {
class App;
}

namespace pintle::cli {

/// A scene that is embedded in the program (scenes/*.toml).
struct EmbeddedScene {
  std::string_view name;
  std::string_view text;
};

/// All of them, by name.
std::span<const EmbeddedScene> embedded_scenes();

/// Throws CommandError (usage): there is neither a file nor a scene of that name; suggests the nearest one.
[[noreturn]] void no_such_scene(const std::string& name);

/// Settings that the command line overrides.
struct SceneOverrides {
  std::string time, step, integrator;  ///< empty: as in the scene
  std::vector<std::string> set{};      ///< "key=value", as in the file
  std::vector<std::string> allowed{};   ///< folders that the scene may read
  std::vector<std::string> packages{};  ///< "NAME=FOLDER"
  std::string units{};                  ///< of what is shown; empty: SI
  // For a robot's file:
  std::string base{};  ///< "fixed" or "free"
  bool no_meshes = false;
  bool strict = false;  ///< a loss is an error
};

/// Adds the options of a scene that is run: --time, --step, --integrator, --set.
void add_run_options(CLI::App& command, SceneOverrides& overrides);

/// Adds the options of the files that a scene names, --allow and --package, and of a scene that is a robot's file:
/// --base, --no-meshes, --strict.
void add_file_options(CLI::App& command, SceneOverrides& overrides);

/// A scene from a file, or all its problems.
struct ReadScene {
  Result<Scene> scene;
  std::string name;                            ///< as the user named it
  std::string path{};                          ///< of its file, absolute; empty for an embedded scene
  std::vector<std::string> settings{};         ///< overrides: "key=value", "--allow=DIR", "--units=mm"
  std::vector<SceneSource> sources{};          ///< every file that was read
  LossReport losses{};                         ///< of the robot's file, if there is one
  std::map<std::string, std::string> texts{};  ///< what problems refer to as a file but is none: "--set", "--time"
};

/// Adds --units.
void add_unit_option(CLI::App& command, SceneOverrides& overrides);

/// The units that are asked for. Throws CommandError (usage).
UnitSystem units_of(const SceneOverrides& overrides);

/// Adds the settings of an earlier run, from ReadScene::settings, before those that are given.
void add_settings(SceneOverrides& overrides, const std::vector<std::string>& settings);

/// Reads and compiles a scene file or, if there is no such file, the embedded scene of that name. Throws CommandError
/// (io or usage), with the nearest name, if there is neither.
ReadScene read_input(const std::string& name, const SceneOverrides& overrides);

/// The same, if a valid scene is required: otherwise throws CommandError (bad_model, or usage if only the command line
/// is wrong) with all problems. Warnings go to stderr. With `strict` a loss is a problem too.
ReadScene load_scene(const std::string& name, const SceneOverrides& overrides);

/// The options of a run of a scene: how its results name it.
SceneRunOptions run_options(const ReadScene& scene);

/// The same, returning only the scene.
Scene compiled_input(const std::string& name, const SceneOverrides& overrides);

/// All problems as text, each with its source line and a caret; `texts` holds the texts that are not files. For
/// `stream`, in colour if it supports that.
std::string problems_text(const Diagnostics& problems, const std::map<std::string, std::string>& texts,
                          std::FILE* stream);

}  // namespace pintle::cli
