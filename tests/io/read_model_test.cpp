// `model` of a scene file: a robot among the scene's own parts.
#include <doctest/doctest.h>

#include "io/memory_files.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/simulation/run/check_start.h"
#include "pintle/simulation/run/simulation.h"

namespace pintle {
namespace {

constexpr const char* kArm = R"(<robot name="arm">
<link name="base"><inertial><mass value="1"/>
  <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.01"/></inertial></link>
<link name="upper"><inertial><origin xyz="0 0 -0.2"/><mass value="1"/>
  <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.01"/></inertial>
  <visual><geometry><mesh filename="package://arm/t.stl" scale="0.001 0.001 0.001"/></geometry></visual>
  <collision><origin xyz="0 0 -0.4"/><geometry><sphere radius="0.05"/></geometry></collision></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
  <limit lower="-2" upper="2" effort="5" velocity="3"/></joint>
</robot>
)";

struct Compiled {
  Result<Scene> scene;
  LossReport losses;
};

Compiled compiled(const std::string& text, const SceneSettings& settings = {}) {
  MemoryFiles files({{"arm.urdf", kArm},
                     {"robots/arm.urdf", kArm},
                     {"arm/t.stl", tetrahedron_stl()},
                     {"bad.urdf", "<robot name='r'>\n<link name='a'/><joint/></robot>"},
                     {"broken.urdf", "<robot>\n<link>"}});
  LossReport losses;
  Result<Scene> scene = compile_scene_text(text, "s.toml", files, settings, {}, &losses);
  return {std::move(scene), std::move(losses)};
}

Scene sound(const std::string& text, const SceneSettings& settings = {}) {
  const Compiled result = compiled(text, settings);
  for (const Diagnostic& problem : result.scene.diagnostics()) FAIL_CHECK(format(problem));
  return *result.scene;
}

std::string codes(const std::string& text, const SceneSettings& settings = {}) {
  std::string all;
  for (const Diagnostic& problem : compiled(text, settings).scene.diagnostics())
    all += problem.origin.file + ":" + std::to_string(problem.origin.line) + " " + problem.code + "\n";
  return all;
}

TEST_CASE("a scene may be a robot and nothing else") {
  const Scene scene = sound("model = \"arm.urdf\"\n");
  CHECK(scene.model().name() == "arm");
  CHECK(scene.model().nv() == 1);
  CHECK(scene.spec().shapes.size() == 1);
  CHECK(scene.spec().contact.shapes.empty());  // nothing could touch it
  const Compiled in_folder = compiled("model = \"robots/arm.urdf\"\n");
  CHECK(in_folder.losses.file == "robots/arm.urdf");
  CHECK(!in_folder.losses.has_losses());
  // The same from the robot's file itself.
  MemoryFiles files({{"arm/t.stl", tetrahedron_stl()}});
  const Result<Scene> direct = compile_scene_text(kArm, "arm.urdf", files, {"run.duration=3 s"});
  REQUIRE(direct.ok());
  CHECK(direct->run().duration == 3.0);
  CHECK(direct->model().nv() == 1);
}

TEST_CASE("other parts of the scene refer to the robot's by name") {
  const Scene scene = sound(R"(
name = "cell"
model = "arm.urdf"
[[body]]
name = "tool"
mass = 0.3
inertia = [1e-3, 1e-3, 1e-3]
joint = { type = "revolute", parent = "upper", at = [0, 0, -0.4], axis = [0, 1, 0] }
[[motor]]
joint = "shoulder"
effort = 1
[[coupling]]
joint = "tool"
driver = "shoulder"
ratio = -1
[[frame]]
name = "tip"
body = "upper"
[[sensor]]
name = "at"
type = "frame-pose"
place = "tip"
[[event]]
name = "over"
zero_of = "q.shoulder - 0.1"
)");
  CHECK(scene.model().name() == "cell");
  CHECK(scene.model().nv() == 1);
  CHECK(codes("model = \"arm.urdf\"\n[[motor]]\njoint = \"sholder\"\neffort = 1\n") == "s.toml:3 scene-name\n");
  CHECK(codes("model = \"arm.urdf\"\n[[body]]\nname = \"upper\"\nmass = 1\ninertia = [1, 1, 1]\n") ==
        "s.toml:3 scene-name-twice\n");
}

TEST_CASE("a robot touches the ground of its scene") {
  const std::string ground =
      "[material.sole]\nfriction = 0.5\n[[ground]]\nshape = { plane = {} }\nmaterial = \"sole\"\n";
  const Scene scene = sound("[model]\nfile = \"arm.urdf\"\nbase = \"free\"\nat = [0, 0, 1]\nmaterial = \"sole\"\n" +
                            ground + "[run]\nduration = \"0.6 s\"\nstep = \"1 ms\"\n");
  CHECK(scene.spec().contact.shapes.size() == 2);
  CHECK(scene.model().nv() == 7);
  Simulation simulation(scene);
  const RunReport report = simulation.run();
  CHECK(report.ok());
  // Its coordinates count from `at`, 1 m up, and its foot is 0.45 m below: it stands after falling 0.55 m.
  CHECK(simulation.state().q[2] == doctest::Approx(-0.55));
  CHECK(sound("[model]\nfile = \"arm.urdf\"\ncontact = false\n" + ground).spec().contact.shapes.size() == 1);
}

TEST_CASE("the table, the included file and settings each have their say, the last one wins") {
  const std::string table = "[model]\nfile = \"arm.urdf\"\nmeshes = false\n";
  CHECK(sound(table).model().nv() == 1);
  CHECK(std::string(name(sound(table).spec().shapes.at(0).shape)) == "sphere");  // the collision shape stands in
  CHECK(sound(table, {"model.base=free"}).model().nv() == 7);
  CHECK(std::string(name(sound(table, {"model.meshes=true"}).spec().shapes.at(0).shape)) == "mesh");
  CHECK(sound("model = \"arm.urdf\"\n", {"model.base=free", "model.at=[1, 2, 3]"}).model().nv() == 7);
  const Scene started = sound(table + "initial = [{ joint = \"shoulder\", q = \"90 deg\", v = 2 }]\n");
  CHECK(started.initial_q()[0] == doctest::Approx(1.5707963267948966));
  CHECK(started.initial_v()[0] == 2.0);
}

TEST_CASE("what is wrong with a robot is told with the rest of the scene, each in its file") {
  CHECK(codes("model = \"no.urdf\"\n") == "s.toml:1 file-open\n");
  CHECK(codes("model = \"../arm.urdf\"\n") == "s.toml:1 file-place\n");
  CHECK(codes("model = 5\n") == "s.toml:1 scene-type\n");
  CHECK(codes("[model]\nbase = \"fixed\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n") ==
        "s.toml:1 scene-missing\n");
  CHECK(codes("[model]\nfile = \"arm.urdf\"\nbse = \"fixed\"\n") == "s.toml:3 scene-key\n");
  CHECK(codes("[model]\nfile = \"arm.urdf\"\nbase = \"flying\"\n") == "s.toml:3 scene-word\n");
  CHECK(codes("[model]\nfile = \"arm.urdf\"\npackages = [\"arm\"]\n") == "s.toml:3 scene-range\n");
  CHECK(codes("[model]\nfile = \"arm.urdf\"\ninitial = [{ joint = \"elbow\", q = 1 }]\n") == "s.toml:3 scene-name\n");
  CHECK(codes("model = \"broken.urdf\"\n[run]\nduration = -1\n") == "broken.urdf:2 xml-syntax\ns.toml:3 scene-range\n");
  CHECK(codes("model = \"bad.urdf\"\n[run]\nduraton = 1\n") ==
        "bad.urdf:2 urdf-missing\nbad.urdf:2 urdf-missing\nbad.urdf:2 urdf-missing\nbad.urdf:2 urdf-missing\n"
        "s.toml:3 scene-key\n");
}

TEST_CASE("a robot has no more links than a scene may have bodies") {
  std::string text = "<robot name='r'>";
  for (int i = 0; i < 20; ++i) text += "<link name='l" + std::to_string(i) + "'/>";
  MemoryFiles files;
  SceneLimits limits;
  limits.bodies = 10;
  CHECK(compile_scene_text(text + "</robot>", "r.urdf", files, {}, limits).diagnostics().at(0).code == "scene-limit");
}

}  // namespace
}  // namespace pintle
