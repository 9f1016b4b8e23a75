// What scene files say of contacts.
#include <doctest/doctest.h>

#include <cmath>

#include "io/memory_files.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/simulation/contact/contact_setup.h"
#include "pintle/simulation/run/simulation.h"

namespace pintle {
namespace {

SceneSpec read(const std::string& text, const SceneSettings& settings = {}) {
  MemoryFiles others({{"t.stl", tetrahedron_stl()}, {"slab.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"}});
  const Result<SceneSpec> spec = read_scene_text(text, "s.toml", others, settings);
  for (const Diagnostic& problem : spec.diagnostics()) FAIL_CHECK(format(problem, text));
  REQUIRE(spec.ok());
  return *spec;
}

const std::string kMaterials =
    "[material.a]\ndensity = 1000\nrestitution = 0.5\nfriction = 0.2\nrolling_friction = \"2 mm\"\n"
    "[material.b]\nrestitution = 0.32\nfriction = 0.8\nstatic_friction = 0.9\nrolling_friction = \"0.5 mm\"\n"
    "spinning_friction = \"1 mm\"\n"
    "[material.c]\ndensity = 2000\n";
const std::string kBall = "[[body]]\nname = \"ball\"\nmaterial = \"a\"\nshape = { sphere = { radius = 0.1 } }\n";
const std::string kFloor = "[[ground]]\nmaterial = \"b\"\nshape = { plane = {} }\n";

TEST_CASE("only a scene with a ground or a table 'contact' has contacts") {
  CHECK(read(kMaterials + kBall).contact.shapes.empty());
  CHECK(read(kMaterials + kBall + "[contact]\n").contact.shapes.size() == 1);
  CHECK(read(kMaterials + kBall + kFloor).contact.shapes.size() == 2);
  CHECK(read(kMaterials + kBall, {"contact.law=\"newton\""}).contact.law == ImpactLaw::newton);
  // Nothing that has no contacts gets another identity by the numbers of its materials.
  const auto id = [](const std::string& text) { return Simulation(compile(read(text)).value()).scene_id(); };
  CHECK(id(kMaterials + kBall) == id("[material.a]\ndensity = 1000\n" + kBall));
  CHECK(id(kMaterials + kBall + kFloor) != id(kMaterials + kBall));
  CHECK(id(kMaterials + kBall + kFloor) != id(kMaterials + kBall + kFloor + "[contact]\nlaw = \"poisson\"\n"));
  const std::string rough = "[[contact.pair]]\nmaterials = [\"a\", \"b\"]\nfriction = 1\n";
  CHECK(id(kMaterials + kBall + kFloor) != id(kMaterials + kBall + kFloor + rough));
  CHECK(id(kMaterials + kBall + kFloor) !=
        id(kMaterials + kBall + "[[ground]]\nmaterial = \"b\"\nshape = { plane = {}, at = [0, 0, -1] }\n"));
}

TEST_CASE("every solid can touch; contact = false takes a shape or a body out") {
  const SceneSpec spec = read(kMaterials + kFloor +
                              "[[body]]\nname = \"all\"\ndensity = 1\nshapes = [{ box = { size = [1, 2, 3] } }, "
                              "{ sphere = { radius = 1 } }, { ellipsoid = { semi_axes = [1, 2, 3] } }, "
                              "{ cylinder = { radius = 1, length = 2 } }, { capsule = { radius = 1, length = 2 } }, "
                              "{ cone = { radius = 1, height = 2 } }, { mesh = { file = \"t.stl\" } }, "
                              "{ sphere = { radius = 9 }, contact = false }]\n"
                              "[[body]]\nname = \"ghost\"\ndensity = 1\nshape = { sphere = { radius = 1 } }\ncontact "
                              "= false\n");
  REQUIRE(spec.contact.shapes.size() == 8);
  const char* const names[] = {"half-space", "box", "sphere", "ellipsoid", "cylinder", "capsule", "cone", "hull"};
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(name(spec.contact.shapes[i].shape) == std::string(names[i]));
    CHECK(spec.contact.shapes[i].body == (i == 0 ? "world" : "all"));
  }
  CHECK(std::get<ConvexHull>(spec.contact.shapes[7].shape).vertices.size() == 4);
  CHECK(spec.shapes.size() == 9);
  CHECK(spec.planes.size() == 1);
  CHECK(spec.contact.shapes[0].material == "b");
}

TEST_CASE("grounds are planes, solids, open meshes and heights over a grid, each at its place") {
  const SceneSpec spec =
      read(kMaterials + kBall +
           "[[ground]]\ncolor = \"#112233\"\nshapes = [{ plane = {}, at = [0, 0, -1] }, "
           "{ box = { size = [1, 1, 1] }, material = \"b\" }, { mesh = { file = \"slab.obj\" } }, "
           "{ height_field = { size = [3, 2], spacing = \"50 cm\", heights = [0, 1, 2, 3, 4, \"5 m\"] }, "
           "at = [1, 2, 3], rotation = { axis = [0, 0, 1], angle = \"90 deg\" } }, "
           "{ cone = { radius = 1, height = 1 }, contact = false }]\n");
  REQUIRE(spec.contact.shapes.size() == 5);
  CHECK(std::holds_alternative<HalfSpace>(spec.contact.shapes[0].shape));
  CHECK(spec.contact.shapes[0].X_BS.translation.z == -1.0);
  CHECK(spec.contact.shapes[1].material == "b");
  CHECK(std::get<SurfaceMesh>(spec.contact.shapes[2].shape).triangles.size() == 1);
  const HeightField& field = std::get<HeightField>(spec.contact.shapes[3].shape);
  CHECK(field.nx == 3);
  CHECK(field.ny == 2);
  CHECK(field.spacing == 0.5);
  CHECK(field.heights[5] == 5.0);
  CHECK(std::abs(spec.contact.shapes[3].X_BS.rotation.xy + 1.0) < 1e-15);
  CHECK(spec.contact.shapes[4].body == "ball");
  // What is seen: the plane by itself, the others as shapes of the world.
  CHECK(spec.planes.size() == 1);
  CHECK(spec.planes[0].color == "#112233");
  REQUIRE(spec.shapes.size() == 5);
  const TriangleMesh& seen = std::get<TriangleMesh>(spec.shapes[2].shape);
  REQUIRE(seen.triangles.size() == 4);
  CHECK(seen.triangles[0] == std::array<int, 3>{0, 1, 4});
  CHECK(seen.triangles[3] == std::array<int, 3>{1, 5, 4});
  CHECK(seen.vertices[5].z == 5.0);
  CHECK(spec.shapes[2].body == "world");
}

TEST_CASE("a bowl is half a sphere unless its depth is given; what cannot touch it is told where it is") {
  const SceneSpec spec = read(kMaterials + kBall +
                              "[[ground]]\nshapes = [{ bowl = { radius = \"2 m\" } }, "
                              "{ bowl = { radius = \"20 cm\", depth = \"40 cm\" }, at = [9, 0, 0] }]\n");
  const auto bowl_of = [&](std::size_t k) { return std::get<Bowl>(spec.contact.shapes[k].shape); };
  CHECK(bowl_of(0).depth == 2.0);
  CHECK(is_closed(bowl_of(1)));
  const TriangleMesh& seen = std::get<TriangleMesh>(spec.shapes[0].shape);
  double highest = 0.0;
  for (const Vec3<>& p : seen.vertices) {
    CHECK(std::abs(norm(p - Vec3<>{0, 0, 2}) - 2.0) <= 1e-14);
    highest = std::max(highest, p.z);
  }
  CHECK(std::abs(highest - 2.0) <= 1e-14);
  const SceneSpec wrong = read(kMaterials +
                               "[[body]]\nname = \"brick\"\nmass = 1\nshape = { box = { size = [1, 1, 1] } }\n"
                               "[[ground]]\nshape = { bowl = { radius = 3 } }\n");
  const Result<Scene> refused = compile(wrong);
  REQUIRE(!refused.ok());
  CHECK(refused.diagnostics()[0].code == "contact-pair");
  CHECK(refused.diagnostics()[0].what.find("'brick'") != std::string::npos);
  CHECK(refused.diagnostics()[0].origin.line > 0);
}

TEST_CASE("materials meet by their pair, else by geometric means; without numbers they neither rebound nor rub") {
  const SceneSpec spec = read(kMaterials + kBall + kFloor +
                              "[[body]]\nname = \"stone\"\nmaterial = \"c\"\nshape = { sphere = { radius = 0.1 } }\n"
                              "[[body]]\nname = \"key\"\nmaterial = \"steel\"\nshape = { sphere = { radius = 0.1 } }\n"
                              "[[contact.pair]]\nmaterials = [\"steel\", \"b\"]\nrestitution = 0.7\n");
  const Surface mean = surface_between(spec.contact, "a", "b");
  CHECK(mean.restitution == std::sqrt(0.5 * 0.32));
  CHECK(mean.friction == std::sqrt(0.2 * 0.8));
  CHECK(mean.static_friction == std::sqrt(0.2 * 0.9));
  CHECK(mean.rolling_friction == doctest::Approx(1e-3).epsilon(1e-15));
  CHECK(mean.spinning_friction == 0.0);
  CHECK(surface_between(spec.contact, "b", "b").spinning_friction == 1e-3);
  CHECK(surface_between(spec.contact, "b", "steel").restitution == 0.7);
  CHECK(surface_between(spec.contact, "a", "c").restitution == 0.0);
  REQUIRE(compile(spec).ok());
  CHECK(compile(spec)->contacts().pairs.size() == 6);
}

TEST_CASE("a material with a surface may stand beside numbers for the mass, which count") {
  const SceneSpec spec =
      read(kMaterials + kFloor +
           "[[body]]\nname = \"x\"\nmass = 3\nmaterial = \"a\"\nshape = { sphere = { radius = 1 } }\n"
           "[[body]]\nname = \"y\"\ndensity = 7\nmaterial = \"b\"\nshape = { box = { size = [1, 1, 1] } }\n"
           "[[body]]\nname = \"z\"\nmass = 2\ninertia = [1, 1, 1]\nmaterial = \"a\"\n"
           "shape = { sphere = { radius = 1 }, material = \"b\" }\n");
  CHECK(std::abs(spec.model.bodies[0].inertia.mass - 3.0) < 1e-15);
  CHECK(std::abs(spec.model.bodies[1].inertia.mass - 7.0) < 1e-14);
  CHECK(spec.model.bodies[2].inertia.mass == 2.0);
  CHECK(spec.contact.shapes[1].material == "a");
  CHECK(spec.contact.shapes[3].material == "b");
}

TEST_CASE("laws, rules and one point: as the file says, or as settings do") {
  const std::string text =
      kMaterials + kBall + kFloor +
      "[[body]]\nname = \"other\"\nmass = 1\ninertia = [1, 1, 1]\nshape = { sphere = { radius = 1 } }\n"
      "[contact]\nlaw = \"poisson\"\nseveral = \"sequential\"\nsingle_point = true\n"
      "[[contact.rule]]\nbodies = [\"ball\", \"world\"]\ntouch = false\n";
  const SceneSpec spec = read(text);
  CHECK(spec.contact.law == ImpactLaw::poisson);
  CHECK(spec.contact.several == SeveralImpacts::sequential);
  CHECK(spec.contact.single_point);
  CHECK(compile(spec)->contacts().pairs.size() == 2);
  const SceneSpec set =
      read(text, {"contact.single_point=false", "contact.law=\"stronge\"", "material.a.friction=0.6",
                  "ground.ground.shape.at=[0, 0, -2]", "contact.rule=[{bodies=[\"world\", \"ball\"], touch=true}]"});
  CHECK(compile(set)->contacts().pairs.size() == 3);
  CHECK(!set.contact.single_point);
  CHECK(set.contact.law == ImpactLaw::stronge);
  CHECK(set.contact.several == SeveralImpacts::sequential);
  CHECK(set.contact.surfaces[0].surface.friction == 0.6);
  CHECK(set.contact.shapes[0].X_BS.translation.z == -2.0);
}

TEST_CASE("a mesh whose hull has no volume can be seen, but not touched") {
  MemoryFiles others(
      std::map<std::string, std::string>{{"flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n"}});
  const std::string body =
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\nshape = { mesh = { file = \"flat.obj\" } }\n";
  CHECK(read_scene_text(body, "s.toml", others).ok());
  const Result<SceneSpec> spec = read_scene_text(body + "[contact]\n", "s.toml", others);
  REQUIRE(!spec.ok());
  const Diagnostic* flat = nullptr;
  for (const Diagnostic& problem : spec.diagnostics())
    if (problem.code == "hull-flat") flat = &problem;
  REQUIRE(flat != nullptr);
  CHECK(flat->origin.line == 5);
  CHECK(read_scene_text(body + "contact = false\n[contact]\n", "s.toml", others).ok());
}

TEST_CASE("a ball from a file bounces to e^2 of its height") {
  const SceneSpec spec = read(
      "[world]\ngravity = [0, 0, -10]\n[material.m]\ndensity = 1000\nrestitution = 0.8\n"
      "[[ground]]\nmaterial = \"m\"\nshape = { plane = {} }\n"
      "[[body]]\nname = \"ball\"\nmaterial = \"m\"\nshape = { sphere = { radius = 0.1 } }\n"
      "joint = { type = \"free\", at = [0, 0, 1.35] }\n[run]\nduration = 1.4\nstep = \"1 ms\"\n");
  const Scene scene = compile(spec).value();
  Simulation simulation(scene);
  MemoryRecording recording;
  REQUIRE(simulation.run({.sink = &recording}).ok());
  // It falls 1.25 m in 0.5 s, and is up again 0.4 s after that.
  REQUIRE(recording.impacts().size() == 2);
  CHECK(std::abs(recording.impacts()[0].t - 0.5) < 1e-12);
  CHECK(std::abs(recording.impacts()[0].restitution - 0.8) < 1e-12);
  CHECK(std::abs(recording.impacts()[1].t - 1.3) < 1e-9);
  double highest = -1.0;
  const std::vector<double> t = recording.column("t"), z = recording.column("q.ball.z");
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] > 0.5 && z[i] > highest) highest = z[i];
  CHECK(std::abs(highest + 1.25 - 0.64 * 1.25) < 1e-6);
}

}  // namespace
}  // namespace pintle
