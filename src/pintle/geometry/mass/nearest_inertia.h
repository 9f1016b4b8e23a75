// The physical inertia nearest to one that no body can have.
#pragma once

#include "pintle/base/result.h"
#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// A repaired inertia, and the changes made to it.
struct NearestInertia {
  SymMat3<> inertia{};      ///< I_c [kg m^2] about the centre of mass, in the axes of the given one
  Vec3<> moments_before{};  ///< principal moments of the given inertia [kg m^2], smallest first
  Vec3<> moments{};         ///< those of the new one, about the same axes in the same order
  double distance = 0.0;    ///< Frobenius norm of the change [kg m^2]: root of the sum of the squares of all 9 entries
  bool changed = false;     ///< false: `inertia` has the bits of the given one
};

/// Returns the physical inertia about the centre of mass that is nearest to I_c [kg m^2] in the Frobenius norm: none of
/// its principal moments exceeds the sum of the other two (so none is negative). Mass and centre of mass do not enter,
/// and the principal axes do not change. An inertia that is physical up to rounding (check_inertia) is not changed.
/// [eq. nearest-inertia]
///
/// With a `margin` m within 0 and 1/3 (else UsageError) each two moments exceed the third by at least m times the sum
/// of all three, so that it stays physical when digits are cut off later; with 1/3 all three moments are equal.
///
/// Problems: inertia-not-finite, also of entries above 10^150 kg m^2; inertia-mass where the mass [kg] is zero or
/// negative, which this cannot repair.
Result<NearestInertia> nearest_inertia(double mass, const SymMat3<>& I_c, double margin = 0.0);

}  // namespace pintle
