// HeightField: a static ground given by heights on a regular grid.
#pragma once

#include <vector>

#include "pintle/base/diagnostic.h"
#include "pintle/geometry/bounding_box.h"

namespace pintle {

/// Heights [m] along z at the points (i spacing, j spacing), i < nx, j < ny; `heights` holds row after row, i first.
struct HeightField {
  int nx = 0, ny = 0;
  double spacing = 0.0;
  std::vector<double> heights;
};

BoundingBox bounding_box(const HeightField& field);

/// What is wrong with the field; empty when it can be collided with.
Diagnostics check(const HeightField& field);

}  // namespace pintle
