// EventsKept: the events of a run, without its rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pintle/simulation/recording.h"

namespace pintle {

/// Keeps the first events of a run, and counts the others.
class EventsKept : public RecordSink {
 public:
  explicit EventsKept(std::int64_t most = 100000);
  ~EventsKept() override;

  RecordReport begin(std::span<const Column> columns) override;
  RecordReport row(std::span<const double> numbers) override;
  RecordReport event(const EventRecord& event) override;

  std::span<const RecordedEvent> events() const { return events_; }
  /// How many there were beyond those that are kept.
  std::int64_t left_out() const { return left_out_; }

 private:
  std::int64_t most_;
  std::int64_t left_out_ = 0;
  std::vector<RecordedEvent> events_;
};

}  // namespace pintle
