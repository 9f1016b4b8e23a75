// ManifoldBuilder: collects contact points and keeps at most eight.
#pragma once

#include "pintle/geometry/collision/contact_feature.h"

namespace pintle {

/// A cap or base whose normal is within this angle [rad] of that of a face lies flat on it, and touches in eight points
/// of its edge instead of the lowest one. Their heights differ by at most this angle times its diameter.
inline constexpr double kFlatAngle = 1e-9;

class ManifoldBuilder {
 public:
  ManifoldBuilder(ContactManifold& manifold, double margin) : manifold_(manifold), margin_(margin) {
    manifold_.count = 0;
  }

  /// Adds the point unless its gap exceeds the margin or is NaN. Of nine points it keeps the deepest, and those that
  /// are farthest from the ones already kept.
  void add(const ContactPoint& c) {
    if (!(c.distance <= margin_)) return;
    if (manifold_.count < kMaxPoints) {
      manifold_.points.data()[manifold_.count++] = c;
    } else {
      replace(c);
    }
  }

  /// The same, unless there is already a point within `apart` [m].
  void add_apart(const ContactPoint& c, double apart);

  int count() const { return manifold_.count; }
  double margin() const { return margin_; }

  /// The minimum distance of the points so far.
  double min_distance() const;

 private:
  static constexpr int kMaxPoints = 8;
  void replace(const ContactPoint& c);

  ContactManifold& manifold_;
  double margin_;
};

}  // namespace pintle
