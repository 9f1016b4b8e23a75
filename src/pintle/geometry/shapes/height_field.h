// HeightField: static terrain given by heights on a regular grid.
#pragma once

#include <vector>

#include "pintle/base/result.h"
#include "pintle/geometry/shapes/bounding_box.h"

namespace pintle {

/// Heights [m] along z at the points (i spacing, j spacing), i < nx, j < ny; `heights` is stored row by row, i fastest.
/// The cell of (i, j) is cut by the diagonal to (i + 1, j + 1) into two triangles: triangle 2c is the one at its lower
/// right, (i, j), (i + 1, j), (i + 1, j + 1), triangle 2c + 1 the one at its upper left, c = i + (nx - 1) j. The free
/// side is +z; what is below is inside. Made by height_field.
struct HeightField {
  int nx = 0, ny = 0;
  double spacing = 0.0;  ///< [m]
  std::vector<double> heights;
  std::vector<int> faces;              ///< one per triangle: the first triangle of the flat face it is a part of
  std::vector<unsigned char> pointed;  ///< one per grid point: 1 where an object may touch it and nothing beside it
};

/// Makes the terrain with these heights [m], nx ny of them.
///
/// Codes: height-field-size (fewer than two points per side, or the number of heights differs from that of points),
/// height-field-spacing (not finite and positive), height-field-not-finite.
Result<HeightField> height_field(int nx, int ny, double spacing, std::vector<double> heights);

/// The box around the surface. Throws UsageError when it has no heights.
BoundingBox bounding_box(const HeightField& field);

/// Returns the problems of a field; empty for every result of height_field. Codes: as there, and height-field-not-made
/// (inconsistent lists).
Diagnostics check(const HeightField& field);

}  // namespace pintle
