#include "pintle/io/read_drive_table.h"

#include "pintle/base/nearest_name.h"
#include "pintle/io/csv_table.h"
#include "pintle/io/quantity.h"
#include "pintle/io/scene_files.h"

namespace pintle {
namespace {

/// How many of SI units a column's unit is; a problem when it is of another dimension.
Result<double> unit_of(const CsvTable::Column& column, const Dimension& dimension, const std::string& file) {
  if (column.unit.empty()) return 1.0;
  return read_quantity_of("1 " + column.unit, dimension, "column '" + column.name + "'", {file, 1});
}

/// The number of the column that a key names; -1, with a problem, when there is none.
int column_of(TomlTable& table, const CsvTable& csv, const char* key, const std::string& fallback) {
  const std::string name = table.text(key, fallback);
  const int column = csv.column(name);
  if (column >= 0) return column;
  std::vector<std::string> known;
  for (const CsvTable::Column& one : csv.columns) known.push_back(one.name);
  const std::string nearest = nearest_name(name, known);
  std::string all;
  for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
  table.problem(key, "table-column", "the table has no column '" + name + "'", "its columns are: " + all,
                nearest.empty() ? std::string("say which with ") + key + " = \"...\"" : "did you mean '" + nearest + "'?");
  return -1;
}

}  // namespace

Result<Drive> read_drive_table(SceneReader& scene, TomlTable& table, const Dimension& dimension) {
  static constexpr std::string_view kEnds[] = {"natural", "clamped", "periodic"};
  static constexpr std::string_view kOutside[] = {"refuse", "hold"};
  const std::string file = table.required_text("file");
  DriveTable drive;
  drive.ends = static_cast<SplineEnds>(table.word("ends", kEnds, static_cast<int>(drive.ends)));
  drive.outside = static_cast<OutsideTable>(table.word("outside", kOutside, static_cast<int>(drive.outside)));
  drive.first_rate = table.quantity("first_rate", dimension / kTime, 0.0);
  drive.last_rate = table.quantity("last_rate", dimension / kTime, 0.0);
  table.has("time");
  table.has("value");
  if (file.empty()) {
    table.finish();
    return Drive();
  }
  const Result<SceneFileText> text = read_scene_file(scene, file, table.origin_of("file"));
  if (!text) return text.diagnostics();
  const Result<CsvTable> csv = read_csv(text->text, text->path);
  if (!csv) return csv.diagnostics();
  const int time = column_of(table, *csv, "time", csv->columns[0].name);
  const int value = column_of(table, *csv, "value", csv->columns.size() > 1 ? csv->columns[1].name : "value");
  table.finish();
  if (time < 0 || value < 0) return Drive();
  const Result<double> seconds = unit_of(csv->columns[static_cast<std::size_t>(time)], kTime, text->path);
  const Result<double> units = unit_of(csv->columns[static_cast<std::size_t>(value)], dimension, text->path);
  Diagnostics problems = seconds.diagnostics();
  problems.insert(problems.end(), units.diagnostics().begin(), units.diagnostics().end());
  if (has_errors(problems)) return problems;
  for (std::size_t row = 0; row < csv->rows(); ++row) {
    drive.rows.push_back({csv->at(row, static_cast<std::size_t>(time)) * *seconds,
                          csv->at(row, static_cast<std::size_t>(value)) * *units, csv->lines[row]});
  }
  drive.origin = {text->path, csv->lines[0]};
  return table_drive(drive);
}

}  // namespace pintle
