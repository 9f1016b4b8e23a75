#include "pintle/io/recording/csv_writer.h"

#include "pintle/base/usage_error.h"
#include "pintle/text/csv_text.h"

namespace pintle {

CsvWriter::CsvWriter(std::string path, FileGroup* group) : path_(std::move(path)), group_(group) {}

CsvWriter::~CsvWriter() = default;

RecordReport CsvWriter::begin(std::span<const Column> columns) {
  error_.clear();
  rows_ = 0;
  columns_ = columns.size();
  begun_ = true;
  if (const RecordReport opened = error_.report(file_.open(path_)); !opened.ok()) return opened;
  line_.clear();
  for (const Column& column : columns) {
    if (!line_.empty()) line_ += ',';
    line_ += csv_word(label(column));
  }
  line_ += '\n';
  return error_.report(file_.write(line_));
}

RecordReport CsvWriter::row(std::span<const double> numbers) {
  require(begun_, "CsvWriter::row", "numbers", "begin comes before the first row");
  require_size("CsvWriter::row", "numbers", numbers.size(), columns_);
  if (const RecordReport before = error_.report(); !before.ok()) return before;
  line_.clear();
  for (const double number : numbers) {
    append_csv_number(line_, number);
    line_ += ',';
  }
  if (line_.empty()) line_ += ',';
  line_.back() = '\n';
  const RecordReport written = error_.report(file_.write(line_));
  if (written.ok()) ++rows_;
  return written;
}

RecordReport CsvWriter::event(const EventRecord&) {
  return error_.report();
}

RecordReport CsvWriter::end() {
  if (!begun_) return {};
  begun_ = false;
  return error_.report(file_.commit(group_));
}

}  // namespace pintle
