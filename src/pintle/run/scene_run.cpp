#include "pintle/run/scene_run.h"

#include <chrono>

#include "pintle/base/usage_error.h"
#include "pintle/math/number_text.h"

namespace pintle {

/// Writes checkpoints in addition to what the caller's handler does.
class SceneRun::Handler : public StepHandler {
 public:
  Handler(StepHandler* of_caller, RunCheckpoints* checkpoints) : of_caller_(of_caller), checkpoints_(checkpoints) {}

  bool after_step(std::int64_t step, double t, const MotionState& state) override {
    const bool goes_on = of_caller_ == nullptr || of_caller_->after_step(step, t, state);
    if (checkpoints_ == nullptr) return goes_on;
    return (goes_on ? checkpoints_->after_step(t) : checkpoints_->save()) && goes_on;
  }
  bool within_step(double t) override {
    const bool goes_on = of_caller_ == nullptr || of_caller_->within_step(t);
    if (!goes_on && checkpoints_ != nullptr) checkpoints_->save();
    return goes_on;
  }

 private:
  StepHandler* of_caller_;
  RunCheckpoints* checkpoints_;
};

SceneRun::SceneRun(const Scene& scene, SceneRunOptions options)
    : options_(std::move(options)),
      simulation_(scene, options_.parts),
      checkpoints_(options_.checkpoint_every > 0.0
                       ? std::optional<RunCheckpoints>(std::in_place, options_.folder, begun(), simulation_)
                       : std::nullopt),
      recorder_(options_.folder, checkpoints_ ? &*checkpoints_ : nullptr, simulation_, options_.units) {
  require(!checkpoints_ || !options_.folder.empty(), "SceneRun", "options", "checkpoints need a folder");
  facts_.scene = options_.scene;
  facts_.sources = options_.sources;
  facts_.overrides = options_.settings;
  facts_.units = options_.units.text();
}

RunCheckpoint SceneRun::begun() const {
  RunCheckpoint run;
  run.scene = options_.scene;
  run.path = options_.path;
  run.settings = options_.settings;
  run.every = options_.checkpoint_every;
  return run;
}

Result<void> SceneRun::resume(const RunCheckpoint& checkpoint) {
  require(checkpoints_.has_value(), "SceneRun::resume", "options", "checkpoint_every is not set");
  const Result<void> resumed = checkpoints_->resume(checkpoint);
  if (resumed) facts_.resumed_at = simulation_.state().t;
  return resumed;
}

Result<RunReport> SceneRun::run(StepHandler* handler) {
  if (!options_.folder.empty())
    if (const Result<void> made = make_folders(options_.folder); !made) return made.diagnostics();
  begin_ = std::chrono::steady_clock::now();
  Handler with_checkpoints(handler, checkpoints_ ? &*checkpoints_ : nullptr);
  RunReport report = simulation_.run({.sink = &recorder_, .handler = &with_checkpoints});
  if (report.outcome == RunOutcome::handler_stopped) report.text = "t = " + number_text(report.t) + " s: interrupted";
  return write(std::move(report));
}

Result<void> SceneRun::begin() {
  require(!checkpoints_, "SceneRun::begin", "options", "a loop of one's own writes no checkpoints");
  if (!options_.folder.empty())
    if (const Result<void> made = make_folders(options_.folder); !made) return made.diagnostics();
  begin_ = std::chrono::steady_clock::now();
  (void)simulation_.begin_recording(recorder_);
  return {};
}

Result<RunReport> SceneRun::finish() {
  return write(simulation_.end_recording());
}

Result<RunReport> SceneRun::write(RunReport report) {
  facts_.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  facts_.events = recorder_.events().events();
  facts_.events_left_out = recorder_.events().left_out();
  facts_.impacts = recorder_.events().impacts();
  facts_.impacts_left_out = recorder_.events().impacts_left_out();
  facts_.contacts = recorder_.contact_sum();
  if (const Result<void> written = recorder_.write(simulation_, report, facts_); !written) return written.diagnostics();
  if (checkpoints_ && report.outcome != RunOutcome::handler_stopped) checkpoints_->remove();
  return report;
}

}  // namespace pintle
