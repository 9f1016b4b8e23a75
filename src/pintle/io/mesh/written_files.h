// WrittenFiles: how a scene that is written names its meshes and tables, and those that must be written beside it.
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
  std::string folder{};              ///< of the file; names of other files are relative to it. Empty: where we are
  std::string companions = "files";  ///< the folder, in that one, of what must be written beside the file
};

/// A file beside the one that is written.
struct CompanionFile {
  std::string path{};     ///< relative to the folder of the file
  std::string copy_of{};  ///< the file that it is a copy of; or else
  std::string bytes{};    ///< what is in it
};

/// `file` as it is named in the folder of `place`: "meshes/hand.stl", "../arm/hand.stl".
std::string relative_name(const std::string& file, const WritePlace& place);

/// An OBJ file with all digits of a mesh.
std::string obj_text(const TriangleMesh& mesh);

class WrittenFiles {
 public:
  explicit WrittenFiles(const WritePlace& place) : place_(place) {}

  /// How a scene names a mesh: the file and its unit [m].
  struct Name {
    std::string file{};
    double unit = 1.0;
  };

  /// The file of a mesh where a scene may name it: in the scene's folder or below, in STL or OBJ, scaled alike along
  /// all axes. For others one is written, with all digits; `wish` is what it may be called.
  Name mesh(const TriangleMesh& mesh, const MeshSource& source, const std::string& wish);
  Name mesh(const ConvexHull& hull, const MeshSource& source, const std::string& wish);
  Name mesh(const SurfaceMesh& mesh, const MeshSource& source, const std::string& wish);

  /// The name of a table: of the file itself where a scene may name it, else of a copy.
  std::string table(const std::string& file);

  std::vector<CompanionFile> take() { return std::move(files_); }

 private:
  bool may_be_named(const MeshSource& source) const;
  std::string add(const std::string& wish, const std::string& ending, std::string copy_of, std::string bytes);

  WritePlace place_;
  std::vector<CompanionFile> files_;
  std::map<std::string, std::string> by_bytes_, by_source_;  // the names that were given
};

}  // namespace pintle
