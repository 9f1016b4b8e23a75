#include "pintle/io/events_kept.h"

namespace pintle {

EventsKept::EventsKept(std::int64_t most) : most_(most) {}

EventsKept::~EventsKept() = default;

RecordReport EventsKept::begin(std::span<const Column>) {
  events_.clear();
  left_out_ = 0;
  impacts_.clear();
  impact_sum_ = {};
  return {};
}

RecordReport EventsKept::row(std::span<const double>) {
  return {};
}

RecordReport EventsKept::event(const EventRecord& event) {
  if (static_cast<std::int64_t>(events_.size()) >= most_) {
    ++left_out_;
    return {};
  }
  RecordedEvent kept{event, std::string(event.name)};
  kept.event.name = {};
  events_.push_back(std::move(kept));
  return {};
}

RecordReport EventsKept::impact(const ImpactRecord& impact) {
  if (static_cast<std::int64_t>(impacts_.size()) < most_) impacts_.push_back(impact);
  ++impact_sum_.count;
  impact_sum_.energy += impact.energy;
  impact_sum_.last = impact.t;
  return {};
}

}  // namespace pintle
