// Whether a body that could be is likely to be: its inertia against the room that its shapes take up.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/geometry/shapes/bounding_box.h"
#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// The room that the shapes of a body take up.
struct BodyRoom {
  double volume = 0.0;  ///< [m^3] of all shapes together; 0 where it is not known
  BoundingBox box{};    ///< that holds all of them [m]
};

/// The densities [kg/m^3] that pass without a doubt, from foam and thin shells to more than the heaviest metals. What
/// is too light is told by the volume of the shapes, what is too heavy by that of their box: shapes are often less than
/// what they stand for, such as four balls for a foot.
inline constexpr double kMinDensity = 0.5;
inline constexpr double kMaxDensity = 1e5;

/// How often the inertia of a solid box of the size of the room goes into that of a body, at least and at most, without
/// a doubt; within the room it could be 3 times as large, all of its mass being in the corners.
inline constexpr double kMinInertiaRatio = 1e-3;
inline constexpr double kMaxInertiaRatio = 30.0;

/// Shapes that are smaller [m] from corner to corner stand for nothing, and tell nothing.
inline constexpr double kMinRoom = 5e-3;

/// Warnings where mass [kg] and inertia about the centre of mass [kg m^2] do not fit the room of the body; most often a
/// unit was mistaken, and where a factor of units mends it the fix names it: "grams?", "millimetres?". A body that
/// cannot be (check_inertia), or without mass, raises none.  [eq. gyration]
///
/// Codes: inertia-density (mass over volume), inertia-size (radius of gyration against the room).
Diagnostics inertia_warnings(double mass, const SymMat3<>& I_c, const BodyRoom& room);

}  // namespace pintle
