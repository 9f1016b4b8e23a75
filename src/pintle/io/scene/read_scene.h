// Scene files: TOML to SceneSpec. docs/formats/scene.md describes the format.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/io/sources/scene_files.h"
#include "pintle/simulation/scene/scene_spec.h"

namespace pintle {

/// Limits on what a scene file may load.
struct SceneLimits {
  int include_depth = 8;
  int files = 1000;                   ///< included scenes, meshes and tables together
  int elements = 100000;              ///< bodies, motors and all other elements, with all repetitions
  int bodies = 4096;                  ///< with all repetitions; the memory of a run grows with their square
  std::size_t scene_bytes = 8 << 20;  ///< of any one scene file
  std::size_t bytes = 64 << 20;       ///< of any one mesh or table
  std::size_t all_bytes = 256 << 20;  ///< total of all files but the first, each counted once
  std::size_t triangles = 4000000;    ///< total of all meshes, with all repetitions
  std::size_t rows = 4000000;         ///< total of all tables, with all repetitions
};

/// Overrides of the file: "run.step=1 ms", "body.nut.joint.lead=4 mm/rev", "motor.0.effort=2 N m". A table in double
/// brackets is addressed by its name, otherwise by what it acts on, or by its index, from 0. With repetitions,
/// "body.link3.mass" addresses one and "body.link{i}.mass" all. Values are as in the file; values that are not TOML are
/// taken as strings. In problems (`scene-setting`) they appear as the file "--set", one per line.
using SceneSettings = std::vector<std::string>;

/// Reads a scene file and the files it names, which must lie in its folder or below, or where `access` or a setting
/// permits it, except for the meshes of a robot.
/// A URDF file is read as a scene that contains only the robot: `model = "robot.urdf"`. All independent problems are
/// reported at once, in line order within each file; a syntax error is reported alone. The origin of a problem names a
/// file so that it can be opened.
Result<SceneSpec> read_scene(const std::string& path, const SceneSettings& settings = {},
                             const SceneLimits& limits = {}, const FileAccess& access = {});

/// Whether a text is a robot in XML rather than a scene in TOML, which never begins with '<'.
bool is_robot_text(std::string_view text);

/// Reads a scene from a text; `name` names it in problems.
Result<SceneSpec> read_scene_text(std::string_view text, const std::string& name, SceneFiles& files,
                                  const SceneSettings& settings = {}, const SceneLimits& limits = {});

/// The same for a text that may not refer to other files.
Result<SceneSpec> read_scene_text(std::string_view text, const std::string& name, const SceneSettings& settings = {});

}  // namespace pintle
