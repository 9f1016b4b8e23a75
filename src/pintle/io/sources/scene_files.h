// The files that a scene names.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pintle/base/result.h"

namespace pintle {

/// A ROS package and its folder.
struct PackageFolder {
  std::string name, folder;
};

/// What a scene may read besides the files in its folder and below: permission of the caller, never of a scene.
struct FileAccess {
  std::vector<std::string> allowed{};     ///< folders
  std::vector<PackageFolder> packages{};  ///< those of package://NAME/...; they are allowed too
};

/// Finds the other files that a scene names.
class SceneFiles {
 public:
  virtual ~SceneFiles() = default;
  /// The whole text of a file, by a path from `path_of`; a problem if it does not exist.
  virtual Result<std::string> read(const std::string& path, std::size_t max_bytes) = 0;

  /// The path of a file that is named in a scene file of the folder `folder`: relative to the folder of the scene and
  /// without "..", or absolute where a FileAccess permits that. `by_caller`: it is named not by a scene but by the
  /// caller's own settings, which counts as permission. A problem, without a place, for all other files.
  virtual Result<std::string> path_of(const std::string& name, const std::string& folder, bool by_caller);

  /// Finds a file that a robot names: a path relative to the folder of the robot's file (which is relative to that of
  /// the scene), "file://..." or "package://NAME/...". The `why` of a problem lists where it was searched.
  virtual Result<std::string> find(const std::string& name, const std::string& folder,
                                   const std::vector<PackageFolder>& packages, std::size_t max_bytes);

  /// The path of such a file, for opening it; empty if it is not known.
  virtual std::string place_of(const std::string& name, const std::string& folder,
                               const std::vector<PackageFolder>& packages);
};

/// "parts/" of "parts/arm.toml"; empty for a file of the first folder.
std::string folder_of(const std::string& path);

/// A path of `path_of` for opening it: after the folder of the scene, `root`, unless it is absolute.
std::string below(const std::string& root, const std::string& path);

/// The path without "." and ".."; false if it leaves its folder.
bool straighten(const std::string& path, std::string& straight);

/// Why files outside of the scene's folder are refused.
inline constexpr const char* kWhyBelow =
    "a scene only reads what lies beside or below it, unless you permit more: it may come from a stranger";

/// Files in a folder on disk, and in the folders of a FileAccess: only regular files, and none that a symbolic link
/// places outside of these.
///
/// The files of a robot may be anywhere. The folder of package://NAME is searched in this order: among the given
/// packages; in the folders of PINTLE_PACKAGE_PATH and ROS_PACKAGE_PATH (a folder NAME in them, or the folder itself if
/// it has that name); in share/ of those of AMENT_PREFIX_PATH; as a folder NAME next to or above the robot's file.
class DiskFiles : public SceneFiles {
 public:
  explicit DiskFiles(std::string folder, FileAccess access = {})
      : folder_(std::move(folder)), access_(std::move(access)) {}
  Result<std::string> read(const std::string& path, std::size_t max_bytes) override;
  Result<std::string> path_of(const std::string& name, const std::string& folder, bool by_caller) override;
  Result<std::string> find(const std::string& name, const std::string& folder,
                           const std::vector<PackageFolder>& packages, std::size_t max_bytes) override;
  std::string place_of(const std::string& name, const std::string& folder,
                       const std::vector<PackageFolder>& packages) override;

 private:
  std::vector<std::string> places_of(const std::string& name, const std::string& folder,
                                     const std::vector<PackageFolder>& packages) const;
  bool permits(const std::string& file) const;

  std::string folder_;
  FileAccess access_;
  std::vector<std::string> named_by_caller_;
};

/// The files of a text that has no folder: none.
class NoFiles : public SceneFiles {
 public:
  Result<std::string> read(const std::string& path, std::size_t max_bytes) override;
};

/// The whole content of a file on disk; a problem, with the system's reason, if it cannot be read.
Result<std::string> read_whole_file(const std::string& path, std::size_t max_bytes);

}  // namespace pintle
