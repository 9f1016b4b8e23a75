#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands/commands.h"
#include "exit_code.h"
#include "pintle/text/quantity.h"
#include "pintle/text/shell_word.h"
#include "run_arguments.h"
#include "run_picture.h"
#include "run_watcher.h"

namespace pintle::cli {
namespace {

/// The folder to resume in, and its checkpoint.
struct Resumed {
  std::string folder;
  std::optional<RunCheckpoint> checkpoint;
};

Resumed find_resumed(const RunArguments& arguments) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::string folder = arguments.resume.empty() ? arguments.out : arguments.resume;
  if (folder.empty()) throw CommandError(ExitCode::usage, "--resume needs the folder of the run: --resume DIR");
  if (fs::is_regular_file(folder, error)) folder = fs::path(folder).parent_path().string();
  if (folder.empty()) folder = ".";
  if (!arguments.out.empty() && fs::weakly_canonical(arguments.out, error) != fs::weakly_canonical(folder, error))
    throw CommandError(ExitCode::usage,
                       "--out and --resume name two folders; a run resumes in its own: leave out --out");
  const Result<std::optional<RunCheckpoint>> found = find_checkpoint(folder);
  check_files(found);
  Resumed resumed{folder, *found};
  if (!resumed.checkpoint && arguments.scene.empty()) {
    throw CommandError(ExitCode::io,
                       fmt::format("there is no checkpoint.pintle in '{}'\n"
                                   "  why: --checkpoint-every writes one, and a run that reaches its end removes it\n"
                                   "  fix: give the scene too, to run it from the start",
                                   folder));
  }
  return resumed;
}

/// [s] between checkpoints; 0: none.
double checkpoint_interval(const RunArguments& arguments, const std::optional<RunCheckpoint>& checkpoint) {
  if (arguments.checkpoint_every.empty()) return checkpoint ? checkpoint->every : 0.0;
  constexpr const char* kOption = "--checkpoint-every";
  const Result<double> every =
      read_quantity_of(arguments.checkpoint_every, dimension_of("s"), "the interval", Origin(kOption, 1, 1));
  if (!every) throw CommandError(ExitCode::usage, format(every.diagnostics()[0], arguments.checkpoint_every));
  if (!(*every > 0.0) || !std::isfinite(*every))
    throw CommandError(ExitCode::usage, fmt::format("{}: '{}' is not above zero", kOption, arguments.checkpoint_every));
  return *every;
}

/// Fills missing arguments with those of the checkpointed run.
RunArguments completed(RunArguments arguments, const RunCheckpoint& checkpoint) {
  if (!arguments.scene.empty()) return arguments;
  std::error_code error;
  const bool here = std::filesystem::absolute(checkpoint.scene, error).lexically_normal() == checkpoint.path;
  arguments.scene = checkpoint.path.empty() || here ? checkpoint.scene : checkpoint.path;
  add_settings(arguments.overrides, checkpoint.settings);
  return arguments;
}

void finish(const RunReport& report, const std::string& folder, bool can_go_on) {
  const ExitCode code = code_of(report);
  if (code == ExitCode::ok) return;
  std::string text = report.text;
  if (can_go_on) text += "\nTo resume: pintle run --resume " + shell_word(folder);
  throw CommandError(code, text);
}

void run(const RunArguments& given) {
  Resumed resumed{given.out, std::nullopt};
  if (given.wants_resume) resumed = find_resumed(given);
  if (given.scene.empty() && !resumed.checkpoint) throw CommandError(ExitCode::usage, "which scene? (pintle scenes)");
  const std::string& folder = resumed.folder;
  const double every = checkpoint_interval(given, resumed.checkpoint);
  if (every > 0.0 && folder.empty()) throw CommandError(ExitCode::usage, "--checkpoint-every needs --out DIR");
  const RunArguments arguments = resumed.checkpoint ? completed(given, *resumed.checkpoint) : given;
  const ReadScene loaded = load_scene(arguments.scene, arguments.overrides);

  SceneRunOptions options = run_options(loaded);
  if (resumed.checkpoint) options.scene = resumed.checkpoint->scene;
  options.folder = folder;
  options.checkpoint_every = every;
  options.units = units_of(arguments.overrides);
  SceneRun run(*loaded.scene, options);
  if (resumed.checkpoint) check_files(run.resume(*resumed.checkpoint));
  RunWatcher watcher(run.simulation(), !arguments.quiet && !arguments.json && is_terminal(stderr));
  const Result<RunReport> ended = run.run(&watcher);
  watcher.clear();
  check_files(ended);
  const RunReport& report = *ended;
  if (arguments.json) {
    fmt::print("{}", run.json(report));
  } else if (!arguments.quiet) {
    const RunPicture picture{run.simulation(), report, run.recorder(), options.scene, folder, run.facts().wall_time};
    fmt::print("{}", picture_text(picture, Colors(stdout), terminal_width(stdout)));
  }
  if (arguments.json || arguments.quiet) report_failed_checks(run.checks());
  finish(report, folder, run.has_checkpoints() && report.outcome == RunOutcome::handler_stopped);
  if (arguments.overrides.strict) require_checks(run.checks());
}

}  // namespace

void add_run_command(CLI::App& app) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* const command = app.add_subcommand("run", "Run a scene: tables and checks; with --out also files");
  command->add_option("SCENE", arguments->scene,
                      "a scene or URDF file, or the name of an embedded scene (pintle scenes)");
  command->add_option("--out", arguments->out, "folder for report.html, run.csv, run.npz, run.json, plots");
  add_run_options(*command, arguments->overrides);
  command->add_option("--checkpoint-every", arguments->checkpoint_every,
                      "write a checkpoint to --out, such as every '0.1 s' of the run");
  CLI::Option* const resume =
      command->add_option("--resume", arguments->resume, "resume the run of that folder, or of --out")->expected(0, 1);
  add_file_options(*command, arguments->overrides);
  add_unit_option(*command, arguments->overrides);
  command->get_option("--strict")->description(
      "failed checks are an error (exit code 6), and so is any part of a URDF that is not used exactly as written");
  command->add_flag("--json", arguments->json, "print run.json instead of pictures");
  command->add_flag("--quiet", arguments->quiet, "print nothing but errors and failed checks");
  command->callback([arguments, resume] {
    arguments->wants_resume = resume->count() > 0;
    run(*arguments);
  });
}

}  // namespace pintle::cli
