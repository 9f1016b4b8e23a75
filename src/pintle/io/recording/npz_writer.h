// NpzWriter: the rows of a run as arrays that numpy loads. docs/formats/run.md describes the file.
//
//     run = numpy.load("run.npz")
//     plot(run["t"], run["q"]); run["energy.total"]; run["columns"]
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pintle/files/atomic_file.h"
#include "pintle/io/recording/column_store.h"
#include "pintle/io/recording/sink_error.h"

namespace pintle {

/// Writes arrays of float64: "t" (n), the matrices "q", "v", "a" and "tau" (n x their columns), and one array for every
/// further column, called as it is. "columns" holds the names of all columns with their units, in the order of the
/// rows, and "q.columns", "v.columns", "a.columns", "tau.columns" those of the matrices. Numbers keep their bits.
///
/// The points that touch are flat arrays, one element for each point and row: "contact.row" (m) says of which row,
/// "contact.bodies" (m x 2) who touches, "contact.normal_force" (m) how hard, and so on.
///
/// Memory is flat: `memory_numbers` numbers wait in memory, more in a nameless file beside the target. The archive
/// appears at `end`, whole; after a failure, or without an `end`, it does not.
class NpzWriter : public RecordSink {
 public:
  /// With a group the archive waits there at `end` instead.
  explicit NpzWriter(std::string path, std::size_t memory_numbers = 1 << 20, FileGroup* group = nullptr);
  ~NpzWriter() override;

  RecordReport begin(std::span<const Column> columns) override;
  RecordReport row(std::span<const double> numbers) override;
  RecordReport event(const EventRecord& event) override;
  RecordReport contacts(std::span<const ContactForceRecord> contacts) override;
  RecordReport end() override;

  /// The recording has contacts: their arrays are there, empty ones too, and "contact.names" with these names
  /// (contact_names).
  void expect_contacts(std::vector<std::string> names);

  const std::string& path() const { return path_; }
  std::int64_t rows() const { return rows_; }
  /// Why it could not be written, as AtomicFile tells; empty when it could.
  const Diagnostics& problems() const { return trouble_.problems(); }

 private:
  Result<void> write_archive();

  std::string path_;
  std::size_t memory_numbers_;
  FileGroup* group_;
  std::vector<Column> columns_;
  std::vector<std::string> contact_names_;
  ColumnStore table_, contacts_;
  std::int64_t rows_ = 0;
  AtomicFile probe_;  // shows at once whether the target can be written
  bool begun_ = false;
  SinkError trouble_;
};

}  // namespace pintle
