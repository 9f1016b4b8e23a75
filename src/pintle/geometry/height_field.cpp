#include "pintle/geometry/height_field.h"

#include "pintle/base/usage_error.h"

namespace pintle {

BoundingBox bounding_box(const HeightField& field) {
  require(!field.heights.empty(), "bounding_box", "field", "has no heights");
  double low = field.heights.front(), high = low;
  for (const double z : field.heights) {
    low = min(low, z);
    high = max(high, z);
  }
  return {{0.0, 0.0, low}, {field.spacing * (field.nx - 1), field.spacing * (field.ny - 1), high}};
}

Diagnostics check(const HeightField&) {
  return {};
}

}  // namespace pintle
