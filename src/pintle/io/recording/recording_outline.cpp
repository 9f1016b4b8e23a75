#include "pintle/io/recording/recording_outline.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pintle/base/usage_error.h"
#include "pintle/io/recording/contact_numbers.h"

namespace pintle {

RecordingOutline::RecordingOutline(std::size_t max_groups, std::size_t kept_values)
    : max_groups_(max_groups + max_groups % 2), kept_values_(kept_values) {
  require(max_groups >= 2, "RecordingOutline", "max_groups", "there are at least two");
}

RecordingOutline::~RecordingOutline() = default;

RecordReport RecordingOutline::begin(std::span<const Column> columns) {
  columns_.assign(columns.begin(), columns.end());
  max_kept_ = std::max(max_groups_, columns_.empty() ? 0 : kept_values_ / columns_.size());
  groups_.clear();
  kept_.clear();
  last_row_.clear();
  contacts_.clear();
  last_contacts_.clear();
  first_contact_.clear();
  group_count_ = 0;
  group_rows_ = row_stride_ = 1;
  rows_in_group_ = rows_ = 0;
  return {};
}

void RecordingOutline::join(Extent& extent, const Extent& next) {
  extent.broken = extent.broken || next.broken;
  if (std::isnan(next.first.value)) return;
  if (std::isnan(extent.first.value)) {
    const bool broken = extent.broken;
    extent = next;
    extent.broken = broken;
    return;
  }
  if (next.lowest.value < extent.lowest.value) extent.lowest = next.lowest;
  if (next.highest.value > extent.highest.value) extent.highest = next.highest;
  extent.last = next.last;
}

void RecordingOutline::halve_groups() {
  const std::size_t n = columns_.size();
  for (std::size_t g = 0; g < group_count_ / 2; ++g) {
    for (std::size_t c = 0; c < n; ++c) {
      Extent joined = groups_[2 * g * n + c];
      join(joined, groups_[(2 * g + 1) * n + c]);
      groups_[g * n + c] = joined;
    }
  }
  group_count_ /= 2;
  groups_.resize(group_count_ * n);
  group_rows_ *= 2;
}

void RecordingOutline::halve_rows() {
  const std::size_t n = columns_.size(), count = kept_.size() / n;
  std::size_t points = 0;
  for (std::size_t i = 0; i < count; i += 2) {
    const std::size_t first = first_contact_[i], end = i + 1 < count ? first_contact_[i + 1] : contacts_.size();
    first_contact_[i / 2] = points;
    for (std::size_t c = first; c < end; ++c) contacts_[points++] = contacts_[c];
  }
  contacts_.resize(points);
  first_contact_.resize((count + 1) / 2);
  for (std::size_t i = 2; i < count; i += 2)
    std::copy_n(kept_.begin() + static_cast<std::ptrdiff_t>(i * n), n,
                kept_.begin() + static_cast<std::ptrdiff_t>(i / 2 * n));
  kept_.resize((count + 1) / 2 * n);
  row_stride_ *= 2;
}

RecordReport RecordingOutline::row(std::span<const double> numbers) {
  require_size("RecordingOutline::row", "numbers", numbers.size(), columns_.size());
  if (numbers.empty()) return {};
  const std::size_t n = columns_.size();
  if (rows_in_group_ == 0) {
    if (group_count_ == max_groups_) halve_groups();
    ++group_count_;
  }
  for (std::size_t c = 0; c < n; ++c) {
    const bool finite = std::isfinite(numbers[c]);
    const OutlinePoint point{numbers[0], finite ? numbers[c] : std::numeric_limits<double>::quiet_NaN()};
    const Extent alone{point, point, point, point, !finite};
    if (rows_in_group_ == 0) {
      groups_.push_back(alone);
    } else {
      join(groups_[(group_count_ - 1) * n + c], alone);
    }
  }
  if (++rows_in_group_ == group_rows_) rows_in_group_ = 0;
  if (rows_ % row_stride_ == 0 && kept_.size() == max_kept_ * n) halve_rows();
  if (rows_ % row_stride_ == 0) {
    kept_.insert(kept_.end(), numbers.begin(), numbers.end());
    first_contact_.push_back(contacts_.size());
  }
  last_contacts_.clear();
  last_row_.assign(numbers.begin(), numbers.end());
  ++rows_;
  return {};
}

RecordReport RecordingOutline::event(const EventRecord&) {
  return {};
}

RecordReport RecordingOutline::contacts(std::span<const ContactForceRecord> contacts) {
  last_contacts_.assign(contacts.begin(), contacts.end());
  if (rows_ == 0 || (rows_ - 1) % row_stride_ != 0) return {};
  contacts_.insert(contacts_.end(), contacts.begin(), contacts.end());
  const std::size_t numbers = kept_.size() + kContactNumbers * contacts_.size();
  if (first_contact_.size() > max_groups_ && numbers > kept_values_) halve_rows();
  return {};
}

int RecordingOutline::column_number(std::string_view name) const {
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c].name == name) return static_cast<int>(c);
  return -1;
}

RecordingOutline RecordingOutline::in_units(const UnitSystem& units) const {
  RecordingOutline outline = *this;
  const std::size_t n = columns_.size();
  for (std::size_t c = 0; c < n; ++c) {
    const ShownUnit shown = units.shown(columns_[c].unit);
    outline.columns_[c].unit = shown.unit;
    for (std::size_t g = c; g < outline.groups_.size(); g += n) {
      Extent& extent = outline.groups_[g];
      for (OutlinePoint* const point : {&extent.first, &extent.lowest, &extent.highest, &extent.last})
        point->value = shown(point->value);
    }
    for (std::size_t k = c; k < outline.kept_.size(); k += n) outline.kept_[k] = shown(outline.kept_[k]);
    if (c < outline.last_row_.size()) outline.last_row_[c] = shown(outline.last_row_[c]);
  }
  return outline;
}

std::vector<OutlinePoint> RecordingOutline::line(std::size_t column) const {
  require(column < columns_.size(), "RecordingOutline::line", "column", "there is no such column");
  std::vector<OutlinePoint> points;
  const auto add = [&](const OutlinePoint& point) {
    const bool again = !points.empty() && points.back().t == point.t && points.back().value == point.value;
    if (!again) points.push_back(point);
  };
  for (std::size_t g = 0; g < group_count_; ++g) {
    const Extent& extent = groups_[g * columns_.size() + column];
    if (!std::isnan(extent.first.value)) {
      const bool low_first = extent.lowest.t <= extent.highest.t;
      add(extent.first);
      add(low_first ? extent.lowest : extent.highest);
      add(low_first ? extent.highest : extent.lowest);
      add(extent.last);
    }
    if (extent.broken) points.push_back({extent.last.t, std::numeric_limits<double>::quiet_NaN()});
  }
  return points;
}

std::size_t RecordingOutline::kept_rows() const {
  if (rows_ == 0) return 0;
  const std::size_t kept = kept_.size() / columns_.size();
  return (rows_ - 1) % row_stride_ == 0 ? kept : kept + 1;
}

std::span<const double> RecordingOutline::kept_row(std::size_t i) const {
  require(i < kept_rows(), "RecordingOutline::kept_row", "i", "there is no such row");
  const std::size_t n = columns_.size();
  if (i * n == kept_.size()) return last_row_;
  return {kept_.data() + i * n, n};
}

std::span<const ContactForceRecord> RecordingOutline::kept_contacts(std::size_t i) const {
  require(i < kept_rows(), "RecordingOutline::kept_contacts", "i", "there is no such row");
  if (i == first_contact_.size()) return last_contacts_;
  const std::size_t first = first_contact_[i];
  const std::size_t end = i + 1 < first_contact_.size() ? first_contact_[i + 1] : contacts_.size();
  return std::span<const ContactForceRecord>(contacts_).subspan(first, end - first);
}

}  // namespace pintle
