#include "pintle/run/run_recorder.h"

#include "pintle/io/recording/sink_group.h"
#include "pintle/io/report/report.h"
#include "pintle/io/report/run_plots.h"
#include "pintle/text/first_comment.h"
#include "pintle/text/shell_word.h"

namespace pintle {
namespace {

/// The command that repeats a run.
std::string command_of(const RunFacts& facts) {
  std::string command = "pintle run " + shell_word(facts.scene);
  for (const std::string& setting : facts.overrides)  // "--allow=FOLDER" is an option already
    command += (setting.starts_with("--") ? " " : " --set ") + shell_word(setting);
  return command;
}

}  // namespace

RunRecorder::RunRecorder(std::string folder, RunCheckpoints* checkpoints, const Simulation& simulation,
                         const UnitSystem& units)
    : folder_(std::move(folder)),
      checkpoints_(checkpoints),
      simulation_(simulation),
      csv_(in_folder(folder_, "run.csv"), &group_),
      npz_(in_folder(folder_, "run.npz"), std::size_t{1} << 20, &group_),
      contacts_csv_(in_folder(folder_, "contacts.csv"), contact_names(simulation.scene().model()), &group_, units),
      units_(units),
      shown_csv_(units_, csv_),
      shown_npz_(units_, npz_),
      shown_contacts_(units_, contacts_csv_),
      sinks_{&outline_, &events_},
      has_contacts_(simulation.scene().run().contact_forces && !simulation.scene().contacts().pairs.empty()) {
  if (folder_.empty()) return;
  const bool si = units_.is_si();
  sinks_.push_back(si ? static_cast<RecordSink*>(&csv_) : &shown_csv_);
  sinks_.push_back(si ? static_cast<RecordSink*>(&npz_) : &shown_npz_);
  if (!has_contacts_) return;
  sinks_.push_back(si ? static_cast<RecordSink*>(&contacts_csv_) : &shown_contacts_);
  npz_.expect_contacts(contact_names(simulation.scene().model()));
}

RunRecorder::~RunRecorder() = default;

RecordReport RunRecorder::check(const RecordReport& report) {
  failed_ = failed_ || !report.ok();
  return report;
}

RecordReport RunRecorder::begin(std::span<const Column> columns) {
  leaves_out_first_ = checkpoints_ != nullptr && checkpoints_->has_first_row();
  for (RecordSink* const sink : sinks_)
    if (const RecordReport report = sink->begin(columns); !report.ok()) return check(report);
  if (checkpoints_ == nullptr) return {};
  SinkGroup all(sinks_);
  if (const RecordReport report = checkpoints_->begin(columns, all); !report.ok()) return check(report);
  sinks_.push_back(&checkpoints_->log());
  return {};
}

RecordReport RunRecorder::row(std::span<const double> numbers) {
  left_out_ = leaves_out_first_;
  leaves_out_first_ = false;
  if (left_out_) return {};
  for (RecordSink* const sink : sinks_)
    if (const RecordReport report = sink->row(numbers); !report.ok()) return check(report);
  return {};
}

RecordReport RunRecorder::event(const EventRecord& event) {
  for (RecordSink* const sink : sinks_)
    if (const RecordReport report = sink->event(event); !report.ok()) return check(report);
  return {};
}

RecordReport RunRecorder::impact(const ImpactRecord& impact) {
  for (RecordSink* const sink : sinks_)
    if (const RecordReport report = sink->impact(impact); !report.ok()) return check(report);
  return {};
}

RecordReport RunRecorder::contacts(std::span<const ContactForceRecord> contacts) {
  if (left_out_) return {};
  for (RecordSink* const sink : sinks_)
    if (const RecordReport report = sink->contacts(contacts); !report.ok()) return check(report);
  return {};
}

RecordReport RunRecorder::end() {
  if (failed_ || folder_.empty()) return {};
  // The archive is written as a whole here, most of the table already was: the more likely failure comes first.
  if (const RecordReport report = npz_.end(); !report.ok()) return check(report);
  if (has_contacts_)
    if (const RecordReport report = contacts_csv_.end(); !report.ok()) return check(report);
  return check(csv_.end());
}

std::string RunRecorder::page(const std::string& json, const RunFacts& facts) const {
  const std::string about = facts.sources.empty() ? "" : first_comment(facts.sources[0].text);
  const ReportFacts page{.run_json = json, .command = command_of(facts), .about = about};
  return report_html(simulation_.scene(), outline_, page);
}

Result<void> RunRecorder::add(const std::string& name, const std::string& bytes) {
  files_.push_back(name);
  return write_whole_file(in_folder(folder_, name), bytes, &group_);
}

Result<void> RunRecorder::write(Simulation& simulation, const RunReport& report, RunFacts& facts) {
  for (const Diagnostics* const problems : {&csv_.problems(), &npz_.problems(), &contacts_csv_.problems()})
    if (!problems->empty()) return *problems;
  if (checkpoints_ != nullptr && !checkpoints_->problems().empty()) return checkpoints_->problems();
  if (folder_.empty()) return {};
  files_ = {"run.csv", "run.npz"};
  if (has_contacts_) files_.emplace_back("contacts.csv");
  for (const PlotFile& plot : run_plots(outline_.in_units(units_), facts.scene))
    if (const Result<void> added = add(plot.name, plot.svg); !added) return added;
  std::vector<std::string> beside = files_;
  beside.emplace_back("report.html");
  facts.files = beside;
  const std::string json = run_json(simulation, report, facts);
  if (const Result<void> added = add("report.html", page(json, facts)); !added) return added;
  if (const Result<void> added = add("run.json", json); !added) return added;
  facts.files = std::span(files_).first(files_.size() - 1);
  return group_.commit();
}

}  // namespace pintle
