#include "pintle/geometry/collision/separation.h"

#include "pintle/base/usage_error.h"
#include "pintle/geometry/collision/bowl_contact.h"
#include "pintle/geometry/collision/convex_separation.h"
#include "pintle/geometry/collision/half_space_contact.h"
#include "pintle/geometry/collision/surface_contact.h"

namespace pintle {

Separation separation(const ContactShape& a, const ContactShape& b, const Pose<>& X_AB) {
  require(can_touch(a, b), "separation", "b", "this pair of shapes is not supported: see can_touch");
  if (std::holds_alternative<HalfSpace>(a)) return half_space_separation(convex_view(b), X_AB);
  if (const auto* bowl = std::get_if<Bowl>(&a)) return bowl_separation(*bowl, convex_view(b), X_AB);
  if (const auto* mesh = std::get_if<SurfaceMesh>(&a)) return separation(*mesh, b, X_AB);
  if (const auto* field = std::get_if<HeightField>(&a)) return separation(*field, b, X_AB);
  const bool convex = b.index() >= 1 && b.index() <= 7;
  // A fixed order for every pair of kinds: exchanging A and B changes no bit of the distance.
  if (!convex || a.index() > b.index()) {
    const Pose<> X_BA = inverse(X_AB);
    return exchanged(separation(b, a, X_BA), X_BA);
  }
  return convex_separation(convex_view(a), convex_view(b), X_AB).at;
}

}  // namespace pintle
