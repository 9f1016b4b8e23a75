#include "pintle/run/run_checkpoints.h"

#include <cmath>
#include <filesystem>
#include <system_error>

#include "pintle/base/isa.h"
#include "pintle/files/atomic_file.h"
#include "pintle/io/sources/scene_files.h"

namespace pintle {
namespace {

constexpr const char* kCheckpoint = "checkpoint.pintle";
constexpr const char* kLog = "run.part";
constexpr std::size_t kMaxCheckpointBytes = std::size_t{1} << 32;

void remove_file(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

}  // namespace

std::string in_folder(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).string();
}

Result<std::optional<RunCheckpoint>> find_checkpoint(const std::string& folder) {
  const std::string file = in_folder(folder, kCheckpoint);
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::optional<RunCheckpoint>();
  const Result<std::string> bytes = read_whole_file(file, kMaxCheckpointBytes);
  if (!bytes) return bytes.diagnostics();
  const Result<RunCheckpoint> checkpoint = read_run_checkpoint(*bytes, Origin(file));
  if (!checkpoint) return checkpoint.diagnostics();
  return std::optional<RunCheckpoint>(*checkpoint);
}

RunCheckpoints::RunCheckpoints(std::string folder, RunCheckpoint run, Simulation& simulation)
    : folder_(std::move(folder)), run_(std::move(run)), simulation_(simulation), log_(in_folder(folder_, kLog)) {
  run_.bit_family = bit_family(active_isa());
  run_.recording_id = recording_id(simulation.scene());
}

Result<void> RunCheckpoints::resume(const RunCheckpoint& checkpoint) {
  Result<void> resumed = pintle::resume(simulation_, checkpoint, Origin(in_folder(folder_, kCheckpoint)));
  if (resumed) taken_up_ = checkpoint.log;
  return resumed;
}

RecordReport RunCheckpoints::begin(std::span<const Column> columns, RecordSink& sink) {
  plan_next();
  if (taken_up_) {
    const RecordReport report = log_.go_on(columns, *taken_up_, sink);
    if (report.ok()) remove_temporary_files(folder_);
    return report;
  }
  // The checkpoint of an earlier run is removed before its rows: without them it would be useless.
  if (const RecordReport report = log_.claim(); !report.ok()) return report;
  remove_file(in_folder(folder_, kCheckpoint));
  remove_temporary_files(folder_);
  if (const RecordReport report = log_.begin(columns); !report.ok()) return report;
  save();
  return error_.report();
}

void RunCheckpoints::plan_next() {
  const double start = simulation_.scene().run().t0, t = simulation_.state().t;
  next_ = start + (std::floor((t - start) / run_.every) + 1.0) * run_.every;
  if (!(next_ > t)) next_ = t + run_.every;
}

bool RunCheckpoints::after_step(double t) {
  if (t < next_) return true;
  const bool saved = save();
  plan_next();
  return saved;
}

bool RunCheckpoints::save() {
  const Result<LogMark> mark = log_.mark();
  if (!mark) return error_.report(Result<void>(mark.diagnostics())).ok();
  run_.log = *mark;
  run_.t = simulation_.state().t;
  run_.simulation = simulation_.checkpoint();
  return error_.report(write_whole_file(in_folder(folder_, kCheckpoint), run_checkpoint_bytes(run_))).ok();
}

void RunCheckpoints::remove() {
  remove_file(in_folder(folder_, kCheckpoint));
  remove_file(in_folder(folder_, kLog));
}

}  // namespace pintle
