#include "pintle/geometry/shapes/bowl.h"

#include "pintle/geometry/shapes/check_length.h"
#include "pintle/math/scalar.h"

namespace pintle {

double rim_radius(const Bowl& bowl) {
  return is_closed(bowl) ? 0.0 : sqrt(bowl.depth * (2.0 * bowl.radius - bowl.depth));
}

BoundingBox bounding_box(const Bowl& bowl) {
  const double wide = bowl.depth >= bowl.radius ? bowl.radius : rim_radius(bowl);
  return {{-wide, -wide, 0.0}, {wide, wide, bowl.depth}};
}

Diagnostics check(const Bowl& bowl) {
  Diagnostics problems;
  check_length(problems, "bowl", "radius", bowl.radius);
  check_length(problems, "bowl", "depth", bowl.depth);
  if (problems.empty() && bowl.depth > (2.0 + 1e-14) * bowl.radius) {
    problems.push_back(make_error("shape-size", {}, "bowl: the depth is more than twice the radius",
                                  "at twice the radius the sphere is closed",
                                  "reduce the depth, or increase the radius"));
  }
  return problems;
}

}  // namespace pintle
