// WrittenFiles: how a written scene refers to its meshes and tables, and which of them must be written next to it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pintle/geometry/shapes/convex_hull.h"
#include "pintle/geometry/shapes/mesh_source.h"
#include "pintle/geometry/shapes/surface_mesh.h"
#include "pintle/geometry/shapes/triangle_mesh.h"

namespace pintle {

/// Where a file is written.
struct WritePlace {
  std::string folder{};  ///< of the file; names of other files are relative to it. Empty: the working directory
  std::string companions = "files";  ///< subfolder for files that must be written next to the file
};

/// A file next to the written one.
struct CompanionFile {
  std::string path{};     ///< relative to the folder of the file
  std::string copy_of{};  ///< the file to copy; if empty, `bytes` is
  std::string bytes{};    ///< the content
};

/// `file` relative to the folder of `place`: "meshes/hand.stl", "../arm/hand.stl".
std::string relative_name(const std::string& file, const WritePlace& place);

/// A mesh as an OBJ file with all digits.
std::string obj_text(const TriangleMesh& mesh);

class WrittenFiles {
 public:
  explicit WrittenFiles(const WritePlace& place) : place_(place) {}

  /// How a scene refers to a mesh: file and unit [m].
  struct Name {
    std::string file{};
    double unit = 1.0;
    bool is_copy = false;  ///< a new file, without materials
  };

  /// The file of a mesh if a scene may refer to it: in the scene's folder or below, STL or OBJ, scaled uniformly.
  /// Otherwise a new file is written, with all digits; `wish` is its preferred name.
  Name mesh(const TriangleMesh& mesh, const MeshSource& source, const std::string& wish);
  Name mesh(const ConvexHull& hull, const MeshSource& source, const std::string& wish);
  Name mesh(const SurfaceMesh& mesh, const MeshSource& source, const std::string& wish);

  /// The name of a table: its own file if a scene may refer to it, otherwise a copy.
  std::string table(const std::string& file);

  std::vector<CompanionFile> take() { return std::move(files_); }

 private:
  bool may_be_named(const MeshSource& source) const;
  std::string add(const std::string& wish, const std::string& ending, std::string copy_of, std::string bytes);

  WritePlace place_;
  std::vector<CompanionFile> files_;
  std::map<std::string, std::string> by_bytes_, by_source_;  // names already assigned
};

}  // namespace pintle
