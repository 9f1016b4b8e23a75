// NpzWriter: the rows of a run as arrays that numpy loads. docs/formats/run.md describes the file.
//
//     run = numpy.load("run.npz")
//     plot(run["t"], run["q"]); run["energy.total"]; run["columns"]
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pintle/io/atomic_file.h"
#include "pintle/io/scratch_file.h"
#include "pintle/io/sink_trouble.h"

namespace pintle {

/// Writes arrays of float64: "t" (n), the matrices "q", "v", "a" and "tau" (n x their columns), and one array for every
/// further column, called as it is. "columns" holds the names of all columns with their units, in the order of the
/// rows, and "q.columns", "v.columns", "a.columns", "tau.columns" those of the matrices. Numbers keep their bits.
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
  RecordReport end() override;

  const std::string& path() const { return path_; }
  std::int64_t rows() const { return rows_; }
  /// Why it could not be written, as AtomicFile tells; empty when it could.
  const Diagnostics& problems() const { return trouble_.problems(); }

 private:
  Result<void> spill();
  Result<void> write_archive();

  std::string path_;
  std::size_t memory_numbers_;
  FileGroup* group_;
  std::vector<Column> columns_;
  std::size_t block_rows_ = 1;  // of a block, which holds column after column
  std::size_t filled_ = 0;      // rows of the block
  std::int64_t blocks_ = 0;     // in the scratch file
  std::int64_t rows_ = 0;
  std::vector<double> block_;
  ScratchFile scratch_;
  AtomicFile probe_;  // shows at once whether the target can be written
  bool begun_ = false;
  SinkTrouble trouble_;
};

}  // namespace pintle
