// Whether the holes of a solid can be subtracted from it.
#pragma once

#include "pintle/geometry/shapes/hole.h"

namespace pintle {

/// Holes may extend beyond their solid, and into each other, by this fraction of the solid's size: far above rounding,
/// far below what shows in a mass.
inline constexpr double kHoleTolerance = 1e-7;

/// Returns the problems of the holes of a valid shape. Moments are signed sums, so every hole must lie within the shape
/// (it may end in its surface), and no two may overlap (they may touch).
///
/// Codes: those of `check`, hole-mesh (the shape or a hole is a mesh), hole-outside, hole-overlap.
Diagnostics check_holes(const Shape& shape, std::span<const Hole> holes);

/// How far the hole extends beyond the shape [m]; not above zero where it lies within. Neither may be a mesh.
double protrusion(const Shape& shape, const Hole& hole);

}  // namespace pintle
