// HeightField: a static ground given by heights on a regular grid.
#pragma once

#include <vector>

#include "pintle/base/result.h"
#include "pintle/geometry/shapes/bounding_box.h"

namespace pintle {

/// Heights [m] along z at the points (i spacing, j spacing), i < nx, j < ny; `heights` holds row after row, i first.
/// The cell of (i, j) is cut by the diagonal to (i + 1, j + 1) into two triangles: number 2c is the one at its lower
/// right, (i, j), (i + 1, j), (i + 1, j + 1), number 2c + 1 the one at its upper left, c = i + (nx - 1) j. The free
/// side is +z; what is below is inside. Made by height_field.
struct HeightField {
  int nx = 0, ny = 0;
  double spacing = 0.0;  ///< [m]
  std::vector<double> heights;
  std::vector<int> faces;              ///< one a triangle: the first triangle of the flat face it is a part of
  std::vector<unsigned char> pointed;  ///< one a grid point: 1 where a thing may touch it and nothing beside it
};

/// The ground with these heights [m], nx ny of them.
///
/// Codes: height-field-size (less than two points a side, or not as many heights as points), height-field-spacing (not
/// finite and positive), height-field-not-finite.
Result<HeightField> height_field(int nx, int ny, double spacing, std::vector<double> heights);

/// The box around the surface. Throws UsageError when it has no heights.
BoundingBox bounding_box(const HeightField& field);

/// What is wrong with the field; empty for every one that height_field made. Codes: as there, and height-field-not-made
/// (lists that do not fit together).
Diagnostics check(const HeightField& field);

}  // namespace pintle
