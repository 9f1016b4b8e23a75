// Contacts of triangle surfaces (meshes and height fields) with convex shapes.
#pragma once

#include "pintle/geometry/collision/contact_manifold.h"

namespace pintle {

/// As separation, contact_manifold and contact_point of two ContactShapes; the surface is A.
Separation separation(const SurfaceMesh& mesh, const ContactShape& convex, const Pose<>& X_AB);
Separation separation(const HeightField& field, const ContactShape& convex, const Pose<>& X_AB);
ContactManifold contact_manifold(const SurfaceMesh& mesh, const ContactShape& convex, const Pose<>& X_AB,
                                 double margin);
ContactManifold contact_manifold(const HeightField& field, const ContactShape& convex, const Pose<>& X_AB,
                                 double margin);
std::optional<ContactPoint> contact_point(const SurfaceMesh& mesh, const ContactShape& convex, const Pose<>& X_AB,
                                          std::uint64_t feature);
std::optional<ContactPoint> contact_point(const HeightField& field, const ContactShape& convex, const Pose<>& X_AB,
                                          std::uint64_t feature);

}  // namespace pintle
