// The inertia of homogeneous bodies: from a shape, with or without holes, and a density or a mass, and of a body with a
// part removed.
//
// Inertias about one origin add up (`+`, spatial_inertia.h); `X_AB * I` rotates one and moves it by the parallel axis
// theorem.
#pragma once

#include "pintle/base/result.h"
#include "pintle/geometry/shapes/hole.h"

namespace pintle {

/// The inertia in B of a body with the given shape, placed by X_BS, and density [kg/m^3], which must be finite and
/// positive. Validates shape, density and pose.
Result<SpatialInertia<>> inertia_from_density(const Shape& shape, double density,
                                              const Pose<>& X_BS = identity_pose<double>());

/// The inertia in B of a body with the given shape, placed by X_BS, and mass [kg], evenly distributed; it must be
/// finite and positive. Validates shape, mass and pose.
Result<SpatialInertia<>> inertia_from_mass(const Shape& shape, double mass,
                                           const Pose<>& X_BS = identity_pose<double>());

/// The same of a shape with holes, by signed sums; the density or the mass is that of what remains. Validates the holes
/// too (check_holes).  [eq. holes]
Result<SpatialInertia<>> inertia_from_density(const Shape& shape, std::span<const Hole> holes, double density,
                                              const Pose<>& X_BS = identity_pose<double>());
Result<SpatialInertia<>> inertia_from_mass(const Shape& shape, std::span<const Hole> holes, double mass,
                                           const Pose<>& X_BS = identity_pose<double>());

/// The inertia of a body with a part removed, all about the same origin. An error when no body can have the remaining
/// inertia: the part is as heavy as the whole, or extends beyond it. (A physical remainder does not prove that the part
/// lies inside.)
Result<SpatialInertia<>> subtract(const SpatialInertia<>& whole, const SpatialInertia<>& part);

}  // namespace pintle
