#include "pintle/io/mesh/read_collada.h"

#include <doctest/doctest.h>

#include "io/memory_files.h"
#include "pintle/geometry/shapes/check_mesh.h"
#include "pintle/geometry/shapes/shape.h"
#include "pintle/geometry/shapes/weld_vertices.h"

namespace pintle {
namespace {

/// The solid of a file, which must be sound.
Shape solid(const std::string& text) {
  const Result<TriangleMesh> mesh = read_collada(text, "t.dae");
  for (const Diagnostic& problem : mesh.diagnostics()) FAIL_CHECK(format(problem, text));
  const TriangleMesh welded = weld_vertices(*mesh);
  for (const Diagnostic& problem : check(welded)) FAIL_CHECK(format(problem));
  return welded;
}

std::string with(const std::string& primitive) {
  return tetrahedron_dae("1", primitive);
}

constexpr const char* kInput = "<input semantic='VERTEX' source='#v' offset='0'/>";

TEST_CASE("every kind of faces gives the same tetrahedron") {
  CHECK(volume(solid(tetrahedron_dae())) == doctest::Approx(4500.0));
  const std::string input = kInput;
  for (const std::string& text :
       {"<polylist count='4'>" + input + "<vcount>3 3 3 3</vcount><p>0 2 1 0 1 3 0 3 2 1 2 3</p></polylist>",
        "<polygons count='4'>" + input + "<p>0 2 1</p><p>0 1 3</p><p>0 3 2</p><p>1 2 3</p></polygons>",
        "<trifans count='2'>" + input + "<p>0 2 1 3 2</p><p>1 2 3</p></trifans>",
        "<tristrips count='2'>" + input + "<p>0 2 1 3 0 2</p></tristrips>",
        "<lines count='1'>" + input + "<p>0 1</p></lines><triangles>" + input + "<p>0 2 1 0 1 3</p></triangles>" +
            "<triangles>" + input + "<p>0 3 2 1 2 3</p></triangles>"}) {
    CAPTURE(text);
    CHECK(volume(solid(with(text))) == doctest::Approx(4500.0));
  }
  // A square is cut into two triangles.
  CHECK(read_collada(with("<polylist>" + input + "<vcount>4</vcount><p>0 1 2 3</p></polylist>"), "t.dae")
            ->triangles.size() == 2);
}

TEST_CASE("numbers are metres by the file's own unit, and z is z whatever is up") {
  CHECK(1e6 * volume(solid(tetrahedron_dae("0.001"))) == doctest::Approx(4.5));
  CHECK(bounding_box(solid(tetrahedron_dae("0.001"))).max.z == doctest::Approx(0.03));
}

TEST_CASE("a scene places its geometries, mirrored ones among them, as often as it names them") {
  const auto scene = [](const std::string& nodes) {
    return tetrahedron_dae("1", std::string("<triangles>") + kInput + "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>",
                           nodes);
  };
  const std::string instance = "<instance_geometry url='#g'/>";
  const BoundingBox moved =
      bounding_box(solid(scene("<node><translate>1 2 3</translate><rotate>0 0 2 90</rotate>"
                               "<scale>1 2 3</scale>" +
                               instance + "</node>")));
  CHECK(moved.min.x == doctest::Approx(-59.0));  // y times 2, turned to -x
  CHECK(moved.max.y == doctest::Approx(32.0));
  CHECK(moved.max.z == doctest::Approx(93.0));
  const BoundingBox by_matrix =
      bounding_box(solid(scene("<node><matrix>0 -2 0 1 1 0 0 2 0 0 3 3 0 0 0 1</matrix>" + instance + "</node>")));
  CHECK(by_matrix.min.x == doctest::Approx(-59.0));
  CHECK(by_matrix.max.z == doctest::Approx(93.0));
  CHECK(volume(solid(scene("<node><scale>-1 1 1</scale>" + instance + "</node>"))) == doctest::Approx(4500.0));
  const Shape twice = solid(scene("<node><node id='n'>" + instance +
                                  "</node><node><translate>99 0 0</translate>"
                                  "<instance_node url='#n'/></node></node>"));
  CHECK(volume(twice) == doctest::Approx(9000.0));
}

TEST_CASE("what is wrong is told, and nothing grows without end") {
  const auto code = [](const std::string& text, std::size_t most = 1000) {
    const Result<TriangleMesh> mesh = read_collada(text, "t.dae", most);
    REQUIRE(!mesh.ok());
    CHECK(!mesh.diagnostics()[0].fix.empty());
    return mesh.diagnostics()[0].code;
  };
  const std::string input = kInput;
  CHECK(code("<robot/>") == "dae-syntax");
  CHECK(code("<COLLADA/>") == "dae-empty");
  CHECK(code("<COLLADA") == "xml-syntax");
  CHECK(code(with("")) == "dae-empty");
  CHECK(code(with("<triangles>" + input + "<p>0 1 4</p></triangles>")) == "dae-syntax");
  CHECK(code(with("<triangles>" + input + "<p>0 1 -1</p></triangles>")) == "dae-syntax");
  CHECK(code(with("<triangles>" + input + "<p>0 1 x</p></triangles>")) == "dae-syntax");
  CHECK(code(with("<triangles><p>0 1 2</p></triangles>")) == "dae-syntax");
  CHECK(code(with("<polylist>" + input + "<vcount>4</vcount><p>0 1 2</p></polylist>")) == "dae-syntax");
  CHECK(code(tetrahedron_dae("0.001 m")) == "dae-syntax");
  CHECK(code(tetrahedron_dae(), 3) == "dae-size");
  CHECK(code(tetrahedron_dae("1", "", "<node id='n'><instance_node url='#n'/></node>")) == "dae-size");
  CHECK(code(tetrahedron_dae("1", "", "<node id='n'><instance_node url='#n'/><instance_node url='#n'/></node>")) ==
        "dae-size");
  CHECK(code(tetrahedron_dae("1", "", "<node><instance_geometry url='#no'/></node>")) == "dae-syntax");
}

}  // namespace
}  // namespace pintle
