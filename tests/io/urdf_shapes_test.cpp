#include "pintle/io/urdf/urdf_shapes.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "io/memory_files.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/io/sources/scene_files.h"
#include "pintle/io/urdf/read_urdf.h"
#include "support/scratch_folder.h"

namespace pintle {
namespace {

class Meshes : public MeshFiles {
 public:
  Result<std::string> read_mesh(const std::string& name, std::size_t max_bytes) override {
    asked.push_back(name);
    return MemoryFiles({{"t.stl", tetrahedron_stl()},
                        {"t.obj", tetrahedron_obj()},
                        {"parts/red.obj", "mtllib red.mtl\nusemtl red\n" + tetrahedron_obj()},
                        {"parts/red.mtl", "newmtl red\nKd 1 0 0\n"},
                        {"lost.obj", "mtllib lost.mtl\nusemtl red\n" + tetrahedron_obj()},
                        {"bad.stl", "solid x\nvertex"},
                        {"t.dae", tetrahedron_dae()}})
        .read(name, max_bytes);
  }
  std::vector<std::string> asked{};
};

struct Made {
  UrdfScene scene;
  LossReport losses;
  std::vector<std::string> asked;
};

Made made(const std::string& in_link, const UrdfSceneSettings& settings = {}, const std::string& in_robot = {}) {
  UrdfReading reading =
      read_urdf_text("<robot name='r'>" + in_robot + "<link name='a'>" + in_link + "</link></robot>", "r.urdf");
  for (const Diagnostic& problem : reading.problems) FAIL_CHECK(format(problem));
  Meshes files;
  UrdfScene scene = urdf_scene(reading.robot, settings, files, reading.losses);
  return {std::move(scene), std::move(reading.losses), std::move(files.asked)};
}

std::string losses_of(const LossReport& losses) {
  std::string text;
  for (const LossEntry& loss : losses.losses())
    text += std::string(name(loss.status)) + " " + text_of(loss) + (loss.how.empty() ? "" : ": " + loss.how) + "\n";
  return text;
}

std::string visual(const std::string& geometry, const std::string& more = {}) {
  return "<visual><geometry>" + geometry + "</geometry>" + more + "</visual>";
}

std::string collision(const std::string& geometry, const std::string& more = {}) {
  return "<collision>" + more + "<geometry>" + geometry + "</geometry></collision>";
}

TEST_CASE("every shape is seen where it is, and touched where it is") {
  const std::string all[] = {"<box size='1 2 3'/>", "<sphere radius='1'/>", "<cylinder radius='1' length='2'/>",
                             "<capsule radius='1' length='2'/>", "<mesh filename='t.stl'/>"};
  const char* const names[] = {"box", "sphere", "cylinder", "capsule", "mesh"};
  for (std::size_t i = 0; i < 5; ++i) {
    CAPTURE(names[i]);
    const std::string place = "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>";
    const Made robot = made(visual(all[i], place) + collision(all[i], place));
    REQUIRE(robot.scene.spec.shapes.size() == 1);
    const BodyShape& seen = robot.scene.spec.shapes[0];
    CHECK(seen.body == "a");
    CHECK(std::string(name(seen.shape)) == names[i]);
    CHECK(seen.X_BS.translation.y == 2.0);
    CHECK(seen.X_BS.rotation.yx == doctest::Approx(1.0));
    REQUIRE(robot.scene.spec.contact.shapes.size() == 1);
    const ContactShapeSpec& touched = robot.scene.spec.contact.shapes[0];
    CHECK(std::string(name(touched.shape)) == (i == 4 ? "hull" : names[i]));
    CHECK(touched.X_BS.translation.z == 3.0);
    CHECK(losses_of(robot.losses) ==
          (i == 4 ? "approximated <mesh> of link 'a': its convex hull is used for collision\n" : ""));
  }
}

TEST_CASE("links touch the rest of the world, and each other only when asked to") {
  const ContactGroups world{};
  const auto touch = [](const ContactGroups& a, const ContactGroups& b) {
    return (a.belongs_to & b.meets) != 0 && (b.belongs_to & a.meets) != 0;
  };
  UrdfSceneSettings settings;
  const auto groups = [&] {
    return made(collision("<sphere radius='1'/>"), settings).scene.spec.contact.shapes.at(0).groups;
  };
  CHECK(touch(groups(), world));
  CHECK(!touch(groups(), groups()));
  settings.self_contact = true;
  CHECK(touch(groups(), world));
  CHECK(touch(groups(), groups()));
  settings.contact = false;
  const Made none = made(collision("<sphere radius='1'/>"), settings);
  CHECK(none.scene.spec.contact.shapes.empty());
  CHECK(losses_of(none.losses) == "");
  CHECK(none.losses.count(ElementStatus::idle) == 4);  // the collision and all in it
}

TEST_CASE("a Collada file is seen without its colours") {
  const Made robot = made(visual("<mesh filename='t.dae'/>") + collision("<mesh filename='t.dae'/>"));
  CHECK(volume(robot.scene.spec.shapes.at(0).shape) == doctest::Approx(4500.0));
  CHECK(losses_of(robot.losses) ==
        "approximated <mesh> of link 'a': without the colours of the file\n"
        "approximated <mesh> of link 'a': its convex hull is used for collision\n");
  const Made colored =
      made(visual("<mesh filename='t.dae'/>", "<material name='m'><color rgba='1 0 0 1'/></material>"));
  CHECK(losses_of(colored.losses) == "");
}

TEST_CASE("a mesh is scaled; a negative scale mirrors it and keeps it a solid") {
  const Made robot = made(visual("<mesh filename='t.stl' scale='0.001 0.001 0.001'/>") +
                          visual("<mesh filename='t.obj' scale='-0.001 0.001 0.001'/>"));
  REQUIRE(robot.scene.spec.shapes.size() == 2);
  for (const BodyShape& shape : robot.scene.spec.shapes) CHECK(1e6 * volume(shape.shape) == doctest::Approx(4.5));
  CHECK(bounding_box(robot.scene.spec.shapes[1].shape).min.x == doctest::Approx(-0.03));
  // Each file is read once.
  CHECK(made(visual("<mesh filename='t.stl'/>") + visual("<mesh filename='t.stl' scale='2 2 2'/>")).asked.size() == 1);
}

TEST_CASE("a mesh that cannot be had is a loss, and collision shapes stand in for what is seen") {
  const Made robot = made(visual("<mesh filename='a.ply'/>") + visual("<mesh filename='no.stl'/>") +
                          visual("<mesh filename='bad.stl'/>") + visual("<mesh filename='t.stl' scale='0 1 1'/>"));
  CHECK(robot.scene.spec.shapes.empty());
  CHECK(losses_of(robot.losses) ==
        "ignored <visual> of link 'a': files of this kind are not read; export it as .stl, .obj or .dae\n"
        "ignored <visual> of link 'a': the file was not found\n"
        "ignored <visual> of link 'a': 'facet' or 'endsolid' is expected, not 'vertex' in line 2\n"
        "ignored <visual> of link 'a': a scale of zero leaves nothing of it\n");
  REQUIRE(robot.scene.problems.size() == 1);
  CHECK(robot.scene.problems[0].code == "urdf-mesh");
  CHECK(robot.scene.problems[0].severity == Severity::warning);

  const Made stood_in = made(visual("<mesh filename='a.ply'/>") + collision("<sphere radius='1'/>"));
  CHECK(stood_in.scene.spec.shapes.size() == 1);
  CHECK(losses_of(stood_in.losses) ==
        "approximated <visual> of link 'a': the collision shapes are shown: files of this kind are not read; export it "
        "as .stl, .obj or .dae\n");
  UrdfSceneSettings settings;
  settings.meshes = false;
  const Made none = made(visual("<mesh filename='t.stl'/>"), settings);
  CHECK(none.asked.empty());
  CHECK(losses_of(none.losses) == "ignored <visual> of link 'a': meshes are switched off\n");
  settings.meshes = true;
  settings.triangles = 7;
  CHECK(made(visual("<mesh filename='t.stl'/>") + visual("<mesh filename='t.stl'/>"), settings)
            .scene.spec.shapes.size() == 1);
  settings.mesh_files = 1;
  CHECK(made(visual("<mesh filename='t.stl'/>") + visual("<mesh filename='t.obj'/>"), settings).asked.size() == 1);
}

TEST_CASE("colours come from the visual, from the top, or from another visual") {
  const std::string ball = "<sphere radius='1'/>";
  const Made robot = made(visual(ball, "<material name='m'><color rgba='1 0.5 0 1'/></material>") +
                              visual(ball, "<material name='m'/>") + visual(ball, "<material name='top'/>") +
                              visual(ball, "<material name='none'/>") +
                              visual(ball, "<material><texture filename='t.png'/></material>"),
                          {}, "<material name='top'><color rgba='0 0 1 0.5'/></material>");
  std::string colors;
  for (const BodyShape& shape : robot.scene.spec.shapes) colors += (shape.color.empty() ? "-" : shape.color) + " ";
  CHECK(colors == "#ff8000 #ff8000 #0000ff - - ");
  CHECK(losses_of(robot.losses) ==
        "approximated <color rgba> of material 'top': without its opacity\n"
        "ignored <material> 'none': no material of that name has a colour\n"
        "ignored <texture filename> of link 'a': textures are not shown\n");
}

/// A variable of the environment for the length of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

TEST_CASE("visual OBJ meshes have the colours of their materials, unless one is given; a missing .mtl is a loss") {
  const Made plain = made(visual("<mesh filename='parts/red.obj'/>"));
  REQUIRE(plain.scene.spec.shapes.size() == 1);
  REQUIRE(plain.scene.spec.shapes[0].mesh.colors.size() == 1);
  CHECK(plain.scene.spec.shapes[0].mesh.colors[0].color == "#ff0000");
  CHECK(losses_of(plain.losses) == "");
  const Made given =
      made(visual("<mesh filename='parts/red.obj'/>", "<material name=''><color rgba='0 0 1 1'/></material>"));
  CHECK(given.scene.spec.shapes[0].mesh.colors.empty());
  const Made lost = made(visual("<mesh filename='lost.obj'/>"));
  CHECK(lost.scene.spec.shapes[0].mesh.colors.empty());
  CHECK(losses_of(lost.losses).find("the mesh is shown without the colours of 'lost.mtl'") != std::string::npos);
}

TEST_CASE("files of a robot are found by path, by file:// and by package://, in the documented order") {
  namespace fs = std::filesystem;
  const ScratchFolder scratch;
  const std::string top = scratch / "";
  const auto put = [&](const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(top + path).parent_path());
    std::ofstream(top + path) << text;
  };
  put("ws/arm/urdf/a.urdf", "");
  put("ws/arm/meshes/m.stl", "above");
  DiskFiles files(top + "ws/arm/");
  const auto find = [&](const std::string& name, const std::vector<PackageFolder>& packages = {}) {
    const Result<std::string> text = files.find(name, "urdf/", packages, 100);
    return text ? *text : text.diagnostics()[0].what;
  };
  CHECK(find("../meshes/m.stl") == "above");
  CHECK(find("file://" + top + "ws/arm/meshes/m.stl") == "above");
  CHECK(find("package://arm/meshes/m.stl") == "above");
  CHECK(find("package://leg/meshes/m.stl") == "'package://leg/meshes/m.stl' was not found");
  CHECK(files.find("package://leg/m.stl", "urdf/", {}, 100).diagnostics()[0].why.find(top + "ws/leg/m.stl") !=
        std::string::npos);
  CHECK(find("meshes") == "'meshes' was not found");

  put("ament/share/arm/meshes/m.stl", "ament");
  const Variable ament("AMENT_PREFIX_PATH", top + "nowhere:" + top + "ament");
  CHECK(find("package://arm/meshes/m.stl") == "ament");
  put("ros/arm/meshes/m.stl", "ros");
  const Variable ros("ROS_PACKAGE_PATH", top + "ros/arm");
  CHECK(find("package://arm/meshes/m.stl") == "ros");
  put("own/arm/meshes/m.stl", "own");
  const Variable own("PINTLE_PACKAGE_PATH", ":" + top + "own");
  CHECK(find("package://arm/meshes/m.stl") == "own");
  put("given/meshes/m.stl", "given");
  CHECK(find("package://arm/meshes/m.stl", {{"leg", top}, {"arm", top + "given"}}) == "given");
}

}  // namespace
}  // namespace pintle
