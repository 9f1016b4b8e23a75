// Edge contact: where the flat ends of cylinders and cones touch a face. Eight vertices on the edge form the patch
// polygon, rotated so that one of them lies where the end tips over its true circle.
#pragma once

#include <optional>

#include "pintle/geometry/collision/contact_feature.h"
#include "pintle/simulation/contact/contacts.h"

namespace pintle {

/// Whether a pair of features is an edge, tilted or flat, on a face.
bool has_edge_point(std::uint64_t pair);
bool is_tilted_edge(std::uint64_t pair);
inline bool has_edge_contact(std::uint64_t pair) {
  return has_edge_point(pair) || is_tilted_edge(pair);
}

/// The pair with the patch polygon of its vertex rotated; other pairs unchanged.
std::uint64_t rotated_pair(std::uint64_t pair, int rotation);

/// The index of a vertex among the eight, and the pair with another vertex.
int corner_number(std::uint64_t pair);
std::uint64_t with_corner(std::uint64_t pair, int number);

/// Whether both are on the same edge and face, tilted or flat.
bool same_edge(std::uint64_t pair, std::uint64_t other);

/// Whether the other feature of an edge contact is a plane.
bool on_plane(std::uint64_t pair);

/// Whether the end lies flat on its face, a plane, up to kFlatAngle.
bool is_flat(const ContactPoint& on_rim, const Pose<>& X_AB);

/// The pair with the edge itself instead of a vertex.
std::uint64_t tilted(std::uint64_t pair);

/// The rotation of a patch polygon with a vertex in a direction (x, y) of the end's axes; 0 for no direction.
int rotation_to(double x, double y);

/// The vertex, of an edge that is tilted on a face, in a direction of its axes.
std::uint64_t corner_at(std::uint64_t pair, const Vec3<>& direction);

/// The rotation of the patch polygon of a contact: its own, or the one with a vertex where a tilted edge touches.
int rotation_of(const ActiveContact& contact);

/// Where an edge touched when the step began, as a direction of its axes; zeros if that is not known.
Vec3<> edge_before(const ActiveContact& contact);

/// Where a tilted edge touches: the unit vector from the centre of the end in the axes of its shape; zeros for other
/// contacts.
Vec3<> edge_direction(const ContactPoint& point, const Pose<>& X_AB);

/// The point of an edge opposite to where it touched when the step began; nothing if all of it touches. Its height
/// above the face is zero when the end lies flat, and negative when it has tipped to the other side.
std::optional<ContactPoint> opposite_of_edge(const ContactShape& a, const ContactShape& b, const Pose<>& X_AB,
                                             const ActiveContact& contact);

/// The rotation with a vertex at the point of a flat end that reaches its face first; `omega_B` [rad/s] is the
/// angular velocity of B relative to A, in B.
int rotation_towards_approach(const ContactManifold& points, const Pose<>& X_AB, const Vec3<>& omega_B);

}  // namespace pintle
