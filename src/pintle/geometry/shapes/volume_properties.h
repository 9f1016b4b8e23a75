// VolumeProperties: volume, centroid and inertia of a solid, from which mass, centre of mass and inertia follow.
#pragma once

#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// The moments of a volume, in its shape's frame: `volume` V [m^3], `centroid` c [m] and `inertia` [m^5] about the
/// centroid, that of a body of density 1 kg/m^3. About the centroid, because there the values stay precise however far
/// the shape lies from the frame's origin.
struct VolumeProperties {
  double volume;
  Vec3<> centroid;
  SymMat3<> inertia;
};

}  // namespace pintle
