// The files that a scene names.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pintle/base/result.h"

namespace pintle {

/// A package of ROS and its folder.
struct PackageFolder {
  std::string name, folder;
};

/// Where the other files that a scene names are found.
class SceneFiles {
 public:
  virtual ~SceneFiles() = default;
  /// The whole text of a file, by its path relative to the scene's folder (never an absolute one, never one with "..");
  /// a problem when there is none.
  virtual Result<std::string> read(const std::string& path, std::size_t max_bytes) = 0;

  /// A file that a robot names: a path relative to the folder of the robot's file (which is relative to that of the
  /// scene), "file://..." or "package://NAME/...". A problem tells in its `why` where it was looked for.
  virtual Result<std::string> find(const std::string& name, const std::string& folder,
                                   const std::vector<PackageFolder>& packages, std::size_t max_bytes);

  /// The path of such a file, where it can be opened; empty when it is not known.
  virtual std::string place_of(const std::string& name, const std::string& folder,
                               const std::vector<PackageFolder>& packages);
};

/// "parts/" of "parts/arm.toml"; empty for a file of the first folder.
std::string folder_of(const std::string& path);

/// The path without "." and ".."; false when it leaves its folder.
bool straighten(const std::string& path, std::string& straight);

/// Why files outside of the scene's folder are refused.
inline constexpr const char* kWhyBelow =
    "a scene only reads what lies beside or below it, so that it can be moved as a whole";

/// Files of a folder of the disk: plain ones only, and none that a link leads out of the folder to.
///
/// Those of a robot may be anywhere. The folder of package://NAME is looked for, in this order: among the packages
/// given; in the folders of PINTLE_PACKAGE_PATH and ROS_PACKAGE_PATH (a folder NAME in them, or they themselves if they
/// are called so); in share/ of those of AMENT_PREFIX_PATH; as a folder NAME beside or above the robot's file.
class DiskFiles : public SceneFiles {
 public:
  explicit DiskFiles(std::string folder) : folder_(std::move(folder)) {}
  Result<std::string> read(const std::string& path, std::size_t max_bytes) override;
  Result<std::string> find(const std::string& name, const std::string& folder,
                           const std::vector<PackageFolder>& packages, std::size_t max_bytes) override;
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
  Result<std::string> read(const std::string& path, std::size_t max_bytes) override;
};

/// The whole of a file of the disk; a problem, with the reason the system gives, when it cannot be read.
Result<std::string> read_whole_file(const std::string& path, std::size_t max_bytes);

}  // namespace pintle
