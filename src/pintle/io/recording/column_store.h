// ColumnStore: a table that comes row by row and is read column by column, in memory that does not grow with it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pintle/files/scratch_file.h"

namespace pintle {

/// `memory_numbers` numbers wait in memory, more in a nameless file in the folder of `path`.
class ColumnStore {
 public:
  /// Begins an empty table. Room is made with the first row.
  void begin(std::size_t columns, std::size_t memory_numbers, const std::string& path);
  /// Forgets everything.
  void clear();

  /// One row: a number for each column. Problems as those of AtomicFile.
  Result<void> add(std::span<const double> numbers);
  std::int64_t rows() const { return rows_; }

  /// A column in pieces: the first is number 0. Valid until the next call; UsageError when there is no such piece.
  std::int64_t pieces() const { return blocks_ + 1; }
  Result<std::span<const double>> piece(std::size_t column, std::int64_t number);

 private:
  Result<void> spill();

  std::string path_;
  std::size_t columns_ = 0;
  std::size_t block_rows_ = 1;  // of a block, which holds column after column
  std::size_t filled_ = 0;      // rows of the block
  std::int64_t blocks_ = 0;     // in the scratch file
  std::int64_t rows_ = 0;
  std::vector<double> block_, segment_;
  ScratchFile scratch_;
};

}  // namespace pintle
