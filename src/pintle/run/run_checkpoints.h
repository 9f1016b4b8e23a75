// Checkpoints of a run in a folder: all that is needed to resume after the process was killed.
#pragma once

#include <optional>
#include <string>

#include "pintle/io/recording/run_checkpoint.h"
#include "pintle/io/recording/sink_error.h"

namespace pintle {

/// "FOLDER/name".
std::string in_folder(const std::string& folder, const std::string& name);

/// The checkpoint in a folder; nothing when there is none.
Result<std::optional<RunCheckpoint>> find_checkpoint(const std::string& folder);

/// checkpoint.pintle, and run.part with the rows before it.
class RunCheckpoints {
 public:
  /// `run` identifies the run; its log and state are filled in during the run. The simulation must outlive this object.
  RunCheckpoints(std::string folder, RunCheckpoint run, Simulation& simulation);

  /// Restores the simulation to the state of a checkpoint; `begin` then continues its rows.
  Result<void> resume(const RunCheckpoint& checkpoint);

  /// Begins or continues the log of rows; those before the checkpoint go to `sink`, which has begun.
  RecordReport begin(std::span<const Column> columns, RecordSink& sink);
  RowLog& log() { return log_; }

  /// Writes a checkpoint when one is due, or at once. False when it cannot be written: `problems` says why.
  bool after_step(double t);
  bool save();
  /// Whether the run goes on from a checkpoint whose log has its first row.
  bool has_first_row() const { return taken_up_.has_value() && taken_up_->records > 0; }

  /// The errors of checkpoints and of the log.
  const Diagnostics& problems() const { return error_.problems().empty() ? log_.problems() : error_.problems(); }

  /// The run is over: removes the checkpoint, because nothing is left to resume.
  void remove();

 private:
  void plan_next();

  std::string folder_;
  RunCheckpoint run_;
  Simulation& simulation_;
  RowLog log_;
  std::optional<LogMark> taken_up_;
  double next_ = 0.0;
  SinkError error_;
};

}  // namespace pintle
