// The tree of a scene's bodies, drawn with text characters.
#pragma once

#include <string>

#include "pintle/simulation/scene/scene.h"
#include "pintle/text/unit_system.h"

namespace pintle::cli {

/// A line for each body below its parent: its mass, and its joint with axes (of the parent), lead and pitch, coupling,
/// and limits; what does not fit `width` continues on the next line.
std::string scene_tree(const Scene& scene, int width, const UnitSystem& units);

/// "z", "-y", "(0.6, 0, 0.8)"
std::string axis_text(const Vec3<>& axis);

/// The axes of a joint in the axes of its parent body, of unit length.
Vec3<> axis_in_parent(const JointSpec& joint);
Vec3<> second_axis_in_parent(const JointSpec& joint);

/// A number with up to `digits` digits; rounding errors relative to `scale` become 0.
std::string short_number(double x, double scale = 0.0, int digits = 6);

/// A value, in SI units, with its unit in a system: "12.5 mm/s"; no unit for "1".
std::string quantity_text(const UnitSystem& units, double si, std::string_view si_unit, int digits = 6);

}  // namespace pintle::cli
