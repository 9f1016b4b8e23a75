// Checks the couplings of a compiled model, with chains of couplings composed.
#pragma once

#include "pintle/model/compiled/model.h"

namespace pintle {

/// Returns an error for each coupling whose ratio or offset is out of range once it is composed with its driver's
/// coupling, and for each coupled joint whose limits, with those of its driver and of the joints coupled to it before,
/// leave no admissible position.
Diagnostics check_couplings(const Model& model, const ModelSpec& spec);

}  // namespace pintle
