#include "diff_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "counted.h"
#include "pintle/text/json.h"
#include "pintle/text/utf8.h"

namespace pintle::cli {
namespace {

constexpr std::size_t kColumnsShown = 8, kValuesShown = 12;

std::string text_of(const RunValue* value) {
  return value == nullptr ? "?" : value->text;
}

/// "scene arm, rk4, 8000 steps to t = 4.0 s": the summary of a run from run.json.
std::string about(const StoredRun& run) {
  if (!run.has_values) return fmt::format("a table of {} rows", run.table.rows());
  const std::string made =
      fmt::format("scene {}, {}, {} steps to t = {} s", text_of(run.value("scene.name")),
                  text_of(run.value("settings.method")), text_of(run.value("steps")), text_of(run.value("time")));
  const std::string outcome = text_of(run.value("outcome"));
  return outcome == "reached" ? made : made + ", " + outcome;
}

std::string tolerance_text(const CompareOptions& options) {
  std::string text = fmt::format("{:.3g}", options.relative);
  if (options.absolute > 0.0) text += fmt::format(" and {:.3g} absolute", options.absolute);
  return text;
}

/// "q.wrist.qx [1], the position qx of joint 'wrist'"
std::string named(const FirstDifference& first) {
  const ColumnSubject subject = column_subject(first.column);
  std::string text = fmt::format("{} [{}]", first.column, first.unit);
  if (!subject.quantity.empty()) {
    text += fmt::format(", the {}{}{} of joint '{}'", subject.quantity, subject.part.empty() ? "" : " ", subject.part,
                        subject.joint);
  }
  return text;
}

std::string distance(const NumberPair& numbers, double scale) {
  if (numbers.difference() == 0.0) return "only the sign of zero";
  if (!std::isfinite(numbers.difference())) return "one of them is not finite";
  const std::uint64_t ulps = numbers.ulps();
  const std::string steps = ulps < 1000000 ? fmt::format("{}", ulps) : fmt::format("{:.3g}", static_cast<double>(ulps));
  return fmt::format("{:.3g} ({} ulp{}), {:.2g} of the column's largest number", numbers.difference(), steps,
                     ulps == 1 ? "" : "s", numbers.difference() / scale);
}

std::string first_text(const FirstDifference& first) {
  std::string text = fmt::format("\nFirst difference at t = {} s\n  {}\n", first.t, named(first));
  text += fmt::format("  A  {:<26} run.csv line {}\n", first.numbers.first, first.line_first);
  text += fmt::format("  B  {:<26} run.csv line {}\n", first.numbers.second, first.line_second);
  text += fmt::format("  difference {}\n", distance(first.numbers, first.scale));
  if (first.with_it > 0)
    text += fmt::format("  {} in this row\n", counted(first.with_it, "other column differs", "other columns differ"));
  return text;
}

std::string rows_text(const RunComparison& c, bool within) {
  std::string text =
      fmt::format("\n{} of {} compared", counted(c.rows, "row", "rows"), counted(c.columns, "column", "columns"));
  if (c.rows_only_first + c.rows_only_second == 0) {
    text += ", at the same times\n";
  } else if (c.rows == 0) {
    text += ": the runs have no time in common\n";
  } else {
    text += fmt::format(", where times are equal\n  not compared: {} of A, {} of B, from t = {} s on\n",
                        counted(c.rows_only_first, "row", "rows"), c.rows_only_second, c.first_unpaired_time);
    if (c.differences.empty() && !within) text += "  the rows that both have are the same, bit for bit\n";
  }
  for (const auto& [names, label] : {std::pair(&c.columns_only_first, "A"), std::pair(&c.columns_only_second, "B")}) {
    if (names->empty()) continue;
    text += fmt::format("  only {} has {}: ", label, counted(names->size(), "column", "columns"));
    text += shortened(names->front(), 40) + (names->size() > 1 ? ", ...\n" : "\n");
  }
  return text;
}

std::string columns_text(const ComparedRuns& runs, bool all) {
  const RunComparison& c = runs.comparison;
  if (c.differences.empty()) return "";
  const std::size_t shown = all ? c.differences.size() : std::min(kColumnsShown, c.differences.size());
  std::string text = fmt::format("\n{} differ{}\n  {:<30} {:>10} {:>9} {:>10} {:>10}\n",
                                 counted(c.differences.size(), "column", "columns"),
                                 c.differences.size() > shown ? ", largest first"
                                 : c.differences.size() == 1  ? "s"
                                                              : "",
                                 "column", "difference", "relative", "at t [s]", "since [s]");
  for (std::size_t i = 0; i < shown; ++i) {
    const ColumnDifference& d = c.differences[i];
    const std::string label = fmt::format("{} [{}]", d.name, d.unit);
    text +=
        fmt::format("  {:<30} {:>10.3g} {:>9.2g} {:>10.6g} {:>10.6g}{}\n", shortened(label, 30), d.largest.difference(),
                    d.relative(), d.largest_time, d.first_time, runs.options.within && d.counts ? " *" : "");
  }
  if (shown < c.differences.size()) text += fmt::format("  ... {} more (--all)\n", c.differences.size() - shown);
  if (runs.options.within && c.has_first) text += "  * beyond the tolerance\n";
  return text;
}

/// The first characters of a text, in one line.
std::string one_line(std::string text, std::size_t max_length) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return shortened(text, max_length);
}

/// The last characters of a text, with "…" for the omitted ones.
std::string end_of(std::string_view text, std::size_t max_length) {
  std::size_t left = count_characters(text);
  if (left <= max_length) return std::string(text);
  while (left > max_length - 1) {
    do text.remove_prefix(1);
    while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xc0) == 0x80);
    --left;
  }
  return "…" + std::string(text);
}

/// Whether the last row of the table has the same value.
bool in_table(const std::string& key) {
  return key.starts_with("final.") || key.starts_with("energy_balance.accounts[") ||
         key.starts_with("energy_balance.energy.") || key.starts_with("energy_balance.momentum.linear.end[") ||
         key.starts_with("energy_balance.momentum.angular.end[");
}

/// How the runs were made comes first, because it explains the rest.
std::string values_text(const ComparedRuns& runs, bool all) {
  std::vector<const ValueDifference*> values;
  for (const ValueDifference& value : runs.comparison.value_differences)
    if (all || !runs.comparison.tables || !in_table(value.first.key)) values.push_back(&value);
  if (values.empty()) return "";
  std::stable_partition(values.begin(), values.end(), [](const ValueDifference* value) { return !value->result; });
  const std::size_t shown = all ? values.size() : std::min(kValuesShown, values.size());
  std::string text = fmt::format("\n{:<31} {:<23} {}\n", "run.json", "A", "B");
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("  {:<29} {:<23} {}\n", end_of(values[i]->first.key, 29), one_line(values[i]->first.text, 23),
                        one_line(values[i]->second.text, 24));
  }
  if (shown < values.size()) text += fmt::format("  ... {} more (--all)\n", values.size() - shown);
  return text;
}

std::string event_text(const StoredRun& run, std::int64_t number) {
  if (number < 0) return "no such event";
  const StoredEvent& event = run.events[static_cast<std::size_t>(number)];
  std::string text = fmt::format("number {}, t = {} s, {} of '{}'", number + 1, event.time, event.kind, event.name);
  for (const RunValue& value : event.numbers) {
    const std::string part = fmt::format("{} {}", value.key, value.text);
    text += (text.size() - text.rfind('\n') + part.size() > 74 ? ",\n     " : ", ") + part;
  }
  return text;
}

std::string events_text(const ComparedRuns& runs) {
  const RunComparison& c = runs.comparison;
  if (!c.event_differs) return "";
  return fmt::format("\nFirst event that differs, of {} in A and {} in B\n  A  {}\n  B  {}\n", c.events_first,
                     c.events_second, event_text(runs.first, c.event_first), event_text(runs.second, c.event_second));
}

/// The outcome in one sentence.
std::string verdict_text(const ComparedRuns& runs) {
  const RunComparison& c = runs.comparison;
  std::string seen;
  if (c.tables) {
    seen = fmt::format("{} of {}", counted(c.rows, "row", "rows"), counted(c.columns, "column", "columns"));
  }
  if (c.values) {
    if (c.events > 0) seen += (seen.empty() ? "" : ", ") + counted(c.events, "event", "events");
    seen += (seen.empty() ? "" : ", ") + std::string("run.json");
  }
  if (c.identical) return fmt::format("identical, bit for bit: {}\n", seen);
  if (c.equal) return fmt::format("equal within {}: {}\n", tolerance_text(runs.options), seen);
  std::string text = "different";
  if (runs.options.within) text += fmt::format(" by more than {}", tolerance_text(runs.options));
  const bool unpaired = !runs.options.within && c.rows_only_first + c.rows_only_second > 0;
  if (c.tables && c.rows == 0) return text + ": no row of one has the time of a row of the other\n";
  if (c.has_first) {
    const double since = unpaired ? std::min(c.first.t, c.first_unpaired_time) : c.first.t;
    return fmt::format("{}, from t = {:.9g} s on\n", text, since);
  }
  if (unpaired || (!runs.options.within && c.columns_only_first.size() + c.columns_only_second.size() > 0))
    return text + ": not the same rows and columns were recorded\n";
  return text + (c.event_differs ? " in events\n" : " in run.json\n");
}

Json or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json pair_json(const NumberPair& numbers, double scale) {
  return {{"first", numbers.first},
          {"second", numbers.second},
          {"difference", numbers.difference()},
          {"relative", numbers.difference() == 0.0 ? 0.0 : numbers.difference() / scale},
          {"ulps", numbers.ulps()}};
}

Json first_json(const RunComparison& c) {
  if (!c.has_first) return nullptr;
  const ColumnSubject subject = column_subject(c.first.column);
  Json json{{"time", c.first.t},
            {"column", c.first.column},
            {"unit", c.first.unit},
            {"joint", or_null(subject.joint)},
            {"quantity", or_null(std::string(subject.quantity))},
            {"part", or_null(subject.part)}};
  json.update(pair_json(c.first.numbers, c.first.scale));
  json["other_columns"] = c.first.with_it;
  return json;
}

Json columns_json(const RunComparison& c) {
  Json list = Json::array();
  for (const ColumnDifference& d : c.differences) {
    Json json{
        {"column", d.name}, {"unit", d.unit}, {"rows", d.rows}, {"since", d.first_time}, {"time", d.largest_time}};
    json.update(pair_json(d.largest, d.scale));
    json["counts"] = d.counts;
    list.push_back(std::move(json));
  }
  return list;
}

Json value_json(const RunValue& value) {
  if (value.kind == RunValue::Kind::number) return value.number;
  return value.kind == RunValue::Kind::text ? Json(value.text) : Json();
}

Json event_json(const StoredRun& run, std::int64_t number) {
  if (number < 0) return nullptr;
  const StoredEvent& event = run.events[static_cast<std::size_t>(number)];
  Json json{{"number", number}, {"time", event.time}, {"kind", event.kind}, {"name", event.name}};
  for (const RunValue& value : event.numbers) json[value.key] = value_json(value);
  return json;
}

Json events_json(const ComparedRuns& runs) {
  const RunComparison& c = runs.comparison;
  Json json{{"first", c.events_first}, {"second", c.events_second}, {"compared", c.events}, {"differing", nullptr}};
  if (c.event_differs) {
    json["differing"] = {{"first", event_json(runs.first, c.event_first)},
                         {"second", event_json(runs.second, c.event_second)}};
  }
  return json;
}

}  // namespace

const char* verdict(const ComparedRuns& runs) {
  return runs.comparison.identical ? "identical" : runs.comparison.equal ? "equal" : "different";
}

std::string diff_text(const ComparedRuns& runs, bool all) {
  const RunComparison& c = runs.comparison;
  std::string text = fmt::format("A  {}\n   {}\nB  {}\n   {}\n\n", runs.first.name, about(runs.first), runs.second.name,
                                 about(runs.second));
  text += verdict_text(runs);
  if (c.has_first) text += first_text(c.first);
  if (c.tables && !c.identical) text += rows_text(c, runs.options.within) + columns_text(runs, all);
  return text + values_text(runs, all) + events_text(runs);
}

std::string diff_json(const ComparedRuns& runs) {
  const RunComparison& c = runs.comparison;
  Json json{
      {"first", runs.first.name}, {"second", runs.second.name}, {"verdict", verdict(runs)}, {"tolerance", nullptr}};
  if (runs.options.within)
    json["tolerance"] = {{"relative", runs.options.relative}, {"absolute", runs.options.absolute}};
  json["first_difference"] = first_json(c);
  json["rows"] = nullptr;
  json["columns"] = nullptr;
  if (c.tables) {
    const bool unpaired = c.rows_only_first + c.rows_only_second > 0;
    json["rows"] = {{"compared", c.rows},
                    {"only_first", c.rows_only_first},
                    {"only_second", c.rows_only_second},
                    {"first_unpaired_time", unpaired ? Json(c.first_unpaired_time) : Json()}};
    json["columns"] = {{"compared", c.columns},
                       {"only_first", c.columns_only_first},
                       {"only_second", c.columns_only_second},
                       {"differing", columns_json(c)}};
  }
  json["values"] = nullptr;
  json["events"] = nullptr;
  if (c.values) {
    json["values"] = Json::array();
    for (const ValueDifference& d : c.value_differences) {
      json["values"].push_back({{"key", d.first.key},
                                {"first", value_json(d.first)},
                                {"second", value_json(d.second)},
                                {"result", d.result},
                                {"counts", d.counts}});
    }
    json["events"] = events_json(runs);
  }
  return json.dump(2) + "\n";
}

}  // namespace pintle::cli
