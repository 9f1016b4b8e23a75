#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>

#include "commands/commands.h"
#include "exit_code.h"
#include "pintle/io/atomic_file.h"
#include "pintle/io/csv_writer.h"
#include "pintle/io/events_kept.h"
#include "pintle/io/npz_writer.h"
#include "pintle/io/recording_outline.h"
#include "pintle/io/run_json.h"
#include "pintle/io/run_plots.h"
#include "pintle/io/scene_files.h"
#include "pintle/io/sink_group.h"
#include "pintle/io/terminal.h"
#include "pintle/simulation/simulation.h"
#include "scene_input.h"

namespace pintle::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct Words {
  std::string scene, out, resume;
  SceneOverrides overrides;
  double checkpoint_every = 0.0;  // [s] of the run
  bool json = false, quiet = false;
};

constexpr std::size_t kMostCheckpointBytes = std::size_t{1} << 32;
constexpr const char* kCheckpoint = "checkpoint.pintle";

volatile std::sig_atomic_t interrupted = 0;

extern "C" void note_interrupt(int) {
  interrupted = 1;
}

int terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) return size.ws_col;
  return 80;
}

std::string in_folder(const std::string& folder, const char* name) {
  return (std::filesystem::path(folder) / name).string();
}

[[noreturn]] void fail_writing(const Diagnostics& problems) {
  throw CommandError(ExitCode::io, problems.empty() ? "the results could not be written" : format(problems[0]));
}

/// Shows how far a run is, heeds Ctrl-C, and writes checkpoints.
class Watcher : public StepHandler {
 public:
  Watcher(Simulation& simulation, const Words& words, double end)
      : simulation_(simulation),
        words_(words),
        start_(simulation.state().t),
        end_(end),
        next_checkpoint_(start_ + words.checkpoint_every),
        shows_(!words.quiet && !words.json && isatty(STDERR_FILENO) != 0) {}

  bool after_step(std::int64_t step, double t, const MotionState&) override {
    if (words_.checkpoint_every > 0.0 && t >= next_checkpoint_) {
      while (next_checkpoint_ <= t) next_checkpoint_ += words_.checkpoint_every;
      const Result<void> written = write_whole_file(in_folder(words_.out, kCheckpoint), simulation_.checkpoint());
      if (!written) fail_writing(written.diagnostics());
    }
    if (shows_ && step % 64 == 0) show(t);
    return interrupted == 0;
  }

  void clear() const {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  void show(double t) {
    const Clock::time_point now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    shown_ = true;
    const double done = end_ > start_ ? (t - start_) / (end_ - start_) : 1.0;
    const double wall = seconds(), rate = (t - start_) / wall;
    constexpr int kBar = 30;
    const int filled = static_cast<int>(done * kBar);
    std::string bar;
    for (int i = 0; i < kBar; ++i) bar += i < filled ? "█" : "░";
    fmt::print(stderr, "\r\033[K{} {:3.0f} %  t = {:.3g} s  {:.3g} x real time  {:.0f} s left", bar, 100.0 * done, t,
               rate, done > 0.0 ? wall * (1.0 - done) / done : 0.0);
    std::fflush(stderr);
  }

  Simulation& simulation_;
  const Words& words_;
  double start_, end_, next_checkpoint_;
  bool shows_, shown_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

ExitCode code_of(const RunReport& report) {
  if (interrupted != 0) return ExitCode::interrupted;
  if (report.ok()) return ExitCode::ok;
  return report.outcome == RunOutcome::recording_ended ? ExitCode::io : ExitCode::diverged;
}

void print_events(std::span<const RecordedEvent> events, std::int64_t left_out) {
  constexpr std::size_t kShown = 12;
  if (events.empty()) return;
  fmt::print("\n{} event{}\n", events.size() + static_cast<std::size_t>(left_out), events.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < events.size() && i < kShown; ++i) {
    const EventRecord& event = events[i].event;
    fmt::print("  t = {:<14.9g} {:<13} {}\n", event.t, facts(event.kind).name, events[i].name);
  }
  if (events.size() > kShown) fmt::print("  ... {} more\n", events.size() - kShown);
}

void print_run(Simulation& simulation, const RunReport& report, const RecordingOutline& outline,
               const EventsKept& events, const Words& words, double wall, std::span<const std::string> files) {
  const int width = terminal_width();
  const Model& model = simulation.scene().model();
  fmt::print("{}  {} bodies, {} freedoms, {}, {} steps in {:.3g} s\n\n",
             model.name().empty() ? words.scene : model.name(), model.bodies().size(), model.nv(),
             facts(simulation.scene().run().method).name, report.steps, wall);
  const std::vector<std::size_t> columns = main_columns(outline);
  const RecordingTable table = recording_table(outline, columns, width);
  fmt::print("{}", table.text);
  if (table.columns_left_out > 0)
    fmt::print("({} more columns do not fit; --out writes all)\n", table.columns_left_out);
  fmt::print("\n{}", sparkline_lines(outline, columns, width));
  print_events(events.events(), events.left_out());
  fmt::print("\n{}", quality_lines(run_quality(simulation), width));
  if (report.outcome != RunOutcome::reached) fmt::print("\n{}: {}\n", facts(report.outcome).name, report.text);
  if (!files.empty()) {
    fmt::print("\nwritten to {}:", words.out);
    for (const std::string& file : files) fmt::print(" {}", file);
    fmt::print("\n");
  } else {
    fmt::print("\nnext: pintle run {} --out DIR writes tables, plots and run.json\n", words.scene);
  }
}

void resume(Simulation& simulation, const std::string& file) {
  const Result<std::string> bytes = read_whole_file(file, kMostCheckpointBytes);
  if (!bytes) throw CommandError(ExitCode::io, format(bytes.diagnostics()[0]));
  const Result<void> resumed = simulation.resume(*bytes, Origin(file));
  if (!resumed) throw CommandError(ExitCode::bad_model, format(resumed.diagnostics()[0]));
}

/// Writes run.json and the plots beside the tables, which are there already.
void write_results(Simulation& simulation, const RunReport& report, RunFacts facts, const RecordingOutline& outline,
                   const Words& words, std::vector<std::string>& files) {
  for (const PlotFile& plot : run_plots(outline, words.scene)) {
    const Result<void> written = write_whole_file(in_folder(words.out, plot.name.c_str()), plot.svg);
    if (!written) fail_writing(written.diagnostics());
    files.push_back(plot.name);
  }
  facts.files = files;
  const Result<void> written = write_whole_file(in_folder(words.out, "run.json"), run_json(simulation, report, facts));
  if (!written) fail_writing(written.diagnostics());
  files.emplace_back("run.json");
}

void run(const Words& words) {
  if (words.checkpoint_every > 0.0 && words.out.empty())
    throw CommandError(ExitCode::usage, "--checkpoint-every needs --out DIR to write to");
  const ReadScene read = read_input(words.scene, words.overrides);
  Diagnostics problems = read.spec.diagnostics();
  if (!read.spec) throw CommandError(ExitCode::bad_model, "the scene is wrong\n" + problems_text(problems));
  const Result<Scene> scene = compile(*read.spec);
  problems.insert(problems.end(), scene.diagnostics().begin(), scene.diagnostics().end());
  if (!scene) throw CommandError(ExitCode::bad_model, "the scene is wrong\n" + problems_text(problems));
  if (!problems.empty()) fmt::print(stderr, "{}", problems_text(problems));

  Simulation simulation(*scene);
  RunFacts facts;
  facts.scene = words.scene;
  facts.overrides = words.overrides.set;
  if (!words.resume.empty()) {
    resume(simulation, words.resume);
    facts.resumed_at = simulation.state().t;
  }
  if (!words.out.empty()) {
    const Result<void> made = make_folders(words.out);
    if (!made) fail_writing(made.diagnostics());
  }
  RecordingOutline outline;
  EventsKept events;
  CsvWriter csv(in_folder(words.out, "run.csv"));
  NpzWriter npz(in_folder(words.out, "run.npz"));
  std::vector<RecordSink*> sinks{&outline, &events};
  if (!words.out.empty()) sinks.insert(sinks.end(), {&csv, &npz});
  SinkGroup group(sinks);

  std::signal(SIGINT, note_interrupt);
  const RunSpec& settings = scene->run();
  Watcher watcher(simulation, words, settings.t0 + settings.duration);
  const RunReport report = simulation.run({.sink = &group, .handler = &watcher});
  watcher.clear();
  facts.wall_time = watcher.seconds();
  facts.events = events.events();
  facts.events_left_out = events.left_out();
  std::vector<std::string> files;
  if (!words.out.empty()) {
    for (const Diagnostics* const failed : {&csv.problems(), &npz.problems()})
      if (!failed->empty()) fail_writing(*failed);
    files = {"run.csv", "run.npz"};
    write_results(simulation, report, facts, outline, words, files);
  }
  if (words.json) {
    fmt::print("{}\n", run_json(simulation, report, facts));
  } else if (!words.quiet) {
    print_run(simulation, report, outline, events, words, facts.wall_time, files);
  }
  const ExitCode code = code_of(report);
  if (code == ExitCode::interrupted) throw CommandError(code, "interrupted at " + report.text);
  if (code != ExitCode::ok) throw CommandError(code, report.text);
}

}  // namespace

void add_run_command(CLI::App& app) {
  auto words = std::make_shared<Words>();
  CLI::App* const command =
      app.add_subcommand("run", "Run a scene: a table, pictures, a ledger; with --out also files");
  command->add_option("SCENE", words->scene, "a scene file, or the name of an embedded scene (pintle scenes)")
      ->required();
  command->add_option("--out", words->out, "folder for run.csv, run.npz, run.json and plots");
  command->add_option("--time", words->overrides.time, "duration, such as '2 s'");
  command->add_option("--step", words->overrides.step, "step, such as '1 ms'");
  command->add_option("--integrator", words->overrides.integrator, "rk4, dormand-prince, sdirk, ...");
  command->add_option("--set", words->overrides.set, "key=value: change the scene, as in world.gravity='[0, 0, 0]'");
  command->add_option("--resume", words->resume, "go on from a checkpoint of the same scene");
  command->add_option("--checkpoint-every", words->checkpoint_every,
                      "write one to --out every so many seconds of the run");
  command->add_flag("--json", words->json, "print run.json instead of pictures");
  command->add_flag("--quiet", words->quiet, "print nothing");
  command->callback([words] { run(*words); });
}

}  // namespace pintle::cli
