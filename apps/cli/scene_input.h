// A scene from the command line: a file, or one of those that come with the program.
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

namespace CLI {
class App;
}

namespace pintle::cli {

/// A scene that comes with the program (scenes/*.toml).
struct EmbeddedScene {
  std::string_view name;
  std::string_view text;
};

/// All of them, by name.
std::span<const EmbeddedScene> embedded_scenes();

/// Throws CommandError (usage): there is neither a file nor a scene of that name, with the nearest one.
[[noreturn]] void no_such_scene(const std::string& name);

/// Settings that the command line changes.
struct SceneOverrides {
  std::string time, step, integrator;  ///< empty: as the scene says
  std::vector<std::string> set{};      ///< "key=value", as in the file
  // Of a robot's file:
  std::string base{};                   ///< "fixed" or "free"
  std::vector<std::string> packages{};  ///< "NAME=FOLDER"
  bool no_meshes = false;
  bool strict = false;  ///< what is lost of it is an error
};

/// Adds the options of a scene that is run: --time, --step, --integrator, --set.
void add_run_options(CLI::App& command, SceneOverrides& overrides);

/// Adds the options of a scene that is a robot's file: --base, --package, --no-meshes, --strict.
void add_robot_options(CLI::App& command, SceneOverrides& overrides);

/// A scene from a file, or all that is wrong with it.
struct ReadScene {
  Result<Scene> scene;
  std::string name;                            ///< as the user named it
  std::string path{};                          ///< of its file, absolute; empty for an embedded scene
  std::vector<std::string> settings{};         ///< all overrides as "key=value"
  std::vector<SceneSource> sources{};          ///< every file it was read from
  LossReport losses{};                         ///< of the robot's file, if there is one
  std::map<std::string, std::string> texts{};  ///< what stands as a file in problems and is none: "--set", "--time"
};

/// Reads and compiles a scene file, or, when there is no such file, the embedded scene of that name. Throws
/// CommandError (io or usage) when there is neither, with the nearest name.
ReadScene read_input(const std::string& name, const SceneOverrides& overrides);

/// The same, where only a scene will do: throws CommandError (bad_model, or usage where only the command line is wrong)
/// with all problems when there is none; its warnings go to stderr. With `strict` a loss is a problem too.
ReadScene load_scene(const std::string& name, const SceneOverrides& overrides);

/// How a run of a scene is called in its results.
SceneRunOptions run_options(const ReadScene& scene);

/// The same for those who need the scene alone.
Scene compiled_input(const std::string& name, const SceneOverrides& overrides);

/// All problems as text, each with its line and a caret, with the lines of the files they are in; `texts` holds those
/// of what is no file. For `stream`, in colours where it has them.
std::string problems_text(const Diagnostics& problems, const std::map<std::string, std::string>& texts,
                          std::FILE* stream);

}  // namespace pintle::cli
