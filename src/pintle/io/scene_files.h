// The files that a scene names.
#pragma once

#include <string>

#include "pintle/io/scene_reader.h"

namespace pintle {

/// The path, relative to the folder of the scene, of a file that is named at `origin` in the file that is being read,
/// without "." and "..". Absolute names and names that leave the scene's folder are refused.
Result<std::string> scene_path(const SceneReader& scene, const std::string& name, const Origin& origin);

/// The text of a file by such a path. Too many files, and too large ones, are refused.
Result<std::string> read_scene_file(SceneReader& scene, const std::string& path, const Origin& origin,
                                    std::size_t most_bytes);

/// "parts/" of "parts/arm.toml"; empty for a file of the first folder.
std::string folder_of(const std::string& path);

/// Files of a folder of the disk: plain ones only, and none that a link leads out of the folder to.
///
/// Those of a robot may be anywhere. The folder of package://NAME is looked for, in this order: among the packages
/// given; in the folders of PINTLE_PACKAGE_PATH and ROS_PACKAGE_PATH (a folder NAME in them, or they themselves if they
/// are called so); in share/ of those of AMENT_PREFIX_PATH; as a folder NAME beside or above the robot's file.
class DiskFiles : public SceneFiles {
 public:
  explicit DiskFiles(std::string folder) : folder_(std::move(folder)) {}
  Result<std::string> read(const std::string& path, std::size_t most_bytes) override;
  Result<std::string> find(const std::string& name, const std::string& folder,
                           const std::vector<PackageFolder>& packages, std::size_t most_bytes) override;
  std::string place_of(const std::string& name, const std::string& folder,
                       const std::vector<PackageFolder>& packages) override;

 private:
  std::vector<std::string> places_of(const std::string& name, const std::string& folder,
                                     const std::vector<PackageFolder>& packages) const;

  std::string folder_;
};

/// The files of a text that has no folder: none.
class NoFiles : public SceneFiles {
 public:
  Result<std::string> read(const std::string& path, std::size_t most_bytes) override;
};

/// The whole of a file of the disk; a problem, with the reason the system gives, when it cannot be read.
Result<std::string> read_whole_file(const std::string& path, std::size_t most_bytes);

}  // namespace pintle
