// Whether a body can have a given inertia.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// Returns the problems of an inertia; empty when some mass distribution >= 0 has it, up to rounding: the mass is not
/// negative, and of the principal moments about the centre of mass none is negative and none exceeds the sum of the
/// other two. A point mass and a thin rod are valid; so is a flywheel without mass, the limit of a light wide one.
/// [eq. inertia-triangle]
///
/// Codes: inertia-not-finite, inertia-mass, inertia-first-moment (a centre of mass without mass), inertia-negative,
/// inertia-triangle.
Diagnostics check_inertia(const SpatialInertia<>& I);

/// The same for an inertia that was computed as a difference of terms as large as `scale`, and so carries their
/// rounding errors.
Diagnostics check_inertia(const SpatialInertia<>& I, const SpatialInertia<>& scale);

/// The same for a part that is welded to others, which together have the inertia `whole`. Only `whole` affects the
/// motion: when it is physical with a margin, or the part violates the conditions by no more than the rounding of the
/// whole, an impossible inertia of the part is not an error but a warning (inertia-alone).
Diagnostics check_welded_inertia(const SpatialInertia<>& part, const SpatialInertia<>& whole);

}  // namespace pintle
