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
