#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "commands/commands.h"
#include "counted.h"
#include "pintle/files/atomic_file.h"
#include "run_picture.h"
#include "run_watcher.h"
#include "scene_input.h"

namespace pintle::cli {
namespace {

struct ReportArguments {
  std::string scene, out = "report.html";
  SceneOverrides overrides;
  bool quiet = false;
};

/// Refuses to overwrite a scene or another file given as OUT by mistake.
void refuse_other_names(const ReportArguments& arguments) {
  std::error_code error;
  if (std::filesystem::is_directory(arguments.scene, error))
    throw CommandError(ExitCode::usage, fmt::format("'{}' is a folder, and SCENE is a scene or a URDF file; a run "
                                                    "written with --out has its report already: report.html",
                                                    arguments.scene));
  if (std::filesystem::path(arguments.out).extension() != ".html")
    throw CommandError(ExitCode::usage, fmt::format("'{}' does not end in .html", arguments.out));
}

/// "report.html written: gripper, 5 bodies, 0.5 s by rk4 in 5 steps".
std::string written_text(const ReportArguments& arguments, const Scene& scene, const RunReport& report) {
  const std::string& name = scene.model().name();
  return fmt::format("{} written: {}, {}, {:g} s by {} in {}\n", arguments.out, name.empty() ? arguments.scene : name,
                     counted(scene.model().bodies().size(), "body", "bodies"), report.t - scene.run().t0,
                     facts(scene.run().method).name, counted(report.steps, "step", "steps"));
}

void report(const ReportArguments& arguments) {
  refuse_other_names(arguments);
  const ReadScene loaded = load_scene(arguments.scene, arguments.overrides);
  SceneRun run(*loaded.scene, run_options(loaded));
  RunWatcher watcher(run.simulation(), !arguments.quiet && is_terminal(stderr));
  const Result<RunReport> ended = run.run(&watcher);
  watcher.clear();
  check_files(ended);
  const RunReport& report = *ended;
  const std::string page = run.page(report);
  if (const Result<void> written = write_whole_file(arguments.out, page); !written)
    throw CommandError(ExitCode::io, format(written.diagnostics()[0]));
  if (arguments.quiet) {
    report_failed_checks(run.checks());
  } else {
    fmt::print("{}{}", written_text(arguments, *loaded.scene, report),
               checks_text(run.checks(), Colors(stdout), terminal_width(stdout)));
  }
  if (const ExitCode code = code_of(report); code != ExitCode::ok) throw CommandError(code, report.text);
  if (arguments.overrides.strict) require_checks(run.checks());
}

}  // namespace

void add_report_command(CLI::App& app) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* const command = app.add_subcommand("report", "Run a scene and write its report: one page for any browser");
  command
      ->add_option("SCENE", arguments->scene, "a scene or URDF file, or the name of an embedded scene (pintle scenes)")
      ->required();
  command->add_option("OUT", arguments->out, "the file to write: its name ends in .html (default: report.html)");
  add_run_options(*command, arguments->overrides);
  add_file_options(*command, arguments->overrides);
  command->get_option("--strict")->description(
      "failed checks are an error (exit code 6), and so is any part of a URDF that is not used exactly as written");
  command->add_flag("--quiet", arguments->quiet, "print nothing but errors and failed checks");
  command->footer(
      "An existing file of that name is overwritten. 'pintle run SCENE --out\n"
      "DIR' writes the same page with tables and plots beside it.");
  command->callback([arguments] { report(*arguments); });
}

}  // namespace pintle::cli
