#include "pintle/io/mesh/mesh_colors.h"

#include <doctest/doctest.h>

#include "io/memory_files.h"
#include "pintle/geometry/shapes/weld_vertices.h"
#include "pintle/io/scene/read_scene.h"
#include "pintle/io/scene/write_scene.h"

namespace pintle {
namespace {

// A tetrahedron: two red faces, one without a material, one green one, and a face without area between them.
const std::string kObj =
    "mtllib paint.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 0\n"
    "f 1 3 2\nusemtl red\nf 1 2 4\nf 1 4 3\nusemtl empty\nusemtl green one\nf 1 5 2\nf 2 3 4\n";
const std::string kMtl =
    "# paint\nnewmtl red\nKa 1 1 1\nKd 1 0 0.5\nillum 2\n\nnewmtl green one\r\n  Kd 0 0.8 0\r\nnewmtl odd\n"
    "Kd spectral a.rfl\n";

std::string text_of(const std::vector<MeshColor>& colors) {
  std::string text;
  for (const MeshColor& one : colors) text += std::to_string(one.first) + ":" + one.color + " ";
  return text;
}

std::string scene(const std::string& more = {}) {
  return "[[body]]\nname = \"b\"\ndensity = 1000\nshape = { mesh = { file = \"parts/t.obj\" }" + more + " }\n";
}

Result<SceneSpec> read(const std::string& text, const std::string& obj = kObj,
                       std::map<std::string, std::string> others = {{"parts/paint.mtl", kMtl}}) {
  others["parts/t.obj"] = obj;
  MemoryFiles files(std::move(others));
  return read_scene_text(text, "s.toml", files);
}

TEST_CASE("an MTL file gives the diffuse colours of its materials") {
  const auto colors = read_mtl(kMtl, "paint.mtl").value();
  CHECK(colors.size() == 3);
  CHECK(colors.at("red") == "#ff0080");
  CHECK(colors.at("green one") == "#00cc00");
  CHECK(colors.at("odd") == "");
  CHECK(read_mtl("newmtl gray\nKd 0.2\n", "m")->at("gray") == "#333333");
  CHECK(read_mtl("newmtl bright\nKd 7 -1 1\n", "m")->at("bright") == "#ff00ff");
  for (const char* const wrong : {"\nKd 1 1 1\n", "newmtl a\nKd\n", "newmtl a\nKd 1 x 1\n", "newmtl a\nKd nan 0 0\n"}) {
    const Result<MaterialColors> read = read_mtl(wrong, "m.mtl");
    REQUIRE(!read.ok());
    CHECK(read.diagnostics()[0].code == "mtl-syntax");
    CHECK(read.diagnostics()[0].origin.line == 2);
  }
}

TEST_CASE("an OBJ file names the materials of its triangles; those that vanish when welded do not count") {
  ObjMaterials materials;
  const TriangleMesh mesh = read_obj(kObj, "t.obj", &materials).value();
  REQUIRE(materials.libraries.size() == 1);
  CHECK(materials.libraries[0].name == "paint.mtl");
  CHECK(materials.libraries[0].origin.line == 1);
  CHECK(materials.libraries[0].origin.column == 8);
  REQUIRE(materials.parts.size() == 2);  // "empty" has no faces
  CHECK(materials.parts[0].first == 1);
  CHECK(materials.parts[1].first == 3);
  CHECK(materials.parts[1].material.name == "green one");
  CHECK(weld_vertices(mesh).triangles.size() == 4);
  Diagnostics warnings;
  const std::vector<Result<MaterialColors>> library{read_mtl(kMtl, "paint.mtl")};
  CHECK(text_of(mesh_colors(mesh, materials, library, warnings)) == "1:#ff0080 3:#00cc00 ");
  CHECK(warnings.empty());
  // Faces that vanish before a part move it.
  ObjMaterials moved;
  const TriangleMesh other =
      read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\nusemtl red\nf 1 2 3\n", "t.obj", &moved).value();
  moved.libraries.push_back({"paint.mtl", {}});
  CHECK(text_of(mesh_colors(other, moved, library, warnings)) == "0:#ff0080 ");
}

TEST_CASE("a mesh of a scene has the colours of its materials, unless one is given") {
  const Result<SceneSpec> spec = read(scene());
  REQUIRE(spec.ok());
  CHECK(spec.diagnostics().empty());
  CHECK(text_of(spec->shapes[0].mesh.colors) == "1:#ff0080 3:#00cc00 ");
  CHECK(read(scene(", color = \"blue\""))->shapes[0].mesh.colors.empty());
  CHECK(read(scene() + "color = \"blue\"\n")->shapes[0].mesh.colors.empty());
  const Result<SceneSpec> ground = read(
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n[[ground]]\nshape = { mesh = { file = \"parts/t.obj\" } }\n");
  REQUIRE(ground.ok());
  CHECK(text_of(ground->shapes[0].mesh.colors) == "1:#ff0080 3:#00cc00 ");
}

TEST_CASE("what is missing of the colours is a warning at the line that names it") {
  const auto warning = [](const Result<SceneSpec>& spec) {
    REQUIRE(spec.ok());
    REQUIRE(spec.diagnostics().size() == 1);
    const Diagnostic& problem = spec.diagnostics()[0];
    CHECK(problem.severity == Severity::warning);
    CHECK(problem.code == "mesh-material");
    CHECK(spec->shapes[0].mesh.colors.empty());
    return problem.origin.file + ":" + std::to_string(problem.origin.line) + ":" +
           std::to_string(problem.origin.column) + " " + problem.what + " | " + problem.why;
  };
  CHECK(warning(read(scene(), kObj, {})).starts_with(
      "parts/t.obj:1:8 body 'b', shape, mesh: the mesh is shown without the colours of 'paint.mtl' | "));
  CHECK(warning(read(scene(), kObj, {{"parts/paint.mtl", "newmtl red\nKd 1 x\n"}}))
            .ends_with("line 2: a colour is three numbers from 0 to 1"));
  std::string outside = kObj;
  outside.replace(7, 9, "../../secret.mtl");
  CHECK(warning(read(scene(), outside)).find("is not in the folder of the scene") != std::string::npos);
  const std::string bare = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl red\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  CHECK(warning(read(scene(), bare)) ==
        "parts/t.obj:5:8 body 'b', shape, mesh: there is no material 'red' | the file names no .mtl file (mtllib)");
}

TEST_CASE("a copy of a mesh beside a written scene has no colours, which is listed") {
  const Result<SceneSpec> spec = read(scene());
  SceneSpec elsewhere = *spec;
  elsewhere.shapes[0].mesh.file = "/somewhere/t.obj";
  const auto lost = [](const WrittenScene& written) {
    for (const WriteLoss& loss : written.losses)
      if (loss.what == "the colours of '/somewhere/t.obj'") return true;
    return false;
  };
  CHECK(lost(write_scene(elsewhere)));
  elsewhere.shapes[0].mesh.colors.clear();
  CHECK(!lost(write_scene(elsewhere)));
}

}  // namespace
}  // namespace pintle
