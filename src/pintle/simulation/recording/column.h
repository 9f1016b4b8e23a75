// Column: one recorded quantity, with its unit.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pintle {

/// A column of a recording. `unit` is an SI unit as in "m", "rad/s", "N m"; "1" if dimensionless.
struct Column {
  std::string name;
  std::string unit;

  bool operator==(const Column&) const = default;
};

/// "tip.x [m]": the heading of a column in files.
std::string label(const Column& column);

/// The index of the first column with the name of an earlier one, or the number of columns.
std::size_t first_repeated(std::span<const Column> columns);

}  // namespace pintle
