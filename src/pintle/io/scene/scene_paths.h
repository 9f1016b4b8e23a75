// The files that a scene names.
#pragma once

#include "pintle/io/scene/scene_reader.h"

namespace pintle {

/// The path of a file that is named at `origin` in the file being read (SceneFiles::path_of). Files outside of the
/// scene's folder are refused unless the caller permits them; a file that a setting names is permitted.
Result<std::string> scene_path(const SceneReader& scene, const std::string& name, const Origin& origin);

/// Reads the text of a file by such a path. Too many files, and too large ones, are refused.
Result<std::string> read_scene_file(SceneReader& scene, const std::string& path, const Origin& origin,
                                    std::size_t max_bytes);

}  // namespace pintle
