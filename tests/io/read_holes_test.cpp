// Holes in the shapes of a scene file.
#include <doctest/doctest.h>

#include "io/memory_files.h"
#include "pintle/geometry/mass/mass_properties.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/io/scene/write_scene.h"
#include "pintle/io/urdf/write_urdf.h"
#include "pintle/simulation/scene/scene.h"

namespace pintle {
namespace {

constexpr double kPi = 3.14159265358979323846;

const std::string kPlate =
    "[[body]]\nname = \"plate\"\ndensity = 1000\n"
    "shape = { box = { size = [1, 1, 0.1] }, at = [0, 0, 2], subtract = [{ cylinder = { radius = 0.2, length = 0.1 } }] }\n";

Result<SceneSpec> read(const std::string& text) {
  MemoryFiles files(std::map<std::string, std::string>{});
  return read_scene_text(text, "s.toml", files);
}

TEST_CASE("a plate with a bore has the mass of what is left, wherever the shape stands") {
  const Result<SceneSpec> spec = read(kPlate);
  REQUIRE(spec.ok());
  const SpatialInertia<> I = spec->model.bodies[0].inertia;
  CHECK(I.mass == doctest::Approx(1000 * (0.1 - kPi * 0.04 * 0.1)).epsilon(1e-14));
  CHECK(I.first_moment.z == doctest::Approx(2.0 * I.mass).epsilon(1e-14));
  CHECK(spec->shapes[0].holes.size() == 1);

  // A mass is that of the remainder, of the shape or of the body.
  for (const std::string mass : {"", "mass = 3\n"}) {
    const Result<SceneSpec> given =
        read("[[body]]\nname = \"plate\"\n" + mass + "shape = { box = { size = [1, 1, 0.1] }" +
             (mass.empty() ? ", mass = 3" : "") + ", subtract = [{ cylinder = { radius = 0.2, length = 0.1 } }] }\n");
    REQUIRE(given.ok());
    const SpatialInertia<> J = given->model.bodies[0].inertia;
    CHECK(J.mass == doctest::Approx(3.0).epsilon(1e-15));
    const double whole = 3.0 / (0.1 - kPi * 0.004) * 0.1, out = whole - 3.0;
    CHECK(J.inertia.zz == doctest::Approx(whole / 6.0 - out * 0.02).epsilon(1e-14));
  }
}

TEST_CASE("the body's mass is distributed over its shapes by what remains of them") {
  const Result<SceneSpec> spec = read(
      "[[body]]\nname = \"b\"\nmass = 4\nshapes = [\n"
      "{ box = { size = [1, 1, 1] }, at = [-1, 0, 0], subtract = [{ box = { size = [0.5, 1, 1] }, at = [0.25, 0, 0] }] },\n"
      "{ box = { size = [1, 1, 1] }, at = [1, 0, 0] }]\n");
  REQUIRE(spec.ok());
  // Half a box with its centre at -1.25 and a whole one at 1.
  CHECK(spec->model.bodies[0].inertia.first_moment.x == doctest::Approx(4.0 * (0.5 * -1.25 + 1.0) / 1.5).epsilon(1e-14));
}

TEST_CASE("in contact holes count as filled, and an overlap at the start says so") {
  const Result<SceneSpec> spec = read(kPlate + "[contact]\n");
  REQUIRE(spec.ok());
  REQUIRE(spec->contact.shapes.size() == 1);
  CHECK(spec->contact.shapes[0].holes == 1);
  CHECK(std::holds_alternative<Box>(spec->contact.shapes[0].shape));

  const std::string pin =
      "[[body]]\nname = \"pin\"\ndensity = 1000\nshape = { cylinder = { radius = 0.1, length = 1 }, at = [0, 0, 2] }\n"
      "[contact]\n";
  const auto overlap = [&](const std::string& text) {
    MemoryFiles files(std::map<std::string, std::string>{});
    const Result<Scene> scene = compile_scene_text(text, "s.toml", files);
    for (const Diagnostic& problem : scene.diagnostics())
      if (problem.code == "contact-overlap") return problem.why + " | " + problem.fix;
    return std::string();
  };
  CHECK(overlap(kPlate + pin).find("holes of shapes count as filled") != std::string::npos);
  std::string solid = kPlate;
  solid.replace(solid.find(", subtract"), solid.find(" }\n") - solid.find(", subtract"), "");
  CHECK(overlap(solid + pin) != "");
  CHECK(overlap(solid + pin).find("filled") == std::string::npos);
}

TEST_CASE("holes are checked where shapes are only drawn, too") {
  const std::string drawn = "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n";
  const Result<SceneSpec> spec =
      read(drawn + "shape = { sphere = { radius = 1 }, subtract = [{ sphere = { radius = 0.5 }, at = [0.6, 0, 0] }] }\n");
  REQUIRE(!spec.ok());
  CHECK(spec.diagnostics()[0].code == "hole-outside");
  CHECK(spec.diagnostics()[0].origin.line == 5);
  CHECK(read(drawn + "shape = { sphere = { radius = 1 }, subtract = [{ sphere = { radius = 0.5 } }] }\n").ok());
}

TEST_CASE("URDF has no holes: mass and inertia are right, the shape is listed as a loss") {
  const Result<SceneSpec> spec = read(kPlate);
  REQUIRE(spec.ok());
  const WrittenUrdf written = write_urdf(*spec);
  bool lost = false;
  for (const WriteLoss& loss : written.losses) lost = lost || loss.what == "the holes of a box on 'plate'";
  CHECK(lost);
  CHECK(written.text.find("<mass value=\"87.43") != std::string::npos);
}

TEST_CASE("a shape with holes is written as such and read back with the same bits") {
  const Result<SceneSpec> spec = read(kPlate);
  const WrittenScene written = write_scene(*spec);
  CHECK(written.text.find("density = \"1000 kg/m^3\"") != std::string::npos);
  CHECK(written.text.find("subtract = [{ cylinder = { radius = \"0.2 m\", length = \"0.1 m\" } }]") != std::string::npos);
  const Result<SceneSpec> again = read(written.text);
  REQUIRE(again.ok());
  CHECK(again->model.bodies[0].inertia.inertia.zz == spec->model.bodies[0].inertia.inertia.zz);
}

}  // namespace
}  // namespace pintle
