// SceneRun: a scene run into a folder, with its tables, plots, run.json and report.html, and checkpoints to resume
// from.
//
//     SceneRun run(scene, {.folder = "out", .scene = "arm.toml"});
//     const Result<RunReport> report = run.run();
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "pintle/io/recording/run_checks.h"
#include "pintle/run/run_recorder.h"

namespace pintle {

/// What a run is, and where its results go.
struct SceneRunOptions {
  std::string folder{};                 ///< for the results; created if missing; empty: no files
  std::string scene{};                  ///< what the scene is called: a file, or the name of an embedded scene
  std::string path{};                   ///< absolute path of its file; empty if there is none
  std::vector<std::string> settings{};  ///< "run.step=1e-4": settings made besides the scene
  std::vector<SceneSource> sources{};   ///< the files it was read from, the scene itself first
  double checkpoint_every = 0.0;        ///< [s] of the run; 0: no checkpoints
  UnitSystem units{};                   ///< of tables and plots; run.json and report.html are in SI units
  SimulationParts parts{};              ///< forces and events of the caller; efforts to be set by a StepHandler
};

/// The folder appears completely or not at all: tables, plots, run.json and report.html are put in place at the end.
class SceneRun {
 public:
  SceneRun(const Scene& scene, SceneRunOptions options);
  SceneRun(const SceneRun&) = delete;
  SceneRun& operator=(const SceneRun&) = delete;

  /// Resumes from a checkpoint (find_checkpoint). Needs options with checkpoints.
  Result<void> resume(const RunCheckpoint& checkpoint);

  /// Runs to the end, or until `handler` stops it, and writes the results. A failure lists what could not be read or
  /// written; how the motion itself ended is in the report. A handler that stops the run leaves a checkpoint.
  Result<RunReport> run(StepHandler* handler = nullptr);

  /// The same for a loop of one's own: between the two calls every Simulation::step is recorded (its set_effort needs
  /// `options.parts.efforts`). `finish` writes the results. UsageError with checkpoints.
  ///
  ///     if (const Result<void> begun = run.begin(); !begun) ...
  ///     while (run.simulation().state().t < 4.0) { run.simulation().set_effort(...); run.simulation().step(); }
  ///     const Result<RunReport> report = run.finish();
  Result<void> begin();
  Result<RunReport> finish();

  Simulation& simulation() { return simulation_; }
  const RunRecorder& recorder() const { return recorder_; }
  /// The facts of the run: complete after `run` or `finish`.
  const RunFacts& facts() const { return facts_; }
  bool has_checkpoints() const { return checkpoints_.has_value(); }

  /// Whether the results so far can be trusted.
  RunChecks checks() { return run_checks(simulation_); }

  /// The texts of run.json and of report.html after `run`, also without a folder.
  std::string json(const RunReport& report) { return run_json(simulation_, report, facts_); }
  std::string page(const RunReport& report) { return recorder_.page(json(report), facts_); }

 private:
  class Handler;
  RunCheckpoint begun() const;
  Result<RunReport> write(RunReport report);

  SceneRunOptions options_;
  Simulation simulation_;
  std::optional<RunCheckpoints> checkpoints_;
  RunRecorder recorder_;
  RunFacts facts_;
  std::chrono::steady_clock::time_point begin_{};
};

}  // namespace pintle
