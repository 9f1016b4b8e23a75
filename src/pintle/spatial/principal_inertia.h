// The principal moments and axes of an inertia.
#pragma once

#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// I = axes diagonal(moments) axes'.
struct PrincipalInertia {
  Vec3<> moments;  ///< [kg m^2], smallest first
  Mat3<> axes;     ///< orthonormal columns, right- or left-handed, in the axes of I
};

/// Returns the principal moments and axes of a symmetric matrix of any representable scale.
PrincipalInertia principal_inertia(const SymMat3<>& I);

/// The largest magnitude of its entries.
double largest_entry(const SymMat3<>& I);

}  // namespace pintle
