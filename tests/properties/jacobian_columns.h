// The columns of a Jacobian as twists: those of the joints that move its place.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "pintle/spatial/twist.h"

namespace test {

/// The number of a dof, and the twist that its unit velocity gives a place.
using Column = std::pair<std::size_t, pintle::Twist<>>;

/// The columns that are not zero of a matrix of six rows.
inline std::vector<Column> columns_of(const std::vector<double>& J) {
  const std::size_t n = J.size() / 6;
  std::vector<Column> columns;
  for (std::size_t j = 0; j < n; ++j) {
    std::array<double, 6> a{};
    bool moves = false;
    for (std::size_t row = 0; row < 6; ++row) {
      a[row] = J[row * n + j];
      moves = moves || !(a[row] == 0.0);
    }
    if (moves) columns.push_back({j, pintle::twist_from_array(a)});
  }
  return columns;
}

}  // namespace test
