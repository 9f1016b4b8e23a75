#include "pintle/io/recording/row_log.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "io/sample_run.h"
#include "pintle/io/recording/contact_numbers.h"
#include "pintle/io/recording/run_checkpoint.h"
#include "pintle/io/recording/sink_group.h"
#include "support/scratch_folder.h"

namespace pintle {
namespace {

/// Stops a run after a time, with its checkpoint and a mark of its log.
class StopAt : public StepHandler {
 public:
  StopAt(double t, Simulation& simulation, RowLog& log) : t_(t), simulation_(simulation), log_(log) {}
  bool after_step(std::int64_t, double t, const MotionState&) override {
    if (t < t_) return true;
    checkpoint = simulation_.checkpoint();
    mark = log_.mark().value();
    return false;
  }
  std::string checkpoint;
  LogMark mark;

 private:
  double t_;
  Simulation& simulation_;
  RowLog& log_;
};

/// All rows and events as one hash.
std::uint64_t hash_of(const MemoryRecording& recording) {
  StateHash hash;
  for (std::size_t i = 0; i < recording.rows(); ++i) hash.add(recording.row_at(i));
  for (const RecordedEvent& event : recording.events()) {
    hash.add(event.event.t);
    hash.add(static_cast<int>(event.event.kind));
    hash.add(std::string_view(event.name));
    for (const int number : {event.event.joint, event.event.dof, event.event.body}) hash.add(number);
    hash.add(std::span<const double>(event.event.values));
  }
  for (const ImpactRecord& i : recording.impacts()) {
    for (const int body : {i.body_a, i.body_b}) hash.add(body);
    for (const double number : {i.t,
                                i.point.x,
                                i.point.y,
                                i.point.z,
                                i.normal.x,
                                i.normal.y,
                                i.normal.z,
                                i.penetration,
                                i.approach,
                                i.slip,
                                i.slip_before.x,
                                i.slip_before.z,
                                i.slip_after.y,
                                i.normal_impulse,
                                i.tangential_impulse,
                                i.restitution,
                                i.energy,
                                i.scale,
                                i.certificate.momentum,
                                i.certificate.energy,
                                i.certificate.complementarity,
                                i.certificate.cone,
                                i.certificate.dissipation,
                                i.certificate.restitution})
      hash.add(number);
    hash.add(i.gains_energy ? 1 : 0);
  }
  for (std::size_t i = 0; i < recording.rows(); ++i)
    for (const ContactForceRecord& contact : recording.contacts_at(i)) {
      hash.add(i);
      hash.add(std::span<const double>(numbers_of(contact)));
    }
  return hash.value();
}

struct StoppedRun {
  std::string checkpoint;
  LogMark mark;
};

/// A log of the sample run with more behind the mark.
StoppedRun write_log(const Scene& scene, const std::string& path) {
  Simulation simulation(scene);
  RowLog log(path);
  StopAt limit(0.9, simulation, log);
  REQUIRE(simulation.run({.sink = &log, .handler = &limit}).ok());
  REQUIRE(simulation.run({.until = 1.2, .sink = nullptr}).ok());
  for (int i = 0; i < 3; ++i) REQUIRE(log.row(std::vector<double>(simulation.columns().size(), 7.0)).ok());
  REQUIRE(log.mark().ok());
  return {limit.checkpoint, limit.mark};
}

TEST_CASE("a log is taken up at a mark, with every row and event before it and none behind it") {
  const ScratchFolder folder;
  const Scene scene = compile(sample_spec()).value();
  MemoryRecording whole;
  Simulation uninterrupted(scene);
  REQUIRE(uninterrupted.run({.sink = &whole}).ok());
  REQUIRE(!whole.events().empty());
  const StoppedRun stopped = write_log(scene, folder / "run.part");

  Simulation simulation(scene);
  MemoryRecording recording;
  RowLog log(folder / "run.part");
  REQUIRE(recording.begin(simulation.columns()).ok());
  REQUIRE(log.go_on(simulation.columns(), stopped.mark, recording).ok());
  CHECK(log.mark().value() == stopped.mark);
  REQUIRE(recording.rows() > 300);
  CHECK(recording.row_at(recording.rows() - 1)[0] <= 0.9 + 1e-9);
  CHECK(static_cast<std::int64_t>(recording.rows() + recording.events().size()) == stopped.mark.records);

  // What follows is appended: the whole log is that of one run.
  for (std::size_t i = recording.rows(); i < whole.rows(); ++i) REQUIRE(log.row(whole.row_at(i)).ok());
  const LogMark last = log.mark().value();
  MemoryRecording again;
  RowLog reader(folder / "other");
  std::filesystem::copy(folder / "run.part", folder / "other");
  REQUIRE(again.begin(simulation.columns()).ok());
  REQUIRE(reader.go_on(simulation.columns(), last, again).ok());
  CHECK(again.rows() == whole.rows());
  for (std::size_t i = 0; i < whole.rows(); ++i)
    CHECK(std::vector(again.row_at(i).begin(), again.row_at(i).end()) ==
          std::vector(whole.row_at(i).begin(), whole.row_at(i).end()));
}

TEST_CASE("events, impacts, contacts and numbers that are not finite come back as they were") {
  const ScratchFolder folder;
  const std::vector<Column> columns{{"t", "s"}, {"x", "m"}};
  const double odd[] = {-0.0, std::nan("7")};
  EventRecord event;
  event.t = 0.25;
  event.kind = EventKind::limit_impact;
  event.name = "knee, left";
  event.joint = 3;
  event.dof = -1;
  event.body = 70000;
  event.values = {1.0, -2.5, 1e300};
  ImpactRecord impact;
  impact.t = 0.5;
  impact.body_a = -1;
  impact.body_b = 70001;
  impact.point = {1.0, 2.0, 3.0};
  impact.normal = {4.0, 5.0, 6.0};
  impact.penetration = 7.0;
  impact.approach = 8.0;
  impact.slip = 9.0;
  impact.slip_before = {9.1, 9.2, 9.3};
  impact.slip_after = {9.4, 9.5, 9.6};
  impact.normal_impulse = 10.0;
  impact.tangential_impulse = 11.0;
  impact.restitution = 12.0;
  impact.energy = 13.0;
  impact.scale = 14.0;
  impact.gains_energy = true;
  impact.certificate = {15.0, 16.0, 17.0, 18.0, 19.0, 20.0};
  const ContactForceRecord contact{.body_a = -1,
                                   .body_b = 70002,
                                   .shape_a = 3,
                                   .shape_b = 4,
                                   .point = {1.0, 2.0, 3.0},
                                   .normal = {4.0, 5.0, 6.0},
                                   .normal_force = 7.0,
                                   .friction = {8.0, 9.0, 10.0},
                                   .moment = {11.0, 12.0, -0.0},
                                   .slip = 13.0,
                                   .slides = true};
  const ContactForceRecord contacts[] = {contact, {}, contact};
  MemoryRecording written, read;
  LogMark mark;
  {
    RowLog log(folder / "run.part");
    RecordSink* const sinks[] = {&log, &written};
    SinkGroup both(sinks);
    REQUIRE(both.begin(columns).ok());
    REQUIRE(both.row(odd).ok());
    REQUIRE(both.event(event).ok());
    REQUIRE(both.impact(impact).ok());
    REQUIRE(both.row(odd).ok());
    REQUIRE(both.contacts(contacts).ok());
    mark = log.mark().value();
  }
  REQUIRE(read.begin(columns).ok());
  RowLog log(folder / "run.part");
  REQUIRE(log.go_on(columns, mark, read).ok());
  CHECK(read.rows() == 2);
  CHECK(read.events().size() == 1);
  CHECK(read.impacts().size() == 1);
  CHECK(read.contacts_at(0).empty());
  REQUIRE(read.contacts_at(1).size() == 3);
  CHECK(numbers_of(read.contacts_at(1)[2]) == numbers_of(contact));
  CHECK(hash_of(read) == hash_of(written));
}

TEST_CASE("a log that is not as it was at the mark is refused, whatever is wrong with it") {
  const ScratchFolder folder;
  SceneSpec spec = sample_spec();
  spec.run.rows = 40;
  const Scene scene = compile(spec).value();
  const StoppedRun stopped = write_log(scene, folder / "good");
  const std::string good = folder.read("good");
  const auto code = [&](const std::string& bytes, const LogMark& mark) {
    std::ofstream(folder / "bad", std::ios::binary) << bytes;
    MemoryRecording recording;
    const Simulation simulation(scene);
    REQUIRE(recording.begin(simulation.columns()).ok());
    RowLog log(folder / "bad");
    const bool ok = log.go_on(simulation.columns(), mark, recording).ok();
    CHECK(ok == log.problems().empty());
    if (!ok) CHECK(folder.read("bad") == bytes);  // it is left as it was
    return ok ? std::string("ok") : log.problems()[0].code;
  };
  REQUIRE(code(good, stopped.mark) == "ok");
  const std::size_t end = static_cast<std::size_t>(stopped.mark.bytes);
  REQUIRE(end < good.size());
  for (std::size_t at = 0; at < end; at += at < 200 ? 1 : 37) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    CHECK_MESSAGE(code(bad, stopped.mark) == "log-damaged", "byte " << at);
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{16}, end / 2, end - 1})
    CHECK(code(good.substr(0, size), stopped.mark) == "log-damaged");
  LogMark other = stopped.mark;
  ++other.records;
  CHECK(code(good, other) == "log-damaged");
  other = stopped.mark;
  other.bytes -= 3;
  CHECK(code(good, other) == "log-damaged");
  std::filesystem::remove(folder / "bad");
  RowLog missing(folder / "bad");
  MemoryRecording recording;
  CHECK(!missing.go_on({}, stopped.mark, recording).ok());
  CHECK(missing.problems()[0].code == "write-path");
  CHECK(!std::filesystem::exists(folder / "bad"));
}

TEST_CASE("the checkpoint of a run says all that is needed to go on, and only with the same run") {
  const Scene scene = compile(sample_spec()).value();
  Simulation simulation(scene);
  REQUIRE(simulation.run({.until = 0.5}).ok());
  RunCheckpoint saved;
  saved.scene = "arm.toml";
  saved.path = "/models/arm.toml";
  saved.settings = {"run.step=1 ms", "name=x"};
  saved.bit_family = bit_family(active_isa());
  saved.recording_id = recording_id(scene);
  saved.every = 0.1;
  saved.t = 0.5;
  saved.log = {123, 4, 0xfedcba9876543210};
  saved.simulation = simulation.checkpoint();
  const std::string bytes = run_checkpoint_bytes(saved);
  const RunCheckpoint read = read_run_checkpoint(bytes).value();
  CHECK(read.scene == saved.scene);
  CHECK(read.path == saved.path);
  CHECK(read.settings == saved.settings);
  CHECK(read.every == saved.every);
  CHECK(read.t == saved.t);
  CHECK(read.log == saved.log);
  Simulation other(scene);
  REQUIRE(resume(other, read).ok());
  CHECK(other.state_hash() == simulation.state_hash());

  const auto refusal = [&](const SceneSpec& spec, const RunCheckpoint& checkpoint) {
    const Scene changed = compile(spec).value();
    Simulation attempt(changed);
    const Result<void> resumed = resume(attempt, checkpoint);
    return resumed ? std::string("ok") : resumed.diagnostics()[0].code;
  };
  SceneSpec spec = sample_spec();
  CHECK(refusal(spec, read) == "ok");
  spec.run.step = 2e-3;
  CHECK(refusal(spec, read) == "checkpoint-scene");
  spec = sample_spec();
  spec.run.duration = 3.0;
  CHECK(refusal(spec, read) == "checkpoint-recording");
  spec = sample_spec();
  spec.run.rows = 7;
  CHECK(refusal(spec, read) == "checkpoint-recording");
  spec = sample_spec();
  SensorSpec sensor;
  sensor.name = "place";
  sensor.kind = SensorKind::frame_pose;
  sensor.place = "lower";
  spec.sensors.push_back(sensor);
  CHECK(refusal(spec, read) == "checkpoint-recording");
  RunCheckpoint foreign = read;
  foreign.bit_family = "another";
  CHECK(refusal(sample_spec(), foreign) == "checkpoint-bits");
  CHECK(read_run_checkpoint(simulation.checkpoint()).diagnostics()[0].code == "checkpoint-kind");
  CHECK(read_run_checkpoint("").diagnostics()[0].code == "checkpoint-cut");
  for (std::size_t at = 0; at < bytes.size(); at += 11) {
    std::string bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    CHECK(!read_run_checkpoint(bad).ok());
  }
}

}  // namespace
}  // namespace pintle
