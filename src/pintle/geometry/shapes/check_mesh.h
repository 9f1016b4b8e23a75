// What makes a mesh the surface of a solid, checked.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/geometry/shapes/triangle_mesh.h"

namespace pintle {

/// What is wrong with a mesh; no error when it is the closed surface of a solid, facing outwards: every edge of a
/// triangle is run along once in each direction, by two triangles. Edges are named by their vertices, with coordinates;
/// of many problems of one kind the first ten are listed and the others counted in a note. Triangles that run through
/// each other are not looked for.
///
/// | code | what |
/// |---|---|
/// | mesh-empty | no triangle |
/// | mesh-vertex-not-finite | a coordinate is NaN or infinite |
/// | mesh-vertex-unused | a vertex belongs to no triangle |
/// | mesh-index | a triangle refers to a vertex that is not there |
/// | mesh-degenerate-triangle | a triangle names a vertex twice; a warning when only its area vanishes |
/// | mesh-open-edge | an edge belongs to one triangle |
/// | mesh-edge-orientation | both triangles run along an edge in the same direction |
/// | mesh-crowded-edge | an edge belongs to more than two triangles |
/// | mesh-inverted | the triangles face inwards |
/// | mesh-inverted-part | a part faces inwards, so much that no body has the inertia |
/// | mesh-no-volume | the surface is folded flat |
Diagnostics check(const TriangleMesh& mesh);

}  // namespace pintle
