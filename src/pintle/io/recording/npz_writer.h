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
/// further column, with the column's name. "columns" holds the names of all columns with their units, in the order of
/// the rows, and "q.columns", "v.columns", "a.columns", "tau.columns" those of the matrices. Values keep their bits.
///
/// Contact points are flat arrays, one element for each point and row: "contact.row" (m) is the row index,
/// "contact.bodies" (m x 2) the two bodies, "contact.normal_force" (m) the normal force, and so on.
///
/// Memory is bounded: up to `memory_numbers` values are held in memory, and more in an unnamed scratch file next to the
/// target. The complete archive appears at `end`; after a failure, or without an `end`, there is no archive.
class NpzWriter : public RecordSink {
 public:
  /// With a group, `end` hands the archive to the group instead.
  explicit NpzWriter(std::string path, std::size_t memory_numbers = 1 << 20, FileGroup* group = nullptr);
  ~NpzWriter() override;

  RecordReport begin(std::span<const Column> columns) override;
  RecordReport row(std::span<const double> numbers) override;
  RecordReport event(const EventRecord& event) override;
  RecordReport contacts(std::span<const ContactForceRecord> contacts) override;
  RecordReport end() override;

  /// Declares that the recording has contacts: their arrays are written even if empty, and "contact.names" holds these
  /// names (contact_names).
  void expect_contacts(std::vector<std::string> names);

  const std::string& path() const { return path_; }
  std::int64_t rows() const { return rows_; }
  /// Why it could not be written, as AtomicFile reports; empty on success.
  const Diagnostics& problems() const { return error_.problems(); }

 private:
  Result<void> write_archive();

  std::string path_;
  std::size_t memory_numbers_;
  FileGroup* group_;
  std::vector<Column> columns_;
  std::vector<std::string> contact_names_;
  ColumnStore table_, contacts_;
  std::int64_t rows_ = 0;
  AtomicFile probe_;  // detects at the start whether the target can be written
  bool begun_ = false;
  SinkError error_;
};

}  // namespace pintle
