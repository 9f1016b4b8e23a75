// All that is wrong with a scene file is told at once, and nothing that only follows from it.
#include "pintle/io/scene/compile_scene.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "io/memory_files.h"
#include "pintle/base/random.h"
#include "pintle/io/scene/write_scene.h"

namespace pintle {
namespace {

/// What is found at a line of a scene file, as "12 scene-name"; files besides have their name too.
using Found = std::vector<std::string>;

Found found_in(const std::string& text) {
  MemoryFiles others({{"t.stl", tetrahedron_stl()}, {"lift.csv", "time [s], lift [mm]\n0, 0\n1, 5\n2, 0\n"}});
  const Result<Scene> scene = compile_scene_text(text, "s.toml", others);
  Found found;
  for (const Diagnostic& problem : scene.diagnostics()) {
    if (problem.severity != Severity::error) continue;
    const std::string file = problem.origin.file == "s.toml" ? "" : problem.origin.file + ":";
    found.push_back(file + std::to_string(problem.origin.line) + " " + problem.code);
  }
  CHECK(scene.ok() == found.empty());
  return found;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// The codes behind "#!" at the ends of lines.
Found expected_in(const std::string& text) {
  Found expected;
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t at = lines[i].find("#!");
    if (at == std::string::npos) continue;
    std::istringstream codes(lines[i].substr(at + 2));
    for (std::string code; codes >> code;) expected.push_back(std::to_string(i + 1) + " " + code);
  }
  return expected;
}

constexpr const char* kFiles[] = {
    // A wrong unit hides neither an unknown joint, a wrong formula, an impossible start nor an impossible run.
    R"toml(
[[body]]
name = "arm"
mass = "2 m"                                                      #! quantity-dimension
joint = { type = "revolute", axis = [0, 1, 0] }
[[body]]
name = "hand"
mass = 1
inertia = [1, 1, 3]                                               #! inertia-triangle
joint = { type = "revolute", parent = "arm", lower = 0, upper = 1 }
initial = { q = "90 deg" }                                        #! initial-limits
[[motor]]
joint = "elbow"                                                   #! scene-name
effort = 1
[[event]]
name = "e"
zero_of = "q.arm + q.hnd"                                         #! expression-unknown-name
[run]                                                             #! run-tolerance
relative_tolerance = 2
)toml",
    // Formulas of a motor with several drives are read, each in its own unit.
    R"toml(
[[body]]
name = "arm"
mass = 2
inertia = [1, 1, 1]
joint = { type = "revolute" }
[[motor]]
joint = "arm"
effort = "3 * sn(t) + "                                           #! expression-unknown-function expression-operand
velocity = "60 rpm"                                               #! scene-motor
)toml",
    // A mass that cannot be read is no missing mass, and a limit that cannot be read is no limit.
    R"toml(
[[body]]
name = "a"
mass = "1 lbs"                                                    #! unit-unknown
joint = { type = "prismatic" }
[[body]]
name = "b"
inertia = [0, 0, "1 kg"]                                          #! quantity-dimension
mass = 1
joint = { type = "spherical" }
[[body]]
name = "c"
mass = 1
joint = { type = "prismatic", lower = "1 kg", upper = "-2 m" }    #! quantity-dimension
[[body]]
name = "d"
mass = 1
joint = { type = "prismatic", lower = 1, upper = 2 }
initial = { q = "1.5 kg" }                                        #! quantity-dimension
[[body]]
name = "e"
shape = { cylinder = { radius = "1 s", length = 1 } }             #! quantity-dimension
mass = 2
[[body]]
name = "f"
material = "stele"                                                #! scene-material
shape = { sphere = { radius = 1 } }
joint = { type = "revolute", axis = [0, 0, 0] }                   #! axis-zero
)toml",
    // What hangs on a body that does not exist hangs somewhere; a joint of no kind has numbers one cannot know.
    R"toml(
[[body]]
name = "frame"
mass = 0
joint = { type = "prismatic", axis = [1, 0, 0] }
[[body]]
name = "load"
mass = 1
joint = { type = "fixed", parent = "fraem" }                      #! scene-name
[[body]]
name = "link"
mass = 0
joint = { type = "gadget" }                                       #! scene-word
initial = { q = 1 }
[[force]]
on = "load"
force = [0, 0, "1 kg"]                                            #! quantity-dimension
[[spring]]
from = "load"
to = "world"
stiffness = -1                                                    #! scene-range
[[motor]]
joint = "link"
effort = 1
[[event]]
name = "e"
zero_of = "q.link"
[[event]]
name = "f"
zero_of = "q.frame +"                                             #! expression-operand
[[sensor]]
name = "l"
type = "joint-position"
joint = "link"
[[sensor]]
name = "twice"
type = "expression"
expression = "2*l"
)toml",
    // Keys that do not exist are read as those they are nearest to; words too.
    R"toml(
[[bdoy]]                                                          #! scene-key
nmae = "arm"                                                      #! scene-key
mass = 1
joint = { type = "revolut", paernt = "wrld" }                     #! scene-word scene-key scene-name
[[motor]]
jiont = "arm"                                                     #! scene-key
effort = "2 N"                                                    #! quantity-dimension
[[sensor]]
name = "sum"
type = "expression"
expression = "q.arm + 1 / 0 +"                                    #! expression-operand
)toml",
    // Elements that are lost are missed by nobody.
    R"toml(
[[body]]
name = "slide"
mass = 1
joint = { type = "prismatic", lower = 1, upper = 2 }
[[motor]]
joint = "slide"
position = "1.5 + sn(t)"                                          #! expression-unknown-function
[[body]]
name = "wheel"
mass = 0
joint = { type = "revolute" }
[[motor]]
joint = "wheel"
effort = 1
rotor_inertia = "1 kg"                                            #! quantity-dimension
[[body]]
name = "cam"
mass = 0
joint = { type = "revolute" }
[[motor]]
joint = "cam"
velocity = { file = "none.csv" }                                  #! file-open
[[body]]
name = "driver"
mass = 0
joint = { type = "revolute" }
[[body]]
name = "driven"
mass = 1
inertia = [1, 1, 1]
joint = { type = "revolute" }
[[coupling]]
joint = "driven"
driver = "driver"
ratio = "2 m"                                                     #! quantity-dimension
[run]
duration = "1 m"                                                  #! quantity-dimension
)toml",
    // Frames, sensors and what formulas make of them.
    R"toml(
[[body]]
name = "a"
mass = 1
inertia = [1, 1, 1]
[[frame]]
name = "tip"
body = "b"                                                        #! scene-name
[[frame]]
name = "top"
body = "a"
at = [0, 0]                                                       #! scene-count
[[force]]
on = "tip"
[[force]]
on = "top"
[[sensor]]
name = "pose"
type = "frame-pose"
place = "nowhere"                                                 #! scene-name
[[sensor]]
name = "turn"
type = "frame-twst"                                               #! scene-word
place = "a"
[[sensor]]
name = "one"
type = "expression"
expression = "pose.z + turn.wx"
[[sensor]]
name = "two"
type = "expression"
expression = "one + three + pose.z"
[[sensor]]
name = "four"
type = "expression"
expression = "pose.z + pose.w"                                    #! expression-unknown-name
)toml",
    // What is wrong with the whole.
    R"toml(
[world]
gravity = [0, 0, -9.81]
[[body]]
name = "x"                                                        #! cycle
mass = 1
joint = { type = "fixed", parent = "y" }
[[body]]
name = "y"
mass = 1
joint = { type = "fixed", parent = "x" }
[[force]]
on = "x"
[[body]]
name = "p"
mass = 1
joint = { type = "prismatic", restitution = 1.5 }                 #! restitution-range
[[body]]
name = "m"
mass = 0
joint = { type = "prismatic" }                                    #! joint-without-inertia
[[coupling]]                                                      #! coupling-dofs
joint = "p"
driver = "o"
[[body]]
name = "o"
mass = 1
initial = { q = [0, 0, 0, 1, 1, 0, 0] }                           #! initial-quaternion
[[motor]]
joint = "p"
position = "step(t - 0.5)"                                        #! drive-jump
[[sensor]]
name = "t"                                                        #! sensor-name
type = "imu"
place = "p"
[[sensor]]
name = "mm"                                                       #! sensor-name
type = "expression"
expression = "1"
[run]
momentum_state = true
)toml",
    R"toml(
[[body]]
name = "base"
mass = 1
joint = { type = "fixed" }
[[body]]
name = "p"
mass = 1
joint = { type = "prismatic", axis = [0, 0, 0] }                  #! axis-zero
[[spring]]
from = "p"
to = "p"                                                          #! ends-together
[[force]]
on = "world"                                                      #! place-world
[[motor]]
joint = "p"
effort = 1                                                        #! rotor-inertia
rotor_inertia = 1e300
gear = 1e30
[[controller]]
joint = "p"                                                       #! sampling-period
kp = 1
delay = "1 ms"
[[sensor]]
name = "base"                                                     #! sensor-joint-fixed
type = "joint-position"
joint = "base"
[[sensor]]
name = "a"
type = "expression"
expression = "2 * base"
[[sensor]]
name = "b"
type = "expression"
expression = "2 * bass"                                           #! expression-unknown-name
)toml",
    // Repetitions say it once, names given twice too.
    R"toml(
[[body]]
repeat = 9
name = "l{i}"
mass = "{i} kg"
joint = { type = "revolute", parent = "l{i-1}", axis = [0, 0, 0] }  #! axis-zero
initial = { q = [1, 2] }                                          #! scene-count
[[body]]
name = "l3"                                                       #! scene-name-twice
mass = -1                                                         #! scene-range
[[spring]]
repeat = 9
joint = "l{i+1}"                                                  #! scene-name
stiffness = 1
[[event]]
repeat = 3
name = "e{i}"
zero_of = "q.l{i} + q.m{i}"                                       #! expression-unknown-name
)toml",
    R"toml(
[[body]]
name = "a"
mass = 1
joint = { type = "prismatic", name = "slide" }
[[body]]
name = "b"
mass = 0
joint = { type = "revolute", name = "slide", lower = 1 }          #! scene-name-twice
[[body]]
name = "c"
mass = 1
joint = { type = "prismatic", name = 5 }                          #! scene-type
[[motor]]
joint = "lift"
effort = 1
[[motor]]
joint = "slide"
effort = "2 N m"                                                  #! quantity-dimension
)toml",
    // Of what could not be read at all nobody is told that it is missing.
    R"toml(
include = ["none.toml"]                                           #! file-open
[[body]]
name = "hand"
material = "unobtainium"
shape = { sphere = { radius = "1 kg" } }                          #! quantity-dimension
joint = { type = "fixed", parent = "arm" }
[[motor]]
joint = "arm"
effort = 1
[[event]]
name = "e"
zero_of = "q.arm"
[[event]]
name = "f"
zero_of = "q.arm )"                                               #! expression-unopened
)toml",
    R"toml(
[[body]]
repeat = "3"                                                      #! scene-type
name = "l{i}"
mass = 1
joint = { type = "revolute", parent = "l{i-1}" }
[[motor]]
joint = "l3"
effort = 1
[[drag]]
on = "l2"
linear = "1 N"                                                    #! quantity-dimension
)toml",
};

TEST_CASE("every problem of a file is told at once, and nothing more") {
  for (const std::string text : kFiles) {
    CAPTURE(text);
    const Found found = found_in(text), expected = expected_in(text);
    CHECK_MESSAGE(found == expected, "found:\n", joined(found), "expected:\n", joined(expected));
  }
}

TEST_CASE("a scene without a body is refused, one whose bodies cannot be read is not told so") {
  CHECK(found_in("") == Found{"0 scene-bodies"});
  CHECK(found_in("[run]\nduration = \"1 m\"\n") == Found{"0 scene-bodies", "2 quantity-dimension"});
  CHECK(found_in("[body]\nname = \"a\"\n") == Found{"1 scene-type"});
}

TEST_CASE("a scene that is right is the one that read_scene and compile make") {
  const std::string text = "[[body]]\nname = \"a\"\nmass = 1\nshape = { mesh = { file = \"t.stl\" } }\n";
  MemoryFiles files(std::map<std::string, std::string>{{"t.stl", tetrahedron_stl()}});
  const Result<Scene> scene = compile_scene_text(text, "s.toml", files);
  REQUIRE(scene.ok());
  CHECK(scene->spec().model.bodies[0].inertia.mass == 1.0);
  CHECK(scene->spec().shapes.size() == 1);
  // A warning is none of an error: the body stays what it is.
  MemoryFiles open(std::map<std::string, std::string>{{"t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"}});
  const Result<Scene> seen = compile_scene_text(
      "[[body]]\nname = \"a\"\nmass = 3\ninertia = [1, 1, 1]\nshape = { mesh = { file = \"t.obj\" } }\n", "s.toml",
      open);
  REQUIRE(seen.ok());
  CHECK(!seen.diagnostics().empty());
  CHECK(seen->spec().model.bodies[0].inertia.mass == 3.0);
}

// ---- faults put into scenes that are right

/// What is put in place of something in a line.
struct Fault {
  const char* from;
  const char* to;
};

/// Each of them is one problem, whatever else the scene holds.
constexpr Fault kFaults[] = {
    {"mass = \"", "mass = \"x"},
    {"radius = \"", "radius = \"-"},
    {"axis = [0, 0, 1]", "axis = [0, 0, 0]"},
    {"axis = [0, 1, 0]", "axis = [0, 0, \"1 m\"]"},
    {"type = \"revolute\"", "type = \"revolut\""},
    {"damping = \"", "damping = \"-"},
    {"lower = \"", "lower = \"about "},
    {"at = [0, 0, ", "at = [0, "},
    {"material = \"", "material = \"un"},
    {"color = \"#", "color = \"#x"},
    {"inertia = [0, 0, 0]", "inertia = [0, 0, 1]"},
    {"q = \"", "q = \"q"},
    {"restitution = 0.", "restitution = 7."},
    {"kp = \"", "kp = \"-"},
    {"target = \"", "target = \"1 + * "},
    {"effort = \"", "effort = \"nothing + "},
    {"stiffness = \"", "stifness = \""},
    {"expression = \"", "expression = \"nothing + "},
    {"zero_of = \"", "zero_of = \"2 * "},
    {"zero_of = \"", "zero_of = \"nothing * "},
    {"place = \"", "place = \"no"},
    {"joint = \"", "joint = \"no"},
    {"duration = \"", "duration = \"-"},
    {"step = \"", "step = \"ten "},
    {"integrator = \"", "integrator = \"my-"},
    {"relative_tolerance = 1e-", "relative_tolerance = 1e+"},
    {"gravity = [0, ", "gravity = ["},
    {"ratio = -0.5", "ratio = 0"},
};

std::vector<std::string> good_scenes() {
  std::vector<std::filesystem::path> paths;
  for (const char* const folder : {"/scenes", "/tests/house/reference_scenes"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(PINTLE_SOURCE_DIR) + folder))
      if (entry.path().extension() == ".toml") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

/// A line with a fault in it.
struct FaultyLine {
  std::size_t line = 0, table = 0;  ///< numbers, from 0, of the line and of the first line of its table
  std::string text;
  Found found{};  ///< when it is the only one
};

/// Every fault at every place of a scene where it is a problem by itself.
std::vector<FaultyLine> faults_of(const std::vector<std::string>& lines) {
  std::vector<FaultyLine> faults;
  std::size_t table = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("[[") || lines[i].starts_with("[run") || lines[i].starts_with("[world")) table = i;
    for (const Fault& fault : kFaults) {
      const std::size_t at = lines[i].find(fault.from);
      if (at == std::string::npos || (at > 0 && lines[i][at - 1] == '_')) continue;
      FaultyLine faulty{i, table, lines[i]};
      faulty.text.replace(at, std::string(fault.from).size(), fault.to);
      std::vector<std::string> changed = lines;
      changed[i] = faulty.text;
      faulty.found = found_in(joined(changed));
      if (!faulty.found.empty()) faults.push_back(std::move(faulty));
    }
  }
  return faults;
}

TEST_CASE("the default integrator is chosen by what it would cost; one that is named is kept") {
  const auto scene_with = [](const std::string& run) {
    return "[[body]]\nname = \"mass\"\nmass = 1\ninertia = [1, 1, 1]\n"
           "joint = { type = \"prismatic\", axis = [1, 0, 0], stiffness = \"1e10 N/m\" }\n" + run;
  };
  const auto codes = [](const Result<Scene>& scene) {
    std::vector<std::string> all;
    for (const Diagnostic& problem : scene.diagnostics()) all.push_back(problem.code);
    return all;
  };
  for (const char* const run : {"", "[run]\nduration = 1\n"}) {
    const Result<Scene> chosen = compile_scene_text(scene_with(run), "s.toml");
    REQUIRE(chosen.ok());
    CHECK(chosen->run().method == Method::dormand_prince);
    CHECK(codes(chosen) == std::vector<std::string>{"run-integrator"});
    CHECK(chosen.diagnostics()[0].severity == Severity::note);
  }
  const Result<Scene> named = compile_scene_text(scene_with("[run]\nintegrator = \"rk4\"\n"), "s.toml");
  REQUIRE(named.ok());
  CHECK(named->run().method == Method::rk4);
  CHECK(codes(named) == std::vector<std::string>{"run-stiff"});
  // A scene that is written out and read again keeps the integrator it had.
  CHECK(write_scene(named->spec()).text.find("integrator = \"rk4\"") != std::string::npos);
  const Result<Scene> stepped = compile_scene_text(scene_with("[run]\nstep = \"1 ms\"\n"), "s.toml");
  REQUIRE(stepped.ok());
  CHECK(stepped->run().method == Method::rk4);
  CHECK(codes(stepped) == std::vector<std::string>{"run-unstable"});
  const Result<Scene> slow = compile_scene_text(scene_with("[run]\nduration = \"1 us\"\n"), "s.toml");
  REQUIRE(slow.ok());
  CHECK(slow->run().method == Method::rk4);
  CHECK(codes(slow).empty());
}

TEST_CASE("faults put into good scenes are each told alone, and all of them together") {
  RandomStream random(61);
  const std::vector<std::string> scenes = good_scenes();
  REQUIRE(scenes.size() > 20);
  std::size_t singles = 0, together = 0;
  for (const std::string& scene : scenes) {
    const std::vector<std::string> lines = lines_of(scene);
    CHECK(found_in(scene).empty());
    const std::vector<FaultyLine> faults = faults_of(lines);
    for (const FaultyLine& fault : faults) {
      CHECK_MESSAGE(fault.found.size() == 1, fault.text, "\n", joined(fault.found));
      // Some of what is wrong with the whole has the place of its table.
      const std::size_t line = static_cast<std::size_t>(std::stoi(fault.found[0]));
      CHECK_MESSAGE((fault.table < line && line <= fault.line + 1), fault.text, "\n", fault.found[0]);
    }
    singles += faults.size();
    for (int trial = 0; trial < 40; ++trial) {
      std::vector<std::string> changed = lines;
      std::vector<std::size_t> tables;
      std::vector<std::pair<std::size_t, std::string>> expected;
      const std::uint64_t wanted = 2 + random.below(5);
      for (int tries = 0; tries < 30 && tables.size() < wanted; ++tries) {
        const FaultyLine& fault = faults[static_cast<std::size_t>(random.below(faults.size()))];
        if (std::find(tables.begin(), tables.end(), fault.table) != tables.end()) continue;
        tables.push_back(fault.table);
        changed[fault.line] = fault.text;
        expected.emplace_back(fault.line, fault.found[0]);
      }
      std::sort(expected.begin(), expected.end());
      Found all;
      for (const auto& one : expected) all.push_back(one.second);
      together += all.size() > 1 ? 1 : 0;
      const Found found = found_in(joined(changed));
      CHECK_MESSAGE(found == all, joined(changed), "found:\n", joined(found), "expected:\n", joined(all));
    }
  }
  CHECK(singles > 300);
  CHECK(together > 500);
}

}  // namespace
}  // namespace pintle
