// MassSummary: mass, centre and inertia of a body, or of a whole mechanism, in numbers that people read.
#pragma once

#include <span>

#include "pintle/model/compiled/model.h"

namespace pintle {

struct MassSummary {
  double mass = 0.0;                                ///< [kg]
  Vec3<> center{0.0, 0.0, 0.0};                     ///< of mass [m]; the origin when there is no mass
  SymMat3<> inertia{0.0, 0.0, 0.0, 0.0, 0.0, 0.0};  ///< about the centre of mass [kg m^2]
  Vec3<> principal{0.0, 0.0, 0.0};                  ///< its principal moments, smallest first; rounding is left out
};

/// Of one body, in the frame of its inertia.
MassSummary mass_summary(const SpatialInertia<>& I);

/// Of all bodies together, those welded to the world too, where they are at q (model.nq() numbers, else UsageError), in
/// world axes. As good far from the world's origin as near it.  [eq. parallel-axis]
MassSummary mass_summary(const Model& model, std::span<const double> q);

}  // namespace pintle
