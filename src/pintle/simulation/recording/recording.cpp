#include "pintle/simulation/recording/recording.h"

#include "pintle/base/nearest_name.h"
#include "pintle/base/usage_error.h"

namespace pintle {

MemoryRecording::MemoryRecording(const MemoryLimits& limits) : limits_(limits) {}

MemoryRecording::~MemoryRecording() = default;

RecordReport MemoryRecording::begin(std::span<const Column> columns) {
  const std::size_t repeated = first_repeated(columns);
  if (repeated < columns.size()) {
    throw UsageError("MemoryRecording::begin: two columns are called '" + columns[repeated].name + "'");
  }
  columns_.assign(columns.begin(), columns.end());
  numbers_.clear();
  rows_ = 0;
  events_.clear();
  impacts_.clear();
  contacts_.clear();
  first_contact_.clear();
  if (limits_.rows > 0) numbers_.reserve(static_cast<std::size_t>(limits_.rows) * columns_.size());
  if (limits_.rows > 0) first_contact_.reserve(static_cast<std::size_t>(limits_.rows));
  if (limits_.events > 0) events_.reserve(static_cast<std::size_t>(limits_.events));
  return {};
}

RecordReport MemoryRecording::row(std::span<const double> numbers) {
  require_size("MemoryRecording::row", "numbers", numbers.size(), columns_.size());
  if (limits_.rows >= 0 && rows_ == static_cast<std::size_t>(limits_.rows)) {
    return {RecordOutcome::full, "MemoryLimits allows no more rows"};
  }
  numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
  first_contact_.push_back(contacts_.size());
  ++rows_;
  return {};
}

RecordReport MemoryRecording::event(const EventRecord& event) {
  if (limits_.events >= 0 && events_.size() == static_cast<std::size_t>(limits_.events)) {
    return {RecordOutcome::full, "MemoryLimits allows no more events"};
  }
  events_.push_back({event, std::string(event.name)});
  return {};
}

RecordReport MemoryRecording::impact(const ImpactRecord& impact) {
  if (limits_.events >= 0 && impacts_.size() == static_cast<std::size_t>(limits_.events)) {
    return {RecordOutcome::full, "MemoryLimits allows no more impacts (they count as events)"};
  }
  impacts_.push_back(impact);
  return {};
}

RecordReport MemoryRecording::contacts(std::span<const ContactForceRecord> contacts) {
  require(rows_ > 0, "MemoryRecording::contacts", "contacts", "record a row before its contacts");
  contacts_.insert(contacts_.end(), contacts.begin(), contacts.end());
  return {};
}

std::span<const Column> MemoryRecording::columns() const {
  return columns_;
}

std::span<const double> MemoryRecording::row_at(std::size_t i) const {
  require(i < rows_, "MemoryRecording::row_at", "i", "there is no such row");
  return std::span<const double>(numbers_).subspan(i * columns_.size(), columns_.size());
}

std::size_t MemoryRecording::column_number(std::string_view name) const {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name == name) return i;
    known.push_back(columns_[i].name);
  }
  const std::string nearest = nearest_name(name, known);
  throw UsageError("MemoryRecording::column_number: there is no column '" + std::string(name) + "'" +
                   (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

std::vector<double> MemoryRecording::column(std::string_view name) const {
  const std::size_t at = column_number(name);
  std::vector<double> numbers;
  numbers.reserve(rows_);
  for (std::size_t i = 0; i < rows_; ++i) numbers.push_back(numbers_[i * columns_.size() + at]);
  return numbers;
}

std::span<const RecordedEvent> MemoryRecording::events() const {
  return events_;
}

std::span<const ImpactRecord> MemoryRecording::impacts() const {
  return impacts_;
}

std::span<const ContactForceRecord> MemoryRecording::contacts_at(std::size_t i) const {
  require(i < rows_, "MemoryRecording::contacts_at", "i", "there is no such row");
  const std::size_t first = first_contact_[i], end = i + 1 < rows_ ? first_contact_[i + 1] : contacts_.size();
  return std::span<const ContactForceRecord>(contacts_).subspan(first, end - first);
}

}  // namespace pintle
