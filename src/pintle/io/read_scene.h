// Scene files: TOML to SceneSpec. docs/formats/scene.md describes the format.
#pragma once

#include <string>
#include <string_view>

#include "pintle/base/result.h"
#include "pintle/simulation/scene_spec.h"

namespace pintle {

/// What a scene file may bring in.
struct SceneLimits {
  int include_depth = 8;
  int files = 64;              ///< included scenes, meshes and tables together
  int bodies = 100000;         ///< with all repetitions
  std::size_t bytes = 64 << 20;  ///< of any one file
};

/// Where the other files that a scene names are found. Names are relative to the file that names them; they may not
/// leave the folder of the first file.
class SceneFiles {
 public:
  virtual ~SceneFiles() = default;
  /// The whole text of a file, by its path relative to the scene's folder; a problem when there is none.
  virtual Result<std::string> read(const std::string& path, std::size_t most_bytes) = 0;
};

/// Reads a scene file. All problems that can be told apart are reported at once; a syntax error alone.
Result<SceneSpec> read_scene(const std::string& path, const SceneLimits& limits = {});

/// Reads a scene from a text; `name` stands for it in problems.
Result<SceneSpec> read_scene_text(std::string_view text, const std::string& name, SceneFiles& files,
                                  const SceneLimits& limits = {});

}  // namespace pintle
