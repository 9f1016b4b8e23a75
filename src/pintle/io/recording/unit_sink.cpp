#include "pintle/io/recording/unit_sink.h"

#include "pintle/base/usage_error.h"

namespace pintle {

UnitSink::UnitSink(const UnitSystem& units, RecordSink& sink) : units_(units), sink_(sink) {}

UnitSink::~UnitSink() = default;

RecordReport UnitSink::begin(std::span<const Column> columns) {
  shown_.clear();
  std::vector<Column> own;
  for (const Column& column : columns) {
    shown_.push_back(units_.shown(column.unit));
    own.push_back({column.name, shown_.back().unit});
  }
  values_.resize(columns.size());
  return sink_.begin(own);
}

RecordReport UnitSink::row(std::span<const double> values) {
  require_size("UnitSink::row", "values", values.size(), shown_.size());
  for (std::size_t i = 0; i < values.size(); ++i) values_[i] = shown_[i](values[i]);
  return sink_.row(values_);
}

RecordReport UnitSink::event(const EventRecord& event) {
  return sink_.event(event);
}

RecordReport UnitSink::impact(const ImpactRecord& impact) {
  return sink_.impact(impact);
}

RecordReport UnitSink::contacts(std::span<const ContactForceRecord> contacts) {
  const ShownUnit length = units_.shown("m"), force = units_.shown("N"), torque = units_.shown("N m");
  const auto each = [](const ShownUnit& unit, const Vec3<>& a) { return Vec3<>{unit(a.x), unit(a.y), unit(a.z)}; };
  contacts_.assign(contacts.begin(), contacts.end());
  for (ContactForceRecord& contact : contacts_) {
    contact.point = each(length, contact.point);
    contact.normal_force = force(contact.normal_force);
    contact.friction = each(force, contact.friction);
    contact.moment = each(torque, contact.moment);
    contact.slip = units_.shown("m/s")(contact.slip);
  }
  return sink_.contacts(contacts_);
}

RecordReport UnitSink::end() {
  return sink_.end();
}

}  // namespace pintle
