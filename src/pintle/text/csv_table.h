// Tables of numbers in text files: a line of names, then rows of numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/result.h"

namespace pintle {

/// A table of numbers.
struct CsvTable {
  struct Column {
    std::string name;
    std::string unit;               ///< "s" for "time [s]"; empty without a unit
    int line = 0, unit_column = 0;  ///< position of the unit in the file; column 0: in quotes, unknown
  };
  std::vector<Column> columns{};
  std::vector<double> numbers{};  ///< row after row
  std::vector<int> lines{};       ///< of each row, in the file

  std::size_t rows() const { return lines.size(); }
  double at(std::size_t row, std::size_t column) const { return numbers[row * columns.size() + column]; }
  /// The index of a column, or -1.
  int column(std::string_view name) const;
};

/// The values that a table may contain besides finite numbers.
enum class CsvNumbers : unsigned char {
  finite,  ///< nothing
  any,     ///< "nan", "inf" and "-inf", as CsvWriter writes them
};

/// Reads a table. Numbers are separated by commas or semicolons, or, where there are none of these, by spaces; the
/// first line that is neither empty nor a comment (#) names the columns, perhaps with units: "time [s],elbow [deg]".
/// Names may be quoted as RFC 4180 says. Problems: rows with a different number of cells, cells that are not such
/// numbers (at most ten are reported), duplicate names, no rows at all. Problems name the text `file`.
Result<CsvTable> read_csv(std::string_view text, const std::string& file, CsvNumbers allowed = CsvNumbers::finite);

}  // namespace pintle
