// The inertia of homogeneous bodies: from a shape and a density or a mass, and of a body with a part taken out.
//
// Inertias about one origin add up (`+`, spatial_inertia.h); `X_AB * I` turns one and moves it by the parallel axis
// theorem.
#pragma once

#include "pintle/base/result.h"
#include "pintle/geometry/shapes/shape.h"

namespace pintle {

/// The inertia in B of a body with the given shape, placed by X_BS, and density [kg/m^3], which must be finite and
/// positive. Shape, density and pose are checked.
Result<SpatialInertia<>> inertia_from_density(const Shape& shape, double density,
                                              const Pose<>& X_BS = identity_pose<double>());

/// The inertia in B of a body with the given shape, placed by X_BS, and mass [kg], spread evenly; it must be finite and
/// positive. Shape, mass and pose are checked.
Result<SpatialInertia<>> inertia_from_mass(const Shape& shape, double mass,
                                           const Pose<>& X_BS = identity_pose<double>());

/// The inertia of a body with a part taken out, all about the same origin. An error when no body can have what is left:
/// the part is as heavy as the whole, or reaches out of it. (That it is physical does not prove that the part lies
/// inside.)
Result<SpatialInertia<>> subtract(const SpatialInertia<>& whole, const SpatialInertia<>& part);

}  // namespace pintle
