// MassSummary: mass, centre of mass and inertia of a body or of a whole mechanism, in readable form.
#pragma once

#include <span>

#include "pintle/model/compiled/model.h"

namespace pintle {

struct MassSummary {
  double mass = 0.0;                                ///< [kg]
  Vec3<> center{0.0, 0.0, 0.0};                     ///< centre of mass [m]; the origin if there is no mass
  SymMat3<> inertia{0.0, 0.0, 0.0, 0.0, 0.0, 0.0};  ///< about the centre of mass [kg m^2]
  Vec3<> principal{0.0, 0.0, 0.0};                  ///< principal moments, smallest first; rounding errors removed
};

/// Of one body, in the frame of its inertia.
MassSummary mass_summary(const SpatialInertia<>& I);

/// Of all bodies together, including those welded to the world, at the configuration q (model.nq() values, otherwise
/// UsageError), in world axes. Equally accurate far from the world's origin and near it.  [eq. parallel-axis]
MassSummary mass_summary(const Model& model, std::span<const double> q);

}  // namespace pintle
