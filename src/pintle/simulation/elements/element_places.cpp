#include "pintle/simulation/elements/element_places.h"

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/external_wrench.h"

namespace pintle {

const KinematicsWorkspace& places_of(const ForceInput& in) {
  require(in.kinematics != nullptr, "ForceElement", "kinematics",
          "this element acts on places and needs the kinematics");
  return *in.kinematics;
}

void add_at(const Model& model, const ForceInput& in, const Place& place, const Wrench<>& F, const ForceOutput& out) {
  if (place.body >= 0) add_external(model, places_of(in), place, F, Axes::local, out.external);
}

}  // namespace pintle
