// VolumeProperties: what a homogeneous solid's mass, centre of mass and inertia follow from.
#pragma once

#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// The moments of a volume, in its shape's frame: `volume` V [m^3], `centroid` c [m] and `inertia` [m^5] about the
/// centroid, that of a body of density 1 kg/m^3. About the centroid, because there the numbers stay precise however far
/// from the frame's origin the shape lies.
struct VolumeProperties {
  double volume;
  Vec3<> centroid;
  SymMat3<> inertia;
};

}  // namespace pintle
