// How elements that act on places read their poses and write wrenches on them.
#pragma once

#include "pintle/simulation/system/force_element.h"

namespace pintle {

/// The poses of all links; UsageError if the caller passed none.
const KinematicsWorkspace& places_of(const ForceInput& in);

/// A place on which an element acts.
struct ElementPlace : Place {
  ElementPlace(const Model& model, const Place& place);

  Pose<> X_BF;  ///< of the place in its body's frame
};

/// Adds a wrench on a place, in the place's own axes and about its origin; on the world none.  [eq. coadjoint]
void add_at(const Model& model, const ElementPlace& place, const Wrench<>& F, const ForceOutput& out);

}  // namespace pintle
