// The checks of a compiled model's couplings, chains of them composed.
#pragma once

#include "pintle/model/compiled/model.h"

namespace pintle {

/// An error for each coupling whose ratio or offset is out of range once those of its driver are applied, and for each
/// coupled joint whose limits, with those of its driver and of the joints coupled to it before, leave no position.
Diagnostics check_couplings(const Model& model, const ModelSpec& spec);

}  // namespace pintle
