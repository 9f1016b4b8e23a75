// ColumnStore: a table that is written row by row and read column by column, in bounded memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pintle/files/scratch_file.h"

namespace pintle {

/// Holds up to `memory_numbers` values in memory, and more in an unnamed scratch file in the folder of `path`.
class ColumnStore {
 public:
  /// Begins an empty table. The first row allocates the memory.
  void begin(std::size_t columns, std::size_t memory_numbers, const std::string& path);
  /// Removes all data.
  void clear();

  /// Adds one row: a value for each column. Problems are those of AtomicFile.
  Result<void> add(std::span<const double> numbers);
  std::int64_t rows() const { return rows_; }

  /// A column in pieces; the first has index 0. Valid until the next call; UsageError if the piece does not exist.
  std::int64_t pieces() const { return blocks_ + 1; }
  Result<std::span<const double>> piece(std::size_t column, std::int64_t number);

 private:
  Result<void> spill();

  std::string path_;
  std::size_t columns_ = 0;
  std::size_t block_rows_ = 1;  // rows per block; a block holds column after column
  std::size_t filled_ = 0;      // rows in the current block
  std::int64_t blocks_ = 0;     // in the scratch file
  std::int64_t rows_ = 0;
  std::vector<double> block_, segment_;
  ScratchFile scratch_;
};

}  // namespace pintle
