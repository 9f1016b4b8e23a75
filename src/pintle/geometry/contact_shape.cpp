#include "pintle/geometry/contact_shape.h"

#include <limits>

namespace pintle {
namespace {

Diagnostics check(const HalfSpace&) {
  return {};
}

BoundingBox bounding_box(const HalfSpace&) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, 0.0}};
}

bool is_convex_body(const ContactShape& shape) {
  return !std::holds_alternative<HalfSpace>(shape) && !std::holds_alternative<SurfaceMesh>(shape) &&
         !std::holds_alternative<HeightField>(shape);
}

}  // namespace

const char* name(const ContactShape& shape) {
  constexpr const char* kNames[] = {"half-space", "sphere", "ellipsoid", "box",  "cylinder",
                                    "capsule",    "cone",   "hull",      "mesh", "height field"};
  static_assert(std::size(kNames) == std::variant_size_v<ContactShape>);
  return kNames[shape.index()];
}

Diagnostics check(const ContactShape& shape) {
  return std::visit([](const auto& s) { return check(s); }, shape);
}

BoundingBox bounding_box(const ContactShape& shape) {
  return std::visit([](const auto& s) { return bounding_box(s); }, shape);
}

bool can_touch(const ContactShape& a, const ContactShape& b) {
  return is_convex_body(a) || is_convex_body(b);
}

}  // namespace pintle
