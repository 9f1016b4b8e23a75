// Hole: what is cut out of a solid.
#pragma once

#include <span>

#include "pintle/geometry/shapes/shape.h"
#include "pintle/spatial/pose.h"

namespace pintle {

/// A solid that is cut out of another one, S: a bore is a cylinder. X_SH places it in the frame of S. Not a mesh.
struct Hole {
  Shape shape;
  Pose<> X_SH = identity_pose<double>();
};

}  // namespace pintle
