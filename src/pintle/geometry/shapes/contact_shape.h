// ContactShape: any shape that can touch another, as a value.
#pragma once

#include <string>
#include <variant>

#include "pintle/geometry/shapes/bowl.h"
#include "pintle/geometry/shapes/box.h"
#include "pintle/geometry/shapes/capsule.h"
#include "pintle/geometry/shapes/cone.h"
#include "pintle/geometry/shapes/convex_hull.h"
#include "pintle/geometry/shapes/cylinder.h"
#include "pintle/geometry/shapes/ellipsoid.h"
#include "pintle/geometry/shapes/half_space.h"
#include "pintle/geometry/shapes/height_field.h"
#include "pintle/geometry/shapes/sphere.h"
#include "pintle/geometry/shapes/surface_mesh.h"

namespace pintle {

/// A shape in its own frame. Queries require shapes for which `check` returns no error.
using ContactShape = std::variant<HalfSpace, Sphere, Ellipsoid, Box, Cylinder, Capsule, Cone, ConvexHull, SurfaceMesh,
                                  HeightField, Bowl>;

/// "half-space", "sphere", "ellipsoid", "box", "cylinder", "capsule", "cone", "hull", "mesh", "height field" or "bowl".
const char* name(const ContactShape& shape);

/// Returns the problems of a shape; contact queries require that none is an error.
Diagnostics check(const ContactShape& shape);

/// The smallest box along the axes of the shape's frame that contains the shape; a half-space has infinite sides.
BoundingBox bounding_box(const ContactShape& shape);

/// Whether contact queries support this pair: all pairs, except two of half-space, mesh, height field and bowl, an open
/// bowl with anything but spheres, and a closed one with ellipsoids.
bool can_touch(const ContactShape& a, const ContactShape& b);

/// Why a pair is not supported, in a sentence, and what to use instead; empty when it is.
struct NoQuery {
  std::string why{}, fix{};
};
NoQuery no_query(const ContactShape& a, const ContactShape& b);

}  // namespace pintle
