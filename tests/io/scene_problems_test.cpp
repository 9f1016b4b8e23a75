// What is wrong with a scene file is told with its place.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "io/memory_files.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/simulation/scene/scene.h"

namespace pintle {
namespace {

MemoryFiles files() {
  return MemoryFiles({{"a.toml", ""},
                      {"t.stl", tetrahedron_stl()},
                      {"good.csv", "time [s], lift [mm]\n0, 0\n1, 1\n"},
                      {"one.csv", "time\n0\n1\n"},
                      {"unit.csv", "# lift\ntime [s], lift [kg]\n0, 0\n1, 1\n"},
                      {"empty.csv", "\n"},
                      {"name.csv", "t, 5\n0, 0\n"},
                      {"count.csv", "t, x\n0, 0, 0\n"},
                      {"number.csv", "t, x\n0, 0\n1, one\n"},
                      {"order.csv", "t, x\n1, 0\n0, 1\n"},
                      {"cut.stl", "solid x\nfacet normal 0 0 1\n"},
                      {"cut.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n"},
                      {"empty.obj", "v 0 0 0\n"},
                      {"flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"},
                      {"crowded.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n"},
                      {"self.toml", "include = [\"self.toml\"]\n"},
                      {"bad.toml", "a = \n"}});
}

/// A file with one mistake. The place of its problem is where `@@` stands, in the scene itself unless it says
/// otherwise.
struct Mistake {
  const char* code;
  const char* text;
  const char* file = "s.toml";
};

constexpr const char* kHead = "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n";
constexpr const char* kHinge =
    "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\njoint = { type = \"revolute\" }\n[[body]]\nname = "
    "\"c\"\nmass "
    "= 1\ninertia = [1, 1, 1]\njoint = { type = \"cylindrical\" }\n";

/// `B` at the beginning stands for a body that further keys may follow, `H` for two with joints.
std::string with_head(std::string text) {
  if (text[0] == 'B') return kHead + text.substr(1);
  if (text[0] == 'H') return kHinge + text.substr(1);
  return text;
}

const Mistake kMistakes[] = {
    {"toml-syntax", "a = @@\n"},
    {"toml-syntax", "[run]\nduration = \"1 s@@\nstep = 1\n"},
    {"toml-syntax", "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a@@.a.a = 1\n"},
    // keys
    {"scene-key", "@@bodi = []\n"},
    {"scene-key", "[run]\n\t@@durration = 1\n"},
    {"scene-key", "Bjoint = { type = \"fixed\", @@axes = [0, 0, 1] }\n"},
    {"scene-key", "[material.brass]\ndensity = 1\n@@colour = \"#000000\"\n"},
    {"scene-unused", "H[[motor]]\njoint = \"b\"\nposition = \"t\"\n@@gear = 2\n"},
    {"scene-unused", "Bjoint = { type = \"revolute\", @@lead = 1 }\n"},
    {"scene-unused", "Bjoint = { type = \"revolute\", parent = \"world\", @@first_at = [0, 0, 0] }\n"},
    {"scene-unused", "H[[sensor]]\nname = \"eye\"\ntype = \"imu\"\nplace = \"b\"\n@@joint = \"b\"\n"},
    {"scene-unused", "H[[spring]]\njoint = \"b\"\nstiffness = 1\n@@tension_only = true\n"},
    // state feedback
    {"control-size", "H[[control]]\njoints = [\"b\"]\nstates = [\"q.b\", \"v.b\"]\ngains = @@[[1]]\n"},
    {"control-size", "H[[control]]\njoints = [\"b\"]\nstates = [\"q.b\"]\ngains = @@[[1], [2]]\n"},
    {"control-size", "H[[control]]\njoints = [\"b\"]\nstates = [\"q.b\"]\ngains = @@[1]\n"},
    {"control-size", "H[[control]]\njoints = [\"b\"]\nstates = [\"q.b\"]\ngains = [[1]]\nreference = @@[1, 2]\n"},
    {"control-own-joint", "H[[control]]\njoints = [\"b\"]\nstates = [\"@@q\"]\ngains = [[1]]\n"},
    {"scene-name", "H[[control]]\njoints = [\"@@d\"]\nstates = [\"q.b\"]\ngains = [[1]]\n"},
    {"scene-dof", "H[[control]]\njoints = [\"@@c\"]\nstates = [\"q.b\"]\ngains = [[1]]\n"},
    {"scene-dof", "H[[control]]\njoints = [\"@@c.wx\"]\nstates = [\"q.b\"]\ngains = [[1]]\n"},
    {"scene-missing", "@@[[body]]\nmass = 1\n"},
    {"scene-missing", "Bjoint = @@{ parent = \"world\" }\n"},
    {"scene-missing", "Bjoint = { type = @@\"screw\" }\n"},
    {"scene-missing", "[[body]]\nname = \"b\"\ndensity = 1\nshape = { cylinder = @@{ radius = 1 } }\n"},
    {"scene-missing", "H@@[[spring]]\nstiffness = 1\n"},
    {"scene-missing", "H[[sensor]]\nname = \"eye\"\ntype = @@\"imu\"\n"},
    {"scene-missing", "Bjoint = { type = \"fixed\", rotation = { axis = @@[0, 0, 1] } }\n"},
    {"scene-empty", "[[body]]\nname = @@\"\"\nmass = 1\n"},
    // types
    {"scene-type", "name = @@5\n"},
    {"scene-type", "@@[body]\nname = \"b\"\n"},
    {"scene-type", "body = [@@1]\n"},
    {"scene-type", "run = @@1\n"},
    {"scene-type", "Bjoint = @@5\n"},
    {"scene-type", "[[body]]\nname = \"b\"\ndensity = 1\nshape = @@5\n"},
    {"scene-type", "H[[motor]]\njoint = \"b\"\nposition = @@true\n"},
    {"scene-type", "[[body]]\nname = \"b\"\ndensity = 1\nshape = { cylinder = @@1 }\n"},
    {"scene-type", "material = @@1\n"},
    {"scene-type", "[material]\n@@brass = 8500\n"},
    {"scene-type", "[run]\nenergy_balance = @@\"true\"\n"},
    {"scene-type", "[run]\nrows = @@1.5\n"},
    {"scene-type", "[run]\nduration = @@true\n"},
    {"scene-type", "[run]\nintegrator = @@4\n"},
    {"scene-type", "[world]\ngravity = @@{ x = 1 }\n"},
    {"scene-type", "include = @@\"a.toml\"\n"},
    {"scene-type", "include = [@@5]\n"},
    {"scene-count", "[world]\ngravity = @@[0, 0]\n"},
    {"scene-count", "[world]\ngravity = @@9.81\n"},
    {"scene-count", "Bjoint = { type = \"cylindrical\", damping = @@1 }\n"},
    {"scene-count", "Bjoint = { type = \"fixed\", damping = @@1 }\n"},
    {"scene-count", "Binitial = { v = @@[1, 2] }\n"},
    {"scene-count", "H[[force]]\non = \"b\"\nforce = @@[1, 2]\n"},
    // words and names
    {"scene-word", "Bjoint = { type = @@\"revolut\" }\n"},
    {"scene-word", "[run]\nintegrator = @@\"euler\"\n"},
    {"scene-name", "Bjoint = { type = \"fixed\", parent = @@\"wrld\" }\n"},
    {"scene-name", "H[[motor]]\njoint = @@\"d\"\neffort = 1\n"},
    {"scene-name", "H[[coupling]]\njoint = \"b\"\ndriver = @@\"d\"\n"},
    {"scene-name", "H[[frame]]\nname = \"f\"\nbody = @@\"d\"\n"},
    {"scene-name", "H[[spring]]\nfrom = \"b\"\nto = { on = @@\"d\" }\n"},
    {"scene-name", "H[[sensor]]\nname = \"eye\"\ntype = \"imu\"\nplace = @@\"d\"\n"},
    {"scene-name", "[[motor]]\njoint = @@\"d\"\neffort = 1\n"},
    {"scene-name-twice", "B[[body]]\nname = @@\"b\"\nmass = 1\n"},
    {"scene-name-twice", "[[body]]\nrepeat = 2\nname = @@\"b\"\nmass = 1\n"},
    {"scene-name-twice",
     "H[[motor]]\njoint = \"b\"\neffort = 1\nname = \"m\"\n[[spring]]\njoint = \"b\"\nname = @@\"m\"\n"},
    {"scene-name-twice", "H[[event]]\nname = \"e\"\nzero_of = \"t\"\n[[event]]\nname = @@\"e\"\nzero_of = \"t\"\n"},
    // numbers
    {"scene-range", "[[body]]\nname = \"b\"\nmass = @@-1\n"},
    {"scene-range", "[[body]]\nname = \"b\"\ndensity = \"@@0 kg/m^3\"\nshape = { sphere = { radius = 1 } }\n"},
    {"scene-range", "[[body]]\nname = \"b\"\ndensity = 1\nshape = { box = { size = [1, @@-1, 1] } }\n"},
    {"scene-range", "[[body]]\nname = \"b\"\nmass = @@0\nshape = { sphere = { radius = 1 } }\n"},
    {"scene-range", "[run]\nrows = @@99999999999\n"},
    {"scene-range", "[[body]]\nrepeat = @@0\nname = \"b{i}\"\nmass = 1\n"},
    {"scene-range", "H[[motor]]\njoint = \"b\"\neffort = 1\ngear = @@0\n"},
    {"scene-finite", "[run]\nduration = @@inf\n"},
    {"scene-limits", "Bjoint = { type = \"revolute\", lower = 1, upper = @@\"30 deg\" }\n"},
    {"scene-limits", "B[body.joint]\ntype = \"revolute\"\nlower = 1\nupper = @@0\n"},
    // quantities
    {"quantity-number", "[run]\nduration = \"@@two s\"\n"},
    {"quantity-range", "[run]\nduration = \"@@1e999 s\"\n"},
    {"quantity-unit", "[run]\nduration = \"1 @@%\"\n"},
    {"quantity-unit", "[run]\nduration = \"1 /@@\"\n"},
    {"quantity-power", "[run]\nduration = \"1 s^@@x\"\n"},
    {"quantity-quotient", "[world]\ngravity = [0, 0, \"9.81 m/s @@s\"]\n"},
    {"unit-unknown", "[run]\nduration = \"1 @@sec\"\n"},
    {"quantity-dimension", "[run]\nduration = \"1 @@m\"\n"},
    {"quantity-dimension", "Bjoint = { type = \"prismatic\", damping = \"1 @@N m s/rad\" }\n"},
    {"quantity-dimension", "Binitial = { v = [0, 0, 0, 0, 0, \"10 @@Hz\"] }\n"},
    {"quantity-dimension", "H[[motor]]\njoint = \"b\"\neffort = \"2 @@N\"\n"},
    {"quantity-dimension", "[run]\nduration = '1 @@m'\n"},
    {"quantity-dimension", "[run] # \xC3\xA4\nduration = \"\"\"\n1 @@m\"\"\"\n"},
    {"quantity-dimension",
     "[[body]]\nname = \"b\"\ndensity = 1\nshape = { mesh = { file = \"t.stl\", unit = \"@@s\" } }\n"},
    // bodies
    {"scene-conflict", "[[body]]\nname = \"b\"\nmass = 1\ndensity = @@1\nshape = { sphere = { radius = 1 } }\n"},
    {"scene-conflict",
     "[[body]]\nname = \"b\"\nmass = 1\nmaterial = @@\"steel\"\nshape = { sphere = { radius = 1 } }\n"},
    {"scene-conflict", "[[body]]\nname = \"b\"\nmass = 1\nshape = { sphere = { radius = 1 }, density = @@1 }\n"},
    {"scene-conflict", "[[body]]\nname = \"b\"\nmass = 1\ncenter = @@[0, 0, 1]\nshape = { sphere = { radius = 1 } }\n"},
    {"scene-conflict", "[[body]]\nname = \"b\"\ndensity = @@1\n"},
    {"scene-conflict", "Bjoint = { type = @@\"screw\", lead = 1, pitch = 1 }\n"},
    {"scene-shape", "[[body]]\nname = \"b\"\ndensity = 1\nshape = @@{ at = [0, 0, 0] }\n"},
    {"scene-shape",
     "[[body]]\nname = \"b\"\ndensity = 1\nshape = @@{ sphere = { radius = 1 }, cone = { radius = 1, height = 1 } }\n"},
    {"scene-mass", "@@[[body]]\nname = \"b\"\n"},
    {"scene-mass", "[[body]]\nname = \"b\"\nshape = @@{ sphere = { radius = 1 } }\n"},
    // contacts
    {"scene-shape", "[[body]]\nname = \"b\"\nmass = 1\nshape = { plane = @@{} }\n"},
    {"scene-shape", "B[[ground]]\nshape = @@{ at = [0, 0, 0] }\n"},
    {"scene-shape", "B[[ground]]\nshape = @@{ plane = {}, sphere = { radius = 1 } }\n"},
    {"scene-missing", "B@@[[ground]]\nname = \"g\"\n"},
    {"scene-missing", "@@[material.soap]\ncolor = \"#112233\"\n"},
    {"scene-unused", "B[[ground]]\nshape = { plane = {}, @@mass = 1 }\n"},
    {"scene-material", "B[[ground]]\nshape = { plane = {} }\nmaterial = @@\"stele\"\n"},
    {"scene-material", "B[[contact.pair]]\nmaterials = @@[\"steel\", \"icee\"]\n"},
    {"scene-count", "B[[contact.pair]]\nmaterials = @@[\"steel\"]\n"},
    {"scene-conflict",
     "B[[contact.pair]]\nmaterials = [\"steel\", \"oak\"]\n[[contact.pair]]\nmaterials = @@[\"oak\", \"steel\"]\n"},
    {"scene-name", "B[[contact.rule]]\nbodies = [\"b\", \"@@bb\"]\ntouch = true\n"},
    {"scene-missing", "B@@[[contact.rule]]\nbodies = [\"b\", \"world\"]\n"},
    {"scene-word", "B[contact]\nlaw = @@\"strong\"\n"},
    {"scene-type", "B@@[contact.pair]\nmaterials = [\"steel\", \"oak\"]\n"},
    {"scene-type", "Bcontact = @@\"no\"\n"},
    {"scene-range", "[material.soap]\nrestitution = @@-0.1\n"},
    {"contact-restitution", "[material.soap]\nrestitution = @@1.1\n"},
    {"contact-friction", "[material.soap]\nfriction = 0.5\nstatic_friction = @@0.4\n"},
    {"contact-friction",
     "B[[contact.pair]]\nmaterials = [\"steel\", \"oak\"]\nfriction = 0.5\nstatic_friction = @@0.4\n"},
    {"mesh-crowded-edge", "B[[ground]]\nshape = { mesh = { file = \"@@crowded.obj\" } }\n"},
    {"scene-range", "B[[ground]]\nshape = { height_field = { size = @@[1, 2], spacing = 1, heights = [0, 0] } }\n"},
    {"scene-count", "B[[ground]]\nshape = { height_field = { size = [2, 2], spacing = 1, heights = @@[0, 0, 0] } }\n"},
    {"shape-size", "B[[ground]]\nshape = { bowl = { radius = 1, depth = @@2.1 } }\n"},
    {"scene-shape", "[[body]]\nname = \"b\"\nshape = { bowl = @@{ radius = 1 } }\n"},
    {"hole-outside",
     "[[body]]\nname = \"b\"\ndensity = 1\n"
     "shape = @@{ sphere = { radius = 1 }, subtract = [{ box = { size = [2, 2, 2] } }] }\n"},
    {"hole-mesh",
     "[[body]]\nname = \"b\"\ndensity = 1\n"
     "shape = @@{ mesh = { file = \"t.stl\" }, subtract = [{ sphere = { radius = 0.1 } }] }\n"},
    {"hole-nothing-left",
     "[[body]]\nname = \"b\"\ndensity = 1\n"
     "shape = @@{ sphere = { radius = 1 }, subtract = [{ sphere = { radius = 1 } }] }\n"},
    {"hole-overlap",
     "[[body]]\nname = \"b\"\ndensity = 1\n"
     "shape = @@{ sphere = { radius = 1 }, subtract = [{ sphere = { radius = 0.1 } }, { sphere = { radius = 0.2 } }] }\n"},
    {"scene-shape",
     "[[body]]\nname = \"b\"\ndensity = 1\nshape = { sphere = { radius = 1 }, subtract = [@@{ at = [0, 0, 0] }] }\n"},
    {"scene-key",
     "[[body]]\nname = \"b\"\ndensity = 1\n"
     "shape = { sphere = { radius = 1 }, subtract = [{ sphere = { radius = 0.1 }, @@mass = 1 }] }\n"},
    {"scene-unused",
     "B[[ground]]\nshape = { box = { size = [1, 1, 1] }, @@subtract = [{ sphere = { radius = 0.1 } }] }\n"},
    {"scene-name-twice",
     "B[[ground]]\nname = \"g\"\nshape = { plane = {} }\n[[ground]]\nname = @@\"g\"\nshape = { plane = {} }\n"},
    {"scene-material", "[[body]]\nname = \"b\"\nmaterial = @@\"stele\"\nshape = { sphere = { radius = 1 } }\n"},
    {"scene-color", "[material.a]\ndensity = 1\ncolor = @@\"reddish\"\n"},
    {"scene-axis", "Bjoint = { type = \"fixed\", rotation = { axis = @@[0, 0, 0], angle = 1 } }\n"},
    {"scene-axis",
     "B[[ground]]\nmaterial = \"oak\"\nshape = { plane = {}, belt = { axis = @@[0, 0, 0], speed = 1 } }\n"},
    {"scene-missing", "B[[ground]]\nshape = { plane = {}, surface_velocity = @@[1, 0, 0] }\n"},
    {"scene-conflict", "B[[ground]]\nmaterial = \"oak\"\nshape = { plane = {}, surface_velocity = @@[1, 0, 0], contact = false }\n"},
    {"scene-conflict",
     "B[[ground]]\nmaterial = \"oak\"\nshape = { plane = {}, surface_velocity = [1, 0, 0], belt = @@{ axis = [0, 0, 1], speed = 1 } }\n"},
    {"scene-conflict",
     "[[body]]\nname = \"b\"\nmaterial = \"oak\"\nshape = { sphere = { radius = 1 }, surface_velocity = @@[1, 0, 0] }\n"},
    {"scene-rotation", "Bjoint = { type = \"fixed\", rotation = @@{ rpy = [0, 0, 0], angle = 1 } }\n"},
    {"scene-quaternion", "Bjoint = { type = \"fixed\", rotation = { quaternion = @@[1, 1, 0, 0] } }\n"},
    // what acts
    {"scene-motor", "H[[motor]]\njoint = @@\"b\"\n"},
    {"scene-motor", "H[[motor]]\njoint = \"b\"\neffort = 1\nvelocity = @@1\n"},
    {"scene-dof", "H[[motor]]\njoint = @@\"c\"\neffort = 1\n"},
    {"scene-dof", "H[[motor]]\njoint = \"c\"\ndof = @@\"angel\"\neffort = 1\n"},
    {"scene-dof",
     "H[[body]]\nname = \"f\"\nmass = 1\njoint = { type = \"fixed\" }\n[[motor]]\njoint = @@\"f\"\neffort = 1\n"},
    {"expression-unknown-function", "H[[motor]]\njoint = \"b\"\neffort = \"2 + @@sn(t)\"\n"},
    {"expression-unknown-name", "H[[motor]]\njoint = \"b\"\nposition = \"2 * @@v\"\n"},
    {"expression-unknown-name", "H[[force]]\non = \"b\"\nforce = [0, \"3*@@x\", 0]\n"},
    // files
    {"scene-column",
     "H[[motor]]\njoint = \"c\"\ndof = \"travel\"\nposition = { file = \"good.csv\", value = @@\"lft\" }\n"},
    {"scene-column", "H[[motor]]\njoint = \"b\"\nposition = { file = @@\"one.csv\" }\n"},
    {"quantity-dimension", "H[[motor]]\njoint = \"b\"\nposition = { file = \"unit.csv\" }\n", "unit.csv:2:17"},
    {"csv-empty", "H[[motor]]\njoint = \"b\"\nposition = { file = \"empty.csv\" }\n", "empty.csv:1:0"},
    {"csv-name", "H[[motor]]\njoint = \"b\"\nposition = { file = \"name.csv\" }\n", "name.csv:1:4"},
    {"csv-count", "H[[motor]]\njoint = \"b\"\nposition = { file = \"count.csv\" }\n", "count.csv:2:1"},
    {"csv-number", "H[[motor]]\njoint = \"b\"\nposition = { file = \"number.csv\" }\n", "number.csv:3:4"},
    {"drive-table-order", "H[[motor]]\njoint = \"b\"\nposition = { file = \"order.csv\" }\n", "order.csv:3:0"},
    {"stl-syntax", "[[body]]\nname = \"b\"\ndensity = 1\nshape = { mesh = { file = \"cut.stl\" } }\n", "cut.stl:3:0"},
    {"obj-empty", "[[body]]\nname = \"b\"\ndensity = 1\nshape = { mesh = { file = \"@@empty.obj\" } }\n"},
    {"obj-syntax", "[[body]]\nname = \"b\"\ndensity = 1\nshape = { mesh = { file = \"cut.obj\" } }\n", "cut.obj:3:0"},
    {"mesh-open-edge", "[[body]]\nname = \"b\"\ndensity = 1\nshape = { mesh = { file = \"@@flat.obj\" } }\n"},
    {"mesh-kind", "[[body]]\nname = \"b\"\ndensity = 1\nshape = { mesh = { file = \"@@a.ply\" } }\n"},
    {"file-open", "[[body]]\nname = \"b\"\ndensity = 1\nshape = { mesh = { file = \"@@none.stl\" } }\n"},
    {"file-place", "include = [\"a.toml\", \"@@/etc/passwd\"]\n"},
    {"scene-include", "include = [\"self.toml\"]\n", "self.toml:1:13"},
    {"toml-syntax", "include = [\"bad.toml\"]\n", "bad.toml:1:5"},
    // repetitions
    {"scene-repeat", "[[body]]\nname = @@\"b{i}\"\nmass = 1\n"},
    {"scene-repeat",
     "[[body]]\nname = \"l0\"\nmass = 1\n[[body]]\nrepeat = 2\nname = \"l{i}\"\nmass = 1\njoint = { type = "
     "\"fixed\", parent = @@\"l{i-1}\" }\n"},
};

/// "s.toml:3:5" of the mark in a text, which is taken out.
std::string place_of_mark(std::string& text, const std::string& file) {
  const std::size_t at = text.find("@@");
  if (at == std::string::npos) return file;
  text.erase(at, 2);
  const std::size_t begin = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t column = begin == std::string::npos ? at + 1 : at - begin;
  int line = 1;
  for (std::size_t i = 0; i < at; ++i) line += text[i] == '\n' ? 1 : 0;
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

std::string place(const Origin& origin) {
  return origin.file + ":" + std::to_string(origin.line) + ":" + std::to_string(origin.column);
}

TEST_CASE("each mistake is told once, where it is") {
  for (const Mistake& mistake : kMistakes) {
    std::string text = with_head(mistake.text);
    const std::string expected = place_of_mark(text, mistake.file);
    MemoryFiles others = files();
    const Result<SceneSpec> spec = read_scene_text(text, "s.toml", others);
    CAPTURE(text);
    CHECK(!spec.ok());
    std::string all;
    for (const Diagnostic& problem : spec.diagnostics()) all += format(problem, text) + "\n";
    const bool one_kind = !spec.diagnostics().empty() && spec.diagnostics()[0].code == mistake.code;
    CHECK_MESSAGE(one_kind, mistake.code, " expected:\n", all);
    // One triangle has three open edges.
    CHECK_MESSAGE((spec.diagnostics().size() == 1 || std::string(mistake.code) == "mesh-open-edge"), all);
    if (one_kind) CHECK_MESSAGE(place(spec.diagnostics()[0].origin) == expected, all);
    // Nor does anything follow from it when the rest is compiled.
    const bool has_body = text.find("body") != std::string::npos;
    const Result<Scene> scene = compile_scene_text(has_body ? text : text + kHead, "s.toml", others);
    std::string more;
    for (const Diagnostic& problem : scene.diagnostics()) more += format(problem, text) + "\n";
    CHECK_MESSAGE(scene.diagnostics().size() == spec.diagnostics().size(), more);
  }
}

TEST_CASE("what is wrong only with the whole is told by compile, with the lines of the file") {
  const Mistake mistakes[] = {
      {"initial-limits",
       "B[body.joint]\ntype = \"revolute\"\nlower = 0\nupper = 1\n[body.initial]\nq = @@\"90 deg\"\n"},
      {"initial-limits", "Bjoint = @@{ type = \"revolute\", lower = 0.5, upper = 1 }\n"},
      {"drive-jump", "H[[motor]]\njoint = \"b\"\nposition = \"1 + 2*@@step(t - 0.5)\"\n"},
      {"drive-outside-table",
       "H[[motor]]\njoint = \"c\"\ndof = \"travel\"\nposition = { file = \"good.csv\" }\n[run]\nduration = 2\n",
       "good.csv:2:0"},
      {"inertia-triangle", "[[body]]\nname = \"b\"\nmass = 1\ninertia = @@[1, 1, 3]\n"},
      {"restitution-range", "Bjoint = { type = \"revolute\", restitution = @@2 }\n"},
      {"joint-without-inertia", "[[body]]\nname = \"b\"\nmass = 0\njoint = @@{ type = \"prismatic\" }\n"},
      {"expression-unknown-name", "H[[event]]\nname = \"e\"\nzero_of = \"t + @@q.bb\"\n"},
      {"axis-zero", "Bjoint = @@{ type = \"revolute\", axis = [0, 0, 0] }\n"},
      {"expression-unknown-name", "H[[motor]]\njoint = \"b\"\neffort = \"2*@@q.d\"\n"},
      {"expression-unknown-name", "H[[motor]]\njoint = \"b\"\neffort = \"2*@@v.c\"\n"},  // of two: v.c.angle
      {"expression-unknown-name", "H[[controller]]\njoint = \"b\"\ntarget = \"@@x\"\nkp = 1\n"},
      {"controller-target-rate", "H[[controller]]\njoint = @@\"b\"\ntarget = \"v.c.angle\"\nkp = 1\nkd = 1\n"},
      {"formula-circular",
       "H[[sensor]]\nname = \"eye\"\ntype = \"imu\"\nplace = \"c\"\n[[motor]]\njoint = \"b\"\neffort = \"@@eye.ax\"\n"},
      {"expression-unknown-name", "H[[control]]\njoints = [\"b\"]\nstates = [\"@@q.bb\"]\ngains = [[1]]\n"},
      {"cycle", "[[body]]\nname = @@\"x\"\nmass = 1\njoint = { type = \"fixed\", parent = \"x\" }\n"},
  };
  for (const Mistake& mistake : mistakes) {
    std::string text = with_head(mistake.text);
    const std::string expected = place_of_mark(text, mistake.file);
    MemoryFiles others = files();
    const Result<SceneSpec> spec = read_scene_text(text, "s.toml", others);
    CAPTURE(text);
    for (const Diagnostic& problem : spec.diagnostics()) FAIL_CHECK(format(problem, text));
    if (!spec) continue;
    const Result<Scene> scene = compile(*spec);
    REQUIRE(!scene.ok());
    const Diagnostic& problem = scene.diagnostics().at(0);
    CHECK_MESSAGE(problem.code == std::string(mistake.code), format(problem, text));
    CHECK_MESSAGE(place(problem.origin) == expected, format(problem, text));
  }
}

TEST_CASE("ten mistakes are ten problems, in the order of the lines") {
  const std::string text = R"(nmae = "ten"
[world]
gravity = [0, "9.81 m/s"]
[[body]]
name = "a"
shape = { sphere = { radius = "2 kg" } }
mass = 1
density = 2
joint = { type = "hinge", parent = "b" }
[[body]]
name = "a"
mass = "-1 kg"
[[motor]]
joint = "x"
[[event]]
zero_of = "t"
[run]
duration = 1
step = "1 msec"
integrator = "rk5"
)";
  const Result<SceneSpec> spec = read_scene_text(text, "ten.toml");
  REQUIRE(!spec.ok());
  std::string all;
  std::set<std::string> codes;
  int last = 0;
  for (const Diagnostic& problem : spec.diagnostics()) {
    all += format(problem, text) + "\n";
    codes.insert(problem.code);
    CHECK(problem.origin.line >= last);
    CHECK(problem.origin.column > 0);
    CHECK(!problem.fix.empty());
    last = problem.origin.line;
  }
  for (const char* const code :
       {"scene-key", "scene-count", "quantity-dimension", "scene-conflict", "scene-word", "scene-name",
        "scene-name-twice", "scene-range", "scene-motor", "scene-missing", "unit-unknown"})
    CHECK_MESSAGE(codes.count(code) == 1, code, "\n", all);
  CHECK_MESSAGE(spec.diagnostics().size() == 13, all);
}

TEST_CASE("settings from outside that fit nothing say what would") {
  const struct {
    const char* setting;
    const char* fix;
  } settings[] = {{"bushing.x.damping=1", "leave the setting out, or add one to the file"},
                  {"body.9.mass=1", "give a smaller number, or its name"},
                  {"body.bb.mass=1", "did you mean 'b'?"},
                  {"body.zzz.mass=1", "correct the name, or give its number"},
                  {"rnu.step=1", "did you mean 'run'?"},
                  {"contact.pair.0.friction=1", "set a whole one, which replaces the old one: contact.pair=[{...}]"},
                  {"run.stp=1", "did you mean 'step'?"}};
  for (const auto& wrong : settings) {
    const Result<SceneSpec> spec = read_scene_text(kHinge, "s.toml", SceneSettings{wrong.setting});
    REQUIRE(spec.diagnostics().size() == 1);
    const Diagnostic& problem = spec.diagnostics()[0];
    CHECK_MESSAGE(problem.fix == wrong.fix, format(problem, wrong.setting));
    CHECK(problem.origin.file == "--set");
    CHECK(problem.origin.line == 1);
    CHECK(problem.origin.column > 0);
  }
}

TEST_CASE("of very many problems the first hundred are told") {
  std::string text = "[run]\n";
  for (int i = 0; i < 300; ++i) text += "x" + std::to_string(i) + " = 1\n";
  const Result<SceneSpec> spec = read_scene_text(text, "s.toml");
  REQUIRE(!spec.ok());
  CHECK(spec.diagnostics().size() == 101);
  CHECK(spec.diagnostics().back().what == "200 more problems are not listed");
}

TEST_CASE("a problem within a repetition is told once") {
  const std::string text = "[[body]]\nrepeat = 50\nname = \"l{i}\"\nmass = \"{i} stone\"\n";
  const Result<SceneSpec> spec = read_scene_text(text, "s.toml");
  REQUIRE(spec.diagnostics().size() == 1);
  CHECK(spec.diagnostics()[0].origin.line == 4);
  CHECK(spec.diagnostics()[0].origin.column == 0);  // where the number stands is not where it is in the file
}

TEST_CASE("a color may have a name, and a misspelt one is told the nearest") {
  const std::string text = "[[body]]\nname = \"b\"\nmass = 1\nshape = { sphere = { radius = 1 } }\ncolor = \"";
  const Result<SceneSpec> spec = read_scene_text(text + "orange\"\n", "s.toml");
  REQUIRE(spec.ok());
  CHECK(spec->shapes[0].color == "#ffa500");
  CHECK(read_scene_text(text + "orang\"\n", "s.toml").diagnostics().at(0).fix == "did you mean 'orange'?");
}

TEST_CASE("a joint of unknown type with an axis of zero has two problems") {
  const std::string text = "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\njoint = { type = \"hinge\", axis = [0, 0, 0] }\n";
  MemoryFiles none;
  const Diagnostics found = compile_scene_text(text, "s.toml", none).diagnostics();
  REQUIRE(found.size() == 2);
  CHECK(found[0].code == "scene-word");
  CHECK(found[1].code == "axis-zero");
  CHECK(found[1].origin.line == 5);
  CHECK(found[1].origin.column == 34);
}

TEST_CASE("what stands in place of a table is told how to be one") {
  const auto fix = [](const std::string& text) { return read_scene_text(text, "s.toml").diagnostics().at(0).fix; };
  CHECK(fix("[[world]]\ngravity = [0, 0, 0]\n") == "write [world] with single brackets");
  CHECK(fix("[[body]]\nname = \"b\"\nmass = 1\njoint = \"fixed\"\n") == "write a table: { type = \"fixed\" }");
  CHECK(fix("[[body]]\nname = \"b\"\nmass = 1\nshape = \"box\"\n") == "write a table: { box = { ... } }");
  CHECK(fix("[[body]]\nname = \"b\"\nmass = 1\nshape = { mesh = \"a.stl\" }\n") ==
        "write a table: { file = \"a.stl\" }");
  CHECK(fix("[[body]]\nname = \"b\"\nmass = 1\ninitial = 3\n") == "write a table: { ... }");
}

TEST_CASE("what an event without a name has wrong besides is reported at once") {
  const Result<SceneSpec> spec = read_scene_text(
      "[[body]]\nname = \"arm\"\nmass = 1\njoint = { type = \"hinge\" }\n[[event]]\nzero_of = \"q.arm - x\"\n", "s.toml");
  std::string codes;
  for (const Diagnostic& problem : spec.diagnostics())
    codes += problem.code + ":" + std::to_string(problem.origin.line) + ":" + std::to_string(problem.origin.column) + " ";
  CHECK(codes == "scene-word:4:18 scene-missing:5:1 expression-unknown-name:6:20 ");
}

TEST_CASE("a key in the wrong table is told where it belongs") {
  const struct {
    const char* text;
    const char* why;
    const char* fix;
  } cases[] = {
      {"mass = 1\n", "'mass' is a key of [[body]] and shape = {...}", "move it there"},
      {"geometry = { sphere = { radius = 1 } }\n", "'shape' is a key of [[body]] and [[ground]]", "write 'shape' there"},
      {"[[joint]]\ntype = \"revolute\"\nmass = 1\n", "'joint' is a key of [[body]]", "move it there"},
      {"[[body]]\nname = \"b\"\nmass = 1\nposition = [0, 0, 1]\n",
       "'at' is a key of shape = {...} and joint = {...}", "write 'at' there"},
      {"[[body]]\nname = \"b\"\nmass = 1\norigin = [0, 0, 1]\n",
       "'at' is a key of shape = {...} and joint = {...}", "write 'at' there"},
      {"[[body]]\nname = \"b\"\nmass = 1\nfriction = 0.5\n",
       "'friction' is a key of joint = {...}, [material.NAME] and [[contact.pair]]", "move it there"},
      {"[[body]]\nname = \"b\"\nmass = 1\njoint = { type = \"revolute\", mass = 1 }\n",
       "'mass' is a key of [[body]] and shape = {...}", "move it there"},
      {"[[body]]\nname = \"b\"\nmass = 1\njoint = { type = \"revolute\", inertia = [1, 1, 1] }\n",
       "'inertia' is a key of [[body]]", "move it there"},
      {"[[body]]\nname = \"b\"\nmass = 1\njoint = { type = \"revolute\", geometry = { plane = {} } }\n",
       "'shape' is a key of [[body]] and [[ground]]", "write 'shape' there"},
      {"[[body]]\nname = \"b\"\nmass = 1\njoint = { type = \"revolute\", initial = { v = 1 } }\n",
       "'initial' is a key of [[body]] and [model]", "move it there"},
      {"[run]\nledger = false\n", "", "did you mean 'energy_balance'?"},
      {"zzzzz = 1\n",
       "known here: name, include, model, world, material, body, ground, contact, frame, coupling, motor, controller, "
       "control, spring, bushing, force, drag, event, sensor, run",
       "leave it out"},
  };
  for (const auto& one : cases) {
    CAPTURE(one.text);
    const Diagnostics found = compile_scene_text(one.text, "s.toml").diagnostics();
    const auto is_key = [](const Diagnostic& problem) { return problem.code == "scene-key"; };
    const auto key = std::find_if(found.begin(), found.end(), is_key);
    REQUIRE(key != found.end());
    CHECK(key->why == one.why);
    CHECK(key->fix == one.fix);
  }
}

TEST_CASE("messages read well") {
  const struct {
    const char* text;
    const char* message;
  } golden[] = {
      {"[[body]]\nname = \"nut\"\nshape = { cylinder = { radius = \"20 kg\", length = \"15 mm\" } }\nmaterial = "
       "\"brass\"\n",
       R"text(pump.toml:3:37: error[quantity-dimension]: body 'nut', shape, cylinder: 'radius' is given as '20 kg'
  3 | shape = { cylinder = { radius = "20 kg", length = "15 mm" } }
    |                                     ^
  why: it must be in m, and this is kg
  fix: give it in m, or as a bare number in SI units)text"},
      {"[[body]]\nname = \"nut\"\nmass = 1\njoint = { type = \"free\", parnt = \"world\" }\n",
       R"text(pump.toml:4:26: error[scene-key]: body 'nut', joint: unknown key 'parnt'
  4 | joint = { type = "free", parnt = "world" }
    |                          ^
  fix: did you mean 'parent'?)text"},
      {"[[body]]\nname = \"nut\"\nmass = 1\njoint = { type = \"revolute\", parent = \"nutt\" }\n",
       R"text(pump.toml:4:39: error[scene-name]: body 'nut', joint: there is no body 'nutt'
  4 | joint = { type = "revolute", parent = "nutt" }
    |                                       ^
  why: there are: nut, world
  fix: did you mean 'nut'?)text"},
      {"[run]\nduration = 2 s\n",
       R"text(pump.toml:2:14: error[toml-syntax]: a number with a unit is not in quotes
  2 | duration = 2 s
    |              ^
  why: TOML has numbers, but no units
  fix: write "2 s")text"},
      {"[[motor]]\njoint = \"nut\"\neffort = \"0.02 * sn(t)\"\n[[body]]\nname = \"nut\"\nmass = 1\njoint = { type = "
       "\"prismatic\" }\n",
       R"text(pump.toml:3:18: error[expression-unknown-function]: unknown function 'sn'
  3 | effort = "0.02 * sn(t)"
    |                  ^
  why: it is not a function of the expression language
  fix: did you mean 'sin'?)text"},
      {"[[body]]\nname = \"nut\"\nmass = 1\ndensity = 2\nshape = { sphere = { radius = 1 } }\n",
       R"text(pump.toml:4:11: error[scene-conflict]: body 'nut': both 'mass' and 'density' are given
  4 | density = 2
    |           ^
  why: it is not clear which one applies
  fix: leave one of them out)text"},
  };
  for (const auto& [text, message] : golden) {
    const Result<SceneSpec> spec = read_scene_text(text, "pump.toml");
    REQUIRE(spec.diagnostics().size() == 1);
    CHECK(format(spec.diagnostics()[0], text) == message);
  }
}

}  // namespace
}  // namespace pintle
