// ContactCsvWriter: the forces of contacts as a table in a text file. docs/formats/run.md describes it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pintle/files/atomic_file.h"
#include "pintle/io/recording/sink_error.h"
#include "pintle/model/compiled/model.h"

namespace pintle {

/// The names of all bodies of a model, in its order, and "world" at the end: in Python number -1 is the last.
std::vector<std::string> contact_names(const Model& model);

/// Writes a line for every point that touches at a row, as they come: the number of the row, its time, who touches
/// whom, where, and the forces. Numbers and names are as CsvWriter writes them, and the file appears likewise, at
/// `end`.
class ContactCsvWriter : public RecordSink {
 public:
  /// `names` as contact_names has them. With a group the file waits there at `end` instead.
  ContactCsvWriter(std::string path, std::vector<std::string> names, FileGroup* group = nullptr);
  ~ContactCsvWriter() override;

  RecordReport begin(std::span<const Column> columns) override;
  RecordReport row(std::span<const double> numbers) override;
  RecordReport event(const EventRecord& event) override;
  RecordReport contacts(std::span<const ContactForceRecord> contacts) override;
  RecordReport end() override;

  const std::string& path() const { return path_; }
  /// Why it could not be written, as AtomicFile tells; empty when it could.
  const Diagnostics& problems() const { return trouble_.problems(); }

 private:
  std::string path_;
  std::vector<std::string> names_;  // as words of the table
  FileGroup* group_;
  AtomicFile file_;
  std::string line_;
  std::int64_t rows_ = 0;
  double t_ = 0.0;
  bool begun_ = false;
  SinkError trouble_;
};

}  // namespace pintle
