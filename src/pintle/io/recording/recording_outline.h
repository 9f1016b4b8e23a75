// RecordingOutline: the data for plotting a run, in bounded memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pintle/simulation/recording/recording.h"
#include "pintle/text/unit_system.h"

namespace pintle {

/// A point of an outline. `value` is NaN where the line has a gap.
struct OutlinePoint {
  double t, value;
};

/// Keeps the outline of every column: up to `most` rows as they are. Of more rows it keeps the first, minimum, maximum
/// and last value of each of most/2 to most groups of equally many rows, so that no peak is lost. Of the rows
/// themselves it keeps every one, every second, every fourth, ..., and the last: `most` of them, or more as long as all
/// their values and those of their contacts are at most `kept_values`.
class RecordingOutline : public RecordSink {
 public:
  explicit RecordingOutline(std::size_t max_groups = 2048, std::size_t kept_values = 0);
  ~RecordingOutline() override;

  RecordReport begin(std::span<const Column> columns) override;
  RecordReport row(std::span<const double> numbers) override;
  RecordReport event(const EventRecord& event) override;
  RecordReport contacts(std::span<const ContactForceRecord> contacts) override;

  std::span<const Column> columns() const { return columns_; }
  /// Rows received.
  std::int64_t rows() const { return rows_; }
  /// The index of a column, or -1.
  int column_number(std::string_view name) const;

  /// The same with columns and rows, but not the contacts, in the units of a system.
  RecordingOutline in_units(const UnitSystem& units) const;

  /// The outline of a column over time, in time order.
  std::vector<OutlinePoint> line(std::size_t column) const;

  /// Complete rows, including the first and the last; the last is kept in addition to the limits.
  std::size_t kept_rows() const;
  std::span<const double> kept_row(std::size_t i) const;
  std::span<const ContactForceRecord> kept_contacts(std::size_t i) const;

 private:
  /// What a group of rows holds of one column; only finite values count.
  struct Extent {
    OutlinePoint first, lowest, highest, last;
    bool broken;  // not all values are finite
  };
  static void join(Extent& extent, const Extent& next);
  void halve_groups();
  void halve_rows();

  std::size_t max_groups_, kept_values_;
  std::size_t max_kept_ = 2;  // rows
  std::vector<Column> columns_;
  std::vector<Extent> groups_;  // of every column, group after group
  std::size_t group_count_ = 0;
  std::int64_t group_rows_ = 1, rows_in_group_ = 0;
  std::vector<double> kept_;  // row after row
  std::vector<double> last_row_;
  std::vector<ContactForceRecord> contacts_, last_contacts_;  // row after row
  std::vector<std::size_t> first_contact_;                    // for each kept row
  std::int64_t row_stride_ = 1;
  std::int64_t rows_ = 0;
};

}  // namespace pintle
