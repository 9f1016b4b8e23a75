// Any text is an OBJ file, with materials, or is refused.
#include "fuzz/mesh_properties.h"
#include "pintle/io/mesh/mesh_colors.h"
#include "pintle/io/mesh/read_mesh.h"

namespace pintle::fuzz {
namespace {

void test(std::string_view text) {
  ObjMaterials materials;
  const Result<TriangleMesh> mesh = read_obj(text, "f.obj", &materials);
  const bool empty = !mesh && mesh.diagnostics()[0].code == "obj-empty";  // what is not there has no line
  require_good(mesh.diagnostics(), mesh.ok(), {{"f.obj", std::string(text)}}, empty ? Places::none : Places::lines);
  if (!mesh) return;
  require_good(*mesh);
  const Result<MaterialColors> colors = read_mtl(text, "f.mtl");  // the same text, as its materials
  require_good(colors.diagnostics(), colors.ok(), {{"f.mtl", std::string(text)}}, Places::lines);
  Diagnostics warnings;
  const std::vector<Result<MaterialColors>> libraries(materials.libraries.size(), colors);
  int last = 0;
  for (const MeshColor& part : mesh_colors(*mesh, materials, libraries, warnings)) {
    require(part.first >= last && static_cast<std::size_t>(part.first) <= mesh->triangles.size(),
            "parts of a mesh are in the order of its triangles");
    last = part.first;
  }
}

}  // namespace
}  // namespace pintle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  pintle::fuzz::test({reinterpret_cast<const char*>(data), size});
  return 0;
}
