#include "pintle/io/recording/stored_run.h"

#include <bit>
#include <cmath>
#include <filesystem>

#include "pintle/io/sources/scene_files.h"
#include "pintle/math/number_text.h"
#include "pintle/text/json.h"

namespace pintle {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 32;
constexpr int kDeepest = 32;

std::string in_quotes(const std::string& text) {
  return "'" + text + "'";
}

/// The line and column of a byte, which the JSON parser counts from 1.
Origin place_of(const std::string& file, std::string_view text, std::size_t byte) {
  int line = 1, column = 1;
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    ++column;
    if (text[i] != '\n') continue;
    ++line;
    column = 1;
  }
  return {file, line, column};
}

/// The name of an array element: 'elbow' damper, or its index.
std::string element_name(const Json& element, std::size_t i) {
  const auto has_text = [&](const char* key) { return element.contains(key) && element[key].is_string(); };
  if (!element.is_object() || !has_text("name") || !has_text("kind")) return std::to_string(i);
  return in_quotes(element["name"].as_string()) + " " + element["kind"].as_string();
}

RunValue value_of(std::string key, const Json& json) {
  RunValue value{.key = std::move(key)};
  if (json.is_number()) {
    value.kind = RunValue::Kind::number;
    value.number = json.as_number();
    value.text = json.dump();
  } else if (json.is_null()) {
    value.text = "null";
  } else {
    value.kind = RunValue::Kind::text;
    value.text = json.is_string() ? json.as_string() : json.dump();
  }
  return value;
}

/// Appends all values within a value; false if it is nested too deeply.
bool flatten(const std::string& key, const Json& json, int depth, std::vector<RunValue>& values) {
  if (depth > kDeepest) return false;
  if (json.is_object()) {
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string& name = json.names()[i];
      if (!flatten(key.empty() ? name : key + "." + name, json[i], depth + 1, values)) return false;
    }
    return true;
  }
  if (json.is_array()) {
    std::size_t i = 0;
    for (const Json& element : json) {
      if (!flatten(key + "[" + element_name(element, i) + "]", element, depth + 1, values)) return false;
      ++i;
    }
    return true;
  }
  values.push_back(value_of(key, json));
  return true;
}

Diagnostic foreign(const std::string& file, std::string what) {
  return make_error("run-foreign", Origin(file), std::move(what), "only the results of pintle run can be compared",
                    "give a folder that was written by pintle run SCENE --out FOLDER");
}

Result<std::vector<StoredEvent>> events_of(const Json& json, const std::string& file) {
  std::vector<StoredEvent> events;
  const auto wrong = [&] {
    return make_error("run-json", Origin(file),
                      "event " + std::to_string(events.size() + 1) + " has no time, kind or name",
                      "the file was changed", "run the scene again");
  };
  if (!json.contains("events")) return events;
  for (const Json& element : json["events"]) {
    const bool whole = element.is_object() && element.contains("time") && element.contains("kind") &&
                       element.contains("name") && element["time"].is_number() && element["kind"].is_string() &&
                       element["name"].is_string();
    if (!whole) return wrong();
    StoredEvent event{
        .time = element["time"].as_number(), .kind = element["kind"].as_string(), .name = element["name"].as_string()};
    for (std::size_t i = 0; i < element.size(); ++i) {
      const std::string& name = element.names()[i];
      if (name != "time" && name != "kind" && name != "name") event.numbers.push_back(value_of(name, element[i]));
    }
    events.push_back(std::move(event));
  }
  return events;
}

/// Appends impacts as events of the kind "impact", named after the two bodies.
Result<void> add_impacts(const Json& json, const std::string& file, std::vector<StoredEvent>& events) {
  if (!json.contains("impacts")) return {};
  for (const Json& element : json["impacts"]) {
    const bool has_bodies = element.is_object() && element.contains("bodies") && element["bodies"].is_array() &&
                            element["bodies"].size() == 2 && element["bodies"][0].is_string() &&
                            element["bodies"][1].is_string();
    if (!has_bodies || !element.contains("time") || !element["time"].is_number()) {
      return make_error("run-json", Origin(file), "an impact has no time or bodies", "the file was changed",
                        "run the scene again");
    }
    const Json& bodies = element["bodies"];
    StoredEvent event{.time = element["time"].as_number(),
                      .kind = "impact",
                      .name = bodies[0].as_string() + " / " + bodies[1].as_string()};
    for (std::size_t i = 0; i < element.size(); ++i) {
      const std::string& name = element.names()[i];
      if (name != "time" && name != "bodies" && name != "certificate") flatten(name, element[i], 0, event.numbers);
    }
    events.push_back(std::move(event));
  }
  return {};
}

/// Reads run.json.
Result<void> read_values(const std::string& file, StoredRun& run) {
  const Result<std::string> text = read_whole_file(file, kMaxBytes);
  if (!text) return text.diagnostics();
  JsonMistake mistake;
  std::optional<Json> parsed = Json::parse(*text, &mistake);
  if (!parsed) {
    return make_error("run-json", mistake.byte > 0 ? place_of(file, *text, mistake.byte) : Origin(file),
                      in_quotes(file) + " is not complete JSON", mistake.reason,
                      "the file was truncated or changed: run the scene again");
  }
  Json& json = *parsed;
  if (!json.is_object() || !json.contains("format") || json["format"].as_string() != "pintle-run")
    return foreign(file, in_quotes(file) + " is JSON, but not that of a run");
  if (!json.contains("format_version") || json["format_version"].as_number() != 1.0) {
    return make_error("run-version", Origin(file), in_quotes(file) + " is of another version of the format",
                      "this program knows version 1", "compare runs with the program that wrote them");
  }
  Result<std::vector<StoredEvent>> events = events_of(json, file);
  if (!events) return events.diagnostics();
  run.events = std::move(*events);
  if (const Result<void> impacts = add_impacts(json, file, run.events); !impacts) return impacts.diagnostics();
  json.erase("events");
  json.erase("impacts");
  if (!flatten("", json, 0, run.values)) {
    return make_error("run-json", Origin(file), in_quotes(file) + " is nested too deeply", "no run writes such a file",
                      "run the scene again");
  }
  run.has_values = true;
  return {};
}

/// Reads the table.
Result<void> read_table(const std::string& file, StoredRun& run) {
  const Result<std::string> text = read_whole_file(file, kMaxBytes);
  if (!text) return text.diagnostics();
  if (!text->empty() && text->back() != '\n') {
    const int line = place_of(file, *text, text->size()).line;
    return make_error("run-cut", Origin(file, line), in_quotes(file) + " ends within a line",
                      "its last number may lack digits", "the file was truncated: run the scene again");
  }
  Result<CsvTable> table = read_csv(*text, file, CsvNumbers::any);
  if (!table) return table.diagnostics();
  const CsvTable::Column& first = table->columns.front();
  if (first.name != "t" || first.unit != "s")
    return foreign(file, in_quotes(file) + " is a table, but its first column is not 't [s]'");
  for (std::size_t row = 0; row < table->rows(); ++row) {
    const double t = table->at(row, 0);
    if (std::isfinite(t) && (row == 0 || t >= table->at(row - 1, 0))) continue;
    return make_error("run-time", Origin(file, table->lines[row], 1),
                      "the time " + number_text(t) + " s is out of order",
                      "times of a run are finite and never decrease", "the file was changed: run the scene again");
  }
  run.table = std::move(*table);
  run.has_table = true;
  return {};
}

/// Checks that the last row of the table is the end according to run.json, if the run reached its end: other runs end
/// between rows.
Result<void> check_together(const std::string& csv, const StoredRun& run) {
  const RunValue *const outcome = run.value("outcome"), *const time = run.value("time");
  const bool ended = outcome != nullptr && (outcome->text == "reached" || outcome->text == "event-stopped");
  if (!ended || time == nullptr) return {};
  const std::size_t last = run.table.rows() - 1;
  const double t = run.table.at(last, 0);
  const Origin origin(csv, run.table.lines[last], 1);
  if (t < time->number) {
    return make_error("run-cut", origin,
                      "the table ends at t = " + number_text(t) + " s, the run at t = " + time->text + " s (run.json)",
                      "rows are missing", "the file was truncated or is of another run: run the scene again");
  }
  bool same = t == time->number;
  for (std::size_t i = 0; same && i < run.table.columns.size(); ++i) {
    const std::string& name = run.table.columns[i].name;
    const std::string key = name.starts_with("q.") || name.starts_with("v.") ? "final." + name : "";
    const RunValue* const final = key.empty() ? nullptr : run.value(key);
    if (final == nullptr || final->kind != RunValue::Kind::number) continue;
    same = final->number == run.table.at(last, i);
  }
  if (same) return {};
  return make_error("run-mixed", origin, "the last row is not the final state in run.json",
                    "run.csv and run.json are of different runs", "run the scene again, into a folder of its own");
}

Result<StoredRun> read_folder(const std::string& path, StoredRun run) {
  const std::filesystem::path folder(path);
  const std::string csv = (folder / "run.csv").string(), json = (folder / "run.json").string();
  std::error_code error;
  for (const std::string& file : {csv, json}) {
    if (std::filesystem::exists(file, error)) continue;
    return make_error("run-missing", Origin(path), "there is no " + in_quotes(file),
                      "a folder of results has run.csv and run.json",
                      "give a folder that was written by pintle run SCENE --out FOLDER");
  }
  if (const Result<void> read = read_values(json, run); !read) return read.diagnostics();
  if (const Result<void> read = read_table(csv, run); !read) return read.diagnostics();
  if (const Result<void> checked = check_together(csv, run); !checked) return checked.diagnostics();
  return run;
}

}  // namespace

bool RunValue::operator==(const RunValue& other) const {
  if (kind != other.kind) return false;
  if (kind != Kind::number) return text == other.text;
  return std::bit_cast<std::uint64_t>(number) == std::bit_cast<std::uint64_t>(other.number);
}

const RunValue* StoredRun::value(std::string_view key) const {
  for (const RunValue& candidate : values)
    if (candidate.key == key) return &candidate;
  return nullptr;
}

Result<StoredRun> read_stored_run(const std::string& path) {
  StoredRun run;
  run.name = path;
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return read_folder(path, std::move(run));
  if (!std::filesystem::exists(path, error)) {
    return make_error("run-path", Origin(path), "there is no folder or file " + in_quotes(path), "",
                      "write one with pintle run SCENE --out FOLDER");
  }
  const std::string kind = std::filesystem::path(path).extension().string();
  if (kind != ".csv" && kind != ".json") {
    return make_error("run-path", Origin(path), in_quotes(path) + " is not a file that can be compared",
                      kind == ".npz" ? "run.csv beside it has the same bits" : "",
                      "give the folder of the results, its run.csv or its run.json");
  }
  const Result<void> read = kind == ".csv" ? read_table(path, run) : read_values(path, run);
  if (!read) return read.diagnostics();
  return run;
}

}  // namespace pintle
