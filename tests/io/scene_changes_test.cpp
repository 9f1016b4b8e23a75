#include "pintle/io/scene/scene_changes.h"

#include <doctest/doctest.h>

#include "io/memory_files.h"
#include "pintle/simulation/scene/scene.h"

namespace pintle {
namespace {

constexpr const char* kScene = R"(
include = ["parts.toml"]
[material.cheese]
density = 900
[[body]]
repeat = 3
name = "link{i}"
shape = { sphere = { radius = "1 cm" } }
material = "cheese"
joint = { type = "revolute", parent = "link{i-1}", at = [0.1, 0, 0], axis = [0, 1, 0] }
[[body]]
name = "left.arm"
mass = 2
joint = { type = "prismatic" }
[[motor]]
joint = "link1"
effort = 1
[[motor]]
joint = "link1"
effort = 2
[[motor]]
name = "third"
joint = "link2"
effort = 3
[[spring]]
from = "world"
to = { on = "link3", at = [0, 0, 1] }
stiffness = 5
)";
constexpr const char* kParts = "[[body]]\nname = \"base\"\nmass = 7\njoint = { type = \"prismatic\" }\n";

Result<SceneSpec> read(const SceneSettings& settings) {
  MemoryFiles files(std::map<std::string, std::string>{{"parts.toml", kParts}});
  return read_scene_text(kScene, "s.toml", files, settings);
}

SceneSpec good(const SceneSettings& settings) {
  const Result<SceneSpec> spec = read(settings);
  for (const Diagnostic& problem : spec.diagnostics()) INFO(format(problem));
  REQUIRE(spec.ok());
  return *spec;
}

double mass_of(const SceneSpec& spec, std::string_view body) {
  for (const BodySpec& one : spec.model.bodies)
    if (one.name == body) return one.inertia.mass;
  return -1.0;
}

double effort_of(const SceneSpec& spec, std::size_t motor) {
  return drive_value(spec.motors[motor].effort.drive(), 0.0);
}

TEST_CASE("settings change what they name and nothing else") {
  const SceneSpec plain = good({});
  const double light = mass_of(plain, "link2");
  CHECK(mass_of(good({"body.\"left.arm\".mass=3 kg"}), "left.arm") == 3.0);
  CHECK(mass_of(good({"body.base.mass = 3"}), "base") == 3.0);
  // Included files count first.
  CHECK(mass_of(good({"body.0.mass=3"}), "base") == 3.0);
  CHECK(mass_of(good({"body.2.mass=3", "body.2.mass=4"}), "left.arm") == 4.0);

  const SceneSpec heavy = good({"material.cheese.density=1800 kg/m^3"});
  CHECK(mass_of(heavy, "link2") == doctest::Approx(2.0 * light).epsilon(1e-15));
  CHECK(mass_of(heavy, "base") == 7.0);
  CHECK(good({"material.stone.density=3"}).model.bodies.size() == plain.model.bodies.size());

  const SceneSpec one = good({"body.link2.shape.sphere.radius=2 cm"});
  CHECK(mass_of(one, "link1") == light);
  CHECK(mass_of(one, "link2") == doctest::Approx(8.0 * light).epsilon(1e-14));
  CHECK(mass_of(one, "link3") == light);
  const SceneSpec all = good({"body.link{i}.shape.sphere.radius=2 cm"});
  for (const char* const name : {"link1", "link2", "link3"})
    CHECK(mass_of(all, name) == doctest::Approx(8.0 * light).epsilon(1e-14));
  CHECK(good({"body.link{i}.repeat=5"}).model.bodies.size() == plain.model.bodies.size() + 2);
  CHECK(good({"body.link2.joint.at.0=0.25"}).model.joints[2].X_PJ.translation.x == 0.25);
  CHECK(good({"body.link2.joint.at.0=0.25"}).model.joints[3].X_PJ.translation.x == 0.1);
  CHECK(good({"body.link2.initial.v=60 rpm"}).initial.size() == 1);
}

TEST_CASE("what has no name is called by what it is on, as it will be called, or by its number") {
  const auto efforts = [](const SceneSettings& settings) {
    const SceneSpec spec = good(settings);
    return std::vector<double>{effort_of(spec, 0), effort_of(spec, 1), effort_of(spec, 2)};
  };
  CHECK(efforts({}) == std::vector<double>{1, 2, 3});
  CHECK(efforts({"motor.0.effort=9"}) == std::vector<double>{9, 2, 3});
  CHECK(efforts({"motor.1.effort=9 N m"}) == std::vector<double>{1, 9, 3});
  CHECK(efforts({"motor.link1.effort=9"}) == std::vector<double>{9, 9, 3});
  CHECK(efforts({"motor.link1_motor.effort=9"}) == std::vector<double>{9, 2, 3});
  CHECK(efforts({"motor.link1_motor_2.effort=9"}) == std::vector<double>{1, 9, 3});
  CHECK(efforts({"motor.third.effort=9"}) == std::vector<double>{1, 2, 9});
  CHECK(good({}).motors[1].name == "link1_motor_2");
  CHECK(good({"spring.link3.stiffness=6 N/m"}).line_springs[0].stiffness == 6.0);
  CHECK(good({"spring.link3_spring.to.at.2=4"}).line_springs[0].second.point.z == 4.0);
}

TEST_CASE("values are TOML, or texts without quotes") {
  CHECK(good({"name=slow and steady"}).model.name == "slow and steady");
  CHECK(good({"name='quoted # text'"}).model.name == "quoted # text");
  CHECK(good({"name = a=b"}).model.name == "a=b");
  CHECK(good({"world.gravity=[0, 0,\n \"-1 m/s^2\"]"}).model.gravity.z == -1.0);
  CHECK(good({"run.energy_balance=false"}).run.energy_balance == false);
  CHECK(good({"run.integrator=dormand-prince"}).run.method == Method::dormand_prince);
  CHECK(good({"run.step=1 ms", "run.duration=2000 ms"}).run.duration == 2.0);
}

TEST_CASE("a setting that is wrong is pointed at") {
  struct Wrong {
    const char* setting;
    const char* code;
    int column;
    const char* says;
  };
  for (const Wrong& wrong : {
           Wrong{"run.step", "scene-setting", 9, "is not a setting"},
           Wrong{"=3", "scene-setting", 1, "is not a setting"},
           Wrong{"run..step=3", "scene-setting", 1, "is not a setting"},
           Wrong{"step=3", "scene-setting", 1, "'run.step'"},
           Wrong{"bodi.link1.mass=3", "scene-setting", 1, "'body'"},
           Wrong{"include=[]", "scene-setting", 1, "begin with"},
           Wrong{"body=3", "scene-setting", 1, "body.NAME.KEY"},
           Wrong{"body.link1={}", "scene-setting", 1, "body.NAME.KEY"},
           Wrong{"material.cheese=3", "scene-setting", 1, "material.NAME.density"},
           Wrong{"run=3", "scene-setting", 1, "run.KEY"},
           Wrong{"body.link4.mass=1", "scene-setting", 6, "link{i}"},
           Wrong{"body.lnk2.mass=1", "scene-setting", 6, "did you mean 'link2'?"},
           Wrong{"body.3.mass=1", "scene-setting", 6, "there are 3"},
           Wrong{"drag.0.linear=1", "scene-setting", 6, "the scene has none"},
           Wrong{"body.link1.joint.at.7=1", "scene-setting", 21, "an array of 3"},
           Wrong{"body.link1.name.x=1", "scene-setting", 17, "it is a text"},
           Wrong{"body.link2.repeat=4", "scene-setting", 12, "write body.link{i}.repeat="},
           Wrong{"body.base.repeat=4", "scene-setting", 11, "into the file"},
           Wrong{"body.base.mas=1", "scene-key", 11, "'mass'"},
           Wrong{"body.base.mass=1 m", "quantity-dimension", 18, "kg"},
           Wrong{"body.base.mass=-1", "scene-range", 16, "zero or more"},
           Wrong{"body.base.joint.type=screwy", "scene-word", 22, "'screw'"},
           Wrong{"motor.0.effort=sin(q", "expression-unclosed", 19, ""},
           Wrong{"motor.0.joint=lnk1", "scene-name", 15, "'link1'"},
           Wrong{"world.gravity=[0, 0", "toml-syntax", 20, ""},
           Wrong{"name=\"x", "toml-syntax", 8, ""},
       }) {
    CAPTURE(wrong.setting);
    const Result<SceneSpec> spec = read({"run.rows=10", wrong.setting});
    REQUIRE(!spec.ok());
    const Diagnostic& problem = spec.diagnostics()[0];
    INFO(format(problem));
    CHECK(problem.origin.file == kSettingsFile);
    CHECK(problem.origin.line == 2);
    CHECK(problem.origin.column == wrong.column);
    CHECK(problem.code == wrong.code);
    CHECK((problem.what + problem.why + problem.fix).find(wrong.says) != std::string::npos);
  }
}

TEST_CASE("a mistake in a repeated body is told once, and its names are known") {
  const Result<SceneSpec> spec = read({"body.link{i}.shape.sphere.radius=-1"});
  REQUIRE(!spec.ok());
  CHECK(spec.diagnostics().size() == 1);
}

}  // namespace
}  // namespace pintle
