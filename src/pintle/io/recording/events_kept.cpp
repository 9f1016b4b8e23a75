#include "pintle/io/recording/events_kept.h"

namespace pintle {

EventsKept::EventsKept(std::int64_t max_events) : max_events_(max_events) {}

EventsKept::~EventsKept() = default;

RecordReport EventsKept::begin(std::span<const Column>) {
  events_.clear();
  left_out_ = 0;
  impacts_.clear();
  impact_sum_ = {};
  contact_sum_ = {};
  return {};
}

RecordReport EventsKept::row(std::span<const double> numbers) {
  t_ = numbers.empty() ? 0.0 : numbers[0];
  return {};
}

RecordReport EventsKept::event(const EventRecord& event) {
  if (static_cast<std::int64_t>(events_.size()) >= max_events_) {
    ++left_out_;
    return {};
  }
  RecordedEvent kept{event, std::string(event.name)};
  kept.event.name = {};
  events_.push_back(std::move(kept));
  return {};
}

RecordReport EventsKept::contacts(std::span<const ContactForceRecord> contacts) {
  const std::int64_t count = static_cast<std::int64_t>(contacts.size());
  contact_sum_.points += count;
  contact_sum_.max_points = count > contact_sum_.max_points ? count : contact_sum_.max_points;
  for (const ContactForceRecord& contact : contacts) {
    if (!(contact.normal_force > contact_sum_.largest)) continue;
    contact_sum_.largest = contact.normal_force;
    contact_sum_.t = t_;
    contact_sum_.body_a = contact.body_a;
    contact_sum_.body_b = contact.body_b;
  }
  return {};
}

RecordReport EventsKept::impact(const ImpactRecord& impact) {
  if (static_cast<std::int64_t>(impacts_.size()) < max_events_) impacts_.push_back(impact);
  ++impact_sum_.count;
  impact_sum_.energy += impact.energy;
  impact_sum_.last = impact.t;
  return {};
}

}  // namespace pintle
