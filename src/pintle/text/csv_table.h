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
    std::string unit;               ///< of "time [s]": "s"; empty without one
    int line = 0, unit_column = 0;  ///< where the unit stands in the file; column 0: in quotes, not known
  };
  std::vector<Column> columns{};
  std::vector<double> numbers{};  ///< row after row
  std::vector<int> lines{};       ///< of each row, in the file

  std::size_t rows() const { return lines.size(); }
  double at(std::size_t row, std::size_t column) const { return numbers[row * columns.size() + column]; }
  /// The number of a column, or -1.
  int column(std::string_view name) const;
};

/// What a table may hold besides numbers that are finite.
enum class CsvNumbers : unsigned char {
  finite,  ///< nothing
  any,     ///< "nan", "inf" and "-inf", as CsvWriter writes them
};

/// Reads a table. Numbers are separated by commas or semicolons, or, where there are none of these, by spaces; the
/// first line that is neither empty nor a comment (#) names the columns, perhaps with units: "time [s],elbow [deg]".
/// Names may be quoted as RFC 4180 says. Problems: rows of another count, cells that are no such numbers (at most ten
/// are told), names twice, no rows at all. `file` stands for the text in problems.
Result<CsvTable> read_csv(std::string_view text, const std::string& file, CsvNumbers allowed = CsvNumbers::finite);

}  // namespace pintle
