#include "pintle/io/recording/sink_group.h"

namespace pintle {

SinkGroup::SinkGroup(std::span<RecordSink* const> sinks) : sinks_(sinks.begin(), sinks.end()) {}

SinkGroup::~SinkGroup() = default;

RecordReport SinkGroup::begin(std::span<const Column> columns) {
  for (begun_ = 0; begun_ < sinks_.size();)
    if (const RecordReport report = sinks_[begun_++]->begin(columns); !report.ok()) return report;
  return {};
}

RecordReport SinkGroup::row(std::span<const double> numbers) {
  for (RecordSink* const sink : sinks_)
    if (const RecordReport report = sink->row(numbers); !report.ok()) return report;
  return {};
}

RecordReport SinkGroup::event(const EventRecord& event) {
  for (RecordSink* const sink : sinks_)
    if (const RecordReport report = sink->event(event); !report.ok()) return report;
  return {};
}

RecordReport SinkGroup::impact(const ImpactRecord& impact) {
  for (RecordSink* const sink : sinks_)
    if (const RecordReport report = sink->impact(impact); !report.ok()) return report;
  return {};
}

RecordReport SinkGroup::contacts(std::span<const ContactForceRecord> contacts) {
  for (RecordSink* const sink : sinks_)
    if (const RecordReport report = sink->contacts(contacts); !report.ok()) return report;
  return {};
}

RecordReport SinkGroup::end() {
  RecordReport first;
  for (std::size_t i = 0; i < begun_; ++i) {
    const RecordReport report = sinks_[i]->end();
    if (report.ok() || !first.ok()) continue;
    reason_ = report.reason;
    first = {report.outcome, reason_};
  }
  begun_ = 0;
  return first;
}

}  // namespace pintle
