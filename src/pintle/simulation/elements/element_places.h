// How elements that act on places read their poses and write wrenches on them.
#pragma once

#include "pintle/simulation/system/force_element.h"

namespace pintle {

/// The poses of all links; UsageError if the caller passed none.
const KinematicsWorkspace& places_of(const ForceInput& in);

/// Adds a wrench on a place, in the place's own axes and about its origin; on the world none.
void add_at(const Model& model, const ForceInput& in, const Place& place, const Wrench<>& F, const ForceOutput& out);

}  // namespace pintle
