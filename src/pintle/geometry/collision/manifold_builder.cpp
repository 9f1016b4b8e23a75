#include "pintle/geometry/collision/manifold_builder.h"

namespace pintle {

void ManifoldBuilder::add_apart(const ContactPoint& c, double apart) {
  for (int i = 0; i < manifold_.count; ++i) {
    if (norm_squared(manifold_.points.data()[i].on_b - c.on_b) <= apart * apart) return;
  }
  add(c);
}

double ManifoldBuilder::min_distance() const {
  double smallest = 1e300;
  for (int i = 0; i < manifold_.count; ++i) smallest = min(manifold_.points.data()[i].distance, smallest);
  return smallest;
}

// Of nine points it drops the one nearest to another; of the two nearest the less deep one.
void ManifoldBuilder::replace(const ContactPoint& c) {
  const ContactPoint* points[kMaxPoints + 1];
  for (int i = 0; i < kMaxPoints; ++i) points[i] = manifold_.points.data() + i;
  points[kMaxPoints] = &c;
  int deepest = 0;
  for (int i = 1; i <= kMaxPoints; ++i)
    if (points[i]->distance < points[deepest]->distance) deepest = i;
  int first = 0, second = 1;
  double smallest = 1e300;
  for (int i = 0; i <= kMaxPoints; ++i) {
    for (int j = i + 1; j <= kMaxPoints; ++j) {
      const double d = norm_squared(points[i]->on_b - points[j]->on_b);
      if (!(d < smallest)) continue;
      smallest = d;
      first = i;
      second = j;
    }
  }
  const bool first_stays =
      first == deepest || (second != deepest && points[first]->distance <= points[second]->distance);
  const int gone = first_stays ? second : first;
  if (gone < kMaxPoints) manifold_.points.data()[gone] = c;
}

}  // namespace pintle
