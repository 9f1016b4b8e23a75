// Where the flat ends of cylinders and cones touch a face: eight points of the rim, turned so that one of them lies
// where the end tips over its true circle.
#pragma once

#include <optional>

#include "pintle/geometry/collision/contact_feature.h"
#include "pintle/simulation/contact/contacts.h"

namespace pintle {

/// Whether a pair of features is a rim, tilted or flat, on a face.
bool has_rim_point(std::uint64_t pair);
bool is_tilted_rim(std::uint64_t pair);
inline bool has_rim(std::uint64_t pair) {
  return has_rim_point(pair) || is_tilted_rim(pair);
}

/// The pair with the patch polygon of its rim point turned, others as they are.
std::uint64_t turned_pair(std::uint64_t pair, int turn);

/// The number of a rim point among the eight, and another one of them.
int corner_number(std::uint64_t pair);
std::uint64_t with_corner(std::uint64_t pair, int number);

/// Whether both are on the same rim and face, tilted or flat.
bool same_rim(std::uint64_t pair, std::uint64_t other);

/// Whether the other side of a rim is a plane.
bool on_plane(std::uint64_t pair);

/// Whether the end of a rim lies flat on its face, a plane, up to kFlatAngle.
bool is_flat(const ContactPoint& on_rim, const Pose<>& X_AB);

/// The pair with the rim itself in the place of a rim point.
std::uint64_t tilted(std::uint64_t pair);

/// The turn of an patch polygon with a corner in a direction (x, y) of the rim's axes; 0 for no direction.
int turn_to(double x, double y);

/// The rim point, of a rim that is tilted on a face, in a direction of its axes.
std::uint64_t corner_at(std::uint64_t pair, const Vec3<>& direction);

/// The turn of the patch polygon that a contact stands for: its own, or the one with a corner where a tilted rim
/// touches.
int turn_of(const ActiveContact& contact);

/// Where a rim touched when the step began, as a direction of its axes; zeros where that is not known.
Vec3<> rim_before(const ActiveContact& contact);

/// Where a tilted rim touches: the unit vector from its middle in the axes of its shape; zeros for other contacts.
Vec3<> rim_direction(const ContactPoint& point, const Pose<>& X_AB);

/// The point of a rim opposite to where it touched when the step began; nothing where all of it touches. Its height
/// above the face is zero when the end lies flat, and negative when it has tipped to the other side.
std::optional<ContactPoint> opposite_of_rim(const ContactShape& a, const ContactShape& b, const Pose<>& X_AB,
                                            const ActiveContact& contact);

/// The turn with a corner at the point of a flat end that comes nearest to its face first; `turning_B` [rad/s] of B
/// against A, in B.
int turn_towards_approach(const ContactManifold& points, const Pose<>& X_AB, const Vec3<>& turning_B);

}  // namespace pintle
