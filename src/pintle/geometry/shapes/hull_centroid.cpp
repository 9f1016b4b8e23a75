#include "pintle/geometry/shapes/hull_centroid.h"

#include <algorithm>
#include <cstddef>

#include "pintle/math/scalar.h"

namespace pintle {
namespace {

PlanePoint operator-(PlanePoint a, PlanePoint b) {
  return {a.u - b.u, a.v - b.v};
}

double cross(PlanePoint a, PlanePoint b) {
  return a.u * b.v - a.v * b.u;
}

double norm_squared(PlanePoint a) {
  return a.u * a.u + a.v * a.v;
}

PlanePoint farthest_from(PlanePoint from, const std::vector<PlanePoint>& points) {
  return *std::max_element(points.begin(), points.end(), [from](PlanePoint a, PlanePoint b) {
    return norm_squared(a - from) < norm_squared(b - from);
  });
}

// Andrew's monotone chain: the lower hull from left to right, then the upper one back; counter-clockwise.
std::vector<PlanePoint> convex_hull(std::vector<PlanePoint> points) {
  std::sort(points.begin(), points.end(),
            [](PlanePoint a, PlanePoint b) { return a.u < b.u || (a.u == b.u && a.v < b.v); });
  std::vector<PlanePoint> hull;
  const auto add_all = [&hull](auto first, auto last) {
    const std::size_t start = hull.size();
    for (; first != last; ++first) {
      while (hull.size() >= start + 2 && cross(hull.back() - hull[hull.size() - 2], *first - hull.back()) <= 0.0)
        hull.pop_back();
      hull.push_back(*first);
    }
    hull.pop_back();  // the next chain starts with it
  };
  add_all(points.begin(), points.end());
  add_all(points.rbegin(), points.rend());
  return hull;
}

}  // namespace

PlanePoint hull_centroid(std::vector<PlanePoint> points) {
  const PlanePoint one_end = farthest_from(points.front(), points), other_end = farthest_from(one_end, points);
  const double length_squared = norm_squared(other_end - one_end);

  const std::vector<PlanePoint> hull = convex_hull(std::move(points));
  double twice_area = 0.0, u = 0.0, v = 0.0;
  for (std::size_t i = 1; i + 1 < hull.size(); ++i) {  // triangles around the first corner
    const PlanePoint a = hull[i] - hull[0], b = hull[i + 1] - hull[0];
    const double part = cross(a, b);
    twice_area += part;
    u += part * (a.u + b.u) / 3.0;
    v += part * (a.v + b.v) / 3.0;
  }
  constexpr double kThinnest = 1e-12;  // a strip this narrow for its length is a line with rounding errors
  if (twice_area <= kThinnest * length_squared) {
    return {0.5 * (one_end.u + other_end.u), 0.5 * (one_end.v + other_end.v)};
  }
  return {hull[0].u + u / twice_area, hull[0].v + v / twice_area};
}

}  // namespace pintle
