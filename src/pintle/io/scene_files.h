// The files that a scene names.
#pragma once

#include <string>

#include "pintle/io/scene_reader.h"

namespace pintle {

/// A file that a scene named.
struct SceneFileText {
  std::string path;  ///< relative to the folder of the first file
  std::string text;
};

/// Reads a file named at `origin`, relative to the file that is being read. Absolute names and names that leave the
/// scene's folder are refused, and so are too many files.
Result<SceneFileText> read_scene_file(SceneReader& scene, const std::string& name, const Origin& origin);

/// "parts/" of "parts/arm.toml"; empty for a file of the first folder.
std::string folder_of(const std::string& path);

/// Files of a folder of the disk.
class DiskFiles : public SceneFiles {
 public:
  explicit DiskFiles(std::string folder) : folder_(std::move(folder)) {}
  Result<std::string> read(const std::string& path, std::size_t most_bytes) override;

 private:
  std::string folder_;
};

/// The whole of a file of the disk; a problem, with the reason the system gives, when it cannot be read.
Result<std::string> read_whole_file(const std::string& path, std::size_t most_bytes);

}  // namespace pintle
