#include "pintle/io/recording/column_store.h"

#include "pintle/base/usage_error.h"

namespace pintle {

void ColumnStore::begin(std::size_t columns, std::size_t memory_numbers, const std::string& path) {
  clear();
  path_ = path;
  columns_ = columns;
  block_rows_ = columns == 0 || memory_numbers < columns ? 1 : memory_numbers / columns;
}

void ColumnStore::clear() {
  scratch_.close();
  block_ = {};
  segment_ = {};
  filled_ = 0;
  blocks_ = rows_ = 0;
}

Result<void> ColumnStore::add(std::span<const double> numbers) {
  require_size("ColumnStore::add", "numbers", numbers.size(), columns_);
  if (rows_ == 0) block_.resize(block_rows_ * columns_);
  if (filled_ == block_rows_)
    if (Result<void> spilt = spill(); !spilt) return spilt;
  for (std::size_t c = 0; c < columns_; ++c) block_[c * block_rows_ + filled_] = numbers[c];
  ++filled_;
  ++rows_;
  return {};
}

Result<void> ColumnStore::spill() {
  if (!scratch_.is_open())
    if (Result<void> opened = scratch_.open(path_); !opened) return opened;
  const std::string_view bytes(reinterpret_cast<const char*>(block_.data()), sizeof(double) * block_.size());
  if (Result<void> written = scratch_.append(bytes); !written) return written;
  ++blocks_;
  filled_ = 0;
  return {};
}

Result<std::span<const double>> ColumnStore::piece(std::size_t column, std::int64_t number) {
  require(column < columns_ && number >= 0 && number <= blocks_, "ColumnStore::piece", "number", "there is none");
  const std::span<const double> rest(block_.data() + column * block_rows_, rows_ == 0 ? 0 : filled_);
  if (number == blocks_) return rest;
  segment_.resize(block_rows_);
  const std::int64_t place =
      number * static_cast<std::int64_t>(block_.size()) + static_cast<std::int64_t>(column * block_rows_);
  const Result<void> read =
      scratch_.read(place * 8, reinterpret_cast<char*>(segment_.data()), sizeof(double) * block_rows_);
  if (!read) return read.diagnostics();
  return std::span<const double>(segment_);
}

}  // namespace pintle
