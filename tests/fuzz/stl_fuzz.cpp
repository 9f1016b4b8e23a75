// Any bytes are an STL file, binary or ASCII, or are refused.
#include "fuzz/mesh_properties.h"
#include "pintle/io/mesh/read_mesh.h"

namespace pintle::fuzz {
namespace {

void test(std::string_view text) {
  const Result<TriangleMesh> mesh = read_stl(text, "f.stl");
  // Of text only: a binary file has no lines. One of a binary file's length is one, whatever it begins with.
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const std::string_view word = begin == std::string_view::npos ? text : text.substr(begin, 5);
  const bool binary = text.size() >= 84 && (text.size() - 84) % 50 == 0;
  const Places places = !binary && (word == "solid" || word == "SOLID") ? Places::lines : Places::none;
  require_good(mesh.diagnostics(), mesh.ok(), {{"f.stl", std::string(text)}}, places);
  if (mesh) require_good(*mesh);
}

}  // namespace
}  // namespace pintle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  pintle::fuzz::test({reinterpret_cast<const char*>(data), size});
  return 0;
}
