// How thin a shape is.
#pragma once

#include "pintle/geometry/shapes/contact_shape.h"

namespace pintle {

/// How far [m] something must travel to pass through a shape: the shortest side of its box in its own axes. Infinite
/// for half-spaces and height fields, which have nothing behind them; 0 for meshes and bowls, whose thickness is not
/// known.
double width_of(const ContactShape& shape);

}  // namespace pintle
