// Any text is an OBJ file or is refused.
#include "fuzz/mesh_properties.h"
#include "pintle/io/mesh/read_mesh.h"

namespace pintle::fuzz {
namespace {

void test(std::string_view text) {
  const Result<TriangleMesh> mesh = read_obj(text, "f.obj");

  const bool empty = !mesh && mesh.diagnostics()[0].code == "obj-empty";  // what is not there has no line
  require_good(mesh.diagnostics(), mesh.ok(), {{"f.obj", std::string(text)}}, empty ? Places::none : Places::lines);
  if (mesh) require_good(*mesh);
}

}  // namespace
}  // namespace pintle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  pintle::fuzz::test({reinterpret_cast<const char*>(data), size});
  return 0;
}
