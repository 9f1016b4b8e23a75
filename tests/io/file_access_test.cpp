// What a scene may read besides the files in its folder.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "io/memory_files.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/io/scene/write_scene.h"
#include "pintle/simulation/scene/scene.h"
#include "support/scratch_folder.h"

namespace pintle {
namespace {

namespace fs = std::filesystem;

const std::string kCase = "density = 1000\nshape = { mesh = { file = ";

class Workshop {
 public:
  Workshop() : top(folder_ / "") {
    put("robots/arm/case.stl", tetrahedron_stl());
    put("robots/arm/arm.toml", body("arm", "case.stl"));
    put("robots/lift.csv", "t, x\n0, 0\n1, 1\n");
    put("robots/bare.urdf", "<robot name=\"bare\"><link name=\"base\"/></robot>\n");
    fs::create_directories(top + "scenes");
    fs::create_symlink(top + "robots/arm", top + "scenes/link");
  }

  static std::string body(const std::string& name, const std::string& file) {
    return "[[body]]\nname = \"" + name + "\"\n" + kCase + "\"" + file + "\" } }\n";
  }
  void put(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(top + path).parent_path());
    std::ofstream(top + path) << text;
  }
  /// The codes of the problems of a scene in the folder "scenes".
  std::string codes(const std::string& text, const FileAccess& access = {}, const SceneSettings& settings = {}) const {
    put("scenes/s.toml", text);
    std::string all;
    for (const Diagnostic& problem : read_scene(top + "scenes/s.toml", settings, {}, access).diagnostics())
      if (problem.severity == Severity::error) all += (all.empty() ? "" : " ") + problem.code;
    return all;
  }

 private:
  ScratchFolder folder_;

 public:
  std::string top;
};

TEST_CASE("a scene reads files elsewhere only where its user permits them") {
  const Workshop at;
  const std::string absolute = Workshop::body("b", at.top + "robots/arm/case.stl");
  const std::string above = Workshop::body("b", "../robots/arm/case.stl");
  const std::string linked = Workshop::body("b", "link/case.stl");
  for (const std::string& text : {absolute, above, linked}) {
    CAPTURE(text);
    CHECK(at.codes(text) == "file-place");
    CHECK(at.codes(text, {.allowed = {at.top + "scenes"}}) == "file-place");
    CHECK(at.codes(text, {.allowed = {at.top + "rob"}}) == "file-place");
    CHECK(at.codes(text, {.allowed = {at.top + "nowhere", at.top + "robots"}}) == "");
    CHECK(at.codes(text, {.allowed = {at.top + "robots/arm"}}) == "");
    CHECK(at.codes(text, {.packages = {{"arm", at.top + "robots/arm"}}}) == "");
  }
  CHECK(at.codes(Workshop::body("b", "../robots/arm/none.stl"), {.allowed = {at.top + "robots"}}) == "file-open");
  CHECK(at.codes(Workshop::body("b", "../robots/arm/none.stl")) == "file-place");  // whether it exists is not told
}

TEST_CASE("the problem names the flag and the folder") {
  const Workshop at;
  at.put("scenes/s.toml", Workshop::body("b", "../robots/arm/case.stl"));
  const Diagnostic problem = read_scene(at.top + "scenes/s.toml").diagnostics()[0];
  CHECK(problem.fix.find("--allow " + at.top + "robots/arm ") != std::string::npos);
  CHECK(problem.origin.line == 4);
  at.put("scenes/s.toml", Workshop::body("b", "package://arm/case.stl"));
  const Diagnostic unknown = read_scene(at.top + "scenes/s.toml").diagnostics()[0];
  CHECK(unknown.code == "file-place");
  CHECK(unknown.fix.find("--package arm=FOLDER") != std::string::npos);
}

TEST_CASE("names may begin with package:// and the folder of the package") {
  const Workshop at;
  const FileAccess access{.packages = {{"leg", at.top}, {"arm", at.top + "robots/arm"}}};
  CHECK(at.codes(Workshop::body("b", "package://arm/case.stl"), access) == "");
  CHECK(at.codes("include = [\"package://arm/arm.toml\"]\n", access) == "");
  CHECK(at.codes(Workshop::body("b", "package://arm/../lift.stl"), {.packages = {{"arm", at.top + "robots/arm"}}}) ==
        "file-place");
  CHECK(at.codes("model = \"package://robots/bare.urdf\"\n", {.packages = {{"robots", at.top + "robots"}}}) == "");
}

TEST_CASE("an included file from elsewhere names its own neighbours, and problems name files as they are opened") {
  const Workshop at;
  CHECK(at.codes("include = [\"../robots/arm/arm.toml\"]\n") == "file-place");
  const FileAccess access{.allowed = {at.top + "robots"}};
  CHECK(at.codes("include = [\"../robots/arm/arm.toml\"]\n", access) == "");
  at.put("robots/arm/arm.toml", Workshop::body("arm", "../../robots.stl"));
  at.put("scenes/s.toml", "include = [\"../robots/arm/arm.toml\"]\n");
  const Diagnostics problems = read_scene(at.top + "scenes/s.toml", {}, {}, access).diagnostics();
  REQUIRE(!problems.empty());
  CHECK(problems[0].code == "file-place");
  CHECK(problems[0].origin.file == at.top + "robots/arm/arm.toml");
  // A file that is named in two ways is one file.
  at.put("scenes/part.toml", "[world]\ngravity = [0, 0, 0]\ninclude = []\n");
  const std::string twice = "include = [\"part.toml\", \"" + at.top + "scenes/part.toml\"]\n";
  CHECK(at.codes(twice + Workshop::body("b", "link/case.stl"), access) == "scene-key");
}

TEST_CASE("what the user's own settings name is permitted, and nothing else") {
  const Workshop at;
  at.put("scenes/own.stl", tetrahedron_stl());
  const std::string own = Workshop::body("b", "own.stl");
  CHECK(at.codes(own) == "");
  CHECK(at.codes(own, {}, {"body.b.shape.mesh.file=" + at.top + "robots/arm/case.stl"}) == "");
  CHECK(at.codes(own, {}, {"body.b.shape.mesh.file=../robots/arm/case.stl"}) == "");
  CHECK(at.codes(own, {}, {"body.b.shape.mesh.file=link/case.stl"}) == "");
  CHECK(at.codes(Workshop::body("b", "../robots/arm/case.stl"), {}, {"model=../robots/bare.urdf"}) == "file-place");
}

TEST_CASE("a scene with files from elsewhere is written with copies beside it") {
  const Workshop at;
  at.put("scenes/s.toml", Workshop::body("b", "../robots/arm/case.stl"));
  const Result<SceneSpec> spec = read_scene(at.top + "scenes/s.toml", {}, {}, {.allowed = {at.top + "robots"}});
  REQUIRE(spec.ok());
  CHECK(fs::equivalent(spec->shapes[0].mesh.file, at.top + "robots/arm/case.stl"));
}

}  // namespace
}  // namespace pintle
