// UnitSink: passes a recording on in other units.
#pragma once

#include <vector>

#include "pintle/simulation/recording/recording.h"
#include "pintle/text/unit_system.h"

namespace pintle {

/// Columns, rows and contacts in the units of a system; events and impacts as they are.
class UnitSink : public RecordSink {
 public:
  /// The sink must outlive this one.
  UnitSink(const UnitSystem& units, RecordSink& sink);
  ~UnitSink() override;

  RecordReport begin(std::span<const Column> columns) override;
  RecordReport row(std::span<const double> values) override;
  RecordReport event(const EventRecord& event) override;
  RecordReport impact(const ImpactRecord& impact) override;
  RecordReport contacts(std::span<const ContactForceRecord> contacts) override;
  RecordReport end() override;

 private:
  UnitSystem units_;
  RecordSink& sink_;
  std::vector<ShownUnit> shown_;
  std::vector<double> values_;
  std::vector<ContactForceRecord> contacts_;
};

}  // namespace pintle
