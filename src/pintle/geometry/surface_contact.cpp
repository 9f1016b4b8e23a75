#include "pintle/geometry/surface_contact.h"

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

[[noreturn]] void no_query() {
  detail::throw_wrong_argument("separation", "a", "meshes and height fields cannot be asked yet");
}

}  // namespace

Separation separation(const SurfaceMesh&, const ContactShape&, const Pose<>&) {
  no_query();
}
Separation separation(const HeightField&, const ContactShape&, const Pose<>&) {
  no_query();
}
ContactManifold contact_manifold(const SurfaceMesh&, const ContactShape&, const Pose<>&, double) {
  no_query();
}
ContactManifold contact_manifold(const HeightField&, const ContactShape&, const Pose<>&, double) {
  no_query();
}
std::optional<ContactPoint> contact_point(const SurfaceMesh&, const ContactShape&, const Pose<>&, std::uint64_t) {
  no_query();
}
std::optional<ContactPoint> contact_point(const HeightField&, const ContactShape&, const Pose<>&, std::uint64_t) {
  no_query();
}

}  // namespace pintle
