#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands/commands.h"
#include "exit_code.h"
#include "pintle/io/quantity.h"
#include "run_folder.h"
#include "run_outcome.h"
#include "run_picture.h"
#include "run_watcher.h"
#include "run_words.h"
#include "shell_word.h"

namespace pintle::cli {
namespace {

/// The folder to go on in, and the checkpoint that is there.
struct Resumed {
  std::string folder;
  std::optional<RunCheckpoint> checkpoint;
};

Resumed find_resumed(const RunWords& words) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::string folder = words.resume.empty() ? words.out : words.resume;
  if (folder.empty()) throw CommandError(ExitCode::usage, "--resume needs the folder of the run: --resume DIR");
  if (fs::is_regular_file(folder, error)) folder = fs::path(folder).parent_path().string();
  if (folder.empty()) folder = ".";
  if (!words.out.empty() && fs::weakly_canonical(words.out, error) != fs::weakly_canonical(folder, error))
    throw CommandError(ExitCode::usage,
                       "--out and --resume name two folders; a run goes on in its own: leave out --out");
  Resumed resumed{folder, RunCheckpoints::find(folder)};
  if (!resumed.checkpoint && words.scene.empty()) {
    throw CommandError(ExitCode::io,
                       fmt::format("there is no checkpoint.pintle in '{}'\n"
                                   "  why: --checkpoint-every writes one, and a run that reaches its end removes it\n"
                                   "  fix: name the scene too, to run it from its start",
                                   folder));
  }
  return resumed;
}

/// [s] between checkpoints; 0: none.
double checkpoint_interval(const RunWords& words, const std::optional<RunCheckpoint>& checkpoint) {
  if (words.checkpoint_every.empty()) return checkpoint ? checkpoint->every : 0.0;
  constexpr const char* kOption = "--checkpoint-every";
  const Result<double> every =
      read_quantity_of(words.checkpoint_every, dimension_of("s"), "the interval", Origin(kOption, 1, 1));
  if (!every) throw CommandError(ExitCode::usage, format(every.diagnostics()[0], words.checkpoint_every));
  if (!(*every > 0.0) || !std::isfinite(*every))
    throw CommandError(ExitCode::usage, fmt::format("{}: '{}' is not above zero", kOption, words.checkpoint_every));
  return *every;
}

/// The words that the checkpointed run was begun with, where there are none.
RunWords completed(RunWords words, const RunCheckpoint& checkpoint) {
  if (!words.scene.empty()) return words;
  std::error_code error;
  const bool here = std::filesystem::absolute(checkpoint.scene, error).lexically_normal() == checkpoint.path;
  words.scene = checkpoint.path.empty() || here ? checkpoint.scene : checkpoint.path;
  words.overrides.set.insert(words.overrides.set.begin(), checkpoint.settings.begin(), checkpoint.settings.end());
  return words;
}

void finish(const RunReport& report, const std::string& folder, bool can_go_on) {
  const ExitCode code = code_of(report);
  if (code == ExitCode::ok) return;
  std::string text = report.text;
  if (can_go_on) text += "\nTo go on: pintle run --resume " + shell_word(folder);
  throw CommandError(code, text);
}

void make_folder(const std::string& folder) {
  if (folder.empty()) return;
  if (const Result<void> made = make_folders(folder); !made)
    throw CommandError(ExitCode::io, format(made.diagnostics()[0]));
}

void run(const RunWords& given) {
  Resumed resumed{given.out, std::nullopt};
  if (given.wants_resume) resumed = find_resumed(given);
  if (given.scene.empty() && !resumed.checkpoint) throw CommandError(ExitCode::usage, "which scene? (pintle scenes)");
  const std::string& folder = resumed.folder;
  const double every = checkpoint_interval(given, resumed.checkpoint);
  if (every > 0.0 && folder.empty()) throw CommandError(ExitCode::usage, "--checkpoint-every needs --out DIR");
  const RunWords words = resumed.checkpoint ? completed(given, *resumed.checkpoint) : given;
  const ReadScene loaded = load_scene(words.scene, words.overrides);

  Simulation simulation(*loaded.scene);
  RunCheckpoint begun;
  begun.scene = resumed.checkpoint ? resumed.checkpoint->scene : words.scene;
  begun.path = loaded.path;
  begun.settings = loaded.settings;
  begun.every = every;
  RunFacts facts = facts_before(loaded);
  facts.scene = begun.scene;
  std::optional<RunCheckpoints> checkpoints;
  if (every > 0.0) checkpoints.emplace(folder, begun, simulation);
  if (resumed.checkpoint) {
    checkpoints->resume(*resumed.checkpoint);
    facts.resumed_at = simulation.state().t;
  }
  make_folder(folder);

  RunCheckpoints* const saved = checkpoints ? &*checkpoints : nullptr;
  RunRecorder recorder(folder, saved, simulation);
  RunWatcher watcher(simulation, saved, !words.quiet && !words.json && is_terminal(stderr));
  const RunReport report = run_watched(simulation, recorder, watcher, facts);
  recorder.write(simulation, report, facts.scene, facts);
  const bool over = report.outcome != RunOutcome::handler_stopped;
  if (saved != nullptr && over) saved->remove();
  if (words.json) {
    fmt::print("{}", run_json(simulation, report, facts));
  } else if (!words.quiet) {
    const RunPicture picture{simulation, report, recorder, facts.scene, folder, facts.wall_time};
    fmt::print("{}", picture_text(picture, Colors(stdout), terminal_width(stdout)));
  }
  finish(report, folder, saved != nullptr && !over);
}

}  // namespace

void add_run_command(CLI::App& app) {
  auto words = std::make_shared<RunWords>();
  CLI::App* const command =
      app.add_subcommand("run", "Run a scene: a table, pictures, a ledger; with --out also files");
  command->add_option("SCENE", words->scene, "a scene or URDF file, or the name of an embedded scene (pintle scenes)");
  command->add_option("--out", words->out, "folder for report.html, run.csv, run.npz, run.json, plots");
  add_run_options(*command, words->overrides);
  command->add_option("--checkpoint-every", words->checkpoint_every,
                      "write a checkpoint to --out, such as every '0.1 s' of the run");
  CLI::Option* const resume =
      command->add_option("--resume", words->resume, "go on with the run of that folder, or of --out")->expected(0, 1);
  add_robot_options(*command, words->overrides);
  command->add_flag("--json", words->json, "print run.json instead of pictures");
  command->add_flag("--quiet", words->quiet, "print nothing");
  command->callback([words, resume] {
    words->wants_resume = resume->count() > 0;
    run(*words);
  });
}

}  // namespace pintle::cli
