#include "pintle/io/report/report.h"

#include <cmath>
#include <limits>

#include "pintle/base/usage_error.h"
#include "pintle/io/recording/column_group.h"
#include "pintle/io/report/report_page.h"
#include "pintle/io/report/report_parts.h"
#include "pintle/text/base64.h"
#include "pintle/text/json.h"

namespace pintle {
namespace {

constexpr std::string_view kDataElement = "<script id=\"pintle-data\" type=\"application/json\">";

template <typename Number>
std::string column_text(const RecordingOutline& outline, std::span<const std::size_t> rows, std::size_t column) {
  std::vector<Number> values;
  for (const std::size_t i : rows) values.push_back(static_cast<Number>(outline.kept_row(i)[column]));
  return base64(values);
}

/// The columns at the rows shown, each with its extremes over all rows; float is precise enough for drawing, unless it
/// overflows.
Json columns_json(const RecordingOutline& outline, std::span<const std::size_t> rows) {
  Json columns = Json::array();
  for (std::size_t c = 1; c < outline.columns().size(); ++c) {
    const Column& column = outline.columns()[c];
    double lowest = __builtin_inf(), highest = -__builtin_inf();
    for (const OutlinePoint& point : outline.line(c)) {
      if (!std::isfinite(point.value)) continue;
      lowest = point.value < lowest ? point.value : lowest;
      highest = point.value > highest ? point.value : highest;
    }
    const double max_float = std::numeric_limits<float>::max();
    const bool wide = lowest < -max_float || highest > max_float;
    columns.push_back({{"name", column.name},
                       {"unit", column.unit},
                       {"group", facts(grouped(column.name).group).name},
                       {"time", 0},
                       {"type", wide ? "f64" : "f32"},
                       {"y", wide ? column_text<double>(outline, rows, c) : column_text<float>(outline, rows, c)},
                       {"lowest", lowest},
                       {"highest", highest}});
  }
  return columns;
}

std::string times_text(const RecordingOutline& outline, std::span<const std::size_t> rows) {
  std::vector<double> times;
  for (const std::size_t i : rows) times.push_back(outline.kept_row(i)[0]);
  return base64(times);
}

/// Moves a list out of run.json, shortened to its first elements; the others are added to the number left out.
Json take_first(Json& run, const std::string& key, std::size_t max_count) {
  Json list = std::move(run[key]);
  run.erase(key);
  if (list.size() > max_count) {
    const std::string left_out = key + "_left_out";
    run[left_out] =
        static_cast<std::int64_t>(run[left_out].as_number()) + static_cast<std::int64_t>(list.size() - max_count);
    list.resize(max_count);
  }
  return list;
}

/// Impacts as the page draws them.
Json contacts_json(const Json& impacts, const Model& model) {
  Json contacts = Json::array();
  for (const Json& impact : impacts) {
    Json bodies = Json::array();
    for (const Json& body : impact["bodies"]) {
      const std::string name = body.as_string();
      bodies.push_back(name == kWorld ? -1 : model.body(name));
    }
    contacts.push_back({{"t", impact["time"]},
                        {"p", impact["point"]},
                        {"n", impact["normal"]},
                        {"impulse", impact["normal_impulse"]},
                        {"bodies", std::move(bodies)}});
  }
  return contacts;
}

}  // namespace

std::string report_data(const Scene& scene, const RecordingOutline& outline, const ReportFacts& facts,
                        const ReportLimits& limits) {
  Json run = Json::parse(facts.run_json).value_or(Json());
  if (!run.is_object()) throw UsageError("report: run_json is not the text of run.json");
  Json events = take_first(run, "events", limits.events);
  const Json impacts = take_first(run, "impacts", limits.events);
  RowBodies at_start(scene);
  const std::vector<double> at_rest(scene.initial_v().size());
  if (outline.kept_rows() == 0 || !find_at(at_start, scene.model(), outline, 0))
    at_start.find(scene.run().t0, scene.initial_q(), scene.initial_v(), at_rest);
  const std::vector<std::size_t> rows =
      rows_shown(outline, limits.plot_numbers / std::max(outline.columns().size(), std::size_t{1}));
  const Json data{{"format", "pintle-report"},
                  {"format_version", 1},
                  {"command", facts.command},
                  {"run", std::move(run)},
                  {"rows",
                   {{"total", outline.rows()},
                    {"drawn", rows.size()},
                    {"thinned", static_cast<std::int64_t>(rows.size()) < outline.rows()}}},
                  {"times", {times_text(outline, rows)}},
                  {"columns", columns_json(outline, rows)},
                  {"events", std::move(events)},
                  {"contacts", contacts_json(impacts, scene.model())}};
  std::string text = data.dump();
  text.pop_back();  // the closing brace
  return text + ",\"scene\":" + report_scene(scene, at_start, facts.about) +
         ",\"frames\":" + report_motion(scene, outline, limits.motion_numbers) + "}";
}

std::string page_with_data(std::string_view page, std::string_view json) {
  const std::size_t element = page.find(kDataElement);
  const std::size_t begin = element + kDataElement.size();
  const std::size_t end = page.find("</script>", begin);
  if (element == std::string_view::npos || end == std::string_view::npos)
    throw UsageError("report: the page has no element for the data");
  std::string text(page.substr(0, begin));
  text.reserve(page.size() + json.size() + 1024);
  for (const char c : json) {
    switch (c) {
      case '<':
        text += "\\u003c";
        break;
      case '>':
        text += "\\u003e";
        break;
      case '&':
        text += "\\u0026";
        break;
      default:
        text.push_back(c);
    }
  }
  text += page.substr(end);
  return text;
}

std::string report_html(const Scene& scene, const RecordingOutline& outline, const ReportFacts& facts,
                        const ReportLimits& limits) {
  return page_with_data(report_page(), report_data(scene, outline, facts, limits));
}

}  // namespace pintle
