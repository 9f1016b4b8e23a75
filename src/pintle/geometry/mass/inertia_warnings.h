// Whether a possible inertia is plausible: compared with the space that the shapes of the body occupy.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/geometry/shapes/bounding_box.h"
#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// The space that the shapes of a body occupy.
struct BodyRoom {
  double volume = 0.0;  ///< [m^3] of all shapes together; 0 when unknown
  BoundingBox box{};    ///< contains all of them [m]
};

/// The densities [kg/m^3] that raise no warning, from foam and thin shells to more than the heaviest metals. The lower
/// bound uses the volume of the shapes, the upper one the volume of their box: shapes are often smaller than what they
/// stand for, such as four spheres for a foot.
inline constexpr double kMinDensity = 0.5;
inline constexpr double kMaxDensity = 1e5;

/// The minimum and maximum ratio of a body's inertia to that of a solid box of the size of its space that raise no
/// warning; within this space the ratio can reach 3, with all mass in the corners.
inline constexpr double kMinInertiaRatio = 1e-3;
inline constexpr double kMaxInertiaRatio = 30.0;

/// Shapes with a smaller diagonal [m] are placeholders and are not checked.
inline constexpr double kMinRoom = 5e-3;

/// Warnings where mass [kg] and inertia about the centre of mass [kg m^2] do not fit the space of the body. Most often
/// a unit is wrong; when a unit factor explains it, the fix names the unit: "grams?", "millimetres?". An impossible
/// inertia (check_inertia) or zero mass raises none.  [eq. gyration]
///
/// Codes: inertia-density (mass over volume), inertia-size (radius of gyration against the space).
Diagnostics inertia_warnings(double mass, const SymMat3<>& I_c, const BodyRoom& room);

}  // namespace pintle
