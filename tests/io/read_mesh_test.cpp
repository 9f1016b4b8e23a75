#include "pintle/io/mesh/read_mesh.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>

#include "io/memory_files.h"
#include "pintle/geometry/shapes/shape.h"
#include "pintle/geometry/shapes/weld_vertices.h"

namespace pintle {
namespace {

void append_word(std::string& bytes, std::uint32_t word) {
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>((word >> (8 * i)) & 0xFF);
}

std::string binary_stl(const TriangleMesh& mesh, const std::string& header) {
  std::string bytes = header;
  bytes.resize(80, ' ');
  append_word(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& triangle : mesh.triangles) {
    for (int i = 0; i < 3; ++i) append_word(bytes, 0);
    for (const int corner : triangle) {
      const Vec3<>& x = mesh.vertices[static_cast<std::size_t>(corner)];
      for (const double number : {x.x, x.y, x.z})
        append_word(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(number)));
    }
    bytes += std::string(2, '\0');
  }
  return bytes;
}

double volume_of(const TriangleMesh& mesh) {
  return volume(Shape(weld_vertices(mesh)));
}

TEST_CASE("a tetrahedron is the same in every format") {
  const TriangleMesh ascii = *read_stl(tetrahedron_stl(), "t.stl");
  CHECK(ascii.triangles.size() == 4);
  CHECK(volume_of(ascii) == doctest::Approx(4500.0));
  CHECK(volume_of(*read_obj(tetrahedron_obj(), "t.obj")) == doctest::Approx(4500.0));
  CHECK(volume_of(*read_stl(binary_stl(ascii, "binary"), "t.stl")) == doctest::Approx(4500.0));
  // A binary file may call itself solid.
  CHECK(volume_of(*read_stl(binary_stl(ascii, "solid"), "t.stl")) == doctest::Approx(4500.0));
}

TEST_CASE("an ASCII file may have several solids, and capital letters") {
  CHECK(read_stl(tetrahedron_stl() + "\n" + tetrahedron_stl(), "t.stl")->triangles.size() == 8);
  std::string capital = tetrahedron_stl();
  for (char& c : capital)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  CHECK(read_stl(capital, "t.stl")->triangles.size() == 4);
  CHECK(!read_stl(tetrahedron_stl() + "rubbish", "t.stl").ok());
}

TEST_CASE("polygons of an OBJ file are cut into triangles") {
  const TriangleMesh square =
      *read_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1 4//1\n", "s.obj");
  CHECK(square.triangles.size() == 2);
}

TEST_CASE("what is cut short or wrong is refused") {
  const std::string binary = binary_stl(*read_stl(tetrahedron_stl(), "t.stl"), "binary");
  const auto stl = [](std::string_view bytes) { return read_stl(bytes, "t.stl").diagnostics().at(0).code; };
  CHECK(stl(binary.substr(0, binary.size() - 1)) == "stl-size");
  CHECK(stl(binary.substr(0, 83)) == "stl-syntax");
  CHECK(stl("") == "stl-syntax");
  std::string nan = binary;
  for (std::size_t i = 96; i < 100; ++i) nan[i] = '\xFF';
  CHECK(stl(nan) == "stl-number");
  const std::string ascii = tetrahedron_stl();
  CHECK(stl(ascii.substr(0, ascii.rfind("endsolid"))) == "stl-syntax");
  const auto obj = [](std::string_view text) { return read_obj(text, "t.obj").diagnostics().at(0); };
  CHECK(obj("").what == "the file has no faces");
  CHECK(obj("v 0 0\n").origin.line == 1);
  CHECK(obj("v 0 0 0\n\nf 1 1 2\n").origin.line == 3);
  CHECK(obj("v 0 0 0\nf 1 1 0\n").origin.line == 2);
  CHECK(obj("v 0 0 0\nf 1 1 -2\n").origin.line == 2);
  CHECK(obj("v 0 0 nan\n").origin.line == 1);
  CHECK(obj("v 0 0 0\nf 1 1\n").origin.line == 2);
  CHECK(obj("curv 1 2\n").origin.line == 1);
}

}  // namespace
}  // namespace pintle
