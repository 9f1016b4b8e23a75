#include "pintle/geometry/mass/nearest_inertia.h"

#include <algorithm>
#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/math/number_text.h"
#include "pintle/spatial/check_inertia.h"
#include "pintle/spatial/principal_inertia.h"

namespace pintle {
namespace {

/// The amount by which two moments exceed the third, `one` of a sum, beyond the margin.
double excess(double one, double sum, double margin) {
  return (1.0 - margin) * sum - 2.0 * one;
}

/// The point nearest to p, smallest first, where no excess is negative: a cone with three faces. The nearest point
/// keeps the order, so that the face of the largest moment is the first active one, and that of the middle one the
/// next.
Vec3<> nearest_moments(const Vec3<>& p, double margin) {
  const double sum = p.x + p.y + p.z, e = excess(p.z, sum, margin);
  if (e >= 0.0) return p;
  const Vec3<> normal{1.0 - margin, 1.0 - margin, -1.0 - margin};
  const Vec3<> on_face = p - (e / norm_squared(normal)) * normal;
  if (excess(on_face.y, on_face.x + on_face.y + on_face.z, margin) >= 0.0) return on_face;
  const Vec3<> edge{2.0 * margin, 1.0 - margin, 1.0 - margin};
  return std::max(0.0, dot(edge, p) / norm_squared(edge)) * edge;
}

bool is_finite(const SymMat3<>& I) {
  const std::array<double, 6> entries = to_array(I);
  return std::all_of(entries.begin(), entries.end(), [](double entry) { return std::isfinite(entry); });
}

}  // namespace

Result<NearestInertia> nearest_inertia(double mass, const SymMat3<>& I_c, double margin) {
  if (!(margin >= 0.0 && margin <= 1.0 / 3.0)) throw UsageError("nearest_inertia: the margin must be within [0, 1/3]");
  if (!std::isfinite(mass) || !is_finite(I_c)) return check_inertia({mass, {0.0, 0.0, 0.0}, I_c});
  if (!(mass > 0.0)) {
    return make_error("inertia-mass", {}, "the mass is " + number_text(mass) + " kg",
                      "a body without positive mass has no valid inertia",
                      "give a mass above 0 kg; then the inertia can be repaired");
  }
  constexpr double kMaxEntry = 1e150;  // sums and squares of larger values overflow
  if (largest_entry(I_c) > kMaxEntry) {
    return make_error("inertia-not-finite", {},
                      "an entry of the inertia is " + number_text(largest_entry(I_c)) + " kg m^2",
                      "computations with it would overflow", "check the units: kg m^2");
  }
  const PrincipalInertia given = principal_inertia(I_c);
  const Vec3<> p = given.moments;
  NearestInertia nearest{I_c, p, p};
  const double rounding = 256.0 * kEpsilon<double> * largest_entry(I_c);
  if (excess(p.z, p.x + p.y + p.z, margin) >= -rounding) return nearest;
  nearest.moments = nearest_moments(p, margin);
  nearest.inertia = congruence(given.axes, diagonal(nearest.moments));
  nearest.distance = norm(nearest.moments - p);
  nearest.changed = true;
  return nearest;
}

}  // namespace pintle
