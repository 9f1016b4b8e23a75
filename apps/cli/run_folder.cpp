#include "run_folder.h"

#include <cmath>
#include <filesystem>

#include "exit_code.h"
#include "pintle/base/isa.h"
#include "pintle/io/report.h"
#include "pintle/io/run_plots.h"
#include "pintle/io/scene_files.h"
#include "pintle/io/sink_group.h"
#include "scene_input.h"
#include "shell_word.h"

namespace pintle::cli {
namespace {

constexpr const char* kCheckpoint = "checkpoint.pintle";
constexpr const char* kLog = "run.part";
constexpr std::size_t kMostCheckpointBytes = std::size_t{1} << 32;

[[noreturn]] void fail(const Diagnostics& problems) {
  const Diagnostic& problem = problems[0];
  const bool wrong = problem.code.starts_with("checkpoint-") || problem.code.starts_with("log-");
  throw CommandError(wrong ? ExitCode::bad_model : ExitCode::io, format(problem));
}

template <class T>
void heed_result(const Result<T>& done) {
  if (!done) fail(done.diagnostics());
}

void remove_file(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

/// What repeats a run.
std::string command_of(const RunFacts& facts) {
  std::string command = "pintle run " + shell_word(facts.scene);
  for (const std::string& setting : facts.overrides) command += " --set " + shell_word(setting);
  return command;
}

}  // namespace

std::string in_folder(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).string();
}

// ---- RunCheckpoints

RunCheckpoints::RunCheckpoints(std::string folder, RunCheckpoint run, Simulation& simulation)
    : folder_(std::move(folder)), run_(std::move(run)), simulation_(simulation), log_(in_folder(folder_, kLog)) {
  run_.bit_family = bit_family(active_isa());
  run_.recording_id = recording_id(simulation.scene());
}

std::optional<RunCheckpoint> RunCheckpoints::find(const std::string& folder) {
  const std::string file = in_folder(folder, kCheckpoint);
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::nullopt;
  const Result<std::string> bytes = read_whole_file(file, kMostCheckpointBytes);
  heed_result(bytes);
  const Result<RunCheckpoint> checkpoint = read_run_checkpoint(*bytes, Origin(file));
  heed_result(checkpoint);
  return *checkpoint;
}

void RunCheckpoints::resume(const RunCheckpoint& checkpoint) {
  heed_result(pintle::resume(simulation_, checkpoint, Origin(in_folder(folder_, kCheckpoint))));
  taken_up_ = checkpoint.log;
}

RecordReport RunCheckpoints::begin(std::span<const Column> columns, RecordSink& sink) {
  plan_next();
  if (taken_up_) {
    const RecordReport report = log_.go_on(columns, *taken_up_, sink);
    if (report.ok()) remove_temporary_files(folder_);
    return report;
  }
  // The checkpoint of an earlier run goes before its rows do: without them it would be worth nothing.
  if (const RecordReport report = log_.claim(); !report.ok()) return report;
  remove_file(in_folder(folder_, kCheckpoint));
  remove_temporary_files(folder_);
  if (const RecordReport report = log_.begin(columns); !report.ok()) return report;
  save();
  return {};
}

void RunCheckpoints::plan_next() {
  const double start = simulation_.scene().run().t0, t = simulation_.state().t;
  next_ = start + (std::floor((t - start) / run_.every) + 1.0) * run_.every;
  if (!(next_ > t)) next_ = t + run_.every;
}

void RunCheckpoints::after_step(double t) {
  if (t < next_) return;
  save();
  plan_next();
}

void RunCheckpoints::save() {
  const Result<LogMark> mark = log_.mark();
  heed_result(mark);
  run_.log = *mark;
  run_.t = simulation_.state().t;
  run_.simulation = simulation_.checkpoint();
  heed_result(write_whole_file(in_folder(folder_, kCheckpoint), run_checkpoint_bytes(run_)));
}

void RunCheckpoints::remove() {
  remove_file(in_folder(folder_, kCheckpoint));
  remove_file(in_folder(folder_, kLog));
}

// ---- RunRecorder

RunRecorder::RunRecorder(std::string folder, RunCheckpoints* checkpoints, const Simulation& simulation)
    : folder_(std::move(folder)),
      checkpoints_(checkpoints),
      simulation_(simulation),
      csv_(in_folder(folder_, "run.csv"), &group_),
      npz_(in_folder(folder_, "run.npz"), std::size_t{1} << 20, &group_),
      contacts_csv_(in_folder(folder_, "contacts.csv"), contact_names(simulation.scene().model()), &group_),
      sinks_{&outline_, &events_},
      has_contacts_(simulation.scene().run().contact_forces && !simulation.scene().contacts().pairs.empty()) {
  if (folder_.empty()) return;
  sinks_.insert(sinks_.end(), {&csv_, &npz_});
  if (!has_contacts_) return;
  sinks_.push_back(&contacts_csv_);
  npz_.expect_contacts(contact_names(simulation.scene().model()));
}

RunRecorder::~RunRecorder() = default;

RecordReport RunRecorder::heed(const RecordReport& report) {
  failed_ = failed_ || !report.ok();
  return report;
}

RecordReport RunRecorder::begin(std::span<const Column> columns) {
  leaves_out_first_ = simulation_.steps() > 0;
  for (RecordSink* const sink : sinks_)
    if (const RecordReport report = sink->begin(columns); !report.ok()) return heed(report);
  if (checkpoints_ == nullptr) return {};
  SinkGroup all(sinks_);
  if (const RecordReport report = checkpoints_->begin(columns, all); !report.ok()) return heed(report);
  sinks_.push_back(&checkpoints_->log());
  return {};
}

RecordReport RunRecorder::row(std::span<const double> numbers) {
  left_out_ = leaves_out_first_;
  leaves_out_first_ = false;
  if (left_out_) return {};
  for (RecordSink* const sink : sinks_)
    if (const RecordReport report = sink->row(numbers); !report.ok()) return heed(report);
  return {};
}

RecordReport RunRecorder::event(const EventRecord& event) {
  for (RecordSink* const sink : sinks_)
    if (const RecordReport report = sink->event(event); !report.ok()) return heed(report);
  return {};
}

RecordReport RunRecorder::impact(const ImpactRecord& impact) {
  for (RecordSink* const sink : sinks_)
    if (const RecordReport report = sink->impact(impact); !report.ok()) return heed(report);
  return {};
}

RecordReport RunRecorder::contacts(std::span<const ContactForceRecord> contacts) {
  if (left_out_) return {};
  for (RecordSink* const sink : sinks_)
    if (const RecordReport report = sink->contacts(contacts); !report.ok()) return heed(report);
  return {};
}

RecordReport RunRecorder::end() {
  if (failed_ || folder_.empty()) return {};
  // The archive is written as a whole here, most of the table already was: what may fail comes first.
  if (const RecordReport report = npz_.end(); !report.ok()) return heed(report);
  if (has_contacts_)
    if (const RecordReport report = contacts_csv_.end(); !report.ok()) return heed(report);
  return heed(csv_.end());
}

void RunRecorder::add(const std::string& name, const std::string& bytes) {
  heed_result(write_whole_file(in_folder(folder_, name), bytes, &group_));
  files_.push_back(name);
}

std::string RunRecorder::page(const std::string& json, const RunFacts& facts) const {
  const std::string told = facts.sources.empty() ? "" : about(facts.sources[0].text);
  const ReportFacts page{.run_json = json, .command = command_of(facts), .about = told};
  return report_html(simulation_.scene(), outline_, page);
}

void RunRecorder::write(Simulation& simulation, const RunReport& report, const std::string& scene, RunFacts& facts) {
  for (const Diagnostics* const problems : {&csv_.problems(), &npz_.problems(), &contacts_csv_.problems()})
    if (!problems->empty()) fail(*problems);
  if (checkpoints_ != nullptr && !checkpoints_->log().problems().empty()) fail(checkpoints_->log().problems());
  if (folder_.empty()) return;
  files_ = {"run.csv", "run.npz"};
  if (has_contacts_) files_.emplace_back("contacts.csv");
  for (const PlotFile& plot : run_plots(outline_, scene)) add(plot.name, plot.svg);
  std::vector<std::string> beside = files_;
  beside.emplace_back("report.html");
  facts.files = beside;
  const std::string json = run_json(simulation, report, facts);
  add("report.html", page(json, facts));
  add("run.json", json);
  facts.files = std::span(files_).first(files_.size() - 1);
  heed_result(group_.commit());
}

}  // namespace pintle::cli
