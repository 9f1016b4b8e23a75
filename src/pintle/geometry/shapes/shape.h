// Shape: any of the solids Pintle knows, as a value.
#pragma once

#include <variant>

#include "pintle/geometry/shapes/box.h"
#include "pintle/geometry/shapes/capsule.h"
#include "pintle/geometry/shapes/check_mesh.h"
#include "pintle/geometry/shapes/cone.h"
#include "pintle/geometry/shapes/cylinder.h"
#include "pintle/geometry/shapes/ellipsoid.h"
#include "pintle/geometry/shapes/sphere.h"
#include "pintle/geometry/shapes/triangle_mesh.h"

namespace pintle {

/// A solid in its own frame. The functions below require shapes for which `check` returns no error.
using Shape = std::variant<Box, Sphere, Ellipsoid, Cylinder, Capsule, Cone, TriangleMesh>;

/// "box", "sphere", "ellipsoid", "cylinder", "capsule", "cone" or "mesh".
const char* name(const Shape& shape);

/// Returns the problems of a shape; without an error among them it is a solid.
Diagnostics check(const Shape& shape);

/// Volume [m^3], centroid [m] and inertia about it [m^5], in the shape's frame.
VolumeProperties volume_properties(const Shape& shape);

/// The volume [m^3].
double volume(const Shape& shape);

/// The centroid [m] in the shape's frame.
Vec3<> centroid(const Shape& shape);

/// The inertia of the shape as a body of density 1 kg/m^3, about the origin of the shape's frame: its mass [kg] is the
/// volume.
SpatialInertia<> unit_density_inertia(const Shape& shape);

/// Returns the point of the shape [m] (of its convex hull, for a mesh) that is farthest along a direction of any
/// length. For equally far points it is their centroid: for an upright cylinder the centre of its cap. Throws
/// UsageError when the direction is zero or not finite.
Vec3<> support_point(const Shape& shape, const Vec3<>& direction);

/// The smallest box along the axes of the shape's frame that contains the shape.
BoundingBox bounding_box(const Shape& shape);

}  // namespace pintle
