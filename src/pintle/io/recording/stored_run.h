// StoredRun: the results of a run, read back from its files. docs/formats/run.md describes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/text/csv_table.h"

namespace pintle {

/// One value of run.json.
struct RunValue {
  enum class Kind : unsigned char { nothing, number, text };

  std::string key;  ///< its path: "settings.step", "scene.overrides[0]", "energy_balance.accounts['elbow' damper].work"
  Kind kind = Kind::nothing;
  double number = 0.0;
  std::string text{};  ///< as text: "rk4", "true", "null"; for a number as in run.json

  bool operator==(const RunValue& other) const;  ///< compares values bit for bit
};

/// One event of run.json.
struct StoredEvent {
  double time = 0.0;  ///< [s]
  std::string kind, name;
  std::vector<RunValue> numbers{};  ///< its other values
};

/// The stored results of a run: its table, the values of run.json, or both.
struct StoredRun {
  std::string name;  ///< of the folder or file, as the user wrote it
  bool has_table = false, has_values = false;
  CsvTable table{};                   ///< run.csv: the first column is the time
  std::vector<RunValue> values{};     ///< run.json without its events and impacts, in file order
  std::vector<StoredEvent> events{};  ///< the events of run.json, then its impacts as events of the kind "impact"

  /// The value of a key; null if it does not exist.
  const RunValue* value(std::string_view key) const;
};

/// Reads a result folder (its run.csv and run.json), or one such file alone (*.csv, *.json).
///
/// Everything is validated, so that a truncated or foreign file is not taken for a run:
///
/// | code          | problem                                                                            |
/// |---------------|------------------------------------------------------------------------------------|
/// | `run-path`    | there is no such folder or file, or a file of another kind                         |
/// | `run-missing` | the folder has no run.csv or no run.json                                           |
/// | `run-cut`     | the table ends within a line, or before the time at which run.json says it ended    |
/// | `run-json`    | the text is no JSON, with its place, or an event has no time                       |
/// | `run-foreign` | a JSON file or a table of something else                                           |
/// | `run-version` | of another version of the format                                                   |
/// | `run-time`    | times that are not finite or go back                                               |
/// | `run-mixed`   | run.csv and run.json are of different runs: the last row is not the end in run.json |
///
/// Also the codes of read_csv (`csv-...`) and of files (`file-...`).
Result<StoredRun> read_stored_run(const std::string& path);

}  // namespace pintle
