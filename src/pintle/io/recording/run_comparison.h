// RunComparison: where two stored runs differ first, by how much, and in what else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pintle/io/recording/stored_run.h"

namespace pintle {

struct CompareOptions {
  /// False: the runs are the same only if every bit of them is. True: only what both have is compared, within the
  /// numbers below.
  bool within = false;
  double relative = 0.0;  ///< how far numbers may differ, against the largest of their column in both runs
  double absolute = 0.0;  ///< and besides, in the unit of the column
};

/// Two numbers.
struct NumberPair {
  double first = 0.0, second = 0.0;

  /// |first - second|; infinite when only one of them is finite or NaN.
  double difference() const;
  /// How many doubles lie from one to the other; 0 when that has no meaning.
  std::uint64_t ulps() const;
  /// Whether they are one number: the same bits, or both NaN.
  bool same() const;
};

/// A column whose numbers are not all the same.
struct ColumnDifference {
  std::string name, unit;
  std::size_t position = 0;   ///< its number in the first table
  std::int64_t rows = 0;      ///< in how many rows they differ
  double first_time = 0.0;    ///< [s] in the first such row
  NumberPair largest{};       ///< the pair that is farthest apart
  double largest_time = 0.0;  ///< [s]
  double scale = 0.0;         ///< the largest finite number of the column in both runs
  bool counts = false;        ///< it is a difference within the options

  /// largest.difference() / scale.
  double relative() const;
};

/// A value of run.json that differs.
struct ValueDifference {
  RunValue first, second;  ///< that is in one run only: `nothing` in the other, with the text "-"
  bool result = false;     ///< of the run itself, not of how it was made
  bool counts = false;
};

/// The first difference in the rows that both runs have; in a residual_column only when no other one differs.
struct FirstDifference {
  double t = 0.0;  ///< [s]
  std::string column, unit;
  NumberPair numbers{};
  double scale = 0.0;           ///< the largest finite number of the column in both runs
  std::size_t line_first = 0;   ///< of run.csv
  std::size_t line_second = 0;  ///< likewise
  std::size_t with_it = 0;      ///< other columns that differ in the same row
};

struct RunComparison {
  bool identical = true;  ///< all that the runs resulted in is the same, bit for bit
  bool equal = true;      ///< nothing differs that counts

  bool tables = false;  ///< both runs have a table
  std::int64_t rows = 0, rows_only_first = 0, rows_only_second = 0;
  double first_unpaired_time = 0.0;  ///< [s] of the first row that only one run has, if there is one
  std::size_t columns = 0;           ///< that both have, besides the time
  std::vector<std::string> columns_only_first{}, columns_only_second{};
  bool has_first = false;
  FirstDifference first{};                      ///< that counts
  std::vector<ColumnDifference> differences{};  ///< of columns, the relatively largest first, residual columns last

  bool values = false;  ///< both runs have a run.json
  std::vector<ValueDifference> value_differences{};
  std::int64_t events_first = 0, events_second = 0;  ///< how many
  std::int64_t events = 0;                           ///< how many of them were compared
  bool event_differs = false;
  std::int64_t event_first = -1, event_second = -1;  ///< the first that does, in each run; -1 where there is none
};

/// Compares two runs. Rows are compared where their times are equal (within a tolerance: to min(relative, 1e-9) of the
/// longest time), in the order of rows that have one time.
///
/// Without a tolerance everything counts that a run results in; rows and columns that only one run has do, too. How a
/// run was made (versions, scene, settings) never counts, nor how long it took. Within a tolerance rows and columns
/// that both have count, and the events, and how the runs ended; what measures errors (residual_column), numbers of
/// steps and hashes do not. Of tables without common rows nothing is equal. UsageError when the runs have nothing of
/// one kind.
RunComparison compare_runs(const StoredRun& first, const StoredRun& second, const CompareOptions& options = {});

/// Whether a column measures how wrong a run is: a certificate, or what an energy balance cannot explain.
bool residual_column(std::string_view name);

/// What a column is about: "q.wrist.qx" is the position qx of the joint 'wrist'.
struct ColumnSubject {
  std::string_view quantity{};  ///< "position", "velocity", "acceleration", "effort"; empty when it is of no joint
  std::string joint{};
  std::string part{};  ///< of a joint with several numbers
};

ColumnSubject column_subject(std::string_view name);

}  // namespace pintle
