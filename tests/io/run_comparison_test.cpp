#include "pintle/io/recording/run_comparison.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "io/sample_run.h"
#include "pintle/base/usage_error.h"
#include "pintle/files/atomic_file.h"
#include "pintle/io/recording/csv_writer.h"
#include "pintle/io/recording/events_kept.h"
#include "pintle/io/recording/run_json.h"
#include "pintle/io/recording/sink_group.h"
#include "support/scratch_folder.h"

namespace pintle {
namespace {

/// Runs a scene into a folder, as the program does.
void write_run(const std::string& folder, const SceneSpec& spec) {
  REQUIRE(make_folders(folder).ok());
  Simulation simulation(*compile(spec));
  CsvWriter csv(folder + "/run.csv");
  EventsKept events;
  RecordSink* const sinks[] = {&csv, &events};
  SinkGroup group(sinks);
  const RunReport report = simulation.run({.sink = &group});
  RunFacts facts;
  facts.events = events.events();
  REQUIRE(write_whole_file(folder + "/run.json", run_json(simulation, report, facts)).ok());
}

StoredRun run_of(const char* csv) {
  StoredRun run;
  run.table = *read_csv(csv, "run.csv", CsvNumbers::any);
  run.has_table = true;
  return run;
}

std::string code_of(const std::string& path) {
  const Result<StoredRun> run = read_stored_run(path);
  return run ? "" : run.diagnostics().at(0).code;
}

TEST_CASE("a run is the same as itself and as its repetition") {
  const ScratchFolder scratch;
  write_run(scratch / "a", sample_spec());
  write_run(scratch / "b", sample_spec());
  const StoredRun a = *read_stored_run(scratch / "a"), b = *read_stored_run(scratch / "b");
  CHECK(a.table.rows() > 1000);
  CHECK(!a.events.empty());
  const RunComparison same = compare_runs(a, b);
  CHECK(same.identical);
  CHECK(same.equal);
  CHECK(same.rows == static_cast<std::int64_t>(a.table.rows()));
  CHECK(same.columns + 1 == a.table.columns.size());
  CHECK(same.value_differences.empty());
}

TEST_CASE("a changed effort is found at the joint it acts on, from the start on") {
  const ScratchFolder scratch;
  SceneSpec spec = sample_spec();
  write_run(scratch / "a", spec);
  spec.motors[0].effort = command_expression("2 * sin(3*t) + 1e-9").value();
  write_run(scratch / "b", spec);
  const StoredRun a = *read_stored_run(scratch / "a"), b = *read_stored_run(scratch / "b");
  const RunComparison c = compare_runs(a, b);
  CHECK(!c.identical);
  CHECK(!c.equal);
  REQUIRE(c.has_first);
  CHECK(c.first.t == 0.0);
  CHECK(c.first.column == "a.shoulder");
  CHECK(column_subject(c.first.column).joint == "shoulder");
  CHECK(c.first.line_first == 2);
  bool hash = false;
  for (const ValueDifference& value : c.value_differences) hash = hash || value.first.key == "state_hash";
  CHECK(hash);
  // its motion is within 1e-6 of the other one, but not within 1e-13
  CHECK(compare_runs(a, b, {.within = true, .relative = 1e-6, .absolute = 1e-7}).equal);
  CHECK(!compare_runs(a, b, {.within = true, .relative = 1e-13}).equal);
}

TEST_CASE("the first difference is the earliest, and its distance is counted in doubles") {
  const StoredRun a = run_of("t [s],q.a [rad],q.b [rad]\n0,1,1\n1,2,1\n2,3,1\n");
  const StoredRun b = run_of("t [s],q.b [rad],q.a [rad]\n0,1,1\n1,1.0000000000000004,2\n2,5,3.5\n");
  const RunComparison c = compare_runs(a, b);
  REQUIRE(c.has_first);
  CHECK(c.first.column == "q.b");
  CHECK(c.first.t == 1.0);
  CHECK(c.first.numbers.ulps() == 2);
  CHECK(c.first.scale == 5.0);
  CHECK(c.first.with_it == 0);
  REQUIRE(c.differences.size() == 2);
  CHECK(c.differences[0].name == "q.b");
  CHECK(c.differences[0].largest_time == 2.0);
  CHECK(c.differences[0].first_time == 1.0);
  CHECK(c.differences[0].rows == 2);
  CHECK(c.differences[0].relative() == doctest::Approx(0.8));
  CHECK(c.differences[1].largest.difference() == 0.5);
}

TEST_CASE("doubles are counted through zero and among negative numbers") {
  const double tiny = std::numeric_limits<double>::denorm_min();
  CHECK(NumberPair{-tiny, 2.0 * tiny}.ulps() == 3);
  CHECK(NumberPair{-0.0, 0.0}.ulps() == 0);
  CHECK(NumberPair{-1.0, std::nextafter(-1.0, 0.0)}.ulps() == 1);
  CHECK(NumberPair{-1.0, 1.0}.ulps() == 2 * NumberPair{0.0, 1.0}.ulps());
  CHECK(NumberPair{std::nan(""), 1.0}.ulps() == 0);
}

TEST_CASE("a tolerance is measured by the largest number of the column") {
  const StoredRun a = run_of("t [s],q.a [rad]\n0,1e-3\n1,100\n"), b = run_of("t [s],q.a [rad]\n0,2e-3\n1,100\n");
  CHECK(compare_runs(a, b, {.within = true, .relative = 1.01e-5}).equal);
  CHECK(!compare_runs(a, b, {.within = true, .relative = 0.99e-5}).equal);
  CHECK(compare_runs(a, b, {.within = true, .absolute = 1.01e-3}).equal);
  CHECK(!compare_runs(a, b, {.within = true, .absolute = 0.99e-3}).equal);
  CHECK(!compare_runs(a, b, {.within = true, .relative = 1.0}).identical);
}

TEST_CASE("what is not finite is the same only as itself, and zeros have signs") {
  const char* const head = "t [s],x [m]\n0,";
  const auto equal = [&](const char* x, const char* y, bool within) {
    const StoredRun a = run_of((std::string(head) + x + "\n").c_str()),
                    b = run_of((head + std::string(y) + "\n").c_str());
    return compare_runs(a, b, {.within = within, .relative = within ? 1.0 : 0.0}).equal;
  };
  for (const bool within : {false, true}) {
    CHECK(equal("nan", "nan", within));
    CHECK(equal("inf", "inf", within));
    CHECK(!equal("inf", "-inf", within));
    CHECK(!equal("nan", "1", within));
    CHECK(!equal("1", "inf", within));
  }
  CHECK(!equal("0", "-0", false));
  CHECK(equal("0", "-0", true));
}

TEST_CASE("rows are compared where times are equal") {
  const StoredRun a = run_of("t [s],x [m]\n0,1\n1,2\n1,3\n2,4\n"),
                  b = run_of("t [s],x [m]\n0,1\n0.5,9\n1,2\n1,3\n3,4\n");
  const RunComparison c = compare_runs(a, b);
  CHECK(c.rows == 3);
  CHECK(c.rows_only_first == 1);
  CHECK(c.rows_only_second == 2);
  CHECK(c.first_unpaired_time == 0.5);
  CHECK(!c.has_first);
  CHECK(!c.equal);
  CHECK(compare_runs(a, b, {.within = true}).equal);  // what both have is the same
  const StoredRun apart = run_of("t [s],x [m]\n7,1\n");
  CHECK(!compare_runs(a, apart, {.within = true, .relative = 1.0}).equal);
  const StoredRun later = run_of("t [s],x [m]\n0,1\n1.0000000001,2\n1.0000000001,3\n2,4\n");
  CHECK(compare_runs(a, later, {.within = true, .relative = 1e-6}).rows == 4);
  CHECK(compare_runs(a, later).rows == 2);
}

TEST_CASE("columns of one run alone count only without a tolerance; residuals never within one") {
  const StoredRun a = run_of("t [s],x [m],certificate [1],y [m]\n0,1,1e-16,2\n");
  const StoredRun b = run_of("t [s],x [m],certificate [1],y [rad]\n0,1,3e-16,2\n");
  const RunComparison c = compare_runs(a, b);
  CHECK(c.columns_only_first == std::vector<std::string>{"y [m]"});
  CHECK(c.columns_only_second == std::vector<std::string>{"y [rad]"});
  CHECK(c.first.column == "certificate");
  CHECK(!c.equal);
  CHECK(compare_runs(a, b, {.within = true}).equal);
}

TEST_CASE("the first difference is one of the motion, not of a residual, where there is one") {
  const StoredRun a = run_of("t [s],x [m],certificate [1]\n0,1,1\n1,2,1\n");
  const StoredRun b = run_of("t [s],x [m],certificate [1]\n0,1,5\n1,2.5,5\n");
  const RunComparison c = compare_runs(a, b);
  CHECK(c.first.column == "x");
  CHECK(c.differences.back().name == "certificate");
}

TEST_CASE("how a run was made does not count, how it ended does; events are compared in their order") {
  const ScratchFolder scratch;
  write_run(scratch / "a", sample_spec());
  const std::string json = scratch.read("a/run.json");
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = json;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    REQUIRE(write_whole_file(scratch / "b.json", text).ok());
    return compare_runs(*read_stored_run(scratch / "a/run.json"), *read_stored_run(scratch / "b.json"));
  };
  const RunComparison made = changed("\"compiler\": \"", "\"compiler\": \"other ");
  CHECK(made.identical);
  REQUIRE(made.value_differences.size() == 1);
  CHECK(made.value_differences[0].first.key == "pintle.compiler");
  CHECK(!made.value_differences[0].counts);
  const RunComparison ended = changed("\"outcome\": \"reached\"", "\"outcome\": \"not-finite\"");
  CHECK(!ended.equal);
  CHECK(ended.value_differences[0].first.text == "reached");
  const RunComparison event = changed("\"kind\": \"limit-impact\"", "\"kind\": \"limit-hold\"");
  CHECK(!event.equal);
  CHECK(event.event_differs);
  CHECK(event.event_first == 0);
  CHECK(event.event_second == 0);
  CHECK(!changed("\"events_left_out\": 0", "\"events_left_out\": 1").equal);
  CHECK(changed("\"wall_time\": null", "\"wall_time\": 3").value_differences.empty());
  CHECK(read_stored_run(scratch / "a")->value("energy_balance.accounts['elbow' joint-limit].work") != nullptr);
}

TEST_CASE("within a tolerance events count in the time that both runs have") {
  const auto run = [](double end, std::vector<StoredEvent> events) {
    StoredRun result;
    result.has_values = true;
    RunValue time{.key = "time"};
    time.kind = RunValue::Kind::number;
    time.number = end;
    result.values.push_back(time);
    result.events = std::move(events);
    return result;
  };
  const StoredEvent early{.time = 1.0, .kind = "stick", .name = "a"}, late{.time = 3.0, .kind = "slip", .name = "a"};
  const CompareOptions close{.within = true, .relative = 1e-9, .absolute = 10.0};  // of the time that is in run.json
  CHECK(compare_runs(run(2.0, {early}), run(4.0, {early, late}), close).equal);
  CHECK(!compare_runs(run(2.0, {early}), run(4.0, {early, late})).equal);
  const RunComparison missing = compare_runs(run(4.0, {early}), run(4.0, {early, late}), close);
  CHECK(missing.event_differs);
  CHECK(missing.event_first == -1);
  CHECK(missing.event_second == 1);
  StoredEvent at_end = early;
  at_end.time = std::nextafter(1.0, 2.0);
  CHECK(compare_runs(run(1.0, {early}), run(at_end.time, {at_end}), close).equal);  // both ended by it
}

TEST_CASE("files that are torn, foreign or mixed are refused") {
  const ScratchFolder scratch;
  SceneSpec spec = sample_spec();
  write_run(scratch / "a", spec);
  const std::string csv = scratch.read("a/run.csv"), json = scratch.read("a/run.json");
  const auto put = [&](const char* name, std::string_view text) {
    REQUIRE(write_whole_file(scratch / name, text).ok());
  };
  CHECK(code_of(scratch / "a") == "");
  CHECK(code_of(scratch / "none") == "run-path");
  // a run that was stopped may end between rows
  std::string stopped = json;
  stopped.replace(stopped.find("\"reached\""), 9, "\"interrupted\"");
  stopped.replace(stopped.find("\"time\": 2.0"), 11, "\"time\": 2.5");
  put("a/run.json", stopped);
  CHECK(code_of(scratch / "a") == "");
  put("a/run.json", json);
  put("a/run.npz", "PK");
  CHECK(code_of(scratch / "a/run.npz") == "run-path");
  REQUIRE(make_folders(scratch / "half").ok());
  CHECK(code_of(scratch / "half") == "run-missing");
  put("cut.csv", csv.substr(0, csv.size() - 3));
  CHECK(code_of(scratch / "cut.csv") == "run-cut");
  put("cut.json", json.substr(0, json.size() / 2));
  CHECK(code_of(scratch / "cut.json") == "run-json");
  put("other.json", "{\"format\": \"glTF\"}");
  CHECK(code_of(scratch / "other.json") == "run-foreign");
  put("list.json", "[1, 2]");
  CHECK(code_of(scratch / "list.json") == "run-foreign");
  put("new.json", "{\"format\": \"pintle-run\", \"format_version\": 2}");
  CHECK(code_of(scratch / "new.json") == "run-version");
  put("huge.json", "{\"format\": \"pintle-run\", \"format_version\": 1, \"time\": 1e999}");
  CHECK(code_of(scratch / "huge.json") == "run-json");
  put("events.json", "{\"format\": \"pintle-run\", \"format_version\": 1, \"events\": [{}]}");
  CHECK(code_of(scratch / "events.json") == "run-json");
  put("deep.json", "{\"format\": \"pintle-run\", \"format_version\": 1, \"x\": " + std::string(100, '[') +
                       std::string(100, ']') + "}");
  CHECK(code_of(scratch / "deep.json") == "run-json");
  put("lift.csv", "time [s],lift [mm]\n0,1\n");
  CHECK(code_of(scratch / "lift.csv") == "run-foreign");
  put("back.csv", "t [s],x [m]\n0,1\n2,1\n1,1\n");
  CHECK(code_of(scratch / "back.csv") == "run-time");
  put("nan.csv", "t [s],x [m]\nnan,1\n");
  CHECK(code_of(scratch / "nan.csv") == "run-time");
  put("word.csv", "t [s],x [m]\n0,one\n");
  CHECK(code_of(scratch / "word.csv") == "csv-number");
  // rows are missing; a table of another run
  put("a/run.csv", csv.substr(0, csv.find('\n', csv.size() / 2) + 1));
  CHECK(code_of(scratch / "a") == "run-cut");
  spec.initial[0].q = {0.31};
  write_run(scratch / "b", spec);
  put("a/run.csv", scratch.read("b/run.csv"));
  CHECK(code_of(scratch / "a") == "run-mixed");
}

TEST_CASE("runs without anything of one kind, and negative tolerances, are wrong calls") {
  StoredRun table = run_of("t [s],x [m]\n0,1\n"), values;
  values.has_values = true;
  CHECK_THROWS_AS(compare_runs(table, values), UsageError);
  CHECK_THROWS_AS(compare_runs(table, table, {.within = true, .relative = -1.0}), UsageError);
}

TEST_CASE("columns of joints are told apart from others") {
  const auto subject = [](const char* name) {
    const ColumnSubject s = column_subject(name);
    return std::string(s.quantity) + "|" + s.joint + "|" + s.part;
  };
  CHECK(subject("q.elbow") == "position|elbow|");
  CHECK(subject("v.left.elbow") == "velocity|left.elbow|");
  CHECK(subject("q.wrist.qx") == "position|wrist|qx");
  CHECK(subject("a.body.wz") == "acceleration|body|wz");
  CHECK(subject("tau.slide.travel") == "effort|slide|travel");
  CHECK(subject("energy.total") == "||");
  CHECK(subject("tip.x") == "||");
}

}  // namespace
}  // namespace pintle
