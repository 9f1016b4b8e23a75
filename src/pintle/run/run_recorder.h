// RunRecorder: receives the recording of a run and writes the folder of its results.
#pragma once

#include <string>
#include <vector>

#include "pintle/files/atomic_file.h"
#include "pintle/io/recording/contact_csv_writer.h"
#include "pintle/io/recording/csv_writer.h"
#include "pintle/io/recording/events_kept.h"
#include "pintle/io/recording/npz_writer.h"
#include "pintle/io/recording/recording_outline.h"
#include "pintle/io/recording/run_json.h"
#include "pintle/io/recording/unit_sink.h"
#include "pintle/run/run_checkpoints.h"

namespace pintle {

/// Keeps outline and events in memory, tables and log in the folder. If one of the files cannot be written, none of
/// them appears.
class RunRecorder : public RecordSink {
 public:
  /// Without a folder there are no files, without checkpoints no log. Tables and plots are in the units of a system;
  /// log, report.html and run.json in SI units.
  RunRecorder(std::string folder, RunCheckpoints* checkpoints, const Simulation& simulation,
              const UnitSystem& units = {});
  ~RunRecorder() override;

  RecordReport begin(std::span<const Column> columns) override;
  RecordReport row(std::span<const double> numbers) override;
  RecordReport event(const EventRecord& event) override;
  RecordReport impact(const ImpactRecord& impact) override;
  RecordReport contacts(std::span<const ContactForceRecord> contacts) override;
  RecordReport end() override;

  const RecordingOutline& outline() const { return outline_; }
  const UnitSystem& units() const { return units_; }
  const EventsKept& events() const { return events_; }
  /// Of all contacts in rows; null where none are recorded.
  const ContactSum* contact_sum() const { return has_contacts_ ? &events_.contact_sum() : nullptr; }

  /// The page of report.html; `json` is run.json of the same facts.
  std::string page(const std::string& json, const RunFacts& facts) const;

  /// Writes the plots, report.html and run.json beside the tables; then all of them appear. `facts` gets their names.
  /// If the recording failed, or one of the files cannot be written, all files stay as they were.
  Result<void> write(Simulation& simulation, const RunReport& report, RunFacts& facts);
  const std::vector<std::string>& files() const { return files_; }

 private:
  RecordReport check(const RecordReport& report);
  Result<void> add(const std::string& name, const std::string& bytes);

  std::string folder_;
  RunCheckpoints* checkpoints_;
  const Simulation& simulation_;
  RecordingOutline outline_{2048, 700000};  // within ReportLimits, so that a report need not thin rows again
  EventsKept events_;
  FileGroup group_;
  CsvWriter csv_;
  NpzWriter npz_;
  ContactCsvWriter contacts_csv_;
  UnitSystem units_;
  UnitSink shown_csv_, shown_npz_, shown_contacts_;
  std::vector<RecordSink*> sinks_;
  std::vector<std::string> files_;
  bool has_contacts_;
  bool failed_ = false;
  bool leaves_out_first_ = false;  // the first row of a resumed run is in the log already
  bool left_out_ = false;          // whether the last row was left out
};

}  // namespace pintle
