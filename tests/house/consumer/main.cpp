#include <cstdio>

#include "pintle/io.h"

int main() {
  // A scene from a text: readers, compiler, integrators and writers are linked in.
  const pintle::Result<pintle::Scene> scene = pintle::compile_scene_text(
      "[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\njoint = { type = \"free\", parent = \"world\" }\n"
      "[run]\nduration = 0.1\nstep = 0.01\n",
      "ball");
  if (!scene) {
    std::printf("%s\n", pintle::format(scene.diagnostics()[0]).c_str());
    return 1;
  }
  pintle::SceneRun run(*scene, {});
  const pintle::Result<pintle::RunReport> report = run.run();
  std::printf("%s %s %s\n", pintle::kVersion, pintle::name(pintle::active_isa()), report && report->ok() ? "ran" : "failed");
  return report && report->ok() ? 0 : 1;
}
