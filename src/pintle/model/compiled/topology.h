// Whether models have the same joints, so that their numbers can stand side by side.
#pragma once

#include <string>

#include "pintle/model/compiled/model.h"

namespace pintle {

/// The first difference between the topologies of a model and of `first`, in words, or nothing where they have the
/// same: as many links, each on the same link by a joint of the same kind, with the same couplings.
/// Frames, axes, pitches, inertias, limits, passive properties, gravity and all names are free to differ.
std::string difference_of_topology(const Model& first, const Model& model);

}  // namespace pintle
