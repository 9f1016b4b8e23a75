// Whether models have the same topology, so that their states can share a batch.
#pragma once

#include <string>

#include "pintle/model/compiled/model.h"

namespace pintle {

/// Describes the first difference between the topologies of a model and of `first`; empty when they have the same
/// topology: as many links, each on the same parent link by a joint of the same kind, with the same couplings. Frames,
/// axes, pitches, inertias, limits, passive properties, gravity and all names may differ.
std::string difference_of_topology(const Model& first, const Model& model);

}  // namespace pintle
