#include "pintle/io/scene/read_scene.h"

#include <doctest/doctest.h>

#include <unistd.h>
#include <cmath>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "io/memory_files.h"
#include "pintle/model/links/joint_kind.h"
#include "pintle/simulation/run/simulation.h"

namespace pintle {
namespace {

SceneSpec read(const std::string& text, std::map<std::string, std::string> others = {}) {
  MemoryFiles files(std::move(others));
  const Result<SceneSpec> spec = read_scene_text(text, "test.toml", files);
  for (const Diagnostic& problem : spec.diagnostics()) FAIL_CHECK(format(problem, text));
  return spec ? *spec : SceneSpec();
}

std::string body(const std::string& name, const std::string& rest) {
  return "[[body]]\nname = \"" + name + "\"\nmass = 2\ninertia = [1, 1, 1]\n" + rest + "\n";
}

constexpr const char* kNut = R"([world]
gravity = [0, 0, -9.81]

[material.brass]
density = "8500 kg/m^3"

[[body]]
name = "nut"
shape = { cylinder = { radius = "20 mm", length = "15 mm" } }
material = "brass"
joint = { type = "screw", parent = "world", axis = [0, 0, 1], lead = "2 mm/rev", damping = "1e-4 N m s/rad" }
initial = { q = "0 deg", v = "10 rad/s" }

[[motor]]
joint = "nut"
effort = "0.02 * sin(2*pi*t) - 0.001*v"

[run]
duration = "2 s"
integrator = "rk4"
step = "1 ms"
)";

TEST_CASE("the nut on its screw runs as its equation says") {
  const Result<Scene> scene = compile(read(kNut));
  REQUIRE(scene.ok());
  Simulation simulation(*scene);
  const RunReport report = simulation.run();
  CHECK(report.t == 2.0);
  // I v' = 0.02 sin(w t) - c v - m g p, linear in v.
  const double r = 0.02, m = 8500.0 * std::numbers::pi * r * r * 0.015, p = 0.002 / (2 * std::numbers::pi);
  const double I = m * r * r / 2 + m * p * p, w = 2 * std::numbers::pi;
  const double k = 0.0011 / I, f = 0.02 / I, g = -m * 9.81 * p / I, t = 2.0;
  const double A = 10.0 - g / k + f * w / (k * k + w * w);
  const double v = A * std::exp(-k * t) + g / k + f * (k * std::sin(w * t) - w * std::cos(w * t)) / (k * k + w * w);
  // rk4 with h = 1 ms: (k h)^4 / 120 = 1e-8 of the forced part.
  CHECK(std::abs(simulation.state().v[0] - v) < 1e-7 * std::abs(v));
}

TEST_CASE("quantities are in SI units, and so are bare numbers") {
  const SceneSpec spec = read(body(
      "a",
      R"(joint = { type = "revolute", at = ["1 mm", "2 cm", 3], lower = "-90 deg", upper = 1, damping = "2 mNm s/rad" }
initial = { q = "30 deg", v = "60 rpm" })"));
  const JointSpec& joint = spec.model.joints.at(0);
  CHECK(joint.X_PJ.translation.x == 0.001);
  CHECK(joint.X_PJ.translation.y == 0.02);
  CHECK(joint.X_PJ.translation.z == 3.0);
  CHECK(joint.limits.at(0).lower == doctest::Approx(-std::numbers::pi / 2));
  CHECK(joint.limits.at(0).upper == 1.0);
  CHECK(joint.passive.at(0).damping == 0.002);
  CHECK(spec.initial.at(0).q.at(0) == doctest::Approx(std::numbers::pi / 6));
  CHECK(spec.initial.at(0).v.at(0) == doctest::Approx(2 * std::numbers::pi));
}

TEST_CASE("a lead is per turn, a pitch per radian") {
  const auto pitch = [](const std::string& keys) {
    return read(body("a", "joint = { type = \"screw\", " + keys + " }")).model.joints.at(0).pitch_m_per_rad;
  };
  const double p = 0.002 / (2 * std::numbers::pi);
  CHECK(pitch("lead = \"2 mm/rev\"") == doctest::Approx(p));
  CHECK(pitch("lead = \"2 mm\"") == doctest::Approx(p));
  CHECK(pitch("lead = 0.002") == doctest::Approx(p));
  CHECK(pitch("lead = \"1 m/rad\"") == 1.0);
  CHECK(pitch("pitch = 0.002") == 0.002);
  CHECK(pitch("pitch = \"2 mm/rad\"") == 0.002);
}

TEST_CASE("every kind of joint is read by its name, and has units by its dofs") {
  for (const JointFacts& facts : kJointFacts) {
    std::string keys = "type = \"" + std::string(facts.name) + "\"";
    if (facts.kind == JointKind::screw) keys += ", lead = 0.01";
    const SceneSpec spec = read(body("a", "joint = { " + keys + " }"));
    CHECK(spec.model.joints.at(0).kind == facts.kind);
    CHECK(compile(spec).ok());
  }
  const SceneSpec spec = read(body(
      "a",
      R"(joint = { type = "planar", damping = ["1 N s/m", "2 N s/m", "3 N m s/rad"], effort_limit = [1, 2, 3] })"));
  CHECK(spec.model.joints.at(0).passive.at(2).damping == 3.0);
  CHECK(spec.model.joints.at(0).limits.at(1).effort == 2.0);
  CHECK(read(body("a", R"(joint = { type = "universal", damping = 0.5, axis = [1, 0, 0], second_axis = [0, 1, 0] })"))
            .model.joints.at(0)
            .passive.size() == 2);
}

TEST_CASE("a body without a joint floats") {
  const SceneSpec spec = read(body("a", "") + body("b", ""));
  CHECK(spec.model.joints.at(0).kind == JointKind::free);
  CHECK(spec.model.joints.at(1).parent == "world");
  CHECK(compile(spec).ok());
}

TEST_CASE("rotations by axis and angle, roll pitch yaw and quaternion agree") {
  const auto rotation = [](const std::string& way) {
    return read(body("a", "joint = { type = \"fixed\", rotation = { " + way + " } }")).model.joints.at(0).X_PJ.rotation;
  };
  const Mat3<> by_axis = rotation("axis = [0, 0, 2], angle = \"90 deg\"");
  for (const char* const way : {"rpy = [0, 0, \"90 deg\"]", "quaternion = [0, 0, 0.70710678, 0.70710678]",
                                "axis = [0, 0, -1e-200], angle = \"-90 deg\""}) {
    const auto a = to_array(by_axis), b = to_array(rotation(way));
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(std::abs(a[i] - b[i]) < 1e-8);  // digits of the quaternion
  }
  const Vec3<> x = rotation("rpy = [\"90 deg\", 0, \"90 deg\"]") * Vec3<>{0, 1, 0};  // y -> z, which stays
  CHECK(x.z == doctest::Approx(1.0));
}

TEST_CASE("a body weighs what its shapes do") {
  const auto inertia = [](const std::string& keys) {
    return read("[[body]]\nname = \"a\"\n" + keys, {{"t.obj", tetrahedron_obj()}, {"t.stl", tetrahedron_stl()}})
        .model.bodies.at(0)
        .inertia;
  };
  const std::string box = "{ box = { size = [1, 2, 3] }";
  CHECK(inertia("density = 10\nshape = " + box + " }").mass == 60.0);
  CHECK(inertia("mass = 3\nshape = " + box + " }").mass == doctest::Approx(3.0));
  CHECK(inertia("shape = " + box + ", mass = 6 }").inertia.xx == doctest::Approx(6.0 * (4 + 9) / 12));
  CHECK(inertia("material = \"water\"\nshape = " + box + " }").mass == 6000.0);
  CHECK(inertia("[body.shape]\nmaterial = \"steel\"\nsphere = { radius = 1 }").mass ==
        doctest::Approx(7850 * 4 * std::numbers::pi / 3));
  // Each with its own, and the whole shared by volume.
  const std::string two = "shapes = [" + box + " }, " + box + ", at = [1, 0, 0]";
  CHECK(inertia("density = 1\n" + two + ", density = 2 }]").mass == 18.0);
  const SpatialInertia<> shared = inertia("mass = 4\n" + two + " }]");
  CHECK(shared.mass == doctest::Approx(4.0));
  CHECK(shared.first_moment.x == doctest::Approx(2.0));
  // A corner of a cube with edges of 30 mm.
  CHECK(inertia("density = 1000\nshape = { mesh = { file = \"t.obj\", unit = \"mm\" } }").mass ==
        doctest::Approx(0.0045));
  CHECK(inertia("density = 1000\nshape = { mesh = { file = \"t.stl\", unit = \"0.1 cm\" } }").mass ==
        doctest::Approx(0.0045));
}

TEST_CASE("an inertia by numbers is about the centre of mass") {
  const SpatialInertia<> I =
      read("[[body]]\nname = \"a\"\nmass = 2\ncenter = [1, 0, 0]\ninertia = [3, 4, 5, 0.1, 0.2, 0.3]\n")
          .model.bodies.at(0)
          .inertia;
  CHECK(I.mass == 2.0);
  CHECK(I.first_moment.x == 2.0);
  CHECK(I.inertia.xx == 3.0);
  CHECK(I.inertia.yy == 4.0 + 2.0);
  CHECK(I.inertia.zz == 5.0 + 2.0);
  CHECK(I.inertia.xy == 0.1);
  CHECK(I.inertia.xz == 0.2);
  CHECK(I.inertia.yz == 0.3);
}

TEST_CASE("colors come from the shape, else the body, else the material") {
  const SceneSpec spec = read(R"([material.red]
density = 1
color = "#ff0000"
[[body]]
name = "a"
material = "red"
shapes = [{ sphere = { radius = 1 } }, { sphere = { radius = 1 }, color = "#00FF00" }]
[[body]]
name = "b"
material = "red"
color = "#0000ff"
shape = { sphere = { radius = 1 } }
)");
  CHECK(spec.shapes.at(0).color == "#ff0000");
  CHECK(spec.shapes.at(1).color == "#00FF00");
  CHECK(spec.shapes.at(2).color == "#0000ff");
}

TEST_CASE("an open mesh is seen, but cannot be weighed") {
  std::string open = tetrahedron_obj();
  open.erase(open.rfind("f "));
  MemoryFiles files({{"t.obj", open}});
  const std::string shape = "shape = { mesh = { file = \"t.obj\" } }\n";
  const Result<SceneSpec> seen =
      read_scene_text("[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n" + shape, "a.toml", files);
  CHECK(seen.ok());
  CHECK(!seen.diagnostics().empty());
  CHECK(!read_scene_text("[[body]]\nname = \"a\"\nmass = 1\n" + shape, "a.toml", files).ok());
}

TEST_CASE("a chain hangs on the world, its first body at first_at") {
  const std::string link = "[[body]]\nrepeat = 4\nname = \"l{i}\"\nmass = 1\ninertia = [1, 1, 1]\n";
  const std::string joint =
      "joint = { type = \"revolute\", parent = \"l{i-1}\", at = [\"{i} m\", 0, 0], name = \"j{i}\"";
  const ModelSpec chain = read(link + joint + " }").model;
  REQUIRE(chain.joints.size() == 4);
  CHECK(chain.joints[0].parent == "world");
  CHECK(chain.joints[0].X_PJ.translation.x == 0.0);
  CHECK(chain.joints[0].name == "j1");
  CHECK(chain.joints[3].parent == "l3");
  CHECK(chain.joints[3].X_PJ.translation.x == 4.0);
  const ModelSpec hung =
      read(body("ship", "") + link + joint + ", first_parent = \"ship\", first_at = [0, 7, 0] }").model;
  CHECK(hung.joints[1].parent == "ship");
  CHECK(hung.joints[1].X_PJ.translation.y == 7.0);
  CHECK(hung.joints[2].X_PJ.translation.y == 0.0);
  // A parent with another number is an ordinary one.
  const ModelSpec pairs =
      read(body("l0", "") + body("base1", "") + body("base2", "") +
           "[[body]]\nrepeat = 2\nname = \"arm{i}\"\nmass = 1\njoint = { type = \"fixed\", parent = \"base{i}\" }")
          .model;
  CHECK(pairs.joints[4].parent == "base2");
}

TEST_CASE("motors by effort, position, velocity and acceleration") {
  std::string text;
  for (const char* const name : {"a", "b", "c", "d", "e"}) text += body(name, "joint = { type = \"revolute\" }");
  text += R"toml(
[[motor]]
joint = "a"
effort = "2 * v + qd + q"
[[motor]]
joint = "b"
position = "30 deg * sin(t)"
[[motor]]
joint = "c"
velocity = "1 rev/s"
[[motor]]
joint = "d"
acceleration = "-q"
[[motor]]
joint = "e"
effort = { file = "e.csv", value = "torque" }
[[motor]]
joint = "e"
effort = 1
)toml";
  const SceneSpec spec = read(text, {{"e.csv", "time [ms]; lift; torque [mNm]\n0; 1; 5\n1000; 1; 7\n"}});
  REQUIRE(spec.motors.size() == 3);
  CHECK(evaluate(spec.motors[0].effort, 0.0, 10.0, 1.0) == 13.0);
  CHECK(evaluate(spec.motors[1].effort, 1.0, 0.0, 0.0) == doctest::Approx(0.007));
  CHECK(spec.motors[1].name == "e_motor");
  CHECK(spec.motors[2].name == "e_motor_2");
  REQUIRE(spec.prescribed.size() == 3);
  CHECK(spec.prescribed[0].kind == MotionKind::position);
  CHECK(spec.prescribed[1].kind == MotionKind::velocity);
  CHECK(drive_value(spec.prescribed[1].drive, 0.0) == doctest::Approx(2 * std::numbers::pi));
  CHECK(spec.prescribed[2].kind == MotionKind::acceleration);
  CHECK(compile(spec).ok());
}

TEST_CASE("files may include each other in any order, and refer to each other") {
  const std::map<std::string, std::string> others = {
      {"parts/arm.toml",
       "include = [\"stuff.toml\"]\n[[body]]\nname = \"arm\"\nmaterial = \"stuff\"\nshape = { sphere = { radius = 1 } "
       "}\n"
       "joint = { type = \"prismatic\", parent = \"base\" }\n[run]\nduration = 5\nstep = 0.25\n"},
      {"parts/stuff.toml", "[material.stuff]\ndensity = 2\n"}};
  const SceneSpec spec = read(
      "include = [\"parts/arm.toml\", \"./parts/../parts/stuff.toml\"]\n[[motor]]\njoint = \"arm\"\neffort = \"3 N\"\n"
      "[run]\nduration = 7\n" +
          body("base", "joint = { type = \"fixed\" }"),
      others);
  CHECK(spec.model.bodies.size() == 2);
  CHECK(spec.run.duration == 7.0);
  CHECK(spec.run.step == 0.25);
  CHECK(compile(spec).ok());
}

TEST_CASE("a scene on disk reads only what is in its folder") {
  namespace fs = std::filesystem;
  const fs::path root = fs::temp_directory_path() / ("pintle_read_scene_test_" + std::to_string(::getpid()));
  fs::create_directories(root / "scene/parts");
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(root / name) << text; };
  write("scene/parts/part.toml", body("part", ""));
  write("secret.toml", body("secret", ""));
  fs::create_symlink("../secret.toml", root / "scene/link.toml");
  const auto codes = [&](const std::string& include) {
    write("scene/main.toml", "include = [\"" + include + "\"]\n");
    const Result<SceneSpec> spec = read_scene((root / "scene/main.toml").string());
    return spec.ok() ? std::string("ok") : spec.diagnostics().at(0).code;
  };
  CHECK(codes("parts/part.toml") == "ok");
  CHECK(codes("../secret.toml") == "file-place");
  CHECK(codes("parts/../../secret.toml") == "file-place");
  CHECK(codes((root / "secret.toml").string()) == "file-place");
  CHECK(codes("link.toml") == "file-place");
  CHECK(codes("nothing.toml") == "file-open");
  CHECK(codes("parts") == "file-open");
  CHECK(codes("main.toml") == "scene-include");
  // The file of a problem can be opened.
  write("scene/parts/part.toml", "nme = 1\n");
  write("scene/main.toml", "include = [\"parts/part.toml\"]\n");
  const Result<SceneSpec> wrong = read_scene((root / "scene/main.toml").string());
  REQUIRE(!wrong.ok());
  CHECK(fs::exists(wrong.diagnostics().at(0).origin.file));
  CHECK(read_scene((root / "none.toml").string()).diagnostics().at(0).code == "file-open");
  fs::remove_all(root);
}

TEST_CASE("limits of size, depth and number hold") {
  const auto code = [](const std::string& text, const SceneLimits& limits,
                       std::map<std::string, std::string> others = {}) {
    MemoryFiles files(std::move(others));
    const Result<SceneSpec> spec = read_scene_text(text, "a.toml", files, {}, limits);
    return spec.ok() ? std::string("ok") : spec.diagnostics().at(0).code;
  };
  SceneLimits limits;
  limits.elements = 10;
  const std::string links = "[[body]]\nname = \"l{i}\"\nmass = 1\nrepeat = ";
  CHECK(code(links + "10\n", limits) == "ok");
  CHECK(code(links + "11\n", limits) == "scene-limit");
  limits.bodies = 7;
  CHECK(code(links + "7\n[[frame]]\nname = \"f\"\nbody = \"l1\"\n", limits) == "ok");
  CHECK(code(links + "8\n", limits) == "scene-limit");
  CHECK(code(links + "4097\n", SceneLimits()) == "scene-limit");
  limits.bodies = 4096;
  limits.scene_bytes = 10;
  CHECK(code("# 123456789", limits) == "file-size");
  limits.scene_bytes = 100;
  limits.include_depth = 3;
  std::map<std::string, std::string> deep = {{"1", "include = [\"2\"]"}, {"2", "include = [\"3\"]"}, {"3", ""}};
  CHECK(code("include = [\"1\"]", limits, deep) == "scene-include");
  CHECK(code("include = [\"2\"]", limits, deep) == "ok");
  limits.files = 1;
  CHECK(code("include = [\"2\"]", limits, deep) == "file-count");
  deep["3"] = "include = [\"2\"]";
  CHECK(code("include = [\"2\"]", SceneLimits(), deep) == "scene-include");
  deep["3"] = std::string(101, '#');
  limits.files = 9;
  CHECK(code("include = [\"3\"]", limits, deep) == "file-size");
  const std::string cams =
      "[[body]]\nrepeat = 100\nname = \"l{i}\"\nmass = 1\njoint = { type = \"prismatic\" }\n[[motor]]\nrepeat = "
      "100\njoint = \"l{i}\"\nposition = { file = \"t.csv\" }\n";
  const std::map<std::string, std::string> table = {{"t.csv", "t, x\n0, 0\n1, 1\n2, 0\n"}};
  SceneLimits rows;
  rows.rows = 300;
  CHECK(code(cams, rows, table) == "ok");
  rows.rows = 299;
  CHECK(code(cams, rows, table) == "scene-limit");
  // A file counts once, however often it is named; its triangles count every time.
  const std::map<std::string, std::string> mesh = {{"t.stl", tetrahedron_stl()}};
  const std::string links_of_mesh =
      "[[body]]\nrepeat = 100\nname = \"l{i}\"\ndensity = 1\nshape = { mesh = { file = \"t.stl\" } }\n";
  CHECK(code(links_of_mesh, SceneLimits(), mesh) == "ok");
  SceneLimits small;
  small.triangles = 4 * 100;
  CHECK(code(links_of_mesh, small, mesh) == "ok");
  small.triangles -= 1;
  CHECK(code(links_of_mesh, small, mesh) == "scene-limit");
  small = SceneLimits();
  small.bytes = tetrahedron_stl().size() - 1;
  CHECK(code(links_of_mesh, small, mesh) == "file-size");
  small = SceneLimits();
  small.all_bytes = tetrahedron_stl().size();
  CHECK(code(links_of_mesh, small, mesh) == "ok");
  CHECK(code("include = [\"x\"]\n" + links_of_mesh, small, {{"t.stl", tetrahedron_stl()}, {"x", "#"}}) == "file-size");
}

}  // namespace
}  // namespace pintle
