// RunComparison: where two stored runs first differ, by how much, and what else differs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pintle/io/recording/stored_run.h"

namespace pintle {

struct CompareOptions {
  /// False: runs are equal only if every bit is. True: only what both runs have is compared, within the tolerances
  /// below.
  bool within = false;
  double relative = 0.0;  ///< tolerance relative to the largest value of the column in both runs
  double absolute = 0.0;  ///< additional tolerance, in the unit of the column
};

/// Two values.
struct NumberPair {
  double first = 0.0, second = 0.0;

  /// |first - second|; infinite if only one of them is finite or NaN.
  double difference() const;
  /// The number of doubles from one to the other; 0 if undefined.
  std::uint64_t ulps() const;
  /// Whether the values are equal: the same bits, or both NaN.
  bool same() const;
};

/// A column whose values are not all equal.
struct ColumnDifference {
  std::string name, unit;
  std::size_t position = 0;   ///< its index in the first table
  std::int64_t rows = 0;      ///< number of rows that differ
  double first_time = 0.0;    ///< [s] of the first row that differs
  NumberPair largest{};       ///< the pair with the largest difference
  double largest_time = 0.0;  ///< [s]
  double scale = 0.0;         ///< the largest finite value of the column in both runs
  bool counts = false;        ///< whether the difference counts under the options

  /// largest.difference() / scale.
  double relative() const;
};

/// A value of run.json that differs.
struct ValueDifference {
  RunValue first, second;  ///< if only one run has the value: `nothing` in the other, with the text "-"
  bool result = false;     ///< a result of the run, not a record of how it was made
  bool counts = false;
};

/// The first difference in the rows that both runs have; in a residual_column only if no other column differs.
struct FirstDifference {
  double t = 0.0;  ///< [s]
  std::string column, unit;
  NumberPair numbers{};
  double scale = 0.0;           ///< the largest finite value of the column in both runs
  std::size_t line_first = 0;   ///< of run.csv
  std::size_t line_second = 0;  ///< of run.csv
  std::size_t with_it = 0;      ///< number of other columns that differ in the same row
};

struct RunComparison {
  bool identical = true;  ///< all results of the runs are equal, bit for bit
  bool equal = true;      ///< there is no difference that counts

  bool tables = false;  ///< both runs have a table
  std::int64_t rows = 0, rows_only_first = 0, rows_only_second = 0;
  double first_unpaired_time = 0.0;  ///< [s] of the first row that only one run has, if any
  std::size_t columns = 0;           ///< columns in both tables, besides the time
  std::vector<std::string> columns_only_first{}, columns_only_second{};
  bool has_first = false;
  FirstDifference first{};                      ///< the first difference that counts
  std::vector<ColumnDifference> differences{};  ///< by column, the relatively largest first, residual columns last

  bool values = false;  ///< both runs have a run.json
  std::vector<ValueDifference> value_differences{};
  std::int64_t events_first = 0, events_second = 0;  ///< number of events
  std::int64_t events = 0;                           ///< number of events compared
  bool event_differs = false;
  std::int64_t event_first = -1, event_second = -1;  ///< index of the first event that differs, in each run; -1 if none
};

/// Compares two runs. Rows are paired by equal times (with a tolerance: to min(relative, 1e-9) of the longest time);
/// several rows with one time are paired in order.
///
/// Without a tolerance every result of a run counts, including rows and columns that only one run has. How a run was
/// made (versions, scene, settings) never counts, nor does its wall time. With a tolerance, the rows and columns that
/// both runs have count, as do the events and how the runs ended; error measures (residual_column), step counts and
/// hashes do not. Tables without common rows are never equal. UsageError if the runs have no kind of file in common.
RunComparison compare_runs(const StoredRun& first, const StoredRun& second, const CompareOptions& options = {});

/// Whether a column measures the error of a run: a certificate or a residual of the energy balance.
bool residual_column(std::string_view name);

/// The subject of a column: "q.wrist.qx" is the position qx of the joint 'wrist'.
struct ColumnSubject {
  std::string_view
      quantity{};  ///< "position", "velocity", "acceleration", "effort"; empty if it does not belong to a joint
  std::string joint{};
  std::string part{};  ///< for a joint with several coordinates
};

ColumnSubject column_subject(std::string_view name);

}  // namespace pintle
