// RowLog: the rows, contacts, events and impacts of a run in a file that grows with it, so that they survive a process
// that is killed.
//
// The bytes, all numbers little-endian:
//
//     8 bytes   "PINTLERL"
//     uint32    version of this layout (kRowLogVersion)
//     uint32    number of columns
//     records   'r', then a double for each column; or
//               'e', then double t, three doubles, int32 kind, joint, dof, body, uint32 length of the name, the
//               name; or
//               'i', then the 22 doubles of an impact in the order of ImpactRecord (gains_energy as 0 or 1), int32
//               body_a, body_b; or
//               'c', then uint32 count and as many contacts of the row before, each the 19 doubles of
//               contact_numbers.h
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pintle/base/hash.h"
#include "pintle/files/growing_file.h"
#include "pintle/io/recording/sink_error.h"

namespace pintle {

inline constexpr std::uint32_t kRowLogVersion = 4;

/// A position in a log, and a hash of the content before it.
struct LogMark {
  std::int64_t bytes = 0;
  std::int64_t records = 0;
  std::uint64_t hash = 0;  ///< StateHash of the header and the records, each as one string

  bool operator==(const LogMark&) const = default;
};

/// Writes rows, contacts, events and impacts as they arrive. Memory is bounded.
class RowLog : public RecordSink {
 public:
  explicit RowLog(std::string path);
  ~RowLog() override;

  /// Locks the file for this process before `begin`, without changing it.
  RecordReport claim();

  /// Begins a new log.
  RecordReport begin(std::span<const Column> columns) override;
  RecordReport row(std::span<const double> numbers) override;
  RecordReport event(const EventRecord& event) override;
  RecordReport impact(const ImpactRecord& impact) override;
  RecordReport contacts(std::span<const ContactForceRecord> contacts) override;

  /// Instead of `begin`: resumes a log at a mark, passes everything before it to `sink`, which has begun, and truncates
  /// what follows. `log-damaged` if the file is not as it was at the mark.
  RecordReport go_on(std::span<const Column> columns, const LogMark& mark, RecordSink& sink);

  /// The present position, after everything before it was flushed to disk.
  Result<LogMark> mark();

  const std::string& path() const { return path_; }
  /// Why it could not be written or read; empty on success.
  const Diagnostics& problems() const { return error_.problems(); }

 private:
  class Reader;
  /// Reads the next record and passes it to `sink`; false if there is no valid record.
  bool take_row(Reader& reader, std::span<double> numbers, RecordSink& sink, RecordReport& done);
  bool take_event(Reader& reader, RecordSink& sink, RecordReport& done);
  bool take_impact(Reader& reader, RecordSink& sink, RecordReport& done);
  bool take_contacts(Reader& reader, RecordSink& sink, RecordReport& done);
  RecordReport append(const std::string& record);

  std::string path_;
  GrowingFile file_;
  std::string record_;
  std::size_t columns_ = 0;
  std::int64_t records_ = 0;
  StateHash hash_;
  SinkError error_;
};

}  // namespace pintle
