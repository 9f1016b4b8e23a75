// Files for tests that are not on any disk.
#pragma once

#include <map>
#include <string>

#include "pintle/io/scene/read_scene.h"

namespace pintle {

class MemoryFiles : public SceneFiles {
 public:
  explicit MemoryFiles(std::map<std::string, std::string> texts = {}) : texts_(std::move(texts)) {}

  Result<std::string> read(const std::string& path, std::size_t max_bytes) override {
    const auto found = texts_.find(path);
    Diagnostic problem;
    problem.code = found == texts_.end() ? "file-open" : "file-size";
    problem.what = "'" + path + "' cannot be read";
    problem.fix = "check the name";
    if (found == texts_.end() || found->second.size() > max_bytes) return problem;
    return found->second;
  }

 private:
  std::map<std::string, std::string> texts_;
};

/// A tetrahedron, in ASCII.
inline std::string tetrahedron_stl() {
  const char* const corners[4] = {"0 0 0", "30 0 0", "0 30 0", "0 0 30"};
  const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  std::string text = "solid tetrahedron\n";
  for (const auto& face : faces) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const int corner : face) text += std::string("  vertex ") + corners[corner] + "\n";
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid tetrahedron\n";
}

inline std::string tetrahedron_obj() {
  return "# a tetrahedron\no solid\nv 0 0 0\nv 30 0 0\nv 0 30 0\nv 0 0 30\nf 1 3 2\nf 1/1 2/2 4/3\nf -4 -1 -2\nf 2 3 "
         "4\n";
}

/// The parts of a Collada file with one tetrahedron, for tests to change.
inline std::string tetrahedron_dae(const std::string& unit = "1",
                                   const std::string& primitive =
                                       "<triangles count='4'><input semantic='VERTEX' source='#v' offset='0'/>"
                                       "<input semantic='NORMAL' source='#n' offset='1'/>"
                                       "<p>0 0 2 0 1 0  0 0 1 0 3 0  0 0 3 0 2 0  1 0 2 0 3 0</p></triangles>",
                                   const std::string& nodes = "<node><instance_geometry url='#g'/></node>") {
  return "<?xml version='1.0'?>\n<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>\n"
         "<asset><unit name='u' meter='" +
         unit +
         "'/><up_axis>Y_UP</up_axis></asset>\n<library_geometries>"
         "<geometry id='g'><mesh><source id='p'><float_array id='f' count='12'>0 0 0 30 0 0 0 30 0 0 0 30</float_array>"
         "<technique_common><accessor source='#f' count='4' stride='3'/></technique_common></source>"
         "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices>" +
         primitive + "</mesh></geometry></library_geometries>\n<library_visual_scenes><visual_scene id='s'>" + nodes +
         "</visual_scene></library_visual_scenes>\n<scene><instance_visual_scene url='#s'/></scene></COLLADA>\n";
}

}  // namespace pintle
