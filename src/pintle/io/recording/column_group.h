// Groups the columns of a recording by subject: plots and reports show one group at a time.
#pragma once

#include <string_view>

namespace pintle {

enum class ColumnGroup : unsigned char {
  time,
  coordinates,
  speeds,
  accelerations,
  efforts,
  energies,
  work,
  momentum,
  energy_balance,  ///< the residuals of the energy balance
  certificate,
  sensors,
};

struct ColumnGroupFacts {
  ColumnGroup group;
  std::string_view name;
};

inline constexpr int kColumnGroups = 11;
inline constexpr ColumnGroupFacts kColumnGroupFacts[kColumnGroups] = {
    {ColumnGroup::time, "time"},
    {ColumnGroup::coordinates, "coordinates"},
    {ColumnGroup::speeds, "speeds"},
    {ColumnGroup::accelerations, "accelerations"},
    {ColumnGroup::efforts, "efforts"},
    {ColumnGroup::energies, "energies"},
    {ColumnGroup::work, "work"},
    {ColumnGroup::momentum, "momentum"},
    {ColumnGroup::energy_balance, "energy_balance"},
    {ColumnGroup::certificate, "certificate"},
    {ColumnGroup::sensors, "sensors"},
};

constexpr const ColumnGroupFacts& facts(ColumnGroup group) {
  return kColumnGroupFacts[static_cast<int>(group)];
}

/// The group of a recording's column (docs/formats/recording.md).
struct GroupedColumn {
  ColumnGroup group;
  std::string_view rest;  ///< its name without the part that the group implies: "elbow" of "q.elbow"
};

/// Determines the group from the name.
GroupedColumn grouped(std::string_view name);

}  // namespace pintle
