// How far two answers are apart.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

namespace peers {

/// max |a - b| / max |b|: infinite when the sizes differ or a number is not finite.
inline double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (a.size() != b.size()) return infinite;
  double most = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) return infinite;
    most = std::fmax(most, std::fabs(a[i] - b[i]));
    scale = std::fmax(scale, std::fabs(b[i]));
  }
  return scale > 0 ? most / scale : most;
}

}  // namespace peers
