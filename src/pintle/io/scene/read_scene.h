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

/// What a scene file may bring in.
struct SceneLimits {
  int include_depth = 8;
  int files = 1000;                   ///< included scenes, meshes and tables together
  int elements = 100000;              ///< bodies, motors and all the others, with all repetitions
  int bodies = 4096;                  ///< with all repetitions; the memory of a run goes with their square
  std::size_t scene_bytes = 8 << 20;  ///< of any one scene file
  std::size_t bytes = 64 << 20;       ///< of any one mesh or table
  std::size_t all_bytes = 256 << 20;  ///< of all files but the first, each counted once
  std::size_t triangles = 4000000;    ///< of all meshes, with all repetitions
  std::size_t rows = 4000000;         ///< of all tables, likewise
};

/// What is to be different from the file: "run.step=1 ms", "body.nut.joint.lead=4 mm/rev", "motor.0.effort=2 N m". Of
/// what is in double brackets a table is called by its name, without one by what it is on, or by its number, from 0;
/// of repetitions "body.link3.mass" is one, "body.link{i}.mass" all. Values are as in the file; those that are no TOML
/// are taken as texts. In problems (`scene-setting`) they stand as the file "--set", one in each line.
using SceneSettings = std::vector<std::string>;

/// Reads a scene file and the files it names, which must lie in its folder or below, but for the meshes of a robot. A
/// URDF file is read as a scene that holds nothing but the robot: `model = "robot.urdf"`. All problems that can be told
/// apart are reported at once, in the order of the lines of each file; a syntax error alone. The origin of a problem
/// names a file in a way that it can be opened.
Result<SceneSpec> read_scene(const std::string& path, const SceneSettings& settings = {},
                             const SceneLimits& limits = {});

/// Whether a text is a robot in XML rather than a scene in TOML, which never begins with '<'.
bool is_robot_text(std::string_view text);

/// Reads a scene from a text; `name` stands for it in problems.
Result<SceneSpec> read_scene_text(std::string_view text, const std::string& name, SceneFiles& files,
                                  const SceneSettings& settings = {}, const SceneLimits& limits = {});

/// The same for a text that may name no other files.
Result<SceneSpec> read_scene_text(std::string_view text, const std::string& name, const SceneSettings& settings = {});

}  // namespace pintle
