// EventsKept: the events and impacts of a run, without its rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pintle/simulation/recording/recording.h"

namespace pintle {

/// A summary of all impacts of a run.
struct ImpactSum {
  std::int64_t count = 0;
  double energy = 0.0;              ///< [J] total loss
  double last = __builtin_nan("");  ///< [s]
};

/// A summary of the contacts of all rows.
struct ContactSum {
  std::int64_t points = 0;       ///< total over all rows
  std::int64_t max_points = 0;   ///< maximum in one row
  double largest = 0.0;          ///< [N] maximum normal force
  double t = 0.0;                ///< [s] time of that maximum
  int body_a = -1, body_b = -1;  ///< its two bodies (Model::bodies; -1: the world)
};

/// Keeps the first events and the first impacts of a run, and counts the others.
class EventsKept : public RecordSink {
 public:
  explicit EventsKept(std::int64_t max_events = 100000);
  ~EventsKept() override;

  RecordReport begin(std::span<const Column> columns) override;
  RecordReport row(std::span<const double> numbers) override;
  RecordReport event(const EventRecord& event) override;
  RecordReport impact(const ImpactRecord& impact) override;
  RecordReport contacts(std::span<const ContactForceRecord> contacts) override;

  std::span<const RecordedEvent> events() const { return events_; }
  /// How many events were not kept.
  std::int64_t left_out() const { return left_out_; }

  std::span<const ImpactRecord> impacts() const { return impacts_; }
  const ImpactSum& impact_sum() const { return impact_sum_; }
  const ContactSum& contact_sum() const { return contact_sum_; }
  std::int64_t impacts_left_out() const { return impact_sum_.count - static_cast<std::int64_t>(impacts_.size()); }

 private:
  std::int64_t max_events_;
  std::int64_t left_out_ = 0;
  std::vector<RecordedEvent> events_;
  std::vector<ImpactRecord> impacts_;
  ImpactSum impact_sum_;
  ContactSum contact_sum_;
  double t_ = 0.0;  // of the last row
};

}  // namespace pintle
