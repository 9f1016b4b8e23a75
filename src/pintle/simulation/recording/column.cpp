#include "pintle/simulation/recording/column.h"

#include <unordered_set>

namespace pintle {

std::string label(const Column& column) {
  return column.name + " [" + column.unit + "]";
}

std::size_t first_repeated(std::span<const Column> columns) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (!seen.insert(columns[i].name).second) return i;
  return columns.size();
}

}  // namespace pintle
