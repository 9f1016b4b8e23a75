#include "pintle/simulation/elements/element_places.h"

#include "pintle/base/usage_error.h"

namespace pintle {

const KinematicsWorkspace& places_of(const ForceInput& in) {
  require(in.kinematics != nullptr, "ForceElement", "kinematics",
          "this element acts on places and needs the kinematics");
  return *in.kinematics;
}

ElementPlace::ElementPlace(const Model& model, const Place& place)
    : Place(place),
      X_BF(body < 0 ? place.X_LF : inverse_times(model.bodies()[static_cast<std::size_t>(body)].X_LB, place.X_LF)) {}

void add_at(const Model& model, const ElementPlace& place, const Wrench<>& F, const ForceOutput& out) {
  if (place.body < 0) return;
  require_size("ForceElement::apply", "external", out.external.size(), model.bodies().size());
  out.external[static_cast<std::size_t>(place.body)] += place.X_BF * F;
}

}  // namespace pintle
