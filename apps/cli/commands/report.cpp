#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "commands/commands.h"
#include "counted.h"
#include "pintle/io/atomic_file.h"
#include "run_folder.h"
#include "run_outcome.h"

namespace pintle::cli {
namespace {

struct Words {
  std::string scene, out = "report.html";
  SceneOverrides overrides;
  bool quiet = false;
};

/// A scene or another file given as OUT by mistake is not written over.
void refuse_other_names(const Words& words) {
  std::error_code error;
  if (std::filesystem::is_directory(words.scene, error))
    throw CommandError(ExitCode::usage,
                       fmt::format("'{}' is a folder, and SCENE is a scene or a URDF file; the report of a run that "
                                   "was kept (run --out) is there already, as report.html",
                                   words.scene));
  if (std::filesystem::path(words.out).extension() != ".html")
    throw CommandError(ExitCode::usage, fmt::format("'{}' does not end in .html", words.out));
}

/// "report.html written: gripper, 5 bodies, 0.5 s by rk4 in 5 steps".
std::string written_text(const Words& words, const Scene& scene, const RunReport& report) {
  const std::string& name = scene.model().name();
  return fmt::format("{} written: {}, {}, {:g} s by {} in {}\n", words.out, name.empty() ? words.scene : name,
                     counted(scene.model().bodies().size(), "body", "bodies"), report.t - scene.run().t0,
                     facts(scene.run().method).name, counted(report.steps, "step", "steps"));
}

void report(const Words& words) {
  refuse_other_names(words);
  const ReadScene loaded = load_scene(words.scene, words.overrides);
  Simulation simulation(*loaded.scene);
  RunFacts facts = facts_before(loaded);
  RunRecorder recorder("", nullptr, simulation);
  RunWatcher watcher(simulation, nullptr, !words.quiet && is_terminal(stderr));
  const RunReport report = run_watched(simulation, recorder, watcher, facts);
  const std::string page = recorder.page(run_json(simulation, report, facts), facts);
  if (const Result<void> written = write_whole_file(words.out, page); !written)
    throw CommandError(ExitCode::io, format(written.diagnostics()[0]));
  if (!words.quiet) fmt::print("{}", written_text(words, *loaded.scene, report));
  if (const ExitCode code = code_of(report); code != ExitCode::ok) throw CommandError(code, report.text);
}

}  // namespace

void add_report_command(CLI::App& app) {
  auto words = std::make_shared<Words>();
  CLI::App* const command =
      app.add_subcommand("report", "Run a scene and write its report: one page for any browser");
  command->add_option("SCENE", words->scene, "a scene or URDF file, or the name of an embedded scene (pintle scenes)")
      ->required();
  command->add_option("OUT", words->out, "the file to write: its name ends in .html (report.html otherwise)");
  add_run_options(*command, words->overrides);
  add_robot_options(*command, words->overrides);
  command->add_flag("--quiet", words->quiet, "print nothing");
  command->footer(
      "What was written before under that name is written over. 'pintle run SCENE --out\n"
      "DIR' writes the same page with tables and plots beside it.");
  command->callback([words] { report(*words); });
}

}  // namespace pintle::cli
