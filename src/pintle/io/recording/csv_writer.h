// CsvWriter: the rows of a run as a table in a text file. docs/formats/run.md describes it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "pintle/files/atomic_file.h"
#include "pintle/io/recording/sink_error.h"

namespace pintle {

/// Writes every row as it arrives, so that memory does not grow with the run: a line of names with units, then a line
/// of values for each row. Every value is the shortest text that reads back as the same double; non-finite values are
/// written "nan", "inf" or "-inf". Names with a comma or a quote are quoted according to RFC 4180. Events are not in
/// the table. The complete file appears at `end`; after a failure, or without an `end`, there is no file.
class CsvWriter : public RecordSink {
 public:
  /// With a group, `end` hands the file to the group instead.
  explicit CsvWriter(std::string path, FileGroup* group = nullptr);
  ~CsvWriter() override;

  RecordReport begin(std::span<const Column> columns) override;
  RecordReport row(std::span<const double> numbers) override;
  RecordReport event(const EventRecord& event) override;
  RecordReport end() override;

  const std::string& path() const { return path_; }
  std::int64_t rows() const { return rows_; }
  /// Why it could not be written, as AtomicFile reports; empty on success.
  const Diagnostics& problems() const { return error_.problems(); }

 private:
  std::string path_;
  FileGroup* group_;
  AtomicFile file_;
  std::string line_;
  std::size_t columns_ = 0;
  std::int64_t rows_ = 0;
  bool begun_ = false;
  SinkError error_;
};

}  // namespace pintle
