// ContactCsvWriter: contact forces as a table in a text file. docs/formats/run.md describes it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pintle/files/atomic_file.h"
#include "pintle/io/recording/sink_error.h"
#include "pintle/model/compiled/model.h"
#include "pintle/text/unit_system.h"

namespace pintle {

/// The names of all bodies of a model, in its order, and "world" last, so that in Python index -1 is the world.
std::vector<std::string> contact_names(const Model& model);

/// Writes one line for every contact point of a row as it arrives: the row index, its time, the two bodies, the
/// position, and the forces. Values and names are formatted as by CsvWriter, and as there the file appears at `end`.
class ContactCsvWriter : public RecordSink {
 public:
  /// `names` as from contact_names. With a group, `end` hands the file to the group instead.
  /// `units` are those of the records, for the headings.
  ContactCsvWriter(std::string path, std::vector<std::string> names, FileGroup* group = nullptr,
                   const UnitSystem& units = {});
  ~ContactCsvWriter() override;

  RecordReport begin(std::span<const Column> columns) override;
  RecordReport row(std::span<const double> numbers) override;
  RecordReport event(const EventRecord& event) override;
  RecordReport contacts(std::span<const ContactForceRecord> contacts) override;
  RecordReport end() override;

  const std::string& path() const { return path_; }
  /// Why it could not be written, as AtomicFile reports; empty on success.
  const Diagnostics& problems() const { return error_.problems(); }

 private:
  std::string path_;
  std::vector<std::string> names_;  // formatted for CSV
  FileGroup* group_;
  std::string head_;
  AtomicFile file_;
  std::string line_;
  std::int64_t rows_ = 0;
  double t_ = 0.0;
  bool begun_ = false;
  SinkError error_;
};

}  // namespace pintle
