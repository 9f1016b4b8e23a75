#include "pintle/simulation/contact/shape_width.h"

#include <variant>

#include "pintle/math/scalar.h"

namespace pintle {

double width_of(const ContactShape& shape) {
  if (std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<HeightField>(shape)) return kInfinity<double>;
  if (std::holds_alternative<SurfaceMesh>(shape) || std::holds_alternative<Bowl>(shape)) return 0.0;
  const BoundingBox box = bounding_box(shape);
  const Vec3<> side = box.max - box.min;
  return min(side.x, min(side.y, side.z));
}

}  // namespace pintle
