// Any text is a scene or is refused, with all that is wrong at once; one that compiles starts or says why it cannot.
// The input holds all files of the scene: a line "#@ NAME" begins another one, a line "#! KEY=VALUE" is a setting from
// outside.
#include "fuzz/properties.h"
#include "io/memory_files.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/simulation/run/check_start.h"

namespace pintle::fuzz {
namespace {

struct Input {
  Texts texts{{"s.toml", ""}};
  SceneSettings settings;
};

Input split(std::string_view data) {
  Input input;
  std::string name = "s.toml";
  while (!data.empty()) {
    const std::size_t end = data.find('\n');
    const std::string_view line = data.substr(0, end);
    data.remove_prefix(end == std::string_view::npos ? data.size() : end + 1);
    if (line.starts_with("#@ ")) {
      name = line.substr(3);
      input.texts[name] = "";
    } else if (line.starts_with("#! ")) {
      input.settings.emplace_back(line.substr(3));
    } else {
      input.texts[name] += line;
      if (end != std::string_view::npos) input.texts[name] += '\n';
    }
  }
  return input;
}

/// Settings are no file: their places are looked at elsewhere (tests/io). That there is no body is nowhere.
void require_good_of_files(const Diagnostics& problems, bool ok, const Texts& texts) {
  Diagnostics of_files;
  for (const Diagnostic& problem : problems) {
    const bool without_place = problem.origin.file == "--set" || problem.code == "scene-bodies";
    if (!without_place || problem.fix.empty()) of_files.push_back(problem);
  }
  require(ok != has_errors(problems), "a failure has an error, a success has none");
  require_good(of_files, !has_errors(of_files), texts);
}

void test(std::string_view data) {
  Input input = split(data);
  MemoryFiles files(input.texts);
  SceneLimits limits;
  limits.elements = 100;  // so that time goes into reading, not into large models
  limits.files = 8;
  limits.include_depth = 4;
  const Result<Scene> scene = compile_scene_text(input.texts["s.toml"], "s.toml", files, input.settings, limits);
  require_good_of_files(scene.diagnostics(), scene.ok(), input.texts);
  if (!scene) return;
  const Diagnostics start = check_start(*scene);
  require_good_of_files(start, start.empty(), input.texts);
}

}  // namespace
}  // namespace pintle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  pintle::fuzz::test({reinterpret_cast<const char*>(data), size});
  return 0;
}
