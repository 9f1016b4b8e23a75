#include "pintle/io/scene/compile_scene.h"

#include <algorithm>
#include <tuple>

#include "pintle/io/scene/scene_reader.h"
#include "pintle/io/sources/scene_files.h"
#include "pintle/simulation/run/run_outlook.h"

namespace pintle {
namespace {

/// Whether two problems say the same about several repetitions: all but numbers is equal.
bool are_alike(const Diagnostic& a, const Diagnostic& b) {
  const auto without_digits = [](std::string text) {
    std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
    return text;
  };
  return a.code == b.code && a.origin.file == b.origin.file && a.origin.line == b.origin.line &&
         a.origin.column == b.origin.column && without_digits(a.what) == without_digits(b.what);
}

/// Sorts the problems by file and line, those of other files last.
void sort_by_place(Diagnostics& problems, const std::vector<std::string>& files) {
  const auto place = [&](const Diagnostic& problem) {
    const Origin& origin = problem.origin;
    const auto file = std::find(files.begin(), files.end(), origin.file) - files.begin();
    const bool is_more = problem.severity == Severity::note;  // "more problems are not listed"
    return std::tuple(file, is_more, origin.line, origin.column);
  };
  std::stable_sort(problems.begin(), problems.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
}

/// The scene with the integrator that fits, if it names none, and warnings about its run.
Result<Scene> with_fitting_method(const Scene& scene, Diagnostics& problems) {
  if (facts(scene.run().method).estimates_error && !scene.run().fixed_step) return scene;
  const RunOutlook outlook = run_outlook(scene);
  if (!scene.run().any_method || outlook.fitting == scene.run().method) {
    const Diagnostics more = check_outlook(scene, outlook);
    problems.insert(problems.end(), more.begin(), more.end());
    return scene;
  }
  SceneSpec spec = scene.spec();
  spec.run.method = outlook.fitting;
  Result<Scene> fitting = compile(spec);
  if (!fitting) return scene;
  problems.push_back(fitting_method_note(scene, outlook));
  return fitting;
}

Result<Scene> compile_reading(SceneReading reading, const std::string& name) {
  Diagnostics problems = std::move(reading.problems);
  if (!reading.can_be_compiled) return problems;
  if (!reading.has_bodies) {
    problems.push_back(make_error("scene-bodies", Origin(name), "the scene has no body", "nothing could move in it",
                                  "add a [[body]]; 'pintle scenes pendulum-double' prints a scene to begin with"));
  }
  reading.unknowns.places = has_errors(problems);
  Result<Scene> scene = compile(reading.spec, std::move(reading.unknowns));
  for (const Diagnostic& problem : scene.diagnostics()) {
    // For robots the linter has reported all of these, at more precise places.
    const bool is_linted = problem.code == "inertia-alone";
    const auto is_reported = [&](const Diagnostic& other) {
      return are_alike(problem, other) ||
             (is_linted && other.code == problem.code && other.origin.file == problem.origin.file);
    };
    if (std::none_of(problems.begin(), problems.end(), is_reported)) problems.push_back(problem);
  }
  if (scene && !has_errors(problems)) scene = with_fitting_method(*scene, problems);
  sort_by_place(problems, reading.files);
  if (has_errors(problems)) return problems;
  return {*scene, problems};
}

}  // namespace

Result<Scene> compile_scene(const std::string& path, const SceneSettings& settings, const SceneLimits& limits,
                            LossReport* losses, const FileAccess& access) {
  const Result<std::string> text = read_whole_file(path, limits.scene_bytes);
  if (!text) return text.diagnostics();
  DiskFiles files(folder_of(path), access);
  return compile_scene_text(*text, path, files, settings, limits, losses);
}

Result<Scene> compile_scene_text(std::string_view text, const std::string& name, SceneFiles& files,
                                 const SceneSettings& settings, const SceneLimits& limits, LossReport* losses) {
  SceneReading reading = read_whole_scene(text, name, files, settings, limits);
  if (losses != nullptr) *losses = std::move(reading.losses);
  return compile_reading(std::move(reading), name);
}

Result<Model> load(const std::string& path) {
  const Result<Scene> scene = compile_scene(path);
  if (!scene) return scene.diagnostics();
  return {scene->model(), scene.diagnostics()};
}

Result<Scene> compile_scene_text(std::string_view text, const std::string& name, const SceneSettings& settings) {
  NoFiles none;
  return compile_scene_text(text, name, none, settings);
}

}  // namespace pintle
