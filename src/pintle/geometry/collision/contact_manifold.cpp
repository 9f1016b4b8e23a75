#include "pintle/geometry/collision/contact_manifold.h"

#include "pintle/base/usage_error.h"
#include "pintle/geometry/collision/bowl_contact.h"
#include "pintle/geometry/collision/convex_manifold.h"
#include "pintle/geometry/collision/half_space_contact.h"
#include "pintle/geometry/collision/surface_contact.h"

namespace pintle {
namespace {

bool is_convex_body(const ContactShape& shape) {
  return shape.index() >= 1 && shape.index() <= 7;
}

}  // namespace

ContactManifold contact_manifold(const ContactShape& a, const ContactShape& b, const Pose<>& X_AB, double margin) {
  require(can_touch(a, b), "contact_manifold", "b", "this pair of shapes is not supported: see can_touch");
  ContactManifold manifold;  // one object for all returns, so that none is copied
  if (const auto* mesh = std::get_if<SurfaceMesh>(&a)) {
    manifold = contact_manifold(*mesh, b, X_AB, margin);
  } else if (const auto* field = std::get_if<HeightField>(&a)) {
    manifold = contact_manifold(*field, b, X_AB, margin);
  } else if (const auto* bowl = std::get_if<Bowl>(&a)) {
    bowl_manifold(*bowl, convex_view(b), X_AB, margin, manifold);
  } else if (!is_convex_body(b) || (is_convex_body(a) && a.index() > b.index())) {
    const Pose<> X_BA = inverse(X_AB);
    manifold = contact_manifold(b, a, X_BA, margin);
    for (int i = 0; i < manifold.count; ++i) manifold.points.data()[i] = exchanged(manifold.points.data()[i], X_BA);
  } else if (std::holds_alternative<HalfSpace>(a)) {
    half_space_manifold(convex_view(b), X_AB, margin, manifold);
  } else {
    convex_manifold(convex_view(a), convex_view(b), X_AB, margin, manifold);
  }
  return manifold;
}

std::optional<ContactPoint> contact_point(const ContactShape& a, const ContactShape& b, const Pose<>& X_AB,
                                          std::uint64_t pair) {
  require(can_touch(a, b), "contact_point", "b", "this pair of shapes is not supported: see can_touch");
  if (const auto* mesh = std::get_if<SurfaceMesh>(&a)) return contact_point(*mesh, b, X_AB, pair);
  if (const auto* field = std::get_if<HeightField>(&a)) return contact_point(*field, b, X_AB, pair);
  if (const auto* bowl = std::get_if<Bowl>(&a)) return bowl_contact_point(*bowl, convex_view(b), X_AB, pair);
  if (!is_convex_body(b) || (is_convex_body(a) && a.index() > b.index())) {
    const Pose<> X_BA = inverse(X_AB);
    std::optional<ContactPoint> c = contact_point(b, a, X_BA, exchanged(pair));
    if (c) c = exchanged(*c, X_BA);
    return c;
  }
  if (std::holds_alternative<HalfSpace>(a)) return half_space_contact_point(convex_view(b), X_AB, pair);
  return convex_contact_point(convex_view(a), convex_view(b), X_AB, pair);
}

}  // namespace pintle
