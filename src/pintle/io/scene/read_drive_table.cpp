#include "pintle/io/scene/read_drive_table.h"

#include <algorithm>

#include "pintle/io/scene/scene_paths.h"
#include "pintle/text/csv_table.h"
#include "pintle/text/quantity.h"

namespace pintle {
namespace {

constexpr std::size_t kMaxProblems = 10;  // in the rows of a table

/// The factor from a column's unit to SI; a problem if it has another dimension.
double unit_of(SceneReader& scene, const CsvTable::Column& column, const Dimension& dimension,
               const std::string& file) {
  if (column.unit.empty()) return 1.0;
  if (column.unit == "1" && dimension == kNumber) return 1.0;
  const Result<double> unit = read_quantity_of("1 " + column.unit, dimension, "column '" + column.name + "'",
                                               Origin(file, column.line, std::max(0, column.unit_column - 2)));
  scene.file->add(unit.diagnostics());
  return unit ? *unit : 1.0;
}

/// The index of the column that a key names, or of a given one; -1, with a problem, if there is none.
int column_of(TomlTable& table, const CsvTable& csv, const char* key, std::size_t fallback) {
  if (!table.has(key) && fallback < csv.columns.size()) {
    table.ignore(key);
    return static_cast<int>(fallback);
  }
  const std::string name = table.text(key);
  if (const int column = csv.column(name); column >= 0) return column;
  std::vector<std::string> known;
  for (const CsvTable::Column& one : csv.columns) known.push_back(one.name);
  table.problem(
      table.has(key) ? key : "file", "scene-column",
      table.has(key) ? "the table has no column '" + name + "'" : std::string("the table has one column only"),
      "its columns are: " + listed(known), did_you_mean(name, known, "choose one of them"));
  return -1;
}

/// The table of a file, which is read only once.
Result<CsvTable> read_table(SceneReader& scene, const std::string& path, const std::string& file,
                            const Origin& origin) {
  auto known = scene.tables.find(path);
  if (known == scene.tables.end()) {
    const Result<std::string> text = read_scene_file(scene, path, origin, scene.limits.bytes);
    if (!text) return text.diagnostics();
    known = scene.tables.emplace(path, read_csv(*text, file)).first;
  }
  if (known->second) scene.rows += known->second->rows();
  if (scene.rows <= scene.limits.rows) return known->second;
  return make_error("scene-limit", origin,
                    "the tables of the scene have more than " + std::to_string(scene.limits.rows) + " rows together",
                    "all copies count", "use shorter tables: a cubic spline goes through their rows");
}

}  // namespace

Result<Drive> read_drive_table(SceneReader& scene, TomlTable& table, const Dimension& dimension) {
  const std::string name = table.text("file");
  const Origin origin = table.text_origin_of("file");
  DriveTable drive;
  drive.ends = static_cast<SplineEnds>(table.word("ends", static_cast<int>(drive.ends)));
  drive.outside = static_cast<OutsideTable>(table.word("outside", static_cast<int>(drive.outside)));
  if (drive.ends == SplineEnds::clamped) {
    drive.first_rate = table.quantity("first_rate", dimension / kTime, 0.0);
    drive.last_rate = table.quantity("last_rate", dimension / kTime, 0.0);
  }
  const Result<std::string> path = name.empty() ? Result<std::string>(name) : scene_path(scene, name, origin);
  const std::string file = path ? below(scene.root, *path) : name;
  const Result<CsvTable> csv = name.empty() ? Result<CsvTable>(CsvTable())
                               : path       ? read_table(scene, *path, file, origin)
                                            : Result<CsvTable>(path.diagnostics());
  scene.file->add(csv.diagnostics());
  if (name.empty() || !csv) {
    table.ignore("time");
    table.ignore("value");
    table.finish("only clamped ends have rates");
    return Drive();
  }
  const int time = column_of(table, *csv, "time", 0), value = column_of(table, *csv, "value", 1);
  table.finish("only clamped ends have rates");
  if (time < 0 || value < 0) return Drive();
  const auto t = static_cast<std::size_t>(time), x = static_cast<std::size_t>(value);
  const std::size_t problems = scene.file->problems().size();
  const double seconds = unit_of(scene, csv->columns[t], kTime, file);
  const double units = unit_of(scene, csv->columns[x], dimension, file);
  if (scene.file->problems().size() > problems) return Drive();
  for (std::size_t row = 0; row < csv->rows(); ++row)
    drive.rows.push_back({csv->at(row, t) * seconds, csv->at(row, x) * units, csv->lines[row]});
  drive.origin = Origin(file, csv->lines[0]);
  drive.source = {file, table.has("time") ? csv->columns[t].name : "", table.has("value") ? csv->columns[x].name : ""};
  Result<Drive> made = table_drive(drive);
  if (made) return made;
  Diagnostics first = made.diagnostics();
  if (first.size() > kMaxProblems) first.resize(kMaxProblems);
  return first;
}

}  // namespace pintle
