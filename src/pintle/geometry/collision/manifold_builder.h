// ManifoldBuilder: collects contact points and keeps at most eight.
#pragma once

#include "pintle/geometry/collision/contact_feature.h"

namespace pintle {

/// A cap or base whose normal is this near [rad] to that of a face lies flat on it, and touches in eight points of its
/// rim instead of the lowest one. These differ in height by no more than this much times its diameter.
inline constexpr double kFlatAngle = 1e-9;

class ManifoldBuilder {
 public:
  ManifoldBuilder(ContactManifold& manifold, double margin) : manifold_(manifold), margin_(margin) {
    manifold_.count = 0;
  }

  /// Adds the point unless it is farther apart than the margin, or not a number. Of a ninth and the eight before, the
  /// deepest stays, and those that are farthest from the ones that stay.
  void add(const ContactPoint& c) {
    if (!(c.distance <= margin_)) return;
    if (manifold_.count < kMost) {
      manifold_.points.data()[manifold_.count++] = c;
    } else {
      replace(c);
    }
  }

  /// The same, unless a point is there already, up to `apart` [m].
  void add_apart(const ContactPoint& c, double apart);

  int count() const { return manifold_.count; }
  double margin() const { return margin_; }

  /// The least distance of the points so far.
  double min_distance() const;

 private:
  static constexpr int kMost = 8;
  void replace(const ContactPoint& c);

  ContactManifold& manifold_;
  double margin_;
};

}  // namespace pintle
