#include "pintle/io/recording/column_group.h"

namespace pintle {

GroupedColumn grouped(std::string_view name) {
  struct Rule {
    std::string_view start;
    ColumnGroup group;
    std::size_t prefix;
  };
  static constexpr Rule kRules[] = {
      {"energy.residual", ColumnGroup::energy_balance, 0},
      {"momentum.residual.", ColumnGroup::energy_balance, 0},
      {"momentum.", ColumnGroup::momentum, 9},
      {"energy.", ColumnGroup::energies, 7},
      {"q.", ColumnGroup::coordinates, 2},
      {"v.", ColumnGroup::speeds, 2},
      {"a.", ColumnGroup::accelerations, 2},
      {"tau.", ColumnGroup::efforts, 4},
      {"work.", ColumnGroup::work, 5},
      {"clipped.", ColumnGroup::work, 0},
  };
  if (name == "t") return {ColumnGroup::time, name};
  if (name == "certificate" || name == "certificate.contact") return {ColumnGroup::certificate, name};
  for (const Rule& rule : kRules)
    if (name.starts_with(rule.start)) return {rule.group, name.substr(rule.prefix)};
  return {ColumnGroup::sensors, name};
}

}  // namespace pintle
