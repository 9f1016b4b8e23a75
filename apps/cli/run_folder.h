// The folder of a run's results: its tables, plots and run.json, and what is needed to go on after a kill.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pintle/io/contact_csv_writer.h"
#include "pintle/io/csv_writer.h"
#include "pintle/io/events_kept.h"
#include "pintle/io/npz_writer.h"
#include "pintle/io/recording_outline.h"
#include "pintle/io/run_checkpoint.h"
#include "pintle/io/run_json.h"

namespace pintle::cli {

/// "DIR/name".
std::string in_folder(const std::string& folder, const std::string& name);

/// Checkpoints of a run in a folder: checkpoint.pintle, and run.part with the rows before it. Problems are thrown as
/// CommandError.
class RunCheckpoints {
 public:
  /// `run` says what the run is; its log and state are filled in as it goes on. The simulation must outlive it.
  RunCheckpoints(std::string folder, RunCheckpoint run, Simulation& simulation);

  /// The checkpoint in a folder; nothing when there is none.
  static std::optional<RunCheckpoint> find(const std::string& folder);

  /// Puts the simulation to where a checkpoint is; `begin` then takes up its rows.
  void resume(const RunCheckpoint& checkpoint);

  /// Begins or takes up the log of rows; those before the checkpoint go to `sink`, which has begun.
  RecordReport begin(std::span<const Column> columns, RecordSink& sink);
  RowLog& log() { return log_; }

  /// Writes a checkpoint when one is due, or at once.
  void after_step(double t);
  void save();

  /// The run is over: nothing is left to go on with.
  void remove();

 private:
  void plan_next();

  std::string folder_;
  RunCheckpoint run_;
  Simulation& simulation_;
  RowLog log_;
  std::optional<LogMark> taken_up_;
  double next_ = 0.0;
};

/// Takes the recording of a run: outline and events in memory, tables and log in the folder. When one of the files
/// cannot be written none of them appears.
class RunRecorder : public RecordSink {
 public:
  /// Without a folder there are no files, without checkpoints no log.
  RunRecorder(std::string folder, RunCheckpoints* checkpoints, const Simulation& simulation);
  ~RunRecorder() override;

  RecordReport begin(std::span<const Column> columns) override;
  RecordReport row(std::span<const double> numbers) override;
  RecordReport event(const EventRecord& event) override;
  RecordReport impact(const ImpactRecord& impact) override;
  RecordReport contacts(std::span<const ContactForceRecord> contacts) override;
  RecordReport end() override;

  const RecordingOutline& outline() const { return outline_; }
  const EventsKept& events() const { return events_; }
  /// Of all contacts in rows; null where none are recorded.
  const ContactSum* contact_sum() const { return has_contacts_ ? &events_.contact_sum() : nullptr; }

  /// The page of report.html; `json` is run.json of the same facts.
  std::string page(const std::string& json, const RunFacts& facts) const;

  /// Writes the plots and run.json beside the tables; then all of them appear. `facts` gets their names. Throws
  /// CommandError when the recording failed, or one of the files cannot be written; then all are as they were.
  void write(Simulation& simulation, const RunReport& report, const std::string& scene, RunFacts& facts);
  const std::vector<std::string>& files() const { return files_; }

 private:
  RecordReport heed(const RecordReport& report);
  void add(const std::string& name, const std::string& bytes);

  std::string folder_;
  RunCheckpoints* checkpoints_;
  const Simulation& simulation_;
  RecordingOutline outline_{2048, 700000};  // within ReportLimits, so that a report need not thin rows once more
  EventsKept events_;
  FileGroup group_;
  CsvWriter csv_;
  NpzWriter npz_;
  ContactCsvWriter contacts_csv_;
  std::vector<RecordSink*> sinks_;
  std::vector<std::string> files_;
  bool has_contacts_;
  bool failed_ = false;
  bool leaves_out_first_ = false;  // the first row of a run that goes on is in the log already
  bool left_out_ = false;          // the last row was
};

}  // namespace pintle::cli
