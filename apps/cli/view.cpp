#include "view.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pintle::cli {

View::View(double azimuth, double elevation, std::span<const Vec3<>> points, const Frame& frame)
    : right_{-std::sin(azimuth), std::cos(azimuth), 0.0},
      up_{-std::cos(azimuth) * std::sin(elevation), -std::sin(azimuth) * std::sin(elevation), std::cos(elevation)},
      to_viewer_(cross(right_, up_)) {
  const double infinity = std::numeric_limits<double>::infinity();
  Frame box{infinity, infinity, -infinity, -infinity};
  for (const Vec3<>& point : points) {
    const Point p = project(point);
    box = {std::min(box.left, p.x), std::min(box.top, p.y), std::max(box.right, p.x), std::max(box.bottom, p.y)};
  }
  scale_ = std::min((frame.right - frame.left) / (box.right - box.left),
                    (frame.bottom - frame.top) / (box.bottom - box.top));
  shift_ = {0.5 * (frame.left + frame.right - scale_ * (box.left + box.right)),
            0.5 * (frame.top + frame.bottom - scale_ * (box.top + box.bottom))};
}

Point View::project(const Vec3<>& point) const {
  return {shift_.x + scale_ * dot(right_, point), shift_.y - scale_ * dot(up_, point)};
}

}  // namespace pintle::cli
