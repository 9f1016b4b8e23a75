// Checks that a mesh is the surface of a solid.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/geometry/shapes/triangle_mesh.h"

namespace pintle {

/// Returns the problems of a mesh; no error when it is the closed surface of a solid, facing outwards: two triangles
/// share every edge and traverse it in opposite directions. Edges are named by their vertices, with coordinates; of
/// each kind of problem the first ten are listed and a note counts the others. Self-intersection is not checked.
///
/// | code | what |
/// |---|---|
/// | mesh-empty | no triangle |
/// | mesh-vertex-not-finite | a coordinate is NaN or infinite |
/// | mesh-vertex-unused | a vertex belongs to no triangle |
/// | mesh-index | a triangle refers to a vertex that is not there |
/// | mesh-degenerate-triangle | a triangle uses a vertex twice; a warning when only its area vanishes |
/// | mesh-open-edge | an edge belongs to one triangle |
/// | mesh-edge-orientation | both triangles traverse an edge in the same direction |
/// | mesh-crowded-edge | an edge belongs to more than two triangles |
/// | mesh-inverted | the triangles face inwards |
/// | mesh-inverted-part | a part faces inwards, so much that no body has the inertia |
/// | mesh-no-volume | the surface is folded flat |
Diagnostics check(const TriangleMesh& mesh);

}  // namespace pintle
