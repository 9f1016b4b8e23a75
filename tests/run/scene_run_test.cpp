#include "pintle/run/scene_run.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "io/sample_run.h"
#include "pintle/base/usage_error.h"
#include "pintle/text/json.h"
#include "support/scratch_folder.h"

using namespace pintle;

namespace {

Scene sample() {
  return compile(sample_spec()).value();
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Stops a run after so many steps.
class StopsAfter : public StepHandler {
 public:
  explicit StopsAfter(std::int64_t steps) : steps_(steps) {}
  bool after_step(std::int64_t step, double, const MotionState&) override { return step < steps_; }

 private:
  std::int64_t steps_;
};

}  // namespace

TEST_CASE("SceneRun: a folder holds tables, plots, run.json and report.html, as facts say") {
  ScratchFolder scratch;
  const std::string folder = scratch / "out";
  SceneRun run(sample(), {.folder = folder, .scene = "sample.toml", .settings = {"run.step=1 ms"}});
  const Result<RunReport> report = run.run();
  REQUIRE(report);
  CHECK(report->ok());
  for (const char* const name : {"run.csv", "run.npz", "run.json", "report.html"})
    CHECK_MESSAGE(std::filesystem::exists(in_folder(folder, name)), name);
  const Json json = Json::parse(text_of(in_folder(folder, "run.json"))).value();
  CHECK(json["scene"]["name"] == "sample.toml");
  CHECK(json["scene"]["overrides"][0] == "run.step=1 ms");
  CHECK(json["outcome"] == "reached");
  for (const Json& name : json["files"]) CHECK(std::filesystem::exists(in_folder(folder, name.as_string())));
  CHECK(text_of(in_folder(folder, "report.html")).find("pintle run sample.toml --set") != std::string::npos);
}

TEST_CASE("SceneRun: a loop of one's own leaves the same rows, events and results as a run") {
  ScratchFolder scratch;
  const std::string whole = scratch / "whole", own = scratch / "own";
  const Scene scene = sample();
  const double end = scene.run().t0 + scene.run().duration;
  SceneRun run(scene, {.folder = whole, .scene = "sample"});
  REQUIRE(run.run());
  SceneRun loop(scene, {.folder = own, .scene = "sample"});
  REQUIRE(loop.begin());
  CHECK_THROWS_AS((void)loop.simulation().run(), UsageError);
  CHECK_THROWS_AS((void)loop.begin(), UsageError);
  while (loop.simulation().state().t < end) REQUIRE(loop.simulation().step().ok());
  const Result<RunReport> report = loop.finish();
  REQUIRE(report);
  CHECK(report->ok());
  CHECK(text_of(in_folder(own, "run.csv")) == text_of(in_folder(whole, "run.csv")));
  const Json a = Json::parse(text_of(in_folder(own, "run.json"))).value();
  const Json b = Json::parse(text_of(in_folder(whole, "run.json"))).value();
  CHECK(a["outcome"] == "reached");
  for (const char* const key : {"final", "events", "impacts", "energy_balance", "certificate", "checks", "files"})
    CHECK_MESSAGE(a[key] == b[key], key);
  CHECK(std::filesystem::exists(in_folder(own, "report.html")));
  CHECK_THROWS_AS((void)loop.finish(), UsageError);
}

TEST_CASE("SceneRun: a loop that ends early or late has a row at its end, and rows in between") {
  for (const double part : {0.37, 1.61}) {
    const Scene scene = sample();
    const double end = scene.run().t0 + part * scene.run().duration;
    SceneRun loop(scene, {});
    REQUIRE(loop.begin());
    while (loop.simulation().state().t < end) REQUIRE(loop.simulation().step().ok());
    const Result<RunReport> report = loop.finish();
    REQUIRE(report);
    const RecordingOutline& outline = loop.recorder().outline();
    REQUIRE(outline.rows() > 2);
    CHECK(outline.line(1).back().t == loop.simulation().state().t);
    CHECK(outline.line(1).front().t == scene.run().t0);
    CHECK(loop.page(*report).find("<html") != std::string::npos);
  }
}

TEST_CASE("SceneRun: without a folder nothing is written, and the texts are there all the same") {
  SceneRun run(sample(), {});
  const Result<RunReport> report = run.run();
  REQUIRE(report);
  CHECK(Json::parse(run.json(*report)).value()["outcome"] == "reached");
  CHECK(run.page(*report).find("<html") != std::string::npos);
}

TEST_CASE("SceneRun: a run that is stopped goes on from its checkpoint to the same bits") {
  ScratchFolder scratch;
  const std::string whole = scratch / "whole", parts = scratch / "parts";
  const Scene scene = sample();
  SceneRun uninterrupted(scene, {.folder = whole, .scene = "sample"});
  REQUIRE(uninterrupted.run());

  const SceneRunOptions options{.folder = parts, .scene = "sample", .checkpoint_every = 0.1};
  {
    SceneRun first(scene, options);
    StopsAfter handler(150);
    const Result<RunReport> report = first.run(&handler);
    REQUIRE(report);
    CHECK(report->outcome == RunOutcome::handler_stopped);
    CHECK(report->text.find("interrupted") != std::string::npos);
  }
  const Result<std::optional<RunCheckpoint>> checkpoint = find_checkpoint(parts);
  REQUIRE(checkpoint);
  REQUIRE(checkpoint->has_value());
  SceneRun second(scene, options);
  REQUIRE(second.resume(**checkpoint));
  CHECK(second.facts().resumed_at > 0.0);
  const Result<RunReport> report = second.run();
  REQUIRE(report);
  CHECK(report->ok());
  CHECK(text_of(in_folder(parts, "run.csv")) == text_of(in_folder(whole, "run.csv")));
  CHECK(second.simulation().state_hash() == uninterrupted.simulation().state_hash());
  CHECK_FALSE(find_checkpoint(parts)->has_value());  // over: nothing is left to go on with
}

namespace {

/// Stops a run when it is asked for the nth time whether to go on: after a step, or between two parts of one.
class StopsWhenAsked : public StepHandler {
 public:
  explicit StopsWhenAsked(int times) : left_(times) {}
  bool after_step(std::int64_t, double, const MotionState&) override { return left_-- > 0; }
  bool within_step(double) override {
    ++within_;
    return left_-- > 0;
  }
  int within() const { return within_; }

 private:
  int left_, within_ = 0;
};

/// All that a run leaves, without what depends on when and how it was made.
std::string results_of(const std::string& folder) {
  std::string all;
  for (const char* const name : {"run.csv", "run.npz", "run.json", "report.html"})
    all += text_of(in_folder(folder, name));
  for (const char* const key : {"\"wall_time\":", "\"resumed_at\":"})
    for (std::size_t at = all.find(key); at != std::string::npos; at = all.find(key, at + 1))
      all.erase(at, all.find_first_of(",}", at) - at);
  return all;
}

}  // namespace

TEST_CASE("SceneRun: a run may be stopped at any moment, and goes on to the same files") {
  // The elbow rebounds from its limit within the first step, and again soon after.
  SceneSpec spec = sample_spec();
  spec.initial.push_back({.joint = "elbow", .q = {0.7999}, .v = {1.0}});
  spec.run.duration = 0.12;
  const Scene scene = compile(spec).value();
  ScratchFolder scratch;
  const std::string whole = scratch / "whole";
  SceneRun uninterrupted(scene, {.folder = whole, .scene = "sample"});
  REQUIRE(uninterrupted.run());
  const std::string wanted = results_of(whole);
  int within = 0;
  for (int moment = 0; moment < 200; ++moment) {
    CAPTURE(moment);
    const std::string parts = scratch / "parts";
    const SceneRunOptions options{.folder = parts, .scene = "sample", .checkpoint_every = 1.0};
    StopsWhenAsked handler(moment);
    {
      SceneRun first(scene, options);
      const Result<RunReport> report = first.run(&handler);
      REQUIRE(report);
      within += handler.within();
      if (report->outcome != RunOutcome::handler_stopped) break;
    }
    SceneRun second(scene, options);
    REQUIRE(second.resume(find_checkpoint(parts)->value()));
    REQUIRE(second.run());
    REQUIRE(results_of(parts) == wanted);
  }
  CHECK(within > 0);
}

TEST_CASE("SceneRun: what cannot be written is a problem, and nothing appears") {
  ScratchFolder scratch;
  const std::string file = scratch / "a file";
  std::ofstream(file) << "x";
  SceneRun run(sample(), {.folder = file + "/out", .scene = "sample"});
  const Result<RunReport> report = run.run();
  REQUIRE_FALSE(report);
  CHECK_FALSE(report.diagnostics()[0].what.empty());
  CHECK(text_of(file) == "x");
}

TEST_CASE("SceneRun: wrong calls are refused") {
  CHECK_THROWS_AS(SceneRun(sample(), {.checkpoint_every = 0.1}), UsageError);
  SceneRun run(sample(), {});
  CHECK_THROWS_AS((void)run.resume(RunCheckpoint()), UsageError);
}
