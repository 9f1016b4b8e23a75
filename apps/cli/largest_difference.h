// The distance of two objects of the same type: the largest difference of any of their components.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "pintle/spatial/pose.h"

namespace pintle::cli {

template <std::size_t N>
double largest_difference(const std::array<double, N>& a, const std::array<double, N>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < N; ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

inline double largest_difference(const Pose<>& a, const Pose<>& b) {
  return std::max(largest_difference(to_array(a.rotation), to_array(b.rotation)),
                  largest_difference(to_array(a.translation), to_array(b.translation)));
}

}  // namespace pintle::cli
