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

/// A solid in its own frame, which it is placed by. The functions below hold for shapes in which `check` finds no
/// error.
using Shape = std::variant<Box, Sphere, Ellipsoid, Cylinder, Capsule, Cone, TriangleMesh>;

/// "box", "sphere", "ellipsoid", "cylinder", "capsule", "cone" or "mesh".
const char* name(const Shape& shape);

/// What is wrong with a shape; without an error in it the shape is a solid.
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

/// The point of the shape [m] (of its convex hull, for a mesh) that is farthest along a direction of any length. Where
/// several are equally far it is their centroid: for a cylinder standing upright the centre of its cap. Throws
/// UsageError when the direction is zero or not finite.
Vec3<> support_point(const Shape& shape, const Vec3<>& direction);

/// The smallest box along the axes of the shape's frame that holds the shape.
BoundingBox bounding_box(const Shape& shape);

}  // namespace pintle
