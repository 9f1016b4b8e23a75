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

/// A shape in its own frame, which it is placed by. Queries hold for shapes in which `check` finds no error.
using ContactShape = std::variant<HalfSpace, Sphere, Ellipsoid, Box, Cylinder, Capsule, Cone, ConvexHull, SurfaceMesh,
                                  HeightField, Bowl>;

/// "half-space", "sphere", "ellipsoid", "box", "cylinder", "capsule", "cone", "hull", "mesh", "height field" or "bowl".
const char* name(const ContactShape& shape);

/// What is wrong with a shape; without an error in it, it can be asked about contacts.
Diagnostics check(const ContactShape& shape);

/// The smallest box along the axes of the shape's frame that holds the shape; a half-space has infinite sides.
BoundingBox bounding_box(const ContactShape& shape);

/// Whether there are queries about this pair: everything against everything, except two of half-space, mesh, height
/// field and bowl, a bowl with an opening against all but balls, and a closed one against ellipsoids.
bool can_touch(const ContactShape& a, const ContactShape& b);

/// Why there are none, in a sentence, and what helps; empty where there are.
struct NoQuery {
  std::string why{}, fix{};
};
NoQuery no_query(const ContactShape& a, const ContactShape& b);

}  // namespace pintle
