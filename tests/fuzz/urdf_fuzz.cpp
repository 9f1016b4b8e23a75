// Any text is a robot or is refused, with all that is wrong at once, and every part of it has a fate; one that compiles
// starts or says why it cannot.
#include "fuzz/properties.h"
#include "io/memory_files.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/io/urdf/read_urdf.h"
#include "pintle/io/urdf/repair_inertias.h"
#include "pintle/simulation/run/check_start.h"

namespace pintle::fuzz {
namespace {

/// Parts are in the order of the file, each at a place of it.
void require_statuses(const LossReport& report, std::string_view text) {
  int line = 0, column = 0;
  long length = -1;
  for (const LossEntry& entry : report.entries) {
    require(!entry.element.empty(), "a part of a file has a name");
    require(entry.line > line || (entry.line == line && entry.column > column), "parts are in the order of the file",
            text_of(entry));
    if (entry.line != line) length = length_of_line(text, entry.line);
    line = entry.line;
    column = entry.column;
    require(column >= 1 && column <= length, "a part is within its line", text_of(entry));
  }
}

/// A file with its inertias repaired has as many, all of which can be, and is not repaired again.
void require_repaired(const std::string& text) {
  const Result<RepairedUrdf> repaired = repair_inertias(text, "r.urdf");
  if (!repaired) return;
  require(repaired->changes.empty() == (repaired->text == text), "a file without a change keeps its bytes");
  const Result<RepairedUrdf> again = repair_inertias(repaired->text, "r.urdf");
  require(again.ok() && again->inertias == repaired->inertias, "a repaired file is one");
  require(again->changes.empty() && again->text == repaired->text, "what is repaired stays");
}

void test(std::string_view data) {
  const std::string text(data);
  const Texts texts{{"r.urdf", text}};
  XmlLimits xml;
  xml.elements = 2000;  // so that time goes into reading, not into large robots
  xml.attributes = 4000;
  const UrdfReading reading = read_urdf_text(text, "r.urdf", xml);
  require_good(reading.problems, reading.ok(), texts);
  require_statuses(reading.losses, text);
  if (!is_robot_text(text) || !reading.is_xml) return;
  require_repaired(text);
  MemoryFiles files({{"m.stl", tetrahedron_stl()}, {"p/m.obj", tetrahedron_obj()}});
  SceneLimits limits;
  limits.bodies = 50;
  LossReport losses;
  const SceneSettings settings{"model.self_contact=true",
                               text.size() % 2 == 0 ? "model.base=fixed" : "model.base=free"};
  const Result<Scene> scene = compile_scene_text(text, "r.urdf", files, settings, limits, &losses);
  require_good(scene.diagnostics(), scene.ok(), texts);
  require_statuses(losses, text);
  if (!scene) return;
  const Diagnostics start = check_start(*scene);
  require_good(start, !has_errors(start), texts);
}

}  // namespace
}  // namespace pintle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  pintle::fuzz::test({reinterpret_cast<const char*>(data), size});
  return 0;
}
