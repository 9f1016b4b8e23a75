// SinkGroup: passes one recording to several sinks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pintle/simulation/recording/recording.h"

namespace pintle {

/// Passes everything to each sink in order, up to the first that does not accept more. `end` is called on all sinks
/// that began, so that each keeps what it has.
class SinkGroup : public RecordSink {
 public:
  /// The sinks must outlive the group.
  explicit SinkGroup(std::span<RecordSink* const> sinks);
  ~SinkGroup() override;

  RecordReport begin(std::span<const Column> columns) override;
  RecordReport row(std::span<const double> numbers) override;
  RecordReport event(const EventRecord& event) override;
  RecordReport impact(const ImpactRecord& impact) override;
  RecordReport contacts(std::span<const ContactForceRecord> contacts) override;
  RecordReport end() override;

 private:
  std::vector<RecordSink*> sinks_;
  std::size_t begun_ = 0;
  std::string reason_;
};

}  // namespace pintle
