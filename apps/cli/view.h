// A parallel projection of the world (z up) onto a drawing.
#pragma once

#include <span>

#include "pintle/math/vec3.h"
#include "svg.h"

namespace pintle::cli {

/// The part of the drawing that holds the picture, in pixels.
struct Frame {
  double left, top, right, bottom;
};

class View {
 public:
  /// Looks from the azimuth and elevation [rad] of the viewer, so that all points fit into the frame.
  View(double azimuth, double elevation, std::span<const Vec3<>> points, const Frame& frame);

  Point project(const Vec3<>& point) const;

  /// Larger is nearer to the viewer.
  double depth(const Vec3<>& point) const { return dot(to_viewer_, point); }

  /// The unit vector to the viewer, who is far away.
  const Vec3<>& to_viewer() const { return to_viewer_; }

 private:
  Vec3<> right_, up_, to_viewer_;
  double scale_ = 1.0;
  Point shift_{0.0, 0.0};
};

}  // namespace pintle::cli
