#include "pintle/simulation/row_bodies.h"

namespace pintle {

RowBodies::RowBodies(const Scene& scene)
    : system_(scene, {}), no_states_(static_cast<std::size_t>(system_.extra_count())), reactions_(scene.model()) {}

bool RowBodies::find(double t, std::span<const double> q, std::span<const double> v, std::span<const double> vdot) {
  if (!system_.applied({t, q, v, no_states_})) return false;
  pintle::reactions(system_.model(), q, v, vdot, reactions_, system_.options());
  return true;
}

}  // namespace pintle
