// Numbers and points in the text of diagnostics.
#pragma once

#include <string>

#include "pintle/math/vec3.h"

namespace pintle {

/// The value with up to nine significant digits: "0.25", "-1e-17", "nan", "inf".
std::string number_text(double number);

/// The value rounded to two significant digits, for orders of magnitude: "7900", "0.0013".
std::string rough_text(double number);

/// "(1, 0.5, -2)"
std::string point_text(const Vec3<>& point);

}  // namespace pintle
