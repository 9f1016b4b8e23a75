// Nearest points of two convex cores by their support points alone: Gilbert, Johnson and Keerthi's algorithm, and the
// expanding polytope where the cores overlap.
#pragma once

#include "pintle/geometry/collision/convex_view.h"
#include "pintle/geometry/collision/separation.h"

namespace pintle {

/// Nearest points of the cores of A and B, in the frame of A, up to the accuracy of a search by support points: exact
/// for polyhedra up to rounding, an initial guess for the exact features where a core is curved. Rounding radii are not
/// included.
///
/// Sources: Gilbert, Johnson, Keerthi 1988; van den Bergen 2001 (expanding polytope).
Separation core_separation(const ConvexView& a, const ConvexView& b, const Pose<>& X_AB);

}  // namespace pintle
