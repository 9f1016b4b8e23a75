// Files that were damaged at random are read or refused; they never crash, hang, or pass for good with numbers that are
// not finite.
#include <doctest/doctest.h>

#include <cmath>

#include "io/memory_files.h"
#include "pintle/base/random.h"
#include "pintle/io/mesh/read_mesh.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/text/csv_table.h"
#include "pintle/text/quantity.h"

namespace pintle {
namespace {

constexpr const char* kScene = R"toml(# a scene with a little of everything
name = "everything"
include = ["part.toml"]
[world]
gravity = [0, "1 m/s^2", -9.81]
[material.brass]
density = "8500 kg/m^3"
color = "#c0a040"
[[body]]
name = "nut"
shape = { cylinder = { radius = "20 mm", length = "15 mm" }, at = [0, 0, "1 cm"], rotation = { rpy = [0, 0, "3 deg"] } }
material = "brass"
joint = { type = "screw", parent = "world", axis = [0, 0, 1], lead = "2 mm/rev", damping = "1e-4 N m s/rad" }
initial = { q = "0 deg", v = "10 rad/s" }
[[body]]
repeat = 3
name = "link{i}"
mass = "{i} kg"
shapes = [{ mesh = { file = "t.stl", unit = "mm" } }, { box = { size = [1, 1, 1] } }]
joint = { type = "cylindrical", parent = "link{i-1}", at = [0, 0, 1], lower = [-1, "-90 deg"], first_parent = "nut" }
[[motor]]
joint = "nut"
effort = """
0.02 * sin(2*pi*t) - 0.001*v"""
[[motor]]
joint = "link2"
dof = "travel"
position = { file = "lift.csv", ends = "natural", outside = "hold" }
[[spring]]
from = { on = "link3", at = [0, 0, 1] }
to = "world"
stiffness = '3 N/m'
[[sensor]]
name = "watch"
type = "frame-pose"
place = "link1"
[[event]]
name = "e"
zero_of = "q.nut - 1"
[run]
duration = "2 s"
integrator = "rk4"
step = "1 ms"
)toml";

MemoryFiles files() {
  return MemoryFiles({{"t.stl", tetrahedron_stl()},
                      {"lift.csv", "time [s], lift [mm]\n0, 0\n1, 5\n2, 0\n"},
                      {"part.toml", "[[frame]]\nname = \"f\"\nbody = \"nut\"\n"}});
}

/// Damages a text: bytes changed, cut out, doubled, moved, or pieces of the language put in.
class Damage {
 public:
  explicit Damage(std::uint64_t seed) : random_(seed) {}

  std::string operator()(std::string text) {
    static const std::string kPieces[] = {"[[",
                                          "]]",
                                          "{",
                                          "}",
                                          "\"",
                                          "'''",
                                          "\"\"\"",
                                          "=",
                                          ".",
                                          ",",
                                          "\n",
                                          "#",
                                          "\\u0000",
                                          "1e999",
                                          "nan",
                                          "-",
                                          "{i-1}",
                                          "{i",
                                          "repeat = 7\n",
                                          "inf",
                                          "\xC3",
                                          "\xFF",
                                          "99999999999999999999",
                                          "[a.b]\n",
                                          "0x",
                                          "^",
                                          "/"};
    const std::uint64_t times = 1 + below(3);
    for (std::uint64_t i = 0; i < times && !text.empty(); ++i) {
      const std::size_t at = below(text.size()), length = std::min<std::size_t>(1 + below(12), text.size() - at);
      switch (below(6)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(below(text.size()), text.substr(at, length));
          break;
        case 3:
          text.insert(at, kPieces[below(std::size(kPieces))]);
          break;
        case 4:
          text.resize(at);
          break;
        default:
          text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      }
    }
    return text;
  }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.below(n)); }

 private:
  RandomStream random_;
};

TEST_CASE("20000 damaged scenes are read or refused, with a reason") {
  Damage damage(6);
  MemoryFiles others = files();
  const Result<SceneSpec> whole = read_scene_text(kScene, "s.toml", others);
  for (const Diagnostic& problem : whole.diagnostics()) FAIL_CHECK(format(problem, kScene));
  for (const Diagnostic& problem : compile(*whole).diagnostics()) FAIL_CHECK(format(problem, kScene));
  int read = 0, compiled = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string text = damage(kScene);
    const Result<SceneSpec> spec = read_scene_text(text, "s.toml", others);
    for (const Diagnostic& problem : spec.diagnostics()) {
      REQUIRE(!problem.code.empty());
      REQUIRE(!problem.what.empty());
      REQUIRE(format(problem, text).size() < 5000);
    }
    read += spec.ok() ? 1 : 0;
    if (i % 4 != 0) continue;
    const Result<Scene> scene = compile_scene_text(text, "s.toml", others);
    for (const Diagnostic& problem : scene.diagnostics()) REQUIRE(format(problem, text).size() < 5000);
    compiled += scene.ok() ? 1 : 0;
  }
  CHECK(read > 500);  // most damages do show
  CHECK(read < 15000);
  CHECK(compiled > 50);
}

TEST_CASE("damaged and cut meshes and tables are read or refused") {
  Damage damage(7);
  const std::string stl = tetrahedron_stl(), obj = tetrahedron_obj(),
                    csv = "time [s], lift [mm]\n0, 0\n1e-1, 5\n2, 0\n";
  std::string binary(84, ' ');
  binary[80] = 2;
  binary[81] = binary[82] = binary[83] = 0;
  binary += std::string(100, '\x3F');
  REQUIRE(read_stl(binary, "t.stl").ok());
  const auto check = [](const TriangleMesh& mesh) {
    for (const Vec3<>& x : mesh.vertices) REQUIRE(std::isfinite(x.x + x.y + x.z));
    for (const auto& triangle : mesh.triangles)
      for (const int corner : triangle) REQUIRE((corner >= 0 && corner < static_cast<int>(mesh.vertices.size())));
  };
  for (int i = 0; i < 20000; ++i) {
    for (const std::string& text : {stl, binary})
      if (const Result<TriangleMesh> mesh = read_stl(damage(text), "t.stl")) check(*mesh);
    if (const Result<TriangleMesh> mesh = read_obj(damage(obj), "t.obj")) check(*mesh);
    if (const Result<CsvTable> table = read_csv(damage(csv), "t.csv"))
      for (const double number : table->numbers) REQUIRE(std::isfinite(number));
    if (const Result<Quantity> quantity = read_quantity(damage("-1.5e-4 N m s/rad^2")))
      REQUIRE(std::isfinite(quantity->value));
  }
  for (std::size_t n = 0; n < stl.size(); ++n)
    CHECK_MESSAGE((!read_stl(stl.substr(0, n), "t").ok() || n + 14 > stl.size()), n);
  for (std::size_t n = 0; n < binary.size(); ++n) CHECK(!read_stl(binary.substr(0, n), "t").ok());
  for (std::size_t n = 0; n < obj.size(); ++n) (void)read_obj(obj.substr(0, n), "t").ok();
  for (std::size_t n = 0; n < csv.size(); ++n) (void)read_csv(csv.substr(0, n), "t").ok();
}

}  // namespace
}  // namespace pintle
