#include "pintle/geometry/shapes/contact_shape.h"

#include <limits>

#include "pintle/math/scalar.h"

namespace pintle {
namespace {

Diagnostics check(const HalfSpace&) {
  return {};
}

BoundingBox bounding_box(const HalfSpace&) {
  return {{-kInfinity<double>, -kInfinity<double>, -kInfinity<double>}, {kInfinity<double>, kInfinity<double>, 0.0}};
}

bool is_convex_body(const ContactShape& shape) {
  return !std::holds_alternative<HalfSpace>(shape) && !std::holds_alternative<SurfaceMesh>(shape) &&
         !std::holds_alternative<HeightField>(shape) && !std::holds_alternative<Bowl>(shape);
}

bool fits(const Bowl& bowl, const ContactShape& shape) {
  if (std::holds_alternative<Sphere>(shape)) return true;
  return is_closed(bowl) && is_convex_body(shape) && !std::holds_alternative<Ellipsoid>(shape);
}

}  // namespace

const char* name(const ContactShape& shape) {
  constexpr const char* kNames[] = {"half-space", "sphere", "ellipsoid", "box",          "cylinder", "capsule",
                                    "cone",       "hull",   "mesh",      "height field", "bowl"};
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
  if (const Bowl* const bowl = std::get_if<Bowl>(&a)) return fits(*bowl, b);
  if (const Bowl* const bowl = std::get_if<Bowl>(&b)) return fits(*bowl, a);
  return is_convex_body(a) || is_convex_body(b);
}

NoQuery no_query(const ContactShape& a, const ContactShape& b) {
  if (can_touch(a, b)) return {};
  const bool first = std::holds_alternative<Bowl>(a);
  if (first || std::holds_alternative<Bowl>(b)) {
    const ContactShape& other = first ? b : a;
    if (std::holds_alternative<Ellipsoid>(other))
      return {"contact between a bowl and an ellipsoid is not supported",
              "use a mesh for the bowl, or a sphere or a hull for the ellipsoid"};
    if (is_convex_body(other))
      return {"an open bowl supports contact with spheres only, a closed one with all convex shapes except ellipsoids",
              "close it (a depth of twice the radius), or use a mesh"};
  }
  return {"neither of the two is convex", "decompose one of them into convex parts"};
}

}  // namespace pintle
